// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/opt"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// allocated runs the allocator and checks its result.
func allocated(t *testing.T, s *small) (*mir.Func, ra.Stats) {
	t.Helper()
	s.BuildCFG()
	old := s.Clone()
	var a ra.Allocator
	st, err := a.Allocate(s.Func, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}})
	if err != nil {
		t.Fatal(err)
	}
	if err := allocheck.Check(old, s.Func, allocheck.Options{}); err != nil {
		t.Errorf("%v\n== before\n%s== after\n%s", err, old, s)
	}
	return s.Func, st
}

func newSmall16() *small {
	f := mir.New(16, isa.TGL.Registers())
	f.Name, f.Payload = "main", 2
	return &small{Func: f}
}

// crowd keeps enough values live throughout the rest of a function that registers are not assigned in turn. done ends
// their live ranges.
func (s *small) crowd(n int) (done func()) {
	var many []mir.Operand
	for range n {
		x := s.vec(1)
		s.op(isa.OpMov, x, mir.FixedScalar(1, 20, ud)).Exec = uint8(s.Width)
		many = append(many, x)
	}
	return func() {
		for _, x := range many {
			s.op(isa.OpCmp, mir.Null(ud), x, mir.UD(0)).Exec = uint8(s.Width)
		}
	}
}

// TestPayloadIsReadInTwoSteps checks that a scalar of the payload stays intact for the second half of the
// lanes, which reads it after the first half has been written.
func TestPayloadIsReadInTwoSteps(t *testing.T) {
	s := newSmall16()
	x := s.vec(1)
	s.op(isa.OpMov, x, mir.FixedScalar(0, 12, ud)).Exec = 16
	s.op(isa.OpCmp, mir.Null(ud), x, mir.UD(1)).Exec = 16
	allocated(t, s)
}

// TestSpilledWord checks that a write to the low words of a spilled register keeps its high words.
func TestSpilledWord(t *testing.T) {
	s := newSmall16()
	x := s.vec(1)
	s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud)).Exec = 16
	s.crowd(3)()
	s.op(isa.OpMov, x.As(isa.TypeUW).WithStride(2), mir.FixedScalar(1, 4, isa.TypeUW)).Exec = 16
	s.crowd(70)()
	s.op(isa.OpCmp, mir.Null(ud), x, mir.UD(0)).Exec = 16
	if _, st := allocated(t, s); st.Spills == 0 {
		t.Error("nothing is spilled")
	}
}

// TestLanesAcrossLoop checks that a register with an unmasked write at the end of a loop keeps the values of
// inactive lanes, although active lanes write it at the start.
func TestLanesAcrossLoop(t *testing.T) {
	s := newSmall()
	done := s.crowd(target.TGL.Registers.TurnPressure)
	x, y := s.vec(1), s.vec(1)
	s.loop()
	s.all(isa.OpMov, y, mir.FixedScalar(1, 0, ud))
	s.use(y)
	s.branch(isa.OpBreak)
	s.op(isa.OpMov, x, mir.FixedScalar(1, 4, ud))
	s.all(isa.OpCmp, mir.Null(ud), x, mir.UD(0)).CMod = isa.CModNE
	s.branch(isa.OpBreak)
	s.all(isa.OpMov, x, mir.FixedScalar(1, 8, ud))
	s.branch(isa.OpWhile)
	done()
	allocated(t, s)
}

// TestPartsOfARegister checks that a value carried around a loop in one component, or in one word of each lane,
// survives while another component or word is written.
func TestPartsOfARegister(t *testing.T) {
	for _, c := range []struct {
		name  string
		comps int
		other func(x mir.Operand) mir.Operand // the written part
		pred  bool
	}{
		{"component", 2, func(x mir.Operand) mir.Operand { return x.At(32) }, false},
		{"high words", 1, func(x mir.Operand) mir.Operand { return x.As(isa.TypeUW).WithStride(2).At(2) }, false},
		{"low words", 1, func(x mir.Operand) mir.Operand { return x.As(isa.TypeUW).WithStride(2) }, false},
		{"low bytes", 1, func(x mir.Operand) mir.Operand { return x.As(isa.TypeUB).WithStride(4) }, false},
		{"lanes of a predicate", 1, func(x mir.Operand) mir.Operand { return x }, true},
		{"half the lanes", 1, func(x mir.Operand) mir.Operand { return x }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSmall()
			done := s.crowd(target.TGL.Registers.TurnPressure)
			x := s.vec(c.comps)
			y := s.vec(c.comps)
			s.loop()
			s.op(isa.OpMov, y, mir.FixedScalar(1, 0, ud))
			s.use(y)
			in := s.op(isa.OpMov, c.other(x), mir.FixedScalar(1, 4, ud))
			if in.Dst.Type != ud {
				in.Src[0].Type = in.Dst.Type
			}
			if c.pred {
				in.Pred = isa.PredNormal
			}
			if c.name == "half the lanes" {
				in.Exec = 4
			}
			s.branch(isa.OpIf)
			s.use(x)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 12, ud))
			s.branch(isa.OpEndif)
			s.branch(isa.OpWhile)
			done()
			allocated(t, s)
		})
	}
}

