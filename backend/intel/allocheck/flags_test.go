// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// set writes to a flag whether r1.0 is 7.
func (s *small) set(f mir.Flag) *mir.Inst {
	in := s.op(isa.OpCmp, mir.Null(ud), mir.FixedScalar(1, 0, ud), mir.UD(7))
	in.CMod, in.Flag = isa.CModEQ, f
	return in
}

// pick reads a flag.
func (s *small) pick(f mir.Flag) *mir.Inst {
	in := s.op(isa.OpSel, mir.Null(ud), mir.FixedScalar(1, 0, ud), mir.UD(7))
	in.Pred, in.Flag = isa.PredNormal, f
	return in
}

func (s *small) copyFlag(dst, src mir.Operand) {
	in := s.all(isa.OpMov, dst, src)
	in.Exec = 1
}

// take makes the last branch depend on a flag.
func (s *small) take(f mir.Flag) {
	for b := len(s.Blocks) - 1; ; b-- {
		if i := s.Blocks[b].Last; i != 0 {
			s.At(i).Flag = f
			return
		}
	}
}

// TestCheckFlags checks correct and wrong assignments of flags made by hand.
func TestCheckFlags(t *testing.T) {
	const f0, f1 = 0, 2
	for _, c := range []struct {
		name  string
		build func(s *small, flag []mir.Flag)
		place []mir.Flag // registers of the flags
		want  string     // part of the error; "" for none
	}{
		{"one after the other", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.pick(f[0])
			s.set(f[1])
			s.pick(f[1])
		}, []mir.Flag{f0, f0}, ""},
		{"two at once, apart", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.set(f[1])
			s.pick(f[0])
		}, []mir.Flag{f0, f1}, ""},
		{"two at once in one", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.set(f[1])
			s.pick(f[0])
		}, []mir.Flag{f0, f0}, "reads v1, but v2 is there"},
		{"halves of two", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.set(f[1])
			s.pick(f[0])
		}, []mir.Flag{f0, 1}, ""},
		{"under a predicate", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.set(f[1])
			s.set(f[0]).Pred = isa.PredNormal
		}, []mir.Flag{f1, f1}, "reads v1, but v2 is there"},
		{"some lanes of another", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.set(f[1]).Exec = 4
			s.pick(f[0])
		}, []mir.Flag{f0, f0}, "reads v1, but v2 is there"},
		{"copied whole", func(s *small, f []mir.Flag) {
			s.copyFlag(f[0].Whole(), mir.UD(0))
			s.set(f[0])
			s.copyFlag(mir.Arch(isa.ARFA0, 0, ud), f[0].Whole().WithStride(0))
		}, []mir.Flag{f1, f1}, ""},
		{"copied whole, what lanes that wait had written over", func(s *small, f []mir.Flag) {
			s.copyFlag(f[0].Whole(), mir.UD(0))
			s.set(f[1])
			s.set(f[0])
			s.copyFlag(mir.Arch(isa.ARFA0, 0, ud), f[0].Whole().WithStride(0))
		}, []mir.Flag{f1, f1}, "reads v1, but nothing known is there"},
		{"one arm of an if writes over it", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.branch(isa.OpIf)
			s.take(f[0])
			s.set(f[1])
			s.branch(isa.OpEndif)
			s.pick(f[0])
		}, []mir.Flag{f0, f0}, "reads v1, but nothing known is there"},
		{"lanes that wait keep theirs", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.branch(isa.OpIf)
			s.take(f[0])
			s.set(f[1])
			s.branch(isa.OpElse)
			s.pick(f[0])
			s.branch(isa.OpEndif)
		}, []mir.Flag{f0, f0}, ""},
		{"but not from an unmasked write", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.branch(isa.OpIf)
			s.take(f[0])
			s.set(f[1]).NoMask = true
			s.branch(isa.OpElse)
			s.pick(f[0])
			s.branch(isa.OpEndif)
		}, []mir.Flag{f0, f0}, "reads v1, but nothing known is there"},
		{"a loop's later trips", func(s *small, f []mir.Flag) {
			s.set(f[0])
			s.loop()
			s.pick(f[0])
			s.set(f[1])
			s.branch(isa.OpWhile)
			s.take(f[1])
		}, []mir.Flag{f0, f0}, "reads v1, but nothing known is there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSmall()
			flags := []mir.Flag{s.NewFlag(), s.NewFlag()}
			c.build(s, flags)
			s.BuildCFG()
			after := s.Clone()
			for b := range after.Blocks {
				for i := after.Blocks[b].First; i != 0; i = after.Next(i) {
					in := after.At(i)
					for k, f := range flags {
						if in.Flag == f {
							in.Flag = c.place[k]
						}
						for _, o := range []*mir.Operand{&in.Dst, &in.Src[0]} {
							if o.File == mir.VReg && mir.Reg(o.Num) == f.Reg() {
								at := c.place[k].Whole()
								o.File, o.Num, o.Off = at.File, at.Num, at.Off
							}
						}
					}
				}
			}
			err := allocheck.Check(s.Func, after, allocheck.Options{})
			switch {
			case err == nil && c.want != "":
				t.Errorf("no error, want %s\n%s", c.want, after)
			case err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %q\n%s", err, c.want, after)
			}
		})
	}
}

