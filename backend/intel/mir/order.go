package mir

import (
	"fmt"
	"strings"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Spaces is a set of memory spaces.
type Spaces uint8

// SpacesOf returns the set of some spaces.
func SpacesOf(list ...message.Space) (x Spaces) {
	for _, s := range list {
		x |= 1 << s
	}
	return x
}

// EverySpace is the set of all spaces.
const EverySpace = 1<<message.NumSpaces - 1<<(message.Nowhere+1)

// String returns the names of the spaces, joined by dots.
func (x Spaces) String() string {
	var names []string
	for s := range message.Space(message.NumSpaces) {
		if x>>s&1 != 0 {
			names = append(names, s.String())
		}
	}
	return strings.Join(names, ".")
}

// implicit returns the memory of the spaces.
func (x Spaces) implicit() Implicit { return firstSpace * Implicit(x) }

// awaited is a fence or barrier that the thread has not waited for yet.
type awaited struct {
	by     ID
	spaces Spaces
	answer Operand // response of a fence
	token  int     // token of a fence; -1 until the scoreboard fields are set
}

// ordering checks, block by block, that the thread waits for each fence and barrier before the next access to
// the memory that it orders. Otherwise the order of instructions guarantees nothing.
type ordering struct {
	f    *Func
	open []awaited
}

// step processes the next instruction and returns an error message, or "".
func (o *ordering) step(i ID) string {
	in := &o.f.Insts[i]
	if in.Orders&^EverySpace != 0 {
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
		o.open = append(o.open, awaited{i, EverySpace, Operand{}, -1})
	case in.Orders&SpacesOf(in.Msg.Space) == 0:
		return fmt.Sprintf("does not order accesses to %v", in.Msg.Space)
	case in.Len[2] == 0:
		return "has no response to wait for"
	default:
		o.open = append(o.open, awaited{i, in.Orders, in.Dst, in.token(fields.TokenSet)})
	}
	return ""
}

// access returns an error message if an instruction accesses memory without a wait for a fence or barrier that
// orders it. One wait may cover several fences.
func (o *ordering) access(in *Inst, orders bool) string {
	if !in.IsSend() || orders && in.Msg.Space != message.Nowhere {
		return ""
	}
	reads, writes := in.Msg.memory()
	for _, x := range o.open {
		if (reads|writes)&x.spaces.implicit() != 0 {
			return fmt.Sprintf("comes before a wait for %s", o.f.Text(x.by))
		}
	}
	return ""
}

// awaitedBy reports whether an instruction waits for x: for a fence by reading its response or waiting for its
// token, for a barrier by the machine's wait.
func (x *awaited) awaitedBy(in *Inst) bool {
	if x.answer.File == None {
		return in.Op == isa.OpSync && in.Sync == isa.SyncBar || in.Op == isa.OpWait
	}
	if in.Orders&x.spaces != x.spaces {
		return false
	}
	if x.token >= 0 && x.token == in.token(fields.TokenDst) {
		return true
	}
	for k := range in.Src {
		o := &in.Src[k]
		if !o.SameReg(&x.answer) && (o.File != GRF || x.answer.File != GRF) {
			continue
		}
		lo, at := o.place(), x.answer.place()
		if n := in.SrcBytes(k); lo < at+GRFBytes && at < lo+n {
			return true
		}
	}
	return false
}

// token returns the scoreboard token that an instruction uses in the given way, or -1.
func (in *Inst) token(how fields.TokenUse) int {
	if t, use := in.SWSB.Token(in.Op.IsOutOfOrder()); use == how {
		return t
	}
	return -1
}

// place returns the start of an operand in bytes, in the register file or in its virtual register.
func (o *Operand) place() uint32 {
	if o.File == GRF {
		return o.Num*GRFBytes + o.Off
	}
	return o.Off
}

// end closes a block and returns a fence or barrier that was never awaited.
func (o *ordering) end() (ID, bool) {
	if len(o.open) == 0 {
		return 0, false
	}
	i := o.open[0].by
	o.open = o.open[:0]
	return i, true
}
