// SPDX-License-Identifier: MIT

package spirv_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/scripts"
	"jacquard.example/tests/support/spv"
)

// rewrites are spirv-opt options that write the same module differently: with other control flow, phis, calls and
// composites than in a compiler's plain output.
var rewrites = []struct {
	name string
	args []string
}{
	{"plain", nil},
	{"fast", []string{"-O"}},
	{"small", []string{"-Os"}},
	{"ssa", []string{"--inline-entry-points-exhaustive", "--ssa-rewrite", "--eliminate-dead-code-aggressive"}},
	{"merge-return", []string{"--merge-return", "--inline-entry-points-exhaustive", "--convert-local-access-chains", "--ssa-rewrite"}},
	{"single-block", []string{"--eliminate-local-single-block", "--eliminate-local-multi-store", "--merge-blocks", "--simplify-instructions"}},
	{"peel", []string{"--inline-entry-points-exhaustive", "--ssa-rewrite", "--loop-peeling", "--loop-unswitch"}},
	{"combine", []string{"--combine-access-chains", "--if-conversion", "--redundancy-elimination", "--copy-propagate-arrays"}},
	{"wrap", []string{"--wrap-opkill", "--private-to-local", "--scalar-replacement=0", "--ssa-rewrite"}},
}

// TestScripts runs the expectations of all scripts on the shaders read from their modules; for every third script also
// after each rewrite.
func TestScripts(t *testing.T) {
	files := scripts.Files(t, "../../tests/amber/*.amber")
	for _, w := range rewrites {
		t.Run(w.name, func(t *testing.T) {
			if w.args != nil {
				oracle.Need(t, "spirv-opt")
			}
			for _, file := range files {
				if w.args != nil && !sample.One(3, w.name, filepath.Base(file)) {
					continue
				}
				t.Run(strings.TrimSuffix(filepath.Base(file), ".amber"), func(t *testing.T) {
					t.Parallel()
					script := scripts.Read(t, file)
					e := &engine.Interp{Module: func(_ context.Context, s *runner.Shader) ([]byte,
						error) {
						return rewritten(t, s, w.args)
					}}
					report, err := script.Run(t.Context(), e)
					if err != nil {
						t.Fatal(err)
					}
					if err := errors.Join(report.Errors()...); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}

// rewritten returns the module of a shader after spirv-opt, and checks that the IR read from it is well formed.
func rewritten(t *testing.T, s *runner.Shader, args []string) ([]byte, error) {
	module, err := moduleOf(t, s)
	if err != nil {
		return nil, err
	}
	if args = append(slices.Clone(s.Passes), args...); len(args) > 0 { // options that the script asks for come first
		oracle.Need(t, "spirv-opt")
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in.spv"), filepath.Join(dir, "out.spv")
		if err := os.WriteFile(in, module, 0o666); err != nil {
			return nil, err
		}
		if _, errs, err := oracle.Run(t, "spirv-opt", nil, append(args, in, "-o", out)...); err != nil {
			t.Skipf("spirv-opt: %v: %s", err, errs)
		}
		if module, err = os.ReadFile(out); err != nil {
			return nil, err
		}
	}
	sh, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		return module, nil // the engine will check that with the script's constants
	}
	if err := validate.Shader(sh); err != nil {
		return nil, err
	}
	return module, nil
}

func moduleOf(t *testing.T, s *runner.Shader) ([]byte, error) {
	if s.Format == runner.SPIRVHex {
		return spv.Bytes(s.Words), nil
	}
	source := []byte(strings.TrimSpace(s.Source) + "\n")
	if known, ok := shaders.Lookup(s.Name); ok && bytes.Equal(known.Text, source) {
		words, err := shaders.Module(s.Name)
		return spv.Bytes(words), err
	}
	if s.Format == runner.GLSL {
		return oracle.GLSL(t, "comp", source)
	}
	return oracle.Assemble(t, source, s.TargetEnv)
}
