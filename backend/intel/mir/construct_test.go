// SPDX-License-Identifier: MIT

package mir_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
)

// nested builds a random nest of ifs and loops, and records the scopes around each block.
type nested struct {
	*mir.Func
	rng    *rand.Rand
	open   []*scope
	scopes []*scope
	around [][]*scope // by block: the scopes open at its start, including a loop that starts there
}

// scope is an if or a loop.
type scope struct {
	loop               bool
	first, else_, last int
}

func (x *nested) put(op isa.Op) {
	x.Append(len(x.Blocks)-1, mir.Inst{Op: op, Exec: 16, Pred: isa.Pred(x.rng.IntN(2)), SideEff: true})
}

// block starts a block, with an instruction of the given opcode, if any.
func (x *nested) block(ops ...isa.Op) {
	if x.NewBlock(); len(ops) > 0 {
		x.put(ops[0])
	}
	x.around = append(x.around, slices.Clone(x.open))
}

// enter opens a scope at the current block.
func (x *nested) enter(loop bool) *scope {
	s := &scope{loop: loop, first: len(x.Blocks) - 1}
	x.open, x.scopes = append(x.open, s), append(x.scopes, s)
	return s
}

func (x *nested) leave(op isa.Op) {
	s := x.open[len(x.open)-1]
	x.block(op)
	s.last = len(x.Blocks) - 1
	x.open = x.open[:len(x.open)-1]
	x.block()
}

func (x *nested) list(depth int) {
	for range x.rng.IntN(4 - depth/2) {
		switch k := x.rng.IntN(4); {
		case k == 0 && slices.ContainsFunc(x.open, func(s *scope) bool { return s.loop }):
			x.put([]isa.Op{isa.OpBreak, isa.OpCont}[x.rng.IntN(2)])
			x.block()
		case k == 1:
			x.put(isa.OpHalt)
			x.block()
		case k == 2:
			x.block(mir.OpLoop)
			x.enter(true)
			x.around[len(x.around)-1] = slices.Clone(x.open)
			x.list(depth + 1)
			x.leave(isa.OpWhile)
		default:
			x.put(isa.OpIf)
			s := x.enter(false)
			x.block()
			x.list(depth + 1)
			if x.rng.IntN(2) == 0 {
				x.block(isa.OpElse)
				s.else_ = len(x.Blocks) - 1
				x.block()
				x.list(depth + 1)
			}
			x.leave(isa.OpEndif)
		}
	}
}

// TestConstructs compares the constructs of random nests, and the results of LoopOf, Apart, End and Exit, with
// the scopes recorded when the nest was built.
func TestConstructs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x := nested{Func: mir.New(16, isa.TGL.Registers()), rng: rng, around: [][]*scope{nil}}
		x.list(0)
		x.block(mir.OpHaltTarget)
		resume := len(x.Blocks) - 1
		x.BuildCFG()
		if err := validate.Func(x.Func); err != nil {
			t.Fatal(err)
		}
		number := func(s *scope) int32 { return int32(slices.Index(x.scopes, s) + 1) }
		loops := func(b int) (list []int32) { // the innermost first
			for _, s := range slices.Backward(x.around[b]) {
				if s.loop {
					list = append(list, number(s))
				}
			}
			return list
		}
		for k, s := range x.scopes {
			c := x.Constructs[k+1]
			if got := (scope{loop: c.IsLoop, first: int(c.First), else_: int(c.Else), last: int(c.Last)}); got != *s {
				t.Fatalf("construct %d is %+v, want %+v", k+1, c, *s)
			}
		}
		for b := range x.Blocks {
			in, end := int32(0), 0
			for _, s := range x.around[b] {
				in = number(s)
				switch {
				case s.else_ > b:
					end = s.else_
				case s.last > b:
					end = s.last
				}
			}
			exit := end
			if exit == 0 && b < resume {
				exit = resume
			}
			if x.Blocks[b].In != in || x.End(b) != end || x.Exit(b) != exit {
				t.Fatalf("block %d: in construct %d, ends at %d, exit to %d; want %d, %d and %d",
					b, x.Blocks[b].In, x.End(b), x.Exit(b), in, end, exit)
			}
			of, innermost := loops(b), int32(0)
			if len(of) > 0 {
				innermost = of[0]
			}
			if c := x.Constructs[in]; x.LoopOf(b) != innermost || int(c.Loops) != len(of) {
				t.Fatalf("block %d: in loop %d, of %d; want loops %v", b, x.LoopOf(b), c.Loops, of)
			}
			for d := range x.Blocks {
				outer, both := int32(0), int32(0)
				for _, l := range slices.Backward(of) {
					if slices.Contains(loops(d), l) {
						both = l
					} else if outer == 0 {
						outer = l
					}
				}
				if o, i := x.Apart(x.LoopOf(b), x.LoopOf(d)); o != outer || i != both {
					t.Fatalf("blocks %d and %d: loop %d contains the first alone, %d both; want %d and %d",
						b, d, o, i, outer, both)
				}
			}
		}
	}
}
