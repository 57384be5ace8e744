// SPDX-License-Identifier: MIT

package oracle

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"
)

// TargetEnv is the environment for which the test shaders are compiled and validated: Vulkan
// 1.1, that is, SPIR-V 1.3.
const TargetEnv = "vulkan1.1"

// GLSL compiles a shader with glslang. Stage is a name like "comp". The module is for
// [TargetEnv], unoptimized, with no debug information except names.
func GLSL(t testing.TB, stage string, source []byte) ([]byte, error) {
	t.Helper()
	in, out := file(t, "."+stage, source)
	_, _, err := Run(t, "glslangValidator", nil, "-V", "--target-env", TargetEnv, "-S", stage, "-o", out, in)
	return read(t, out, err)
}

// relaxed are glslang's flags for shaders written for OpenGL.
var relaxed = []string{"-V", "-R", "--auto-map-bindings", "--auto-map-locations", "--target-env", TargetEnv}

// GLSLRelaxed compiles a shader written for OpenGL: loose uniforms and atomic counters are
// moved into blocks, and missing bindings are assigned.
func GLSLRelaxed(t testing.TB, stage string, source []byte) ([]byte, error) {
	t.Helper()
	in, out := file(t, "."+stage, source)
	_, _, err := Run(t, "glslangValidator", nil, append(relaxed[:len(relaxed):len(relaxed)], "-S", stage, "-o", out, in)...)
	return read(t, out, err)
}

// GLSLRelaxedPair compiles a vertex and a fragment shader that are used together, as [GLSLRelaxed] compiles one: the
// block of their loose uniforms is the same.
func GLSLRelaxedPair(t testing.TB, vertex, fragment []byte) (vert, frag []byte, err error) {
	t.Helper()
	dir := t.TempDir()
	for name, source := range map[string][]byte{"a.vert": vertex, "a.frag": fragment} {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// The results are named after their stages.
	_, _, err = runFile(t, dir, Need(t, "glslangValidator"), nil, append(relaxed[:len(relaxed):len(relaxed)], "a.vert", "a.frag")...)
	if vert, err = read(t, filepath.Join(dir, "vert.spv"), err); err != nil {
		return nil, nil, err
	}
	frag, err = read(t, filepath.Join(dir, "frag.spv"), err)
	return vert, frag, err
}

// Assemble turns SPIR-V assembly into a module; numeric ids keep their values.
// Env is a target environment such as "spv1.4"; "" means [TargetEnv].
func Assemble(t testing.TB, source []byte, env string) ([]byte, error) {
	t.Helper()
	in, out := file(t, ".spvasm", source)
	_, _, err := Run(t, "spirv-as", nil, "--target-env", cmp.Or(env, TargetEnv), "--preserve-numeric-ids", "-o", out, in)
	return read(t, out, err)
}

// Disassemble turns a module into SPIR-V assembly with plain numeric ids.
func Disassemble(t testing.TB, module []byte) (string, error) {
	t.Helper()
	in, _ := file(t, ".spv", module)
	text, _, err := Run(t, "spirv-dis", nil, "--no-color", "--raw-id", "--no-header", in)
	return string(text), err
}

// Validate validates a module with spirv-val. Env is a target environment such as "vulkan1.1"
// or "opencl2.1"; "" means [TargetEnv].
func Validate(t testing.TB, module []byte, env string) error {
	t.Helper()
	in, _ := file(t, ".spv", module)
	_, _, err := Run(t, "spirv-val", nil, "--target-env", cmp.Or(env, TargetEnv), in)
	return err
}

// Optimize runs passes of spirv-opt on a module.
func Optimize(t testing.TB, module []byte, passes ...string) ([]byte, error) {
	t.Helper()
	in, out := file(t, ".spv", module)
	_, _, err := Run(t, "spirv-opt", nil, append(append([]string{"--target-env=" + TargetEnv}, passes...), "-o", out, in)...)
	return read(t, out, err)
}
