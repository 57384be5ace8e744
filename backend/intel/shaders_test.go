// SPDX-License-Identifier: MIT

package intel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// lowered reads a shader and runs all IR passes on it. It returns nil for a shader with 64-bit float
// arithmetic, which the target rejects; any other error fails the test.
func lowered(t *testing.T, file string) *ir.Shader {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spirv.Read(data, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL}
	err = pipeline.ForTarget(c, nil)
	if err != nil && strings.Contains(err.Error(), "tgl has no arithmetic on 64-bit floats") {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestShaders compiles every shader at every width.
func TestShaders(t *testing.T) {
	files, _ := filepath.Glob("../../tests/shaders/*.spv")
	more, _ := filepath.Glob(os.Getenv("SPV"))
	for _, file := range append(files, more...) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".spv"), func(t *testing.T) {
			s := lowered(t, file)
			if s == nil {
				return
			}
			for _, simd := range []int{8, 16, 32} {
				var trace strings.Builder
				bin, err := intel.Compile(s,
					intel.Options{Target: target.TGL, SIMD: simd, Buffers: 8, Verify: true,
						Trace: func(pass string, u *mir.Unit, _ time.Duration) {
							if os.Getenv("MIR") != "" {
								trace.WriteString("== " + pass + "\n" + u.Func.String())
							}
						}})
				if err != nil {
					t.Errorf("SIMD%d: %v", simd, err)
					continue
				}
				for _, v := range legal.Check(isa.TGL, bin.Code) {
					t.Errorf("SIMD%d: %v", simd, v)
				}
				t.Logf("SIMD%d: %+v\n%s", simd, bin.Stats, trace.String())
			}
		})
	}
}
