// SPDX-License-Identifier: MIT

package match_test

import (
	"math/rand/v2"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// program is a shader with one block of arithmetic on inputs and a store that keeps a result alive. The inputs are
// undefs to which the test gives values.
type program struct {
	s      *ir.Shader
	f      ir.Func
	b      ir.Builder
	inputs []ir.Value
	store  ir.Value
	mode   num.Mode
}

func newProgram() *program {
	p := &program{s: ir.New()}
	p.s.Info.WorkgroupSize = [3]uint32{1, 1, 1}
	p.f = p.s.NewFunc("main")
	p.s.Func(p.f).Entry = true
	p.b = ir.NewBuilder(p.s)
	p.b.AtEnd(p.s.FirstBlock(p.f))
	return p
}

func (p *program) input(comps, bits uint8) ir.Src {
	r := p.b.Undef(comps, bits)
	p.inputs = append(p.inputs, r.Val)
	return r
}

// keep stores a value, so that it is used.
func (p *program) keep(r ir.Src) {
	p.store = p.b.Intrinsic(intrinsic.StoreReg, r.N, 0, r)
	p.s.SetIndex(p.store, intrinsic.IxReg, p.s.Regs.New(r.N, p.s.At(r.Val).Bits))
	p.s.SetIndex(p.store, intrinsic.IxWriteMask, 1<<r.N-1)
	p.mode = analysis.FloatMode(p.s)
}

// kept returns the stored operand.
func (p *program) kept() ir.Src { return p.s.Src(p.store, 0) }

// eval computes the value of r; in has the values of the inputs by handle.
func (p *program) eval(t *testing.T, r ir.Src, in map[ir.Value][]uint64) []uint64 {
	out, _ := p.evalAll(t, r, in)
	return out
}

// evalAll is like eval, but also returns the values of all instructions that it evaluated.
func (p *program) evalAll(t *testing.T, r ir.Src, in map[ir.Value][]uint64) (out []uint64, memo map[ir.Value][]uint64) {
	memo = map[ir.Value][]uint64{}
	var value func(v ir.Value) []uint64
	value = func(v ir.Value) []uint64 {
		if x, ok := memo[v]; ok {
			return x
		}
		inst := p.s.At(v)
		var out []uint64
		switch inst.Kind {
		case kind.Undef:
			out = in[v]
		case kind.LoadConst:
			for i := range int(inst.Comps) {
				out = append(out, p.s.Const(v, i))
			}
		case kind.ALU:
			var src [op.MaxSrc][fold.MaxComps]uint64
			var dst [fold.MaxComps]uint64
			info := inst.ALUOp().Info()
			bits := inst.Bits
			for i := range int(inst.NSrc) {
				x := p.s.Src(v, i)
				vals := value(x.Val)
				for c := range int(x.N) {
					src[i][c] = vals[x.Swz.Comp(c)]
				}
				if info.Src[i].Bits == 0 {
					bits = p.s.At(x.Val).Bits
				}
			}
			if !fold.Eval(inst.ALUOp(), bits, inst.Comps, &src, &dst, p.mode) {
				t.Fatalf("%s@%d cannot be computed", inst.ALUOp(), bits)
			}
			out = append(out, dst[:inst.Comps]...)
		default:
			t.Fatalf("value of a %s", inst.Kind)
		}
		memo[v] = out
		return out
	}
	vals := value(r.Val)
	out = make([]uint64, r.N)
	for i := range out {
		out[i] = vals[r.Swz.Comp(i)]
	}
	return out, memo
}

var interesting = []uint64{0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0xffff, 0x7fffffff, 0x80000000, ^uint64(0), ^uint64(0) - 1,
	0x3c00, 0xbc00, 0x3800, 0x8000, 0x7c00, 0x7e00, // 16-bit floats
	0x3f800000, 0xbf800000, 0x3f000000, 0x7f800000, 0x7fc00000, 0x00000001, 0x4b000000,
	0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0x8000000000000000,
}

func random(r *rand.Rand, bits uint8) uint64 {
	mask := ^uint64(0) >> (64 - bits)
	switch r.IntN(3) {
	case 0:
		return r.Uint64() & mask
	case 1:
		return interesting[r.IntN(len(interesting))] & mask
	}
	return 1 << r.IntN(int(bits)) & mask
}

func (p *program) values(r *rand.Rand) map[ir.Value][]uint64 {
	in := map[ir.Value][]uint64{}
	for _, v := range p.inputs {
		if !p.s.IsLive(v) {
			continue
		}
		for range p.s.At(v).Comps {
			in[v] = append(in[v], random(r, p.s.At(v).Bits))
		}
	}
	return in
}

// canonical maps all NaNs of a float result to one.
func canonical(x uint64, bits uint8) uint64 {
	switch bits {
	case 16:
		if x&0x7fff > 0x7c00 {
			return uint64(num.NaN16)
		}
	case 32:
		if x&0x7fffffff > 0x7f800000 {
			return uint64(num.NaN32)
		}
	case 64:
		if x&^(1<<63) > 0x7ff0000000000000 {
			return num.NaN64
		}
	}
	return x
}
