// SPDX-License-Identifier: MIT

package spirv_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
)

// TestWorkgroupStride: ArrayStride determines the step of OpPtrAccessChain in workgroup memory only if the variables
// there are blocks, which have an explicit layout (SPIR-V specification, "Shader Validation": elsewhere such
// decorations mean nothing).
func TestWorkgroupStride(t *testing.T) {
	for _, c := range []struct{ name, block, want string }{
		{"plain", "", "stride=4"},
		{"block", "OpDecorate %sh Block\nOpMemberDecorate %sh 0 Offset 0\nOpDecorate %arr ArrayStride 8\n", "stride=8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := assemble(t, `%p = OpAccessChain %pwu %s %u0 %u1
%q = OpPtrAccessChain %pwu %p %u1
OpStore %q %u1
OpReturn`, c.block+`OpDecorate %pwu ArrayStride 8
%n4 = OpConstant %u32 4
%arr = OpTypeArray %u32 %n4
%sh = OpTypeStruct %arr
%ps = OpTypePointer Workgroup %sh
%pwu = OpTypePointer Workgroup %u32
%s = OpVariable %ps Workgroup`)
			m = withCapabilities(m, 4442, 4428) // VariablePointers, WorkgroupMemoryExplicitLayoutKHR
			s, err := spirv.Read(m, spirv.Options{Stage: kind.StageCompute})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(text.Print(s)); !strings.Contains(got, c.want) {
				t.Errorf("there is no %s in\n%s", c.want, got)
			}
		})
	}
}

// TestWorkgroupBlocks: if workgroup memory has an explicit layout, either all its variables in the interface of the
// entry point are blocks or none is.
func TestWorkgroupBlocks(t *testing.T) {
	src, err := os.ReadFile("../../tests/shaders/workgroup_layout.spv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spirv.Read(src, spirv.Options{Stage: kind.StageCompute}); err != nil {
		t.Fatal(err)
	}
	block := []byte{71, 0, 3, 0, 10, 0, 0, 0, 2, 0, 0, 0} // OpDecorate %_struct_10 Block
	if bytes.Count(src, block) != 1 {
		t.Fatal("the struct is not decorated")
	}
	mixed := bytes.Replace(src, block, nil, 1)
	const want = "of the variables in workgroup memory, id 8 is a block and id 6 is not"
	if _, err := spirv.Read(mixed, spirv.Options{Stage: kind.StageCompute}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
}

// withCapabilities inserts OpCapability instructions at a module's start.
func withCapabilities(module []byte, numbers ...uint16) []byte {
	out := append([]byte(nil), module[:20]...)
	for _, n := range numbers {
		out = append(out, 17, 0, 2, 0, byte(n), byte(n>>8), 0, 0)
	}
	return append(out, module[20:]...)
}
