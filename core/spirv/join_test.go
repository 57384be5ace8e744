// SPDX-License-Identifier: MIT

package spirv_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/tests/oracle"
)

// joinBlock is a block of a random function: it branches to yes if the invocation has its bit set, otherwise to no.
// merge is the block of its OpSelectionMerge, or 0 for none.
type joinBlock struct{ yes, no, merge int }

// joinBlocks draws a function without loops whose arms join anywhere: most are not structured control flow.
func joinBlocks(rng *rand.Rand) []joinBlock {
	n := 4 + rng.IntN(5)
	blocks := make([]joinBlock, n)
	later := func(i int) int { return i + 1 + rng.IntN(n-i-1) }
	taken := map[int]bool{}
	for i := range n - 1 {
		b := joinBlock{yes: later(i)}
		b.no = b.yes
		if i == 0 || rng.IntN(3) > 0 {
			b.no = later(i)
		}
		if b.yes != b.no {
			m := later(i)
			if i == 0 {
				m = n - 1
			}
			if !taken[m] && (i == 0 || rng.IntN(2) == 0) {
				b.merge, taken[m] = m, true
			}
		}
		blocks[i] = b
	}
	return blocks
}

func joinModule(blocks []joinBlock) string {
	var b strings.Builder
	b.WriteString(`OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 16 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %run ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%run = OpTypeRuntimeArray %u32
%block = OpTypeStruct %run
%pb = OpTypePointer Uniform %block
%pu = OpTypePointer Uniform %u32
%pf = OpTypePointer Function %u32
%pi = OpTypePointer Input %u32
%index = OpVariable %pi Input
%buffer = OpVariable %pb Uniform
%zero = OpConstant %u32 0
%seven = OpConstant %u32 7
`)
	for i := range blocks {
		fmt.Fprintf(&b, "%%n%d = OpConstant %%u32 %d\n%%bit%d = OpConstant %%u32 %d\n", i, i+1, i, 1<<(i%4))
	}
	b.WriteString("%main = OpFunction %void None %fn\n%entry = OpLabel\n%sum = OpVariable %pf Function\nOpStore %sum %zero\n" +
		"%x = OpLoad %u32 %index\nOpBranch %b0\n")
	for i, k := range blocks {
		fmt.Fprintf(&b, "%%b%d = OpLabel\n%%l%d = OpLoad %%u32 %%sum\n%%m%d = OpIMul %%u32 %%l%d %%seven\n"+
			"%%s%d = OpIAdd %%u32 %%m%d %%n%d\nOpStore %%sum %%s%d\n", i, i, i, i, i, i, i, i)
		switch {
		case i == len(blocks)-1:
			b.WriteString("%r = OpLoad %u32 %sum\n%at = OpAccessChain %pu %buffer %zero %x\nOpStore %at %r\nOpReturn\nOpFunctionEnd\n")
		case k.yes == k.no:
			fmt.Fprintf(&b, "OpBranch %%b%d\n", k.yes)
		default:
			fmt.Fprintf(&b, "%%a%d = OpBitwiseAnd %%u32 %%x %%bit%d\n%%c%d = OpINotEqual %%bool %%a%d %%zero\n", i, i, i, i)
			if k.merge != 0 {
				fmt.Fprintf(&b, "OpSelectionMerge %%b%d None\n", k.merge)
			}
			fmt.Fprintf(&b, "OpBranchConditional %%c%d %%b%d %%b%d\n", i, k.yes, k.no)
		}
	}
	return b.String()
}

// TestMergeBlocks: SPIR-V lets the arms of a selection join before its merge block. The random functions that spirv-val
// accepts are read and compute the right results.
func TestMergeBlocks(t *testing.T) {
	oracle.Need(t, "spirv-as")
	oracle.Need(t, "spirv-val")
	rng := rand.New(rand.NewPCG(1, 1))
	valid, joined := 0, 0
	for range 150 {
		blocks := joinBlocks(rng)
		src := joinModule(blocks)
		module, err := oracle.Assemble(t, []byte(src), "")
		if err != nil {
			t.Fatal(err)
		}
		if oracle.Validate(t, module, "") != nil {
			continue
		}
		valid++
		ways := make([]int, len(blocks))
		merges := map[int]bool{}
		for _, b := range blocks[:len(blocks)-1] {
			merges[b.merge] = true
			if ways[b.yes]++; b.no != b.yes {
				ways[b.no]++
			}
		}
		for i, n := range ways {
			if n > 1 && !merges[i] {
				joined++
				break
			}
		}
		var want [lanes]uint32
		for x := range uint32(lanes) {
			for i := 0; ; {
				want[x] = want[x]*7 + uint32(i) + 1
				if i == len(blocks)-1 {
					break
				}
				if x>>(i%4)&1 != 0 {
					i = blocks[i].yes
				} else {
					i = blocks[i].no
				}
			}
		}
		compareFlow(t, "joins", src, module, want)
	}
	if joined < 10 {
		t.Errorf("%d of %d valid functions have joins", joined, valid)
	}
	t.Logf("%d valid functions, %d with joins", valid, joined)
}
