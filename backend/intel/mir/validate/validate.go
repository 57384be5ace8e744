// SPDX-License-Identifier: MIT

package validate

import (
	"fmt"
	"math/bits"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/generated/isa"
)

// Func checks the invariants that passes rely on. It returns the first violation, a *mir.Error.
func Func(f *mir.Func) error {
	s := structure{f: f}
	if err := validateCode(f, &s); err != nil {
		return err
	}
	if err := s.validate(); err != nil {
		return err
	}
	return validateEdges(f)
}

// Code is like Func, for code without constructs and edges. It checks the invariants that BuildCFG relies on.
func Code(f *mir.Func) error { return validateCode(f, &structure{f: f}) }

func validateCode(f *mir.Func, s *structure) error {
	if err := validateRegs(f); err != nil {
		return err
	}
	order := ordering{f: f}
	acc := accumulator{f: f}
	pay := composition{f: f}
	for b := range f.Blocks {
		prev := mir.ID(0)
		acc.writer = 0
		s.enter(b)
		for i := f.Blocks[b].First; i != 0; i = f.Insts[i].Next {
			in := &f.Insts[i]
			msg := misplaced(in, b, prev)
			if msg == "" {
				msg = checkInst(f, in)
			}
			if msg == "" {
				msg = checkDefs(f, i)
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
				return &mir.Error{Block: b, Inst: i, Text: f.Text(i), Msg: msg}
			}
			prev = i
		}
		if pay.open != 0 {
			return &mir.Error{Block: b, Inst: pay.open, Text: f.Text(pay.open), Msg: mir.NoMessage}
		}
		if i, open := order.end(); open {
			return &mir.Error{Block: b, Inst: i, Text: f.Text(i), Msg: "is not awaited in its block"}
		}
		if prev != f.Blocks[b].Last {
			return &mir.Error{Block: b, Msg: fmt.Sprintf("block %d: its last instruction is not the last of its list", b)}
		}
	}
	if err := s.end(); err != nil {
		return err
	}
	return validateDefs(f)
}

// misplaced describes how an instruction is linked incorrectly, or returns "".
func misplaced(in *mir.Inst, b int, prev mir.ID) string {
	switch {
	case int(in.Block) != b:
		return fmt.Sprintf("linked into the wrong block (%d)", in.Block)
	case in.Prev != prev:
		return "linked to the wrong instruction before it"
	}
	return ""
}

// addressBytes is the size of a0: 16 words.
const addressBytes = 2 * 16

// classBytes returns the maximum size in bytes of a register of a class.
func classBytes(c mir.Class, grf mir.RegSize) uint32 {
	return [...]uint32{
		mir.General: mir.MaxRegBytes, mir.FlagClass: 4, mir.AddressClass: addressBytes, mir.AccumulatorClass: 2 * grf.Bytes(),
	}[c]
}

func validateRegs(f *mir.Func) error {
	switch f.Width {
	case 8, 16, 32:
	default:
		return &mir.Error{Msg: fmt.Sprintf("%d lanes; 8, 16 and 32 are possible", f.Width)}
	}
	if f.Payload < 0 || f.Payload > mir.NumGRFs {
		return &mir.Error{Msg: fmt.Sprintf("a payload of %d registers", f.Payload)}
	}
	for r := 1; r < len(f.Regs); r++ {
		if msg := wrong(&f.Regs[r], f.GRF); msg != "" {
			return &mir.Error{Msg: fmt.Sprintf("register v%d: %s", r, msg)}
		}
	}
	return nil
}

// wrong describes why there can be no such register, or returns "".
func wrong(info *mir.RegInfo, grf mir.RegSize) string {
	switch a, whole := uint(info.Align), uint(grf.Align()); {
	case info.Bytes == 0 || info.Bytes > mir.MaxRegBytes:
		return fmt.Sprintf("%d bytes", info.Bytes)
	case info.Class > mir.AccumulatorClass || info.Bytes > classBytes(info.Class, grf):
		return fmt.Sprintf("no register of its class has %d bytes", info.Bytes)
	case info.Lane == 0:
		return "lanes of no bytes"
	case bits.OnesCount(a) != 1 || a > whole:
		return fmt.Sprintf("an alignment of %d bytes", a)
	case !info.Uniform && a != whole:
		return "is divergent and does not start at a whole register"
	case a < whole && info.Bytes > grf.Bytes():
		return fmt.Sprintf("%d bytes do not share a register with others", info.Bytes)
	}
	return ""
}

// structure tracks the control flow with a stack, and derives the results that BuildCFG should have computed.
type structure struct {
	f      *mir.Func
	stack  []level
	halts  mir.ID // the first halt
	target bool
	eot    mir.ID

	constructs []mir.Construct // without number 0
	blocks     []mir.Block
	resume     int32
}

// level is an open if or loop.
type level struct {
	op    isa.Op // if, else or loop
	block int
	inst  mir.ID
	is    int32 // index in Func.Constructs
}

// enter begins the next block.
func (s *structure) enter(b int) {
	blk := mir.Block{First: s.f.Blocks[b].First, Last: s.f.Blocks[b].Last}
	if n := len(s.stack); n > 0 {
		blk.In = s.stack[n-1].is
	}
	s.blocks = append(s.blocks, blk)
}

