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

// formText assembles a compute shader with the given instructions in its body, after declarations that the tests share,
// and returns its IR as text.
func formText(t *testing.T, declare, body string) string {
	t.Helper()
	module, err := oracle.Assemble(t, []byte(`OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%dbg = OpExtInstImport "NonSemantic.Test"
OpMemoryModel Logical Simple
OpEntryPoint GLCompute %main "main" %gid %buf
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uvec3 = OpTypeVector %uint 3
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%block = OpTypeStruct %uint
%ptr = OpTypePointer StorageBuffer %block
%pelt = OpTypePointer StorageBuffer %uint
%pin = OpTypePointer Input %uvec3
%pinu = OpTypePointer Input %uint
%buf = OpVariable %ptr StorageBuffer
%gid = OpVariable %pin Input
`+declare+`
%main = OpFunction %void None %fn
%entry = OpLabel
%p = OpAccessChain %pelt %buf %u0
`+body+`
OpReturn
OpFunctionEnd
`), "spv1.4")
	if err != nil {
		t.Fatal(err)
	}
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	return string(text.Print(s))
}

// TestBuiltinCopies: a copy of a pointer to a builtin, or to a component of one, refers to the same object.
func TestBuiltinCopies(t *testing.T) {
	direct := formText(t, "", "%c = OpAccessChain %pinu %gid %u1\n%x = OpLoad %uint %c\nOpStore %p %x")
	for _, body := range []string{
		"%a = OpCopyObject %pin %gid\n%c = OpAccessChain %pinu %a %u1\n%x = OpLoad %uint %c\nOpStore %p %x",
		"%c = OpAccessChain %pinu %gid %u1\n%a = OpCopyObject %pinu %c\n%x = OpLoad %uint %a\nOpStore %p %x",
		"%a = OpCopyObject %pin %gid\n%c = OpAccessChain %pinu %a %u1\n%b = OpCopyObject %pinu %c\n%x = OpLoad %uint %b\nOpStore %p %x",
		"%c = OpAccessChain %pinu %gid %u1\nOpCopyMemory %p %c",
	} {
		if got := formText(t, "", body); got != direct {
			t.Errorf("%s\ngives\n%s\nwant\n%s", body, got, direct)
		}
	}
}

// TestDebugBetweenPhis: non-semantic instructions may be between phis.
func TestDebugBetweenPhis(t *testing.T) {
	got := formText(t, "", `%id = OpLoad %uvec3 %gid
%i = OpCompositeExtract %uint %id 0
%c = OpIEqual %bool %i %u1
OpSelectionMerge %end None
OpBranchConditional %c %then %end
%then = OpLabel
OpBranch %end
%end = OpLabel
%d1 = OpExtInst %void %dbg 1
%a = OpPhi %uint %u0 %entry %u1 %then
%d2 = OpExtInst %void %dbg 1
%b = OpPhi %uint %i %entry %u1 %then
%x = OpIAdd %uint %a %b
OpStore %p %x`)
	if n := strings.Count(got, "store_deref"); n != 5 {
		t.Errorf("%d stores, want one for each value of a phi and the one to the buffer\n%s", n, got)
	}
}
