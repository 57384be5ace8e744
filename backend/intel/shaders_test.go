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

func lowered(t *testing.T, file string) (*ir.Shader, error) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spirv.Read(data, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		return nil, err
	}
	c := pass.New(s)
	c.Options = pass.Options{Target: target.TGL}
	return s, pipeline.ForTarget(c, nil)
}

// TestShaders compiles every shader at every width.
func TestShaders(t *testing.T) {
	files, _ := filepath.Glob("../../tests/shaders/*.spv")
	more, _ := filepath.Glob(os.Getenv("SPV"))
	for _, file := range append(files, more...) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".spv"), func(t *testing.T) {
			s, err := lowered(t, file)
			if err != nil {
				if !strings.Contains(err.Error(), "tgl has no arithmetic on 64-bit floats") {
					t.Error(err)
				}
				return
			}
			for _, simd := range []int{8, 16, 32} {
				var trace strings.Builder
				bin, err := intel.Compile(s, intel.Options{Target: target.TGL, SIMD: simd, Buffers: 8, Verify: true, Trace: func(pass string, u *mir.Unit, _ time.Duration) {
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