// coalesced coalesces the registers of a function, checks the result, and returns the number of remaining copies.
func coalesced(t *testing.T, s *small) (copies int) {
	t.Helper()
	s.BuildCFG()
	old := s.Clone()
	new(opt.Workspace).Coalesce(s.Func)
	if err := allocheck.Check(old, s.Func, allocheck.Options{}); err != nil {
		t.Errorf("%v\n== before\n%s== after\n%s", err, old, s)
	}
	for b := range s.Blocks {
		for i := s.Blocks[b].First; i != 0; i = s.Next(i) {
			if in := s.At(i); in.Op == isa.OpMov && in.Src[0].File == mir.VReg && in.Dst.File == mir.VReg {
				copies++
			}
		}
	}
	return copies
}

// TestCoalesceParts checks that a copy of x is not merged with x while a part of x that is not rewritten is
// live, and that the two are merged if that part is not read.
func TestCoalesceParts(t *testing.T) {
	low := func(x mir.Operand, typ isa.Type) mir.Operand { return x.As(typ).WithStride(uint8(4 / typ.Size())) }
	for _, c := range []struct {
		name   string
		write  func(in *mir.Inst)
		read   func(x mir.Operand) mir.Operand
		copies int
	}{
		{"all", func(*mir.Inst) {}, func(x mir.Operand) mir.Operand { return x }, 0},
		{"low words, all read", func(in *mir.Inst) { in.Dst = low(in.Dst, isa.TypeUW) }, func(x mir.Operand) mir.Operand { return x }, 1},
		{"low bytes, words read", func(in *mir.Inst) { in.Dst = low(in.Dst, isa.TypeUB) }, func(x mir.Operand) mir.Operand { return low(x, isa.TypeUW) }, 1},
		{"predicated", func(in *mir.Inst) { in.Pred = isa.PredNormal }, func(x mir.Operand) mir.Operand { return x }, 1},
		{"half the lanes", func(in *mir.Inst) { in.Exec = 4 }, func(x mir.Operand) mir.Operand { return x }, 1},
		{"the other lanes", func(in *mir.Inst) { in.Exec, in.Chan, in.Dst.Off = 4, 4, 16 }, func(x mir.Operand) mir.Operand { return x }, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSmall()
			x, y := s.vec(1), s.vec(1)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
			s.op(isa.OpMov, y, mir.FixedScalar(1, 4, ud))
			s.use(y)
			in := s.op(isa.OpMov, x, mir.FixedScalar(1, 8, ud))
			c.write(in)
			in.Src[0].Type = in.Dst.Type
			s.use(c.read(x))
			s.op(isa.OpMov, y, x)
			s.use(c.read(y))
			if got := coalesced(t, s); got != c.copies {
				t.Errorf("%d copies are left, want %d\n%s", got, c.copies, s)
			}
		})
	}
	t.Run("low words, low words read", func(t *testing.T) {
		s := newSmall()
		x, y, z := s.vec(1), s.vec(1), s.vec(1)
		word := func(o mir.Operand) mir.Operand { return low(o, isa.TypeUW) }
		s.op(isa.OpMov, word(x), mir.FixedScalar(1, 0, isa.TypeUW))
		s.use(word(x))
		s.op(isa.OpMov, y, mir.FixedScalar(1, 4, ud))
		s.use(word(y))
		s.op(isa.OpMov, word(x), mir.FixedScalar(1, 8, isa.TypeUW))
		s.use(word(x))
		s.op(isa.OpMov, z, x)
		s.use(word(z))
		if got := coalesced(t, s); got != 0 {
			t.Errorf("%d copies are left\n%s", got, s)
		}
	})
}

// TestCoalesceTwoSteps checks that a copy is kept if merging its sides would make the second half of an
// instruction read the result of the first half.
func TestCoalesceTwoSteps(t *testing.T) {
	s := newSmall16()
	x, y := s.vec(1), s.vec(1)
	s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud)).Exec = 16
	s.op(isa.OpAdd, y, mir.Scalar(mir.Reg(x.Num), 4, ud), mir.UD(1)).Exec = 16
	s.op(isa.OpMov, x, y).Exec = 16
	s.op(isa.OpCmp, mir.Null(ud), x, mir.UD(0)).Exec = 16
	if got := coalesced(t, s); got != 1 {
		t.Errorf("%d copies are left, want 1\n%s", got, s)
	}
}
