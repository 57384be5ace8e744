// SPDX-License-Identifier: MIT

package values_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/build"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// vectorShader returns a shader that applies an opcode to vectors of constants (corner) with swizzles, and stores the
// result. ok is false if the opcode does not exist at these sizes.
func vectorShader(rng *rand.Rand, o op.Op, bits, comps uint8) (s *ir.Shader, ok bool) {
	s = ir.New()
	s.Info.WorkgroupSize = [3]uint32{1, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	info := o.Info()
	var src []ir.Src
	for _, x := range info.Src[:info.NumSrc] {
		size := x.Bits
		if size == 0 {
			size = bits
		}
		n := x.Comps
		if n == 0 {
			n = comps
		}
		val := make([]uint64, n)
		for i := range val {
			val[i] = corner(rng, size)
		}
		r := b.Const(size, val...)
		for i := range 8 {
			r.Swz = r.Swz.With(i, uint8(rng.IntN(int(n))))
		}
		src = append(src, r)
	}
	b.Float, b.Loc = uint16(rng.IntN(8)), s.Locs.New(ir.Location{File: s.Strs.Intern("a.comp"), Line: 3, Column: 4})
	n := info.Out.Comps
	if n == 0 {
		n = comps
	}
	r := b.ALUN(o, n, src...)
	if s.At(r.Val).Bits == 0 {
		s.At(r.Val).Bits = bits
	}
	zero := b.Imm(0)
	b.StoreSSBO(r, zero, zero, 1<<r.N-1, 0, 4, 0)
	return s, validate.Shader(s) == nil
}

// corner draws a number with the given number of bits: random bits, a small number, or a float that is of ordinary
// size, special or tiny.
func corner(rng *rand.Rand, bits uint8) uint64 {
	mask := ^uint64(0) >> (64 - bits)
	switch f := []float64{0, 1, -1, 0.5, -2.75, 255, 1e-3, math.Inf(1), math.NaN(), 1e-40, 6e-8, -65519}; rng.IntN(3) {
	case 0:
		return rng.Uint64() & mask
	case 1:
		return uint64(rng.IntN(40)-8) & mask
	default:
		x := f[rng.IntN(len(f))]
		switch bits {
		case 16:
			return uint64(num.F32ToF16RNE(float32(x)))
		case 32:
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(x) & mask
	}
}

// stored returns the values that a shader of one block stores; nil if an opcode, such as a derivative, does not depend
// only on the values of one invocation.
func stored(t *testing.T, s *ir.Shader) []uint64 {
	t.Helper()
	val := map[ir.Value][fold.MaxComps]uint64{}
	read := func(r ir.Src) (out [fold.MaxComps]uint64) {
		for i := range int(r.N) {
			out[i] = val[r.Val][r.Swz.Comp(i)]
		}
		return out
	}
	for v := range s.Instrs(s.FirstBlock(s.Entry())) {
		in := s.At(v)
		switch in.Kind {
		case kind.LoadConst:
			var x [fold.MaxComps]uint64
			for i := range int(in.Comps) {
				x[i] = s.Const(v, i)
			}
			val[v] = x
		case kind.ALU:
			var src [op.MaxSrc][fold.MaxComps]uint64
			bits := in.Bits
			for i := range int(in.NSrc) {
				src[i] = read(s.Src(v, i))
				if in.ALUOp().Info().Src[i].Bits == 0 {
					bits = s.At(s.Src(v, i).Val).Bits
				}
			}
			var dst [fold.MaxComps]uint64
			if !fold.Eval(in.ALUOp(), bits, in.Comps, &src, &dst, 0) {
				return nil
			}
			val[v] = dst
		default:
			r := read(s.Src(v, 0))
			return r[:s.Src(v, 0).N]
		}
	}
	t.Fatal("nothing is stored")
	return nil
}

// byRules are decomposed by rewrite rules ([rule.lower_pack_64_4x16] …).
var byRules = map[op.Op]bool{op.Pack64_4x16: true, op.Unpack64_4x16: true}

// TestR06ScalarIsLossless: every opcode on vectors of every size becomes scalar opcodes that compute the same bits,
// allow the same float relaxations and have the same source location. Vectors are only constructed.
func TestR06ScalarIsLossless(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	split := map[op.Op]int{}
	for o := range op.Op(op.Count) {
		for _, bits := range []uint8{1, 8, 16, 32, 64} {
			for _, comps := range []uint8{1, 2, 3, 4, 8, 16} {
				for range 6 {
					seed := rng.Uint64()
					s, ok := vectorShader(rand.New(rand.NewPCG(seed, 0)), o, bits, comps)
					if !ok {
						break
					}
					before := string(text.Print(s))
					want := stored(t, s)
					var float kind.FloatMask
					var loc ir.Loc
					for v := range s.Instrs(s.FirstBlock(s.Entry())) {
						if in := s.At(v); in.Kind == kind.ALU {
							float, loc = kind.FloatMask(in.Float), in.Loc
						}
					}
					if values.ALUToScalar(pass.New(s)) {
						split[o]++
					}
					if err := validate.Shader(s); err != nil {
						t.Fatalf("%v\n%s", err, before)
					}
					for v := range s.Instrs(s.FirstBlock(s.Entry())) {
						in := s.At(v)
						if in.Kind != kind.ALU || strings.HasPrefix(in.ALUOp().Info().Name, "vec") || in.ALUOp() == op.Mov {
							continue
						}
						vector := in.Comps > 1
						for i := range int(in.NSrc) {
							vector = vector || s.Src(v, i).N > 1
						}
						if byRules[in.ALUOp()] {
							continue
						}
						if vector || kind.FloatMask(in.Float) != float || in.Loc != loc {
							t.Errorf("%s is left of\n%s", text.Instr(s, v), before)
						}
					}
					if got := stored(t, s); !equalBits(got, want) {
						t.Fatalf("gives %x, want %x as before\n%s%s", got, want, before, text.Print(s))
					}
				}
			}
		}
	}
	if len(split) < 200 {
		t.Errorf("only %d opcodes were split", len(split))
	}
}

func equalBits(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}
