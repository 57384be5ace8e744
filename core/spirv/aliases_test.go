// SPDX-License-Identifier: MIT

package spirv_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// TestAliasedAccess: a load keeps NonWritable unless another variable with the same descriptor may be written.
func TestAliasedAccess(t *testing.T) {
	const source = `#version 450
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 1) buffer C { uint c[]; };
layout(binding = 2) readonly buffer D { uint d[]; };
layout(binding = 2) readonly buffer E { uint e[]; };
layout(binding = 3) buffer F { readonly uint x; uint y; } f;
layout(binding = 4) readonly buffer G { uint x; } g;
layout(binding = 4) buffer H { uint y; readonly uint z; } h;
layout(binding = 5, r32ui) readonly uniform uimage1D i;
layout(binding = 6, r32ui) readonly uniform uimage1D j;
layout(binding = 6, r32ui) uniform uimage1D k;
void main() {
  int at = int(gl_LocalInvocationID.x);
  c[at] = a[at] + b[at] + d[at] + e[at] + f.x + f.y + g.x + imageLoad(i, at).x + imageLoad(j, at).x;
  imageStore(k, at, uvec4(h.z));
}
`
	s := readGLSL(t, source)
	var got []string
	for v := range s.Instrs(s.FirstBlock(s.Entry())) {
		if id := s.At(v).Intrinsic(); id != intrinsic.LoadDeref && id != intrinsic.ImageLoad {
			continue
		}
		d := s.Src(v, 0).Val
		if s.At(v).Intrinsic() == intrinsic.ImageLoad {
			d = s.Src(v, int(s.At(v).NSrc)-1).Val
		}
		for s.At(d).DerefKind() != kind.DerefVar {
			d = s.Src(d, 0).Val
		}
		x := s.Var(ir.Var(s.Words(d)[kind.FieldDerefVarVar]))
		if x.Mode&(kind.ModeSSBO|kind.ModeImage) == 0 {
			continue
		}
		never := kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessNonWriteable != 0
		got = append(got, fmt.Sprintf("%d %t", x.Binding, never))
	}
	const want = "0 true, 1 false, 2 true, 2 true, 3 true, 3 false, 4 false, 5 true, 6 false, 4 false"
	if got := strings.Join(got, ", "); got != want {
		t.Errorf("loads by binding that are never written: %s, want %s\n%s", got, want, text.Print(s))
	}
}
