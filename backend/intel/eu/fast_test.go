// SPDX-License-Identifier: MIT

package eu

import (
	"math/rand/v2"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// TestFastEqualsGeneral runs instructions of the common form through both
// handlers on registers full of special values.
func TestFastEqualsGeneral(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ops := []struct {
		op  isa.Op
		typ isa.Type
	}{
		{isa.OpAdd, isa.TypeF}, {isa.OpMul, isa.TypeF}, {isa.OpMad, isa.TypeF}, {isa.OpMov, isa.TypeF}, {isa.OpMov, isa.TypeUD},
		{isa.OpAdd, isa.TypeD}, {isa.OpAnd, isa.TypeUD}, {isa.OpOr, isa.TypeUD}, {isa.OpXor, isa.TypeD}, {isa.OpShl, isa.TypeD},
	}
	fast := 0
	for i := 0; i < 5000; i++ {
		c := ops[r.IntN(len(ops))]
		src := func() isa.Operand {
			reg := uint8(10 + r.IntN(8))
			switch r.IntN(5) {
			case 0:
				return scalar(reg, uint8(4*r.IntN(8)), c.typ)
			case 1:
				if c.op != isa.OpMad {
					return imm(c.typ, uint64(r.Uint32()))
				}
			}
			return packed(reg, c.typ)
		}
		n := uint8(8 << r.IntN(2))
		in := arith(c.op, n, dst(uint8(10+r.IntN(8)), c.typ), src(), src(), src())
		if c.op == isa.OpMad {
			for k := range in.Src {
				s := &in.Src[k]
				if s.Width != 1 {
					*s = tern(s.Reg, c.typ)
				} else {
					s.Width, s.Sub = 0, 0
				}
			}
		} else if in.Src[0].File == isa.FileImm && c.op != isa.OpMov {
			in.Src[0] = packed(12, c.typ)
		}
		if r.IntN(4) == 0 {
			in.Pred = isa.PredNormal
		}
		var state [2]*bench
		seed := r.Uint64()
		for k := range state {
			b := newBench(t, 16, thread.HazardsOff, in)
			rr := rand.New(rand.NewPCG(seed, 1))
			for j := 10 * 8; j < 26*8; j++ {
				b.setU(j/8, j%8, []uint32{rr.Uint32(), 0x7F800000, 0x80000000, 1, 0x00800000, 0x7FC01234, 0x3F800000, rr.Uint32()}[rr.IntN(8)])
			}
			b.Flag[0] = rr.Uint32() | uint32(rr.IntN(2))*0xFFFF
			b.SetCR0(uint32(rr.IntN(2))<<7 | uint32(rr.IntN(8)/5)<<4)
			o := &b.Prog.Ops[0]
			if k == 1 && o.Fast != nil {
				o.Exec = o.Fast.Slow
				fast++
			}
			b.exec(t)
			state[k] = b
		}
		if state[0].Reg != state[1].Reg {
			for j := 0; j < 128*8; j++ {
				if a, b := state[0].u(j/8, j%8), state[1].u(j/8, j%8); a != b {
					t.Fatalf("%s: r%d.%d: fast %x, general %x", state[0].Prog.Text(&state[0].Prog.Ops[0]), j/8, j%8, a, b)
				}
			}
			t.Fatal("architecture registers differ")
		}
	}
	if fast < 1000 {
		t.Errorf("only %d of 5000 instructions had a fast handler", fast)
	}
}
