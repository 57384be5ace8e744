// SPDX-License-Identifier: MIT

package spirv_test

import (
	"errors"
	"fmt"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// TestDerivativeGroups: a workgroup consists of whole derivative groups, all with one arrangement
// (SPV_KHR_compute_shader_derivatives).
func TestDerivativeGroups(t *testing.T) {
	oracle.Need(t, "spirv-as")
	const quads, linear = "OpExecutionMode %main DerivativeGroupQuadsNV\n", "OpExecutionMode %main DerivativeGroupLinearNV\n"
	for _, c := range []struct {
		name, size, modes, want string
	}{
		{"quads", "2 6 3", quads, ""},
		{"linear", "3 2 2", linear, ""},
		{"odd width", "3 2 1", quads, "a workgroup of 3 x 2 invocations does not consist of blocks of two by two"},
		{"odd height", "2 1 2", quads, "a workgroup of 2 x 1 invocations does not consist of blocks of two by two"},
		{"odd number", "3 2 1", linear, "a workgroup of 3 x 2 x 1 invocations does not consist of groups of four"},
		{"two", "2 2 1", quads + linear, "the entry point has two arrangements of derivative groups; only one is allowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := fmt.Sprintf(`OpCapability Shader
OpCapability ComputeDerivativeGroupQuadsNV
OpCapability ComputeDerivativeGroupLinearNV
OpExtension "SPV_NV_compute_shader_derivatives"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %%main "main"
OpExecutionMode %%main LocalSize %s
%s%%void = OpTypeVoid
%%fn = OpTypeFunction %%void
%%f32 = OpTypeFloat 32
%%f0 = OpConstant %%f32 0
%%main = OpFunction %%void None %%fn
%%entry = OpLabel
%%x = OpDPdx %%f32 %%f0
OpReturn
OpFunctionEnd
`, c.size, c.modes)
			module, err := oracle.Assemble(t, []byte(source), "spv1.4")
			if err != nil {
				t.Fatal(err)
			}
			_, err = spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
			var e *spirv.Error
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (!errors.As(err, &e) || e.Msg != c.want || e.Op != "OpExecutionMode" || e.Word == 0):
				t.Errorf("gives %v, want %q at the execution mode", err, c.want)
			}
		})
	}
}
