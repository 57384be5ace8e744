// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"

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
	if msg := o.access(in, orders); msg != "" {
		return msg
	}
	rest := o.open[:0]
	for _, x := range o.open {
		if !x.awaitedBy(in) {
			rest = append(rest, x)
		}
	}
	o.open = rest
	switch {
	case !orders:
	case in.Msg.Space == message.Nowhere:
		o.open = append(o.open, awaited{i, mir.EverySpace, mir.Operand{}, -1})
	case in.Orders&mir.SpacesOf(in.Msg.Space) == 0:
		return fmt.Sprintf("does not order accesses to %v", in.Msg.Space)
	case in.Len[2] == 0:
		return "has no response to wait for"
	default:
		o.open = append(o.open, awaited{i, in.Orders, in.Dst, token(in, fields.TokenSet)})
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

// awaitedBy reports whether an instruction waits for x: for a fence by reading its response or waiting for its
// token, for a barrier by the machine's wait.
func (x *awaited) awaitedBy(in *mir.Inst) bool {
	if x.answer.File == mir.None {
		return in.Op == isa.OpSync && in.Sync == isa.SyncBar || in.Op == isa.OpWait
	}
	if in.Orders&x.spaces != x.spaces {
		return false
	}
	if x.token >= 0 && x.token == token(in, fields.TokenDst) {
		return true
	}
	for k := range in.Src {
		o := &in.Src[k]
		if !o.SameReg(&x.answer) && (o.File != mir.GRF || x.answer.File != mir.GRF) {
			continue
		}
		lo, at := place(o), place(&x.answer)
		if n := in.SrcBytes(k); lo < at+mir.GRFBytes && at < lo+n {
			return true
		}
	}
	return false
}

// token returns the scoreboard token that an instruction uses in the given way, or -1.
func token(in *mir.Inst, how fields.TokenUse) int {
	if t, use := in.SWSB.Token(in.Op.IsOutOfOrder()); use == how {
		return t
	}
	return -1
}

// place returns the start of an operand in bytes, in the register file or in its virtual register.
func place(o *mir.Operand) uint32 {
	if o.File == mir.GRF {
		return o.Num*mir.GRFBytes + o.Off
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
