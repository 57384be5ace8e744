// SPDX-License-Identifier: MIT

package match_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// forms calls f for every opcode at every execution size. Opcodes whose operands all have fixed widths are called with
// 32.
func forms(f func(o op.Op, info *op.Info, exec uint8)) {
	for o := range op.Op(op.Count) {
		info := o.Info()
		if info.Sizes == 0 {
			f(o, info, 32)
		}
		for _, exec := range []uint8{1, 8, 16, 32, 64} {
			if info.Sizes&op.SizeOf(exec) != 0 {
				f(o, info, exec)
			}
		}
	}
}

// width returns the width of an operand at an execution size.
func width(x op.Operand, exec uint8) uint8 {
	if x.Bits != 0 {
		return x.Bits
	}
	return exec
}

// comps returns the number of components of an operand if operands without a fixed number have n.
func comps(x op.Operand, n uint8) uint8 {
	if x.Comps != 0 {
		return x.Comps
	}
	return n
}

// TestFloatControls: a rule may relax an instruction as far as the instruction allows, except for behavior that a float
// control preserves at the width of a float that it reads or computes, including halves packed in an integer.
func TestFloatControls(t *testing.T) {
	const specials = uint16(kind.FloatNan | kind.FloatInf | kind.FloatNsz)
	controls := []struct {
		set  func(i *ir.Info, sizes uint8)
		lose uint16
	}{
		{func(i *ir.Info, sizes uint8) { i.SignedZeroInfNaN = sizes }, specials},
		{func(i *ir.Info, sizes uint8) { i.DenormPreserve = sizes }, uint16(kind.FloatDenorm)},
		{func(i *ir.Info, sizes uint8) { i.DenormFlush = sizes }, uint16(kind.FloatDenorm)},
		{func(i *ir.Info, sizes uint8) { i.RoundTowardZero, i.RoundTiesEven = sizes, sizes }, 0},
	}
	bitOf := map[uint8]uint8{16: 1, 32: 2, 64: 4}
	const all = uint16(1<<7 - 1)
	asked := 0
	forms(func(o op.Op, info *op.Info, exec uint8) {
		touched := uint8(0)
		if info.Out.Base == op.Float {
			touched |= bitOf[width(info.Out, exec)]
		}
		for _, x := range info.Src[:info.NumSrc] {
			if x.Base == op.Float {
				touched |= bitOf[width(x, exec)]
			}
		}
		if info.Has(op.Halves) {
			touched |= bitOf[16]
		}
		if touched == 0 {
			return
		}
		for _, c := range controls {
			for sizes := range uint8(8) {
				p := newProgram()
				c.set(&p.s.Info, sizes)
				p.b.Float = all
				var src []ir.Src
				for _, x := range info.Src[:info.NumSrc] {
					src = append(src, p.input(comps(x, 1), width(x, exec)))
				}
				v := p.b.ALUN(o, comps(info.Out, 1), src...).Val
				want := all
				if sizes&touched != 0 {
					want &^= c.lose
				}
				asked++
				if got := match.MayGiveUp(p.s, p.f, v); got != want {
					t.Errorf("%s@%d with the controls of sizes %03b: %s, want %s", o, exec, sizes, kind.FloatMask(got),
						kind.FloatMask(want))
				}
			}
		}
	})
	if asked < 3000 {
		t.Errorf("only %d cases", asked)
	}
}

// TestReplacementOfConstants lets a rule replace a value with each operation on constants: the result is the constant
// that the operation computes, for operands in any order, distinct or all the same.
func TestReplacementOfConstants(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 17))
	folded := 0
	forms(func(o op.Op, info *op.Info, exec uint8) {
		if info.Has(op.Derivative) {
			return
		}
		for range 6 {
			p := newProgram()
			p.s.Info.RoundTowardZero = uint8(r.IntN(8))
			p.s.Info.DenormPreserve = uint8(r.IntN(8))
			n := 1 + uint8(r.IntN(4))
			if info.Out.Comps != 0 {
				n = info.Out.Comps
			}
			var src []ir.Src
			for _, x := range info.Src[:info.NumSrc] {
				words := make([]uint64, comps(x, n))
				for i := range words {
					words[i] = random(r, width(x, exec))
				}
				c := p.b.Const(width(x, exec), words...)
				if r.IntN(2) == 0 {
					for i := range 8 {
						c.Swz = c.Swz.With(i, uint8(r.IntN(min(len(words), 8))))
					}
				}
				src = append(src, c)
			}
			byHand := p.b.ALUN(o, n, src...)
			for i := range src {
				if info.Src[i].Comps == 0 && n > 1 && r.IntN(3) == 0 { // one component for all, as literals have
					src[i].N = 1
					one := ir.Src{Val: src[i].Val, Swz: ir.Broadcast(int(src[i].Swz.Comp(0))), N: n}
					p.s.SetSrc(byHand.Val, i, one)
				}
			}
			root := p.b.ALU(op.Mov, p.input(n, width(info.Out, exec)))
			p.keep(root)
			want := p.eval(t, byHand, nil)
			was := string(text.Print(p.s))
			match.Replace(p.s, p.f, root.Val, o, n, src...)
			if !p.s.At(p.kept().Val).IsConst() {
				t.Fatalf("%s@%d is not folded:\n%s%s", o, exec, was, text.Print(p.s))
			}
			if got := p.eval(t, p.kept(), nil); !slices.Equal(got, want) {
				t.Fatalf("%s@%d folds to %#x, want %#x\n%s%s", o, exec, got, want, was, text.Print(p.s))
			}
			folded++
		}
	})
	if folded < 3000 {
		t.Errorf("only %d operations were folded", folded)
	}
}

// unread returns the arithmetic, constants and inputs that are unused.
func (p *program) unread() map[ir.Value]bool {
	out := map[ir.Value]bool{}
	for v := p.s.First(p.s.FirstBlock(p.f)); v != 0; v = p.s.At(v).Next() {
		switch p.s.At(v).Kind {
		case kind.ALU, kind.LoadConst, kind.Undef:
			if !p.s.At(v).Used() {
				out[v] = true
			}
		}
	}
	return out
}

// checkLeft checks the code after a run: no value is unused that was used before or is new, and new instructions relax
// only float operations, and only as allowed by the instructions before.
func (p *program) checkLeft(t *testing.T, unread map[ir.Value]bool, values int, allowed uint16) {
	t.Helper()
	for v := range p.unread() {
		if !unread[v] {
			t.Errorf("nothing reads %s any more", text.Instr(p.s, v))
		}
	}
	for v := p.s.First(p.s.FirstBlock(p.f)); v != 0; v = p.s.At(v).Next() {
		in := p.s.At(v)
		if in.Kind != kind.ALU || int(v) < values {
			continue
		}
		may := uint16(0)
		info := in.ALUOp().Info()
		for _, x := range append([]op.Operand{info.Out}, info.Src[:info.NumSrc]...) {
			if x.Base == op.Float {
				may = allowed
			}
		}
		if in.Float&^may != 0 {
			t.Errorf("%s may give up %s, but only %s is allowed", text.Instr(p.s, v), kind.FloatMask(in.Float), kind.FloatMask(may))
		}
	}
}
