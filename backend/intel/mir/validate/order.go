// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"
	"slices"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// awaited is a fence or barrier that the thread has not waited for yet.
type awaited struct {
	by     mir.ID
	spaces mir.Spaces
	answer mir.Operand // response of a fence
	token  int         // token of a fence; -1 until the scoreboard fields are set
}

// ordering checks, block by block, that the thread waits for each fence and barrier before the next access to
// the memory that it orders. Otherwise the order of instructions guarantees nothing.
type ordering struct {
	f    *mir.Func
	open []awaited
}

// step processes the next instruction and returns an error message, or "".
func (o *ordering) step(i mir.ID) string {
	in := &o.f.Insts[i]
	if in.Orders&^mir.EverySpace != 0 {
		return "orders accesses in no space"
	}
	info := in.Msg.Name.Info()
	orders := in.IsSend() && info.Orders
	if len(o.open) == 0 && !orders {
		return ""
	}
	o.open = slices.DeleteFunc(o.open, func(x awaited) bool { return x.doneBefore(in) })
	if msg := o.access(in, orders); msg != "" {
		return msg
	}
	o.open = slices.DeleteFunc(o.open, func(x awaited) bool { return x.awaitedBy(o.f, in) })
	switch {
	case !orders:
	case in.Msg.Space == message.Nowhere:
		o.open = append(o.open, awaited{i, mir.EverySpace, mir.Operand{}, -1})
	case in.Orders&mir.SpacesOf(in.Msg.Space) == 0:
		return fmt.Sprintf("does not order accesses to %v", in.Msg.Space)
	case in.Len[2] == 0:
		return "has no response to wait for"
	default:
		o.open = append(o.open, awaited{i, in.Orders, in.Dst, allocated(in)})
	}
	return ""
}

// access returns an error message if an instruction accesses memory without a wait for a fence or barrier that
// orders it. One wait may cover several fences.
func (o *ordering) access(in *mir.Inst, orders bool) string {
	if !in.IsSend() || orders && in.Msg.Space != message.Nowhere {
		return ""
	}
	reads, writes := in.Msg.Memory()
	for _, x := range o.open {
		if (reads|writes)&x.spaces.Implicit() != 0 {
			return fmt.Sprintf("comes before a wait for %s", o.f.Text(x.by))
		}
	}
	return ""
}

// doneBefore reports whether an instruction executes only after x because it waits for x's token, which allocating the token
// again does too. The machine may skip masked and predicated instructions, together with their waits.
func (x *awaited) doneBefore(in *mir.Inst) bool {
	t, use := in.SWSB.Token()
	return x.token == t && (use == fields.TokenDst || use == fields.TokenSet) && in.NoMask && in.Pred == isa.PredNone
}

// awaitedBy reports whether an instruction of a function waits for x: for a fence by reading its response, for a barrier by the
// machine's wait.
func (x *awaited) awaitedBy(f *mir.Func, in *mir.Inst) bool {
	if x.answer.File == mir.None {
		return in.Op == isa.OpSync && in.Sync == isa.SyncBar || in.Op == isa.OpWait
	}
	if in.Orders&x.spaces != x.spaces {
		return false
	}
	for k := range in.Src {
		o := &in.Src[k]
		if !o.SameReg(&x.answer) && (o.File != mir.GRF || x.answer.File != mir.GRF) {
			continue
		}
		lo, at := place(f, o), place(f, &x.answer)
		if n := f.SrcBytes(in, k); lo < at+f.GRF.Bytes() && at < lo+n {
			return true
		}
	}
	return false
}

// allocated returns the scoreboard token that an instruction allocates, or -1.
func allocated(in *mir.Inst) int {
	if t, use := in.SWSB.Token(); use == fields.TokenSet {
		return t
	}
	return -1
}

// place returns the start of an operand in bytes, in the register file or in its virtual register.
func place(f *mir.Func, o *mir.Operand) uint32 {
	if o.File == mir.GRF {
		return f.GRF.Place(o)
	}
	return o.Off
}

// end closes a block and returns a fence or barrier that was never awaited.
func (o *ordering) end() (mir.ID, bool) {
	if len(o.open) == 0 {
		return 0, false
	}
	i := o.open[0].by
	o.open = o.open[:0]
	return i, true
}