// TestCheckAccumulator assigns virtual accumulators to the only physical one.
func TestCheckAccumulator(t *testing.T) {
	low := func(s *small, a mir.Reg) { s.op(isa.OpMul, mir.V(a, ud), mir.Fixed(1, ud), mir.UW(3)) }
	high := func(s *small, a mir.Reg) {
		s.op(isa.OpMach, mir.Null(ud), mir.Fixed(1, ud), mir.UD(3), mir.V(a, ud)).AccWrEn = true
	}
	for _, c := range []struct {
		name  string
		build func(s *small, a, b mir.Reg)
		want  string
	}{
		{"one after the other", func(s *small, a, b mir.Reg) {
			low(s, a)
			high(s, a)
			low(s, b)
			high(s, b)
		}, ""},
		{"two at once", func(s *small, a, b mir.Reg) {
			low(s, a)
			low(s, b)
			high(s, a)
		}, "reads v1, but v2 is there"},
		{"across an implicit write", func(s *small, a, b mir.Reg) {
			low(s, a)
			s.op(isa.OpAddc, mir.Null(ud), mir.Fixed(1, ud), mir.UD(3))
			high(s, a)
		}, "reads v1, but nothing known is there"},
	} {
		s := newSmall()
		c.build(s, s.NewAccumulator(8), s.NewAccumulator(8))
		s.BuildCFG()
		after := s.Clone()
		for i := after.Blocks[0].First; i != 0; i = after.Next(i) {
			in := after.At(i)
			if in.Dst.File == mir.VReg {
				in.Dst.File, in.Dst.Num = mir.ARF, isa.ARFAcc0
			}
			in.Src[2] = mir.Operand{}
		}
		switch err := allocheck.Check(s.Func, after, allocheck.Options{}); {
		case err == nil && c.want != "", err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCheckAddress assigns virtual address registers to a0, the only physical one.
func TestCheckAddress(t *testing.T) {
	put := func(s *small, a mir.Reg) { s.copyFlag(mir.V(a, ud), mir.UD(7)) }
	send := func(s *small, a mir.Reg) {
		in := s.op(isa.OpSend, mir.Null(ud), mir.Fixed(1, ud), mir.Null(ud), mir.Scalar(a, 0, ud))
		in.SFID, in.SideEff, in.Len = isa.SFIDDC1, true, [3]uint8{1}
	}
	look := func(s *small, a mir.Reg) {
		s.op(mir.OpIndirect, mir.Null(ud), mir.Fixed(1, ud), mir.V(a, isa.TypeUW)).Len[0] = 1
	}
	for _, c := range []struct {
		name  string
		build func(s *small, a, b mir.Reg)
		want  string
	}{
		{"one after the other", func(s *small, a, b mir.Reg) {
			put(s, a)
			send(s, a)
			put(s, b)
			send(s, b)
		}, ""},
		{"two at once", func(s *small, a, b mir.Reg) {
			put(s, a)
			put(s, b)
			send(s, a)
		}, "reads v1, but v2 is there"},
		{"a read through another's", func(s *small, a, b mir.Reg) {
			put(s, a)
			look(s, a)
			put(s, b)
			look(s, a)
		}, "reads v1, but v2 is there"},
	} {
		s := newSmall()
		c.build(s, s.NewAddresses(8), s.NewAddresses(8))
		s.BuildCFG()
		after := s.Clone()
		for i := after.Blocks[0].First; i != 0; i = after.Next(i) {
			in := after.At(i)
			for _, o := range []*mir.Operand{&in.Dst, &in.Src[1], &in.Src[2]} {
				if o.File == mir.VReg {
					o.File, o.Num = mir.ARF, isa.ARFA0
				}
			}
		}
		err := allocheck.Check(s.Func, after, allocheck.Options{})
		if got := err != nil && strings.Contains(err.Error(), c.want) && c.want != ""; got != (c.want != "") || err != nil && c.want == "" {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
