// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// subgroupCosts are operations across the lanes of a subgroup, as a function of the value x and
// the lane i, and how many instructions a thread of 16 lanes executed for one when it was a loop
// over the active lanes (commit 63e4d69), the surroundings subtracted.
var subgroupCosts = []struct {
	expr string
	loop int
}{
	{"subgroupShuffle(x, i ^ 6u)", 291},
	{"subgroupShuffleXor(x, 5u)", 291},
	{"subgroupShuffleUp(x, 3u)", 291},
	{"subgroupAdd(x)", 290},
	{"subgroupMin(x)", 290},
	{"subgroupXor(x)", 290},
	{"subgroupInclusiveAdd(x)", 306},
	{"subgroupExclusiveMax(x)", 306},
	{"uint(subgroupAdd(float(x)))", 292},
	{"uint(subgroupInclusiveMul(float(x)))", 308},
	{"subgroupClusteredAdd(x, 4)", 338},
	{"subgroupQuadSwapHorizontal(x)", 291},
	{"subgroupMul(x)", 322},
	{"subgroupExclusiveMul(x)", 338},
}

// TestSubgroupCosts compares the instructions that operations across lanes execute on the model with the loops over the
// lanes that preceded them: at most a quarter.
func TestSubgroupCosts(t *testing.T) {
	executed := func(expr string) int {
		source := fmt.Sprintf(`#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer B { uint b[]; };
void main() {
  uint i = gl_SubgroupInvocationID, x = b[gl_LocalInvocationIndex];
  b[gl_LocalInvocationIndex] = %s;
}
`, expr)
		module, err := oracle.GLSL(t, "comp", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: "tgl", SIMD: 16})
		if err != nil {
			t.Fatal(err)
		}
		stats, err := eu.Run(t.Context(), &eu.Dispatch{
			Program: eu.Load(target.TGL, p.Variants[0].Code), SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: p.ABI.LocalSize,
			Surfaces: []*eu.Surface{{Data: make([]byte, 64)}}, Payload: eu.ComputePayload(target.TGL.ABI, nil),
			Options: eu.Options{Poison: true, Undefined: true},
		})
		if err != nil {
			t.Fatal(err)
		}
		return int(stats.Instructions())
	}
	around := executed("x")
	for _, c := range subgroupCosts {
		n := executed(c.expr) - around
		t.Logf("%-40s %4d instructions, %4d by a loop", c.expr, n, c.loop)
		if 4*n > c.loop {
			t.Errorf("%s executes %d instructions, over a quarter of the %d of a loop", c.expr, n, c.loop)
		}
	}
}
