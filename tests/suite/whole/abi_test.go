// SPDX-License-Identifier: MIT

package whole

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	runengine "jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// TestDeclaredAccess: the ABI records the declared access to each buffer and image. A block has the access that all of
// its members share, and a descriptor the access that all of its variables share.
func TestDeclaredAccess(t *testing.T) {
	const source = `#version 450
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) writeonly buffer B { uint b[]; };
layout(binding = 2) buffer C { readonly uint x; uint y; } c;
layout(binding = 3) buffer D { readonly uint x; readonly uint y[]; } d;
layout(binding = 4) readonly buffer E { uint x; } e[2];
layout(binding = 6) readonly buffer F { uint x; } f;
layout(binding = 6) buffer G { uint x; } g;
layout(binding = 7) readonly buffer H { uint x; } h;
layout(binding = 7) readonly buffer I { uint x; } i;
layout(binding = 8, r32ui) readonly uniform uimage1D j;
layout(binding = 9, r32ui) writeonly uniform uimage1D k;
layout(binding = 10, r32ui) readonly uniform uimage1D l;
layout(binding = 10, r32ui) uniform uimage1D m;
layout(binding = 11) uniform usamplerBuffer n;
layout(binding = 12) uniform usampler2D o;
layout(binding = 13) uniform P { uint x; } p;
void main() {
  int at = int(gl_LocalInvocationID.x);
  b[at] = a[at] + c.x + d.x + d.y[at] + e[0].x + e[1].x + f.x + h.x + i.x + p.x
    + imageLoad(j, at).x + imageLoad(l, at).x + texelFetch(n, at).x + texelFetch(o, ivec2(at), 0).x;
  c.y = 1;
  g.x = 2;
  imageStore(k, at, uvec4(at));
  imageStore(m, at, uvec4(at));
}
`
	module, err := oracle.GLSL(t, "comp", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	p, err := jacquard.Compile(t.Context(), module, jacquard.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range p.ABI.Bindings {
		got = append(got, fmt.Sprintf("%d %s %s", r.Binding, r.Kind, r.Access))
	}
	for _, s := range p.ABI.Samplers {
		got = append(got, fmt.Sprintf("sampler %d", s.Binding))
	}
	const want = `0 storage readonly
1 storage writeonly
2 storage readwrite
3 storage readonly
4 storage readonly
4 storage readonly
6 storage readwrite
7 storage readonly
8 storage_image readonly
9 storage_image writeonly
10 storage_image readwrite
11 uniform_texel_buffer readonly
12 combined readonly
13 uniform readonly
sampler 12`
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("the ABI has\n%s\nwant\n%s", got, want)
	}
}

// TestImageSizes: the sizes of images of every shape, stored to and sampled. Cubes that are stored to are bound as
// arrays of their faces, so that there are six layers for each cube; of cubes that are sampled, the machine counts the
// cubes (SKL, ICL and TGL PRM vol. 2d, RENDER_SURFACE_STATE, Depth: for typed messages and the sampler). Shaders see
// the number of cubes (Vulkan specification, "Image Operations").
func TestImageSizes(t *testing.T) {
	for _, s := range modelShapes {
		n := map[string]int{"2DArray": 3, "3D": 3, "CubeArray": 3, "2D": 2, "1DArray": 2, "Cube": 2}[s.glsl]
		vector := "int"
		if n > 0 {
			vector = fmt.Sprintf("ivec%d", n)
		}
		n = max(n, 1)
		sampled := "textureSize(b, 0)"
		if s.dim == kind.DimBuf {
			sampled = "textureSize(b)"
		}
		source := fmt.Sprintf(`#version 450
layout(local_size_x = 1) in;
layout(binding = 0, r32ui) uniform uimage%[1]s a;
layout(binding = 1) uniform usampler%[1]s b;
layout(binding = 2) buffer O { int o[]; };
void main() {
  %[2]s x = imageSize(a), y = %[3]s;
  for (int i = 0; i < %[4]d; i++) {
    o[i] = x%[5]s;
    o[4 + i] = y%[5]s;
  }
}
`, s.glsl, vector, sampled, n, map[bool]string{true: "[i]"}[n > 1])
		module, err := oracle.GLSL(t, "comp", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		want := []int32{4, 0, 0}
		switch s.glsl {
		case "1DArray", "2D":
			want = []int32{4, 3, 0}
		case "2DArray", "3D":
			want = []int32{4, 3, 6}
		case "Cube":
			want = []int32{4, 4, 0}
		case "CubeArray":
			want = []int32{4, 4, 2}
		}
		run := func(name string, e runner.Engine) {
			as, from := runner.StorageImage, runner.CombinedImageSampler
			if s.dim == kind.DimBuf {
				as, from = runner.StorageTexelBuffer, runner.UniformTexelBuffer
			}
			out := make([]byte, 32)
			call := &runner.Call{Shader: &runner.Shader{Name: s.glsl}, Groups: [3]uint32{1, 1, 1}, Bindings: []runner.Binding{
				{Binding: 0, Kind: as, Texture: shaped(s.glsl, s.dim, s.coords)}, {Binding: 1, Kind: from, Texture: shaped(s.glsl, s.dim, s.coords)}, {Binding: 2, Kind: runner.Storage, Data: out}}}
			if err := e.Dispatch(t.Context(), call); err != nil {
				t.Fatalf("%s: %s: %v", s.glsl, name, err)
			}
			for i, w := range want {
				stored, sampled := int32(binary.LittleEndian.Uint32(out[4*i:])), int32(binary.LittleEndian.Uint32(out[16+4*i:]))
				if stored != w || sampled != w {
					t.Errorf("%s: %s: size %d is %d of the storage image and %d of the sampled one, want %d", s.glsl, name, i, stored,
						sampled, w)
				}
			}
		}
		read := func(context.Context, *runner.Shader) ([]byte, error) { return module, nil }
		run("interpreter", &runengine.Interp{Module: read})
		for _, machine := range target.All {
			run(machine.Name, &runengine.EU{Module: read, Options: jacquard.Options{Target: jacquard.Target(machine.Name)}})
		}
	}
}
