// SPDX-License-Identifier: MIT

package spirv_test

import (
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// TestEarlyAndLateTests: if a shader allows tests before it runs as well as after, tests run only after it. With early
// tests alone, the depth that the shader writes would be ignored.
func TestEarlyAndLateTests(t *testing.T) {
	module, err := oracle.Assemble(t, []byte(`OpCapability Shader
OpExtension "SPV_AMD_shader_early_and_late_fragment_tests"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %depth
OpExecutionMode %main OriginUpperLeft
OpExecutionMode %main EarlyAndLateFragmentTestsAMD
OpExecutionMode %main DepthReplacing
OpExecutionMode %main DepthLess
OpDecorate %depth BuiltIn FragDepth
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%out_float = OpTypePointer Output %float
%depth = OpVariable %out_float Output
%half = OpConstant %float 0.5
%main = OpFunction %void None %fn
%start = OpLabel
OpStore %depth %half
OpReturn
OpFunctionEnd
`), "spv1.6")
	if err != nil {
		t.Fatal(err)
	}
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageFragment})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text.Print(s)); !strings.Contains(got, "depth_less") || strings.Contains(got, "early_fragment_tests") {
		t.Errorf("the modes are not as expected\n%s", got)
	}
}

// TestFullQuads: only fragment shaders may require full quads.
func TestFullQuads(t *testing.T) {
	for _, stage := range [...]struct{ model, mode, want string }{
		{"Fragment", "OriginUpperLeft", ""},
		{"GLCompute", "LocalSize 4 1 1", "execution mode RequireFullQuadsKHR is not supported in a compute shader, only in a fragment shader"},
	} {
		// The mode and the capability by number, since older assemblers do not know their names.
		module, err := oracle.Assemble(t, []byte(`OpCapability Shader
OpCapability !5087
OpMemoryModel Logical GLSL450
OpEntryPoint `+stage.model+` %main "main"
OpExecutionMode %main `+stage.mode+`
OpExecutionMode %main !5089
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%start = OpLabel
OpReturn
OpFunctionEnd
`), "spv1.6")
		if err != nil {
			t.Fatal(err)
		}
		s := kind.StageFragment
		if stage.want != "" {
			s = kind.StageCompute
		}
		got := ""
		if _, err = spirv.Read(module, spirv.Options{Stage: s}); err != nil {
			got = err.Error()
		}
		if !strings.HasSuffix(got, stage.want) || (got == "") != (stage.want == "") {
			t.Errorf("%s: %q, want %q", stage.model, got, stage.want)
		}
	}
}
