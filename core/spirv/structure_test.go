// SPDX-License-Identifier: MIT

package spirv_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
)

// TestRefusesFlow has a module for each error about control flow and dominance.
func TestRefusesFlow(t *testing.T) {
	const (
		head = "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %c None\nOpBranch %b\n%b = OpLabel\n"
		tail = "\n%c = OpLabel\nOpBranch %h\n%e = OpLabel\nOpReturn"
	)
	for _, c := range []struct{ name, body, want string }{
		{"merge of two", "OpSelectionMerge %m None\nOpBranchConditional %true %a %m\n%a = OpLabel\nOpSelectionMerge %m None\nOpBranchConditional %true %b %m\n%b = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn",
			"OpSelectionMerge: block ID is also the merge block of another header"},
		{"two merges", "OpSelectionMerge %m None\nOpSelectionMerge %m None\nOpBranchConditional %true %m %m\n%m = OpLabel\nOpReturn",
			"OpSelectionMerge: is the second merge instruction of its block"},
		{"merge first", "OpSelectionMerge %entry None\nOpBranchConditional %true %m %m\n%m = OpLabel\nOpReturn",
			"OpSelectionMerge: the first block of the function is a merge block or a continue target"},
		{"merge before branch", "OpSelectionMerge %m None\nOpBranch %m\n%m = OpLabel\nOpReturn", "OpSelectionMerge: is not allowed before OpBranch"},
		{"two back edges", head + "OpSelectionMerge %m None\nOpBranchConditional %true %h %m\n%m = OpLabel\nOpBranch %c" + tail,
			"OpBranch: leads back to block ID, as block ID does; only one block may"},
		{"no back edge", "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %c None\nOpBranch %e\n%c = OpLabel\nOpBranch %e\n%e = OpLabel\nOpReturn",
			"OpLoopMerge: no edge leads back to the loop header"},
		{"back to no header", "OpBranch %h\n%h = OpLabel\nOpBranch %b\n%b = OpLabel\nOpBranch %h", "OpBranch: leads back to block ID, which is not a loop header"},
		{"return in continue", head + "OpBranch %c\n%c = OpLabel\nOpSelectionMerge %m None\nOpBranchConditional %true %a %m\n%a = OpLabel\nOpReturn\n%m = OpLabel\nOpBranch %h\n%e = OpLabel\nOpReturn",
			"OpReturn: ends in a continue construct, all of whose paths must lead back to the loop header"},
		{"break in continue", head + "OpBranch %c\n%c = OpLabel\nOpBranchConditional %true %e %m\n%m = OpLabel\nOpBranch %h\n%e = OpLabel\nOpReturn",
			"OpBranchConditional: leaves the continue construct of block ID to block ID, which is not an allowed destination"},
		{"continue from outside", "OpSelectionMerge %m None\nOpBranchConditional %true %h %c\n%h = OpLabel\nOpLoopMerge %e %c None\nOpBranchConditional %true %c %e\n%c = OpLabel\nOpBranch %h\n%e = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn",
			"OpLoopMerge: the header does not dominate its continue target, block ID"},
		{"out of two selections", "OpSelectionMerge %m None\nOpBranchConditional %true %a %m\n%a = OpLabel\nOpSelectionMerge %n None\nOpBranchConditional %true %m %n\n%n = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn",
			"OpBranchConditional: leaves the selection of block ID to block ID, which is not an allowed destination"},
		{"into a selection", "OpSelectionMerge %m None\nOpBranchConditional %true %a %b\n%a = OpLabel\nOpSelectionMerge %n None\nOpBranchConditional %true %x %n\n%x = OpLabel\nOpBranch %y\n%y = OpLabel\nOpReturn\n%n = OpLabel\nOpBranch %y\n%b = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn",
			"OpBranch: enters the selection of block ID at block ID, not at its header"},
		{"two falls", "OpSelectionMerge %m None\nOpSwitch %u0 %m 0 %a 1 %b 2 %c\n%a = OpLabel\nOpBranch %c\n%b = OpLabel\nOpBranch %c\n%c = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn",
			"OpBranch: two cases fall through to block ID, at block ID and at block ID"},
		{"falls past", "OpSelectionMerge %m None\nOpSwitch %u0 %m 0 %a 1 %b 2 %c\n%a = OpLabel\nOpBranch %c\n%b = OpLabel\nOpBranch %m\n%c = OpLabel\nOpBranch %m\n%m = OpLabel\nOpReturn",
			"OpSwitch: the case at block ID falls through to block ID, but is not listed just before it"},
		{"order", "OpBranch %a\n%b = OpLabel\nOpReturn\n%a = OpLabel\nOpBranch %b", "OpReturn: block ID precedes block ID, which dominates it"},
		{"first block", "OpBranch %entry", "OpBranch: the first block of the function is the target of a branch"},
		{"phi in the middle", "OpBranch %a\n%a = OpLabel\n%x = OpFAdd %f32 %f0 %f0\n%y = OpPhi %f32 %x %entry\nOpReturn", "OpPhi: is not at the start of a block after the first"},
		{"phi without pair", "OpBranch %a\n%a = OpLabel\n%y = OpPhi %f32\nOpReturn", "OpPhi: has 0 values, but the block has 1 predecessors"},
		{"phi of another block", "OpBranch %a\n%a = OpLabel\n%y = OpPhi %f32 %f0 %a\nOpReturn", "OpPhi: block ID is not a predecessor"},
		{"phi twice", "OpBranch %a\n%a = OpLabel\n%y = OpPhi %f32 %f0 %entry %f0 %entry\nOpReturn", "OpPhi: has two values for the edge from block ID"},
		{"phi undominated", "OpSelectionMerge %m None\nOpBranchConditional %true %a %m\n%a = OpLabel\n%x = OpFAdd %f32 %f0 %f0\nOpBranch %m\n%m = OpLabel\n%y = OpPhi %f32 %x %a %x %entry\nOpReturn",
			"OpPhi: the definition of id ID does not dominate its use"},
		{"late variable", "%x = OpFAdd %f32 %f0 %f0\n%v = OpVariable %pu Function\nOpReturn", "OpVariable: is not at the start of the first block"},
		{"unreachable", "OpReturn\n%a = OpLabel\n%x = OpFAdd %f32 %y %f0\n%y = OpFAdd %f32 %f0 %f0\nOpReturn", "OpFAdd: id ID is used where it is not defined"},
		{"another function", "OpReturn\nOpFunctionEnd\n%g = OpFunction %void None %fn\n%l = OpLabel\n%x = OpFAdd %f32 %f0 %f0\nOpReturn\nOpFunctionEnd\n%k = OpFunction %void None %fn\n%n = OpLabel\n%y = OpFAdd %f32 %x %f0\nOpReturn",
			"OpFAdd: id ID belongs to another function"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := spirv.Read(assemble(t, c.body, ""), spirv.Options{Stage: kind.StageCompute})
			var e *spirv.Error
			if !errors.As(err, &e) {
				t.Fatalf("gives %v, want an *Error", err)
			}
			if got := e.Op + ": " + e.Msg; masked(got) != masked(c.want) {
				t.Errorf("gives\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestRefusesPhi: a phi has a value for a block that is not a predecessor. The module is made from a switch in which
// one case falls through.
func TestRefusesPhi(t *testing.T) {
	b, err := os.ReadFile("testdata/invalid/phi_count.spv")
	if err != nil {
		t.Fatal(err)
	}
	_, err = spirv.Read(b, spirv.Options{Stage: kind.StageCompute})
	if want := "OpPhi: block 35 is not a predecessor"; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("gives %v, want %q", err, want)
	}
}

// TestSelectionInLoopHeader: both targets of the branch that ends a loop header may be in the loop.
func TestSelectionInLoopHeader(t *testing.T) {
	body := "OpBranch %h\n%h = OpLabel\nOpLoopMerge %e %c None\nOpBranchConditional %true %a %b\n%a = OpLabel\nOpBranch %c\n" +
		"%b = OpLabel\nOpBranch %e\n" +
		"%c = OpLabel\nOpBranch %h\n%e = OpLabel\nOpReturn"
	if _, err := spirv.Read(assemble(t, body, ""), spirv.Options{Stage: kind.StageCompute}); err != nil {
		t.Error(err)
	}
}
