// SPDX-License-Identifier: MIT

package match_test

import (
	"math/rand/v2"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// TestMayBeOnes computes random arithmetic: no result has a one bit that analysis.MayBeOnes excludes.
func TestMayBeOnes(t *testing.T) {
	known := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 23))
		p := newProgram()
		p.grow(r, 6+r.IntN(30))
		for range 4 {
			in := p.values(r)
			for v := p.s.First(p.s.FirstBlock(p.f)); v != 0; v = p.s.At(v).Next() {
				if k := p.s.At(v).Kind; k != kind.ALU && k != kind.LoadConst {
					continue
				}
				x := p.s.All(v)
				m := analysis.MayBeOnes(p.s, x)
				if m != ^uint64(0)>>(64-p.s.At(v).Bits) && p.s.At(v).Kind == kind.ALU {
					known++
				}
				for i, val := range p.eval(t, x, in) {
					if val&^m != 0 {
						t.Fatalf("seed %d: component %d of %s is %#x, the bits that may be ones are said to be %#x\n%s", seed, i,
							text.Instr(p.s, v), val, m, text.Print(p.s))
					}
				}
			}
		}
	}
	if known < 5000 {
		t.Errorf("something is known of %d values only", known)
	}
}

// TestMayBeOnesOf checks the results for some cases.
func TestMayBeOnesOf(t *testing.T) {
	p := newProgram()
	b := &p.b
	a, c := p.input(1, 32), p.input(1, 32)
	byte_ := b.ALU(op.IAnd, a, b.Imm(0xff))
	tests := []struct {
		name string
		x    ir.Src
		want uint64
	}{
		{"unknown", a, 0xffffffff},
		{"a & 255", byte_, 0xff},
		{"(a & 255) << 4", b.ALU(op.IShl, byte_, b.Imm(4)), 0xff0},
		{"a >> 24", b.ALU(op.UShr, a, b.Imm(24)), 0xff},
		{"a >> c", b.ALU(op.UShr, byte_, c), 0xff},
		{"(a & 255) + 1", b.ALU(op.IAdd, byte_, b.Imm(1)), 0x1ff},
		{"(a & 255) + 256", b.ALU(op.IAdd, byte_, b.Imm(256)), 0x1ff},
		{"8 a", b.ALU(op.IMul, a, b.Imm(8)), 0xfffffff8},
		{"(a & 255) * 3", b.ALU(op.IMul, byte_, b.Imm(3)), 0x3ff},
		{"a mod 10", b.ALU(op.UMod, a, b.Imm(10)), 0xf},
		{"a / 0", b.ALU(op.UDiv, a, b.Imm(0)), 0xffffffff},
		{"min(a, 9)", b.ALU(op.UMin, a, b.Imm(9)), 0xf},
		{"a = c", b.ALU(op.B2I32, b.ALU(op.IEq, a, c)), 1},
		{"asr", b.ALU(op.IShr, byte_, b.Imm(4)), 0xf},
		{"asr of a sign", b.ALU(op.IShr, b.ALU(op.IShl, a, b.Imm(8)), b.Imm(4)), 0xfffffff0},
	}
	for _, c := range tests {
		if got := analysis.MayBeOnes(p.s, c.x); got != c.want {
			t.Errorf("%s: %#x, want %#x", c.name, got, c.want)
		}
	}
	p.s.Info.WorkgroupSize = [3]uint32{64, 3, 1}
	id := p.s.All(b.Intrinsic(intrinsic.LoadLocalInvocationID, 3, 32))
	index := p.s.All(b.Intrinsic(intrinsic.LoadLocalInvocationIndex, 1, 32))
	y := ir.Src{Val: id.Val, Swz: ir.Broadcast(1), N: 1}
	for _, c := range []struct {
		x    ir.Src
		want uint64
	}{{id, 63}, {y, 3}, {index, 255}} {
		if got := analysis.MayBeOnes(p.s, c.x); got != c.want {
			t.Errorf("position: %#x, want %#x", got, c.want)
		}
	}
}
