// SPDX-License-Identifier: MIT

package spirv_test

import (
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// TestValueOfOnlyCase: one case branches to the merge block, which uses a value computed in it. The other cases, one of
// which falls through to the default, leave the loop.
func TestValueOfOnlyCase(t *testing.T) {
	s, err := spirv.Read(assemble(t, `%x = OpVariable %pu Function
OpBranch %head
%head = OpLabel
%sel = OpLoad %u32 %x
OpLoopMerge %after %next None
OpBranch %body
%body = OpLabel
OpSelectionMerge %merge None
OpSwitch %sel %default 1 %one 2 %two
%one = OpLabel
%sum = OpIAdd %u32 %sel %u1
OpBranch %merge
%two = OpLabel
OpStore %x %u0
OpBranch %default
%default = OpLabel
OpBranch %after
%merge = OpLabel
OpStore %x %sum
OpBranch %next
%next = OpLabel
OpBranch %head
%after = OpLabel
OpReturn`, ""), spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Shader(s); err != nil {
		t.Errorf("%v\n%s", err, text.Print(s))
	}
}
