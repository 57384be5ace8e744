// SPDX-License-Identifier: MIT

package spirv_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// Opcodes of SPV_KHR_untyped_pointers, unknown to Debian 12's spirv-as.
const (
	typeUntypedPointer = 4417
	untypedVariable    = 4418
	untypedChain       = 4419
	untypedPtrChain    = 4423
	untypedLength      = 4425
)

// word writes an instruction as raw words with the given operands.
func word(opcode int, operands string) string {
	return fmt.Sprintf("!%d %s\n", opcode|(1+len(strings.Fields(operands)))<<16, operands)
}

// Storage classes.
const (
	classUniform   = "2"
	classWorkgroup = "4"
	classPrivate   = "6"
	classFunction  = "7"
	classBuffer    = "12"
)

// readUntyped reads a shader with an untyped variable of the given storage class and other operands, and the given
// instructions as its body.
func readUntyped(t *testing.T, declare, class, rest, body string) (*ir.Shader, error) {
	t.Helper()
	module, err := oracle.Assemble(t, []byte(`OpCapability Shader
OpCapability !4473
`+declare+`
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %x
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %uints ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 0 NonWritable
OpDecorate %x DescriptorSet 0
OpDecorate %x Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u6 = OpConstant %uint 6
%u8 = OpConstant %uint 8
%f0 = OpConstant %float 0
%uints = OpTypeRuntimeArray %uint
%block = OpTypeStruct %uints
%typed = OpTypePointer StorageBuffer %uint
`+word(typeUntypedPointer, "%p "+class)+word(untypedVariable, "%p %x "+class+" "+rest)+`
%main = OpFunction %void None %fn
%entry = OpLabel
`+body+`
OpReturn
OpFunctionEnd
`), "spv1.4")
	if err != nil {
		t.Fatal(err)
	}
	return spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
}

// TestUntypedRefuses: unsupported and invalid uses of untyped pointers are refused.
func TestUntypedRefuses(t *testing.T) {
	chain := word(untypedChain, "%p %c %block %x %u0 %u1")
	for _, c := range []struct{ class, rest, body, want string }{
		{classBuffer, "%block", "", ""},
		{classPrivate, "%block", "", "untyped variables of storage class Private are not supported"},
		{classBuffer, "", "", "untyped variables without a data type are not supported"},
		{classWorkgroup, "%uint", "", "an untyped variable in workgroup memory is not a block"},
		{classUniform, "%uint", "", "a buffer is not a struct"},
		{classBuffer, "%block", word(untypedVariable, "%p %y 7 %uint"), "untyped variables of storage class Function are not supported"},
		{classBuffer, "%block", "%c = OpAccessChain %typed %x %u0 %u1", "is an untyped pointer, which is not supported here"},
		{classBuffer, "%block", word(untypedChain, "%p %c %typed %x %u0"), "the base type, id "},
		{classBuffer, "%block", word(untypedChain, "%p %c %block %u0 %u0"), "is not a pointer"},
		{classBuffer, "%block", word(untypedChain, "%p %c %block %x %u1"), "the struct has no member 1"},
		{classBuffer, "%block", word(untypedChain, "%typed %c %block %x %u0"), "the result is not a pointer to the indexed type"},
		{classBuffer, "%block", word(untypedPtrChain, "%p %c %block %x %u1 %u0"), "requires the capability VariablePointers"},
		{classBuffer, "%block", word(untypedLength, "%uint %n %block %x 1"), "member 1 is not a runtime array"},
		{classBuffer, "%block", "%v = OpLoad %void %x", "the pointer points to a type that cannot be in memory"},
		{classBuffer, "%block", chain + "OpCopyMemory %c %x", "is an untyped pointer, which is not supported here"},
	} {
		_, err := readUntyped(t, "", c.class, c.rest, c.body)
		if c.want == "" && err != nil || c.want != "" && !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("class %s %s, %s: error %v, want one with %q", c.class, c.rest, c.body, err, c.want)
		}
	}
}

