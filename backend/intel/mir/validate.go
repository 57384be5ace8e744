package mir

import (
	"fmt"
	"math/bits"
	"slices"

	"jacquard.example/generated/isa"
)

// Error is an error in a function. Inst is 0 for an error of a block or of the whole
// function.
type Error struct {
	Block int
	Inst  ID
	Text  string // of the instruction
	Msg   string
}

func (e *Error) Error() string {
	if e.Inst == 0 {
		return e.Msg
	}
	return fmt.Sprintf("block %d: %s: %s", e.Block, e.Text, e.Msg)
}

// Validate checks what every pass relies on. It returns the first violation, an
// *Error.
func (f *Func) Validate() error {
	if err := f.ValidateCode(); err != nil {
		return err
	}
	return f.validateEdges()
}

// ValidateCode is Validate without the edges: what BuildCFG relies on.
func (f *Func) ValidateCode() error {
	if err := f.validateRegs(); err != nil {
		return err
	}
	s := structure{f: f}
	order := ordering{f: f}
	acc := accumulator{f: f}
	pay := composition{f: f}
	for b := range f.Blocks {
		prev := ID(0)
		acc.writer = 0
		for i := f.Blocks[b].First; i != 0; i = f.Insts[i].next {
			in := &f.Insts[i]
			msg := in.misplaced(b, prev)
			if msg == "" {
				msg = f.checkInst(in)
			}
			if msg == "" {
				msg = f.checkDefs(i)
			}
			if msg == "" {
				msg = order.step(i)
			}
			if msg == "" {
				msg = acc.step(i)
			}
			if msg == "" {
				msg = pay.step(i)
			}
			if msg == "" {
				msg = s.step(b, i)
			}
			if msg != "" {
				return &Error{b, i, f.Text(i), msg}
			}
			prev = i
		}
		if pay.open != 0 {
			return &Error{b, pay.open, f.Text(pay.open), noMessage}
		}
		if i, open := order.end(); open {
			return &Error{b, i, f.Text(i), "nothing in its block awaits it"}
		}
		if prev != f.Blocks[b].Last {
			return &Error{Block: b, Msg: fmt.Sprintf("block %d: its last instruction is not the last of its list", b)}
		}
	}
	if err := s.end(); err != nil {
		return err
	}
	return f.validateDefs()
}

// misplaced returns why an instruction is not linked correctly, or "" if it is.
func (in *Inst) misplaced(b int, prev ID) string {
	switch {
	case int(in.block) != b:
		return fmt.Sprintf("linked into the wrong block (%d)", in.block)
	case in.prev != prev:
		return "linked to the wrong instruction before it"
	}
	return ""
}

// classBytes are the maximum sizes in bytes of the registers of each class.
var classBytes = [...]uint32{General: MaxRegBytes, FlagClass: 4, AddressClass: 32, AccumulatorClass: 64}

func (f *Func) validateRegs() error {
	switch f.Width {
	case 8, 16, 32:
	default:
		return &Error{Msg: fmt.Sprintf("%d lanes; 8, 16 and 32 are possible", f.Width)}
	}
	if f.Payload < 0 || f.Payload > NumGRFs {
		return &Error{Msg: fmt.Sprintf("a payload of %d registers", f.Payload)}
	}
	for r := 1; r < len(f.Regs); r++ {
		if msg := f.Regs[r].wrong(); msg != "" {
			return &Error{Msg: fmt.Sprintf("register v%d: %s", r, msg)}
		}
	}
	return nil
}

// wrong returns why there is no such register, or "" if there is.
func (info *RegInfo) wrong() string {
	switch a := uint(info.Align); {
	case info.Bytes == 0 || info.Bytes > MaxRegBytes:
		return fmt.Sprintf("%d bytes", info.Bytes)
	case info.Class > AccumulatorClass || info.Bytes > classBytes[info.Class]:
		return fmt.Sprintf("no register of its class has %d bytes", info.Bytes)
	case info.Lane == 0:
		return "lanes of no bytes"
	case bits.OnesCount(a) != 1 || a > GRFBytes:
		return fmt.Sprintf("an alignment of %d bytes", a)
	case !info.Uniform && a != GRFBytes:
		return "is divergent and does not start at a whole register"
	case a < GRFBytes && info.Bytes > GRFBytes:
		return fmt.Sprintf("%d bytes do not share a register with others", info.Bytes)
	}
	return ""
}

// structure tracks the control flow with a stack.
type structure struct {
	f      *Func
	stack  []level
	halts  ID // the first halt
	target bool
	eot    ID
}

