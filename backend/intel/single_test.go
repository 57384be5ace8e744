// SPDX-License-Identifier: MIT

package intel_test

import (
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/target"
)

// TestSingleDefinitions checks that after every pass exactly the registers written by a single instruction are
// marked with that instruction.
func TestSingleDefinitions(t *testing.T) {
	var c intel.Compiler
	marks := 0
	eachShader(t, func(t *testing.T, name string, s *ir.Shader, simd int) {
		_, err := c.Compile(s, intel.Options{Target: target.TGL, SIMD: simd, Buffers: 8,
			Trace: func(pass string, u *mir.Unit, _ time.Duration) {
				again := u.Func.Clone()
				again.MarkSingle()
				for r := 1; r < len(again.Regs); r++ {
					if got, want := u.Func.Regs[r].Def, again.Regs[r].Def; got != want {
						t.Fatalf("SIMD%d after %s: the single definition of v%d is %d, not %d\n%s", simd, pass, r, got, want, u.Func)
					} else if got != 0 {
						marks++
					}
				}
			}})
		if err != nil {
			t.Errorf("SIMD%d: %v", simd, err)
		}
	})
	if marks < 10000 {
		t.Errorf("%d marks were seen", marks)
	}
}