// TestUntypedViews: an access uses a deref of its own type, by a cast only if the pointer refers to another type.
// Decorations of a block's members do not hold for other views of the memory.
func TestUntypedViews(t *testing.T) {
	for _, c := range []struct {
		body  string
		casts int
	}{
		{word(untypedChain, "%p %c %block %x %u0 %u1") + "%v = OpLoad %uint %c", 0},
		{word(untypedChain, "%p %c %block %x %u0 %u1") + "%v = OpLoad %float %c\nOpStore %c %f0", 2},
		{word(untypedChain, "%p %c %uints %x %u1") + "%v = OpLoad %uint %c", 1},
		{word(untypedChain, "%p %c %uints %x %u1") + "%d = OpCopyObject %p %c\n%v = OpLoad %vec2 %d", 2},
		{word(untypedLength, "%uint %n %block %x 0"), 0},
	} {
		s, err := readUntyped(t, "", classBuffer, "%block", c.body)
		if err != nil {
			t.Errorf("%s: %v", c.body, err)
			continue
		}
		got := string(text.Print(s))
		if n := strings.Count(got, "deref_cast"); n != c.casts || strings.Contains(got, "non_writeable") {
			t.Errorf("%s: %d casts, want %d, and no non_writeable\n%s", c.body, n, c.casts, got)
		}
	}
}

// TestCopiesOfBytes: a copy accesses words, unless the module may access smaller units and does not state the
// alignment.
func TestCopiesOfBytes(t *testing.T) {
	chain := word(untypedChain, "%p %c %block %x %u0 %u1")
	const small8, small16 = "OpCapability StorageBuffer8BitAccess", "OpCapability StorageBuffer16BitAccess"
	for _, c := range []struct {
		declare, operands string
		bits, loads       int
	}{
		{"", "%u8", 32, 2},
		{"", "%u6", 16, 3},
		{small16, "%u8", 16, 4},
		{small8, "%u8", 8, 8},
		{small16 + "\n" + small8, "%u8", 8, 8},
		{small8, "%u8 Aligned 4", 32, 2},
		{small8, "%u6 Aligned 4", 16, 3},
		{small8, "%u8 Aligned 16 Aligned 2", 16, 4},
		{small8, "%u8 Aligned 4 None", 8, 8},
	} {
		s, err := readUntyped(t, c.declare, classBuffer, "%block", chain+"OpCopyMemorySized %c %x "+c.operands)
		if err != nil {
			t.Errorf("%s, %s: %v", c.declare, c.operands, err)
			continue
		}
		n := 0
		for f := range s.Funcs() {
			for b := range s.Blocks(f) {
				for v := range s.Instrs(b) {
					if in := s.At(v); in.Kind == kind.Intrinsic && in.Bits == uint8(c.bits) && in.Comps == 1 && in.HasResult() {
						n++
					}
				}
			}
		}
		if n != c.loads {
			t.Errorf("%s, %s: %d loads of %d bits, want %d\n%s", c.declare, c.operands, n, c.bits, c.loads, text.Print(s))
		}
	}
}

// TestUntypedBlocksApart: with untyped pointers, only blocks decorated Aliased share workgroup memory.
func TestUntypedBlocksApart(t *testing.T) {
	for _, aliased := range []bool{false, true} {
		declare := "OpCapability WorkgroupMemoryExplicitLayoutKHR"
		if aliased {
			declare += "\nOpDecorate %x Aliased" // the reader accepts this anywhere
		}
		s, err := readUntyped(t, declare, classWorkgroup, "%block", "")
		if err != nil {
			t.Fatal(err)
		}
		for x := range s.Vars(kind.ModeShared) {
			block, shares := s.Var(x).SharedBlock(&s.Types), s.Var(x).SharesMemory(&s.Types)
			if !block || shares != aliased {
				t.Errorf("aliased %v: is a block %v, shares memory %v", aliased, block, shares)
			}
		}
	}
}