// level is an open if or loop.
type level struct {
	op    isa.Op // if, else or loop
	block int
	inst  ID
}

// inLoop reports whether the position is in a loop.
func (s *structure) inLoop() bool {
	return slices.ContainsFunc(s.stack, func(l level) bool { return l.op == OpLoop })
}

func (s *structure) top() isa.Op {
	if len(s.stack) == 0 {
		return isa.OpIllegal
	}
	return s.stack[len(s.stack)-1].op
}

func (s *structure) pop() { s.stack = s.stack[:len(s.stack)-1] }

// place is the position of a control flow instruction in its block.
type place uint8

const (
	starts place = 1 << iota
	ends
)

// places are the opcodes with a fixed position.
var places = [256]place{
	OpLoop: starts, OpHaltTarget: starts,
	isa.OpIf: ends, isa.OpBreak: ends, isa.OpCont: ends, isa.OpHalt: ends,
	isa.OpElse: starts | ends, isa.OpEndif: starts | ends, isa.OpWhile: starts | ends,
}

// step checks the next instruction and returns what is wrong.
func (s *structure) step(b int, i ID) string {
	f, op := s.f, s.f.Insts[i].Op
	if s.eot != 0 {
		return "is after the end of the thread"
	}
	if f.Insts[i].EOT {
		if len(s.stack) > 0 {
			return "the thread ends within an if or a loop"
		}
		if b != len(f.Blocks)-1 {
			return "the thread ends before the last block"
		}
		s.eot = i
	}
	p := places[op]
	blk := &f.Blocks[b]
	switch {
	case p == starts|ends && (blk.First != i || blk.Last != i):
		return "is not alone in its block"
	case p&starts != 0 && blk.First != i:
		return "does not start its block"
	case p&ends != 0 && blk.Last != i:
		return "does not end its block"
	}
	switch op {
	case OpLoop, isa.OpIf:
		s.stack = append(s.stack, level{op, b, i})
	case isa.OpElse:
		if s.top() != isa.OpIf {
			return "does not belong to an if"
		}
		s.stack[len(s.stack)-1].op = isa.OpElse
	case isa.OpEndif:
		if s.top() != isa.OpIf && s.top() != isa.OpElse {
			return "does not end an if"
		}
		s.pop()
	case isa.OpWhile:
		if s.top() != OpLoop {
			return "does not end a loop"
		}
		s.pop()
	case isa.OpBreak, isa.OpCont:
		if !s.inLoop() {
			return "is not in a loop"
		}
	case isa.OpHalt:
		if s.target {
			return "halts after the point where halted lanes resume"
		}
		if s.halts == 0 {
			s.halts = i
		}
	case OpHaltTarget:
		if len(s.stack) > 0 || s.target {
			return "halted lanes resume at one point, outside of ifs and loops"
		}
		s.target = true
	}
	return ""
}

// end checks what is still open at the end.
func (s *structure) end() error {
	if n := len(s.stack); n > 0 {
		l := s.stack[n-1]
		return &Error{l.block, l.inst, s.f.Text(l.inst), "is not closed"}
	}
	if s.halts != 0 && !s.target {
		return &Error{int(s.f.Insts[s.halts].block), s.halts, s.f.Text(s.halts), "there is no place where halted lanes come back"}
	}
	return nil
}

// validateEdges compares the edges with those that follow from the instructions.
func (f *Func) validateEdges() error {
	g := Func{Insts: f.Insts, Blocks: make([]Block, len(f.Blocks))}
	for b := range f.Blocks {
		g.Blocks[b].First, g.Blocks[b].Last = f.Blocks[b].First, f.Blocks[b].Last
	}
	g.BuildCFG()
	for b := range f.Blocks {
		is, want := &f.Blocks[b], &g.Blocks[b]
		for _, c := range [...]struct {
			name     string
			is, want []int32
		}{
			{"logical successors", is.Succ, want.Succ}, {"physical successors", is.Phys, want.Phys},
			{"logical predecessors", is.Pred, want.Pred}, {"physical predecessors", is.PhysPred, want.PhysPred},
		} {
			if !sameEdges(c.is, c.want) {
				return &Error{Block: b, Msg: fmt.Sprintf("block %d: its %s are %v, but %v by its instructions", b, c.name, c.is, c.want)}
			}
		}
		if is.Loops != want.Loops {
			return &Error{Block: b, Msg: fmt.Sprintf("block %d: is in %d loops, but in %d by its instructions", b, is.Loops, want.Loops)}
		}
	}
	return nil
}

// sameEdges compares edges in any order.
func sameEdges(a, b []int32) bool {
	if slices.Equal(a, b) {
		return true
	}
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}