// open opens the if or loop of instruction i.
func (s *structure) open(op isa.Op, b int, i mir.ID) {
	c := mir.Construct{IsLoop: op == mir.OpLoop, First: int32(b)}
	is := int32(len(s.constructs) + 1)
	if n := len(s.stack); n > 0 {
		c.Parent = s.stack[n-1].is
		c.Loop, c.Loops = s.innermost().Loop, s.innermost().Loops
	}
	if c.IsLoop {
		c.Loop, c.Loops, s.blocks[b].In = is, c.Loops+1, is
	} else {
		s.blocks[b].If = is
	}
	s.constructs = append(s.constructs, c)
	s.stack = append(s.stack, level{op, b, i, is})
}

// innermost returns the construct at the top of the stack.
func (s *structure) innermost() *mir.Construct { return &s.constructs[s.stack[len(s.stack)-1].is-1] }

// validate compares the constructs and blocks of the function with the derived ones.
func (s *structure) validate() error {
	f := s.f
	if len(f.Constructs) != len(s.constructs)+1 || f.Constructs[0] != (mir.Construct{}) {
		return &mir.Error{Msg: fmt.Sprintf("%d ifs and loops; the instructions imply %d", len(f.Constructs)-1, len(s.constructs))}
	}
	for k, want := range s.constructs {
		if is := f.Constructs[k+1]; is != want {
			return &mir.Error{Block: int(want.First), Msg: fmt.Sprintf("block %d: its if or loop is %+v; the instructions imply %+v",
				want.First, is, want)}
		}
	}
	for b, want := range s.blocks {
		if is := f.Blocks[b]; is != want {
			return &mir.Error{Block: b, Msg: fmt.Sprintf("block %d: is in construct %d and begins %d; the instructions imply %d and %d",
				b, is.In, is.If, want.In, want.If)}
		}
	}
	if f.Resume != s.resume {
		return &mir.Error{Msg: fmt.Sprintf("halted lanes resume in block %d; the instructions imply %d", f.Resume, s.resume)}
	}
	return nil
}

// inLoop reports whether the position is in a loop.
func (s *structure) inLoop() bool { return len(s.stack) > 0 && s.innermost().Loop != 0 }

func (s *structure) top() isa.Op {
	if len(s.stack) == 0 {
		return isa.OpIllegal
	}
	return s.stack[len(s.stack)-1].op
}

// close closes the innermost construct.
func (s *structure) close(b int) {
	s.innermost().Last = int32(b)
	s.stack = s.stack[:len(s.stack)-1]
}

// step checks the next instruction and returns an error message, or "".
func (s *structure) step(b int, i mir.ID) string {
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
	p := mir.Places[op]
	blk := &f.Blocks[b]
	switch {
	case p == mir.Starts|mir.Ends && (blk.First != i || blk.Last != i):
		return "is not alone in its block"
	case p&mir.Starts != 0 && blk.First != i:
		return "does not start its block"
	case p&mir.Ends != 0 && blk.Last != i:
		return "does not end its block"
	}
	switch op {
	case mir.OpLoop, isa.OpIf:
		s.open(op, b, i)
	case isa.OpElse:
		if s.top() != isa.OpIf {
			return "does not belong to an if"
		}
		s.stack[len(s.stack)-1].op = isa.OpElse
		s.innermost().Else = int32(b)
	case isa.OpEndif:
		if s.top() != isa.OpIf && s.top() != isa.OpElse {
			return "does not end an if"
		}
		s.close(b)
	case isa.OpWhile:
		if s.top() != mir.OpLoop {
			return "does not end a loop"
		}
		s.close(b)
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
	case mir.OpHaltTarget:
		if len(s.stack) > 0 || s.target {
			return "halted lanes resume at one point, outside of ifs and loops"
		}
		s.target, s.resume = true, int32(b)
	}
	return ""
}

// end checks that all constructs are closed at the end.
func (s *structure) end() error {
	if n := len(s.stack); n > 0 {
		l := s.stack[n-1]
		return &mir.Error{Block: l.block, Inst: l.inst, Text: s.f.Text(l.inst), Msg: "is not closed"}
	}
	if s.halts != 0 && !s.target {
		return &mir.Error{Block: int(s.f.Insts[s.halts].Block), Inst: s.halts, Text: s.f.Text(s.halts),
			Msg: "there is no place where halted lanes come back"}
	}
	return nil
}

// validateEdges compares the edges with edges rebuilt from the instructions.
func validateEdges(f *mir.Func) error {
	g := mir.Func{GRF: f.GRF, Insts: f.Insts, Blocks: slices.Clone(f.Blocks)}
	g.BuildCFG()
	for _, c := range [...]struct {
		name     string
		is, want *graph.Graph
	}{{"logical", &f.Lanes, &g.Lanes}, {"physical", &f.Thread, &g.Thread}} {
		if c.is.Len() != len(f.Blocks) {
			return &mir.Error{Msg: fmt.Sprintf("the %s edges are for %d blocks, not %d", c.name, c.is.Len(), len(f.Blocks))}
		}
		for b := range f.Blocks {
			if is, want := c.is.Succs(b), c.want.Succs(b); !slices.Equal(is, want) {
				return &mir.Error{Block: b, Msg: fmt.Sprintf("block %d: its %s successors are %v; its instructions imply %v",
					b, c.name, is, want)}
			}
		}
	}
	return nil
}
