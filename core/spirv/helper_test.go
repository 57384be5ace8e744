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

// TestVolatileHelperInvocation: the builtin HelperInvocation has its initial value; through a volatile variable or a
// volatile load it reflects demotes.
func TestVolatileHelperInvocation(t *testing.T) {
	for _, c := range []struct{ decorate, operand, want, without string }{
		{"", "", "load_helper_invocation.1", "is_helper_invocation"},
		{"OpDecorate %helper Volatile", "", "is_helper_invocation.1", "load_helper_invocation"},
		{"", "Volatile", "is_helper_invocation.1", "load_helper_invocation"},
	} {
		source := `OpCapability Shader
OpCapability DemoteToHelperInvocation
OpExtension "SPV_EXT_demote_to_helper_invocation"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %helper %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %helper BuiltIn HelperInvocation
OpDecorate %out Location 0
` + c.decorate + `
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%in_bool = OpTypePointer Input %bool
%out_float = OpTypePointer Output %float
%helper = OpVariable %in_bool Input
%out = OpVariable %out_float Output
%zero = OpConstant %float 0
%one = OpConstant %float 1
%main = OpFunction %void None %fn
%start = OpLabel
OpDemoteToHelperInvocation
%is = OpLoad %bool %helper ` + c.operand + `
%x = OpSelect %float %is %one %zero
OpStore %out %x
OpReturn
OpFunctionEnd
`
		module, err := oracle.Assemble(t, []byte(source), "spv1.6")
		if err != nil {
			t.Fatal(err)
		}
		s, err := spirv.Read(module, spirv.Options{Stage: kind.StageFragment})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text.Print(s)); !strings.Contains(got, c.want) || strings.Contains(got, c.without) {
			t.Errorf("%s %s: there is no %s, or there is %s\n%s", c.decorate, c.operand, c.want, c.without, got)
		}
	}
}
