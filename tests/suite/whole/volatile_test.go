// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// volatileShader loads twice from each of two buffers, shared and private memory, and does not use the results.
// OPERANDS are the memory operands of the loads, DECORATION decorates the variables.
const volatileShader = `OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 32 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %vectors ArrayStride 16
OpMemberDecorate %ublock 0 Offset 0
OpDecorate %ublock Block
OpDecorate %uniform DescriptorSet 0
OpDecorate %uniform Binding 1
DECORATION
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%c0 = OpConstant %u32 0
%c8 = OpConstant %u32 8
%c40 = OpConstant %u32 40
%array = OpTypeRuntimeArray %u32
%block = OpTypeStruct %array
%pblock = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %u32
%vectors = OpTypeArray %u32 %c8
%ublock = OpTypeStruct %vectors
%publock = OpTypePointer Uniform %ublock
%uniform = OpVariable %publock Uniform
%eight = OpTypeArray %u32 %c8
%pshared = OpTypePointer Workgroup %eight
%pw = OpTypePointer Workgroup %u32
%forty = OpTypeArray %u32 %c40
%pprivate = OpTypePointer Private %forty
%pp = OpTypePointer Private %u32
%pin = OpTypePointer Input %u32
%index = OpVariable %pin Input
%private = OpVariable %pprivate Private
%buffer = OpVariable %pblock Uniform
%shared = OpVariable %pshared Workgroup
%main = OpFunction %void None %fn
%l = OpLabel
%a = OpAccessChain %pu %buffer %c0 %c0
%i = OpLoad %u32 %index
%u = OpAccessChain %pu %uniform %c0 %i
%u1 = OpLoad %u32 %u OPERANDS
%u2 = OpLoad %u32 %u OPERANDS
%b = OpAccessChain %pw %shared %i
%c = OpAccessChain %pp %private %i
OpStore %c %i
%x1 = OpLoad %u32 %a OPERANDS
%x2 = OpLoad %u32 %a OPERANDS
%y1 = OpLoad %u32 %b OPERANDS
%y2 = OpLoad %u32 %b OPERANDS
%z1 = OpLoad %u32 %c OPERANDS
%z2 = OpLoad %u32 %c OPERANDS
%product = OpIMul %u32 %x1 %y1
OpReturn
OpFunctionEnd
`

// TestVolatileLoads: a load stays if it is volatile, by its memory operands or by the
// decoration of its variable, even if its result is unused; others do not.
func TestVolatileLoads(t *testing.T) {
	for _, c := range []struct {
		name, operands, decoration string
		loads                      int // loads of each buffer
	}{
		{"plain", "", "", 0},
		{"operands", "Volatile", "", 2},
		{"decoration", "", "OpDecorate %buffer Volatile\nOpDecorate %shared Volatile\nOpDecorate %uniform Volatile\nOpDecorate %private Volatile", 2},
	} {
		text := strings.NewReplacer("OPERANDS", c.operands, "DECORATION", c.decoration).Replace(volatileShader)
		module, err := oracle.Assemble(t, []byte(text), "vulkan1.1")
		if err != nil {
			t.Fatal(err)
		}
		for _, machine := range target.All {
			for _, simd := range machine.Widths {
				t.Run(fmt.Sprintf("%s/%s/%d", c.name, machine, simd), func(t *testing.T) {
					p, err := jacquard.Compile(t.Context(), module,
						jacquard.Options{Target: jacquard.Target(machine.Name), SIMD: simd, Verify: true})
					if err != nil {
						t.Fatal(err)
					}
					want := 4 * c.loads
					if simd > machine.Registers.Bytes/2 {
						want += 3 * c.loads // all but those of the buffer, which are uniform, in halves
					}
					if got := reads(t, machine.Platform, p.Variants[0].Code); got != want {
						t.Errorf("%d messages read memory, want %d", got, want)
					}
				})
			}
		}
	}
}

// reads counts the messages that read doublewords of memory.
func reads(t *testing.T, p isa.Platform, code []byte) (n int) {
	t.Helper()
	for len(code) > 0 {
		in, err := isa.Decode(p, code)
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := in.Message(p); ok {
			switch m.Kind {
			case isa.MsgUntypedRead, isa.MsgLSCLoad, isa.MsgLSCLoadQuad:
				n++
			}
		}
		code = code[16:]
	}
	return n
}
