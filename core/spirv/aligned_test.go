// SPDX-License-Identifier: MIT

package spirv_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/text"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// TestAligned: accesses to scalars and vectors at physical addresses keep their alignment. Copies, matrices whose
// columns are not adjacent, and accesses to variables do not.
func TestAligned(t *testing.T) {
	const source = `#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
struct S { uint x, y; };
layout(local_size_x = 8) in;
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Two { uint16_t x, y; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Four { uint16_t x, y, z; };
layout(buffer_reference, scalar, buffer_reference_align = 32) buffer Many { uint x, y, z; layout(offset = 32) uvec4 v; };
layout(buffer_reference, scalar, row_major, buffer_reference_align = 16) buffer Rows { mat4 m; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Struct { S s; };
layout(push_constant) uniform P { uint64_t a; };
layout(binding = 0) buffer O { uint o[]; };
void main() {
  o[0] = uint(Two(a).x);
  o[1] = uint(Four(a).x);
  o[2] = uint(Four(a).y);
  o[3] = uint(Four(a).z);
  o[4] = Many(a).x;
  o[5] = Many(a).y;
  o[6] = Many(a).z;
  Many(a).v = uvec4(0u);
  o[7] = uint(Rows(a).m[1].x);
  Rows(a).m[0] = vec4(0.0);
  Struct(a).s = S(1u, 2u);
}
`
	s := readGLSL(t, source)
	const flags = kind.AccessAligned4 | kind.AccessAligned8 | kind.AccessAligned16
	var got []string
	for v := range s.Instrs(s.FirstBlock(s.Entry())) {
		id := s.At(v).Intrinsic()
		if id != intrinsic.LoadDeref && id != intrinsic.StoreDeref {
			continue
		}
		a := kind.Access(s.Index(v, intrinsic.IxAccess)) & flags
		if s.Modes(s.Src(v, 0).Val) == kind.ModeGlobal {
			got = append(got, fmt.Sprintf("%d %s", max(s.At(v).Comps, s.Src(v, int(s.At(v).NSrc)-1).N), a))
		} else if a != 0 {
			t.Errorf("an access to a variable has %s", a)
		}
	}
	// The compiler of the source writes the struct member by member, the first with an alignment of 0.
	const want = "1 none, 1 aligned4, 1 none, 1 aligned4, 1 aligned16, 1 aligned4, 1 aligned8, 4 aligned16, 1 aligned4, 1 none, " +
		"1 none, 1 none, 1 none, 1 none, 1 aligned4"
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("accesses at addresses: %s, want %s\n%s", got, want, text.Print(s))
	}
}
