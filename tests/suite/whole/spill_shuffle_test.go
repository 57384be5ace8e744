// SPDX-License-Identifier: MIT

package whole

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/run/amber"
	"jacquard.example/generated/target"
)

// shuffles returns a script in which a number of shuffled values live until a barrier.
func shuffles(values int) string {
	var b strings.Builder
	b.WriteString(`#!amber
SHADER compute s GLSL TARGET_ENV vulkan1.1
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 32) in;
layout(binding = 0) buffer O { uint o[]; };
layout(binding = 1) buffer I { uint x[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint y = x[0];
`)
	for k := range values {
		fmt.Fprintf(&b, "  uint v%d = subgroupShuffleXor(x[i + %[1]du], y);\n", k)
	}
	b.WriteString("  barrier();\n")
	for k := range values {
		fmt.Fprintf(&b, "  o[i * %du + %du] = v%[2]d;\n", values, k)
	}
	fmt.Fprintf(&b, `}
END
BUFFER o DATA_TYPE uint32 SIZE %d FILL 0
BUFFER x DATA_TYPE uint32 SIZE %d SERIES_FROM 1 INC_BY 3
`, 32*values, 32+values)
	b.WriteString(`PIPELINE compute p
  ATTACH s
  BIND BUFFER o AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
EXPECT o IDX 0 EQ`)
	for i := range 32 {
		for k := range values { // x[0] is 1: neighbors change places
			fmt.Fprintf(&b, " %d", 1+3*((i^1)+k))
		}
	}
	b.WriteString("\n")
	return b.String()
}

// TestSpilledShuffles spills values that instructions with fewer lanes than a register's write, at lanes in the middle of
// one: a spill has the lanes of whole registers.
func TestSpilledShuffles(t *testing.T) {
	for _, machine := range target.All {
		for _, simd := range machine.Widths {
			t.Run(fmt.Sprint(machine, "/", simd), func(t *testing.T) {
				t.Parallel()
				script, err := amber.Parse("shuffles", []byte(shuffles(2000/simd)))
				if err != nil {
					t.Fatal(err)
				}
				if err := execute(t, openMachine(machine, simd)(t, script), script); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
