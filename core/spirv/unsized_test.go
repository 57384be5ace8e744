// SPDX-License-Identifier: MIT

package spirv_test

import (
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// TestUnsizedArrays: an array whose length is a specialization constant of 0 is an error where it is used, and valid
// once the constant has a value.
func TestUnsizedArrays(t *testing.T) {
	const types = "OpDecorate %n SpecId 3\n%n = OpSpecConstant %u32 0\n%m = OpSpecConstantOp %u32 IMul %n %n\n" +
		"%a = OpTypeArray %f32 %m\n%s = OpTypeStruct %f32 %a\n%aa = OpTypeArray %s %u1\n"
	const refused = "an array has 0 elements, the value of the specialization constant with id ID, but must have from 1 to 2^28"
	for _, c := range []struct{ name, body, global, want string }{
		{"types alone", "OpReturn", "%p = OpTypePointer Private %aa\n%null = OpConstantNull %aa", ""},
		{"variables alone", "%v = OpVariable %p Function\nOpReturn", "%p = OpTypePointer Function %aa\n%q = OpTypePointer Private %s\n%w = OpVariable %q Private", ""},
		{"access", "%v = OpVariable %p Function\n%x = OpAccessChain %pf %v %u0 %u0\nOpReturn", "%p = OpTypePointer Function %aa", "OpAccessChain: " + refused},
		{"shared", "%x = OpAccessChain %pw %v %u0\nOpReturn", "%p = OpTypePointer Workgroup %a\n%pw = OpTypePointer Workgroup %f32\n%v = OpVariable %p Workgroup", "OpAccessChain: " + refused},
		{"null", "%x = OpCompositeExtract %f32 %null 0\nOpReturn", "%null = OpConstantNull %s", "OpCompositeExtract: " + refused},
		{"undef", "%x = OpCompositeExtract %f32 %undef 0\nOpReturn", "%undef = OpUndef %s", "OpCompositeExtract: " + refused},
		{"composite", "%x = OpCompositeExtract %f32 %c 0\nOpReturn", "%c = OpSpecConstantComposite %s %f0 %f0", "OpCompositeExtract: " + refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := assemble(t, c.body, types+c.global)
			_, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute})
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.HasSuffix(masked(err.Error()), c.want)):
				t.Errorf("gives\n%v\nwant\n%s", err, c.want)
			}
			if c.name == "composite" {
				return // no length fits its constituents
			}
			s, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute, Specialize: []spirv.Spec{{ID: 3, Bits: 3}}})
			if err == nil {
				err = validate.Shader(s)
			}
			if err != nil {
				t.Errorf("specialized: %v", err)
			}
		})
	}
}

// TestBuffersThatAreNoBlocks: the elements of an array of buffers must be blocks.
func TestBuffersThatAreNoBlocks(t *testing.T) {
	const types = "OpDecorate %list ArrayStride 4\nOpMemberDecorate %s 0 Offset 0\n%list = OpTypeRuntimeArray %u32\n" +
		"%s = OpTypeStruct %list\n%n = OpConstant %u32 4\n%a = OpTypeArray %s %n\n%p = OpTypePointer StorageBuffer %a\n" +
		"%v = OpVariable %p StorageBuffer\n"
	const refused = "an array of buffers has elements that are not decorated with Block"
	for decoration, want := range map[string]string{"": refused, "OpDecorate %s Block\n": "", "OpDecorate %s BufferBlock\n": "",
		"OpDecorate %p Block\n": refused} {
		_, err := spirv.Read(assemble(t, "OpReturn", decoration+types), spirv.Options{Stage: kind.StageCompute})
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%q: %v", decoration, err)
		}
	}
}
