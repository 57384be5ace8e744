// SPDX-License-Identifier: MIT

package spirv_test

import (
	"testing"

	"jacquard.example/tests/oracle"
)

// TestSpecAggregates covers specialization constants that are built from aggregates, nulls and undefined parts, and
// instructions of SPV_AMD_shader_trinary_minmax.
func TestSpecAggregates(t *testing.T) {
	const src = `OpCapability Shader
OpExtension "SPV_AMD_shader_trinary_minmax"
%amd = OpExtInstImport "SPV_AMD_shader_trinary_minmax"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 16 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %run ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %five SpecId 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%v2 = OpTypeVector %u32 2
%run = OpTypeRuntimeArray %u32
%block = OpTypeStruct %run
%pb = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %u32
%pi = OpTypePointer Input %u32
%index = OpVariable %pi Input
%buffer = OpVariable %pb Uniform
%zero = OpConstant %u32 0
%two = OpConstant %u32 2
%true = OpSpecConstantTrue %bool
%five = OpSpecConstant %u32 5
%a2 = OpTypeArray %v2 %two
%s = OpTypeStruct %u32 %a2
%null = OpConstantNull %s
%undef = OpUndef %a2
%vec = OpConstantComposite %v2 %two %two
%s1 = OpSpecConstantOp %s CompositeInsert %five %null 1 1 0
%s2 = OpSpecConstantOp %s CompositeInsert %vec %s1 1 0
%s3 = OpSpecConstantOp %s Select %true %s2 %null
%a = OpSpecConstantOp %a2 CompositeInsert %vec %undef 1
%s4 = OpSpecConstantOp %s CompositeInsert %a %s3 1
%x = OpSpecConstantOp %u32 CompositeExtract %s3 1 1 0
%y = OpSpecConstantOp %u32 CompositeExtract %s3 1 0 1
%z = OpSpecConstantOp %u32 CompositeExtract %s3 1 1 1
%w = OpSpecConstantOp %u32 CompositeExtract %s4 1 1 0
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %u32 %index
%xy = OpIMul %u32 %x %y
%part = OpCompositeExtract %u32 %s3 1 1 0
%e1 = OpIAdd %u32 %xy %part
%e2 = OpIAdd %u32 %e1 %z
%e3 = OpIMul %u32 %e2 %w
%lo = OpExtInst %u32 %amd UMin3AMD %i %five %two
%hi = OpExtInst %u32 %amd UMax3AMD %i %five %two
%mid = OpExtInst %u32 %amd UMid3AMD %five %i %two
%m1 = OpIMul %u32 %hi %five
%m2 = OpIMul %u32 %mid %m1
%m3 = OpIAdd %u32 %m2 %lo
%sum = OpIAdd %u32 %m3 %e3
%at = OpAccessChain %pu %buffer %zero %i
OpStore %at %sum
OpReturn
OpFunctionEnd
`
	module, err := oracle.Assemble(t, []byte(src), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := oracle.Validate(t, module, ""); err != nil {
		t.Fatal(err)
	}
	var want [lanes]uint32
	for i := range uint32(lanes) {
		lo, hi := min(i, 5, 2), max(i, 5, 2)
		mid := i + 5 + 2 - lo - hi
		want[i] = hi*5*mid + lo + (5*2+5+0)*2
	}
	compareFlow(t, "specialization", src, module, want)
}
