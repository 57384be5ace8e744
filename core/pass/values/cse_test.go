package values_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/values"
)

// TestCSESamples: an image is sampled once if a branch samples it where the code in front of it did, but
// not if the coordinates, the sampler or the kind of access are other ones, or neither dominates the other.
func TestCSESamples(t *testing.T) {
	for _, c := range []struct {
		name, inside string
		want         int
	}{
		{"the same", "tex_tex.32x4 coord: %2, texture_deref: %0, sampler_deref: %0 dim=2d dest_base=float", 1},
		{"other coordinates", "tex_tex.32x4 coord: %2.yx, texture_deref: %0, sampler_deref: %0 dim=2d dest_base=float", 2},
		{"another sampler", "tex_tex.32x4 coord: %2, texture_deref: %0, sampler_deref: %20 dim=2d dest_base=float", 2},
		{"another level", "tex_txl.32x4 coord: %2, lod: %7, texture_deref: %0, sampler_deref: %0 dim=2d dest_base=float", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, values.CSE, `shader fragment "main"
var @1 "img" uniform sampled_image(f32, 2d, unknown)
var @2 "at" shader_in f32x2 location=0
var @3 "color" shader_out f32x4 location=0
var @4 "other" uniform sampled_image(f32, 2d, unknown) binding=1
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=uniform type=sampled_image(f32, 2d, unknown) var=@1
    %20 = deref_var.32 modes=uniform type=sampled_image(f32, 2d, unknown) var=@4
    %1 = deref_var.32 modes=shader_in type=f32x2 var=@2
    %2 = load_deref.32x2 %1
    %3 = tex_tex.32x4 coord: %2, texture_deref: %0, sampler_deref: %0 dim=2d dest_base=float
    %7 = load_const.32 value=(0x3f000000)
    %8 = flt.1 %3.x, %7
    %9 = deref_var.32 modes=shader_out type=f32x4 var=@3
  if %8 {
    b1:
      %11 = `+c.inside+`
      %12 = fadd.32x4 %3, %11.yzwx
  } else {
    b2:
  }
  b3:
    %13 = phi.32x4 b1: %12, b2: %3
    store_deref.x4 %9, %13 write_mask=15
}
`)
			if n := strings.Count(got, "= tex_"); n != c.want {
				t.Errorf("the image is sampled %d times, want %d:\n%s", n, c.want, got)
			}
		})
	}
}
