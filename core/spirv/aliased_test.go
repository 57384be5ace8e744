// SPDX-License-Identifier: MIT

package spirv_test

import (
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
)

// TestAliased: a binding may alias others if one of its variables is decorated with Aliased.
func TestAliased(t *testing.T) {
	const global = `OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 1
OpDecorate %c DescriptorSet 0
OpDecorate %c Binding 1
OpDecorate %c Aliased
%block = OpTypeStruct %u32
%pblock = OpTypePointer StorageBuffer %block
%pu32 = OpTypePointer StorageBuffer %u32
%a = OpVariable %pblock StorageBuffer
%b = OpVariable %pblock StorageBuffer
%c = OpVariable %pblock StorageBuffer
`
	const body = `%pa = OpAccessChain %pu32 %a %u0
%pb = OpAccessChain %pu32 %b %u0
%pc = OpAccessChain %pu32 %c %u0
%x = OpLoad %u32 %pa
OpStore %pb %x
OpStore %pc %x
OpReturn`
	s, err := spirv.Read(assemble(t, body, global), spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	if err := pass.New(s).Run(pipeline.Compute, nil); err != nil {
		t.Fatal(err)
	}
	list := s.Info.Bindings
	if len(list) != 2 || list[0].Access&kind.AccessAliased != 0 || list[1].Access&kind.AccessAliased == 0 {
		t.Errorf("bindings %+v: only the second is to be aliased", list)
	}
}
