package allocheck_test

import (
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
)

// allocated lets the allocator run and checks what it did.
func allocated(t *testing.T, s *small) (*mir.Func, ra.Stats) {
	t.Helper()
	s.BuildCFG()
	old := s.Clone()
	var a ra.Allocator
	st, err := a.Allocate(s.Func, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := allocheck.Check(old, s.Func, allocheck.Options{}); err != nil {
		t.Errorf("%v\n== before\n%s== after\n%s", err, old, s)
	}
	return s.Func, st
}

func newSmall16() *small {
	f := mir.New(16)
	f.Name, f.Payload = "main", 2
	return &small{Func: f}
}

// crowd makes so many values live through the rest of a function that registers
// are not taken in turn; done ends their lives.
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

// TestPayloadIsReadInTwoSteps: a scalar of the payload is read for the second
// half of the lanes when the first has been written.
func TestPayloadIsReadInTwoSteps(t *testing.T) {
	s := newSmall16()
	x := s.vec(1)
	s.op(isa.OpMov, x, mir.FixedScalar(0, 12, ud)).Exec = 16
	s.op(isa.OpCmp, mir.Null(ud), x, mir.UD(1)).Exec = 16
	allocated(t, s)
}

// TestSpilledWord: a spilled register whose low words are written keeps its high
// ones.
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

// TestLanesAcrossLoop: a register that is written without mask at the end of a
// loop keeps that for its inactive lanes, whatever the active ones get at the
// start.
func TestLanesAcrossLoop(t *testing.T) {
	s := newSmall()
	done := s.crowd(70)
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

// TestPartsOfARegister: what goes around a loop in one component, or in one word
// of each lane, is kept while another is written.
func TestPartsOfARegister(t *testing.T) {
	for _, c := range []struct {
		name  string
		comps int
		other func(x mir.Operand) mir.Operand // the part that is written
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
			done := s.crowd(70)
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
