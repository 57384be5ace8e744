// SPDX-License-Identifier: MIT

package intel

import (
	"fmt"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// WidthError explains why a shader cannot run with a number of lanes per thread. Other widths may be possible.
type WidthError struct {
	SIMD int
	Msg  string
}

func (e *WidthError) Error() string { return fmt.Sprintf("SIMD%d: %s", e.SIMD, e.Msg) }

// CheckWidth checks whether a lowered shader can run with simd lanes per thread. Its stage, its outputs and the
// subgroup size that it requires must allow that, its workgroup must fit into the threads that a device provides
// for one, and the private memory of all lanes into a thread's scratch space. The error is a *WidthError.
func CheckWidth(s *ir.Shader, t *target.Target, simd int) error {
	fail := func(format string, args ...any) error { return &WidthError{simd, fmt.Sprintf(format, args...)} }
	switch {
	case !slices.Contains(t.Widths, simd):
		return fail("%s has no such threads", t)
	case s.Info.Stage == kind.StageVertex && simd != t.Widths[0]:
		return fail("threads of vertex shaders have %d vertices", t.Widths[0])
	case simd > t.Widths[0] && writes(s, isStencil):
		return fail("a shader that writes stencil references has at most %d lanes", t.Widths[0])
	case simd > 16 && writes(s, isSampleMask):
		return fail("a shader that writes sample masks has at most 16 lanes")
	case simd > 16 && writes(s, isSecondColor):
		return fail("a shader that writes a second color for blending has at most 16 lanes")
	}
	if n := s.Info.SubgroupSize; n != 0 && int(n) != simd {
		return fail("the shader requires subgroups of %d invocations", n)
	}
	return checkWidth(s.Info.WorkgroupSize, s.Info.ScratchSize, t, simd)
}

// Render-target writes with stencil references have as many lanes as the narrowest thread (TGL PRM vol. 9, "Render Target Write"). Sample
// masks and second colors are not supported at SIMD32.
func isStencil(s *ir.Shader, v ir.Value) bool {
	return kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin)) == kind.BuiltinFragStencilRef
}

func isSampleMask(s *ir.Shader, v ir.Value) bool {
	return kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin)) == kind.BuiltinSampleMask
}

func isSecondColor(s *ir.Shader, v ir.Value) bool {
	return kind.IOFlags(s.Index(v, intrinsic.IxIOFlags))&kind.IODualSource != 0
}

// writes reports whether a fragment shader stores an output that satisfies certain.
func writes(s *ir.Shader, certain func(*ir.Shader, ir.Value) bool) bool {
	if s.Info.Stage != kind.StageFragment {
		return false
	}
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Intrinsic() == intrinsic.StoreOutput && certain(s, v) {
					return true
				}
			}
		}
	}
	return false
}

// checkWidth is like CheckWidth, for a given workgroup size and private memory per lane.
func checkWidth(n [3]uint32, private uint32, t *target.Target, simd int) error {
	fail := func(format string, args ...any) error { return &WidthError{simd, fmt.Sprintf(format, args...)} }
	total := uint64(n[0]) * uint64(n[1]) * uint64(n[2])
	if threads := (total + uint64(simd) - 1) / uint64(simd); threads > uint64(t.GroupThreads) {
		return fail("a workgroup of %d invocations takes %d threads; %s has %d for one", total, threads, t, t.GroupThreads)
	}
	if need := uint64(private) * uint64(simd); need > uint64(t.ScratchBytes) {
		return fail("%d bytes of private memory for each invocation are %d for a thread; %s has %d", private, need, t, t.ScratchBytes)
	}
	return nil
}
