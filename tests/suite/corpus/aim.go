// SPDX-License-Identifier: MIT

package corpus

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/synth"
)

// Generated piglit tests compare their result with a uniform named "expected", floats within another named "tolerance",
// and write a color for the outcome. With generated numbers the comparison fails in any compiler. So the interpreter
// determines the expected value; a wrong result then changes the color.

// aim locates the numbers that a shader compares its result with.
type aim struct {
	buffer              int
	expected, tolerance []synth.Scalar
}

// aims finds the aim of a shader's uniforms, or nil if there is none.
func (in *inputs) aims(s *ir.Shader) *aim {
	for x := range s.Vars(kind.ModeUBO) {
		v := s.Var(x)
		at := slices.IndexFunc(in.buffers, func(b interp.Buffer) bool { return b.Set == v.Set && b.Binding == v.Binding })
		if at < 0 || s.Types.At(v.Type).Kind != ir.TypeStruct {
			continue
		}
		a := &aim{buffer: at}
		lay := s.LayoutOf(v.Mode)
		for i, m := range s.Types.Members(v.Type) {
			list := synth.Scalars(s, lay, m.Type, lay.Offset(v.Type, i), uint32(len(in.buffers[at].Data)))
			switch s.Strs.Text(m.Name) {
			case "expected":
				a.expected = list
			case "tolerance":
				a.tolerance = list
			}
		}
		if a.expected != nil {
			return a
		}
	}
	return nil
}

// compares are the operations that compare a result with the expected value.
var compares = []op.Op{
	op.IEq, op.INe, op.FEq, op.FNeu, op.FSub, op.BAllIEqual2, op.BAllIEqual3, op.BAllIEqual4, op.BAllFEqual2, op.BAllFEqual3, op.BAllFEqual4,
	op.BAnyINequal2, op.BAnyINequal3, op.BAnyINequal4, op.BAnyFNequal2, op.BAnyFNequal3, op.BAnyFNequal4,
}

// hit returns inputs whose expected value is the shader's result, or nil if it cannot find that result. It runs the
// shader with marks in place of the expected value: the numbers compared with the marks are the result.
func (a *aim) hit(ctx context.Context, s *ir.Shader, in *inputs, width int) *inputs {
	marked := in.clone()
	data := marked.buffers[a.buffer].Data
	rng := rand.New(rand.NewPCG(7, 7))
	marks := map[uint64]int{}
	for i, n := range a.expected {
		x := rng.Uint64() >> (64 - n.Bits)
		if n.Kind == ir.TypeFloat {
			x = synth.FloatBits(1000+rng.Float64()*1000, n.Bits)
		}
		n.Set(data, x)
		marks[x] = i
	}
	found := map[int]uint64{}
	call := &interp.Call{
		Groups: [3]uint32{1, 1, 1}, Width: width, Buffers: marked.buffers, Images: marked.images, Push: marked.push, MaxSteps: maxSteps,
		Override: func(o op.Op, bits uint8, src *[op.MaxSrc][fold.MaxComps]uint64, _ *[fold.MaxComps]uint64, _ fold.Mode) bool {
			if !slices.Contains(compares, o) {
				return false
			}
			for k := range 2 {
				for c, x := range src[k][:4] {
					if i, ok := marks[x]; ok && a.expected[i].Bits == bits {
						if _, known := found[i]; !known {
							found[i] = src[1-k][c]
						}
					}
				}
			}
			return false
		},
	}
	if guard(func() error { _, err := interp.Run(ctx, s, call); return err }) != nil || len(found) == 0 {
		return nil
	}
	out := in.clone()
	for i, x := range found {
		a.expected[i].Set(out.buffers[a.buffer].Data, x)
	}
	return out
}

// tolerances are the candidates for the tolerance. The first for which all results are defined is used.
var tolerances = []float64{1e-6, 1e-5, 1e-4, coarsest, 1e-2}

// coarsest is for functions whose precision is 4096 units in the last place.
const coarsest = 1e-3

// tolerate returns the inputs with a tolerance, as a share of the largest
// number that is expected.
func (a *aim) tolerate(in *inputs, share float64) *inputs {
	out := in.clone()
	data := out.buffers[a.buffer].Data
	most := 1e-3
	for _, n := range a.expected {
		if f := math.Abs(floatOf(n.Get(data), n.Bits)); n.Kind == ir.TypeFloat && f > most && !math.IsInf(f, 0) {
			most = f
		}
	}
	for _, n := range a.tolerance {
		n.Set(data, synth.FloatBits(share*most, n.Bits))
	}
	return out
}

// GLSL.std.450 functions.
const (
	asin  = 16
	acos  = 17
	atan2 = 25
)

// uses reports whether a module has a GLSL.std.450 instruction in the range from first to last.
func uses(m *modules.Module, first, last uint32) (yes bool) {
	const opExtInst = 12
	modules.Each(m.SPIRV, func(op uint16, in []uint32) {
		yes = yes || op == opExtInst && len(in) > 4 && in[4] >= first && in[4] <= last
	})
	return yes
}

// aimedAt returns the inputs to try for a shader that compares its result with an expected one, the most informative
// first, or nil for other shaders.
func (in *inputs) aimedAt(ctx context.Context, m *modules.Module, s *ir.Shader, width int) []*inputs {
	a := in.aims(s)
	if a == nil {
		return nil
	}
	hit := a.hit(ctx, s, in, width)
	if hit == nil {
		return nil
	}
	hit.aimed = true
	if a.tolerance == nil {
		return []*inputs{hit}
	}
	var out []*inputs
	for _, t := range tolerances {
		// The reader makes these functions of others, whose precision is better.
		if t < coarsest && uses(m, asin, atan2) {
			continue
		}
		out = append(out, a.tolerate(hit, t))
	}
	return out
}
