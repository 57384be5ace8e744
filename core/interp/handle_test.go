// SPDX-License-Identifier: MIT

package interp_test

import (
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/text"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// handleShader loads a texel of the image with a handle from the push constants.
const handleShader = `shader compute "main"
workgroup_size 1 1 1
struct S1 "P" block {
  u32 "h" offset=0
}
var @1 "p" push_constant S1
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %2 = deref_var.32 modes=push_constant type=S1 var=@1
    %3 = deref_struct.32 %2 modes=push_constant type=u32
    %4 = load_deref.32 %3
    %5 = image_load.32x4 %1, %0, %4 image_dim=2d format=r32ui texel_base=uint form=bindless
    image_store %1, %0, %5, %4 image_dim=2d format=r32ui texel_base=uint form=bindless
}
`

// TestI11Handles: only the handles that a call defines exist, and a sampler's handle does not name an image.
func TestI11Handles(t *testing.T) {
	s, err := text.Parse([]byte(handleShader))
	if err != nil {
		t.Fatal(err)
	}
	f, err := texture.Named("R32_UINT")
	if err != nil {
		t.Fatal(err)
	}
	image := interp.Image{Texture: texture.NewImage(kind.Dim2D, f, 1, 1, 1, 1, 1, 1)}
	sampler := interp.Image{Sampler: &texture.Sampler{}}
	for _, c := range []struct {
		name   string
		images []interp.Handle
		want   string
	}{
		{"none", nil, "nothing has the handle 0x00003000"},
		{"others", []interp.Handle{{Value: 0x2000, Image: image}, {Value: 0x4000, Image: image}}, "nothing has the handle 0x00003000"},
		{"same", []interp.Handle{{Value: 0x2000, Image: image}, {Value: 0x3000, Image: image}}, ""},
		{"order", []interp.Handle{{Value: 0x3000, Image: image}, {Value: 0x2000, Image: image}}, "the image handles 0x00003000 and 0x00002000 are not in increasing order"},
		{"twice", []interp.Handle{{Value: 0x3000, Image: image}, {Value: 0x3000, Image: image}}, "not in increasing order"},
	} {
		_, err := interp.Run(t.Context(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 1, Push: []byte{0, 0x30, 0, 0},
			Handles: interp.Handles{Images: c.images, Samplers: []interp.Handle{{Value: 0x3000, Image: sampler}}}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
