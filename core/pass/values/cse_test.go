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

// TestCSEBehindLoops: what takes derivatives in a loop and again behind it does so twice, since an invocation's neighbors
// may have left the loop in another iteration; in a loop within the loop, or of what is in front of it, once.
func TestCSEBehindLoops(t *testing.T) {
	for _, c := range []struct {
		name, taken      string
		around, in, then bool
		want             int
	}{
		{"sample behind", "tex_tex.32x4 coord: %5, texture_deref: %0, sampler_deref: %0 dim=2d dest_base=float", false, true, true, 2},
		{"sample inside", "tex_tex.32x4 coord: %5, texture_deref: %0, sampler_deref: %0 dim=2d dest_base=float", true, true, false, 1},
		{"sample around", "tex_tex.32x4 coord: %5, texture_deref: %0, sampler_deref: %0 dim=2d dest_base=float", true, false, true, 1},
		{"derivative behind", "fddx.32x2 %5", false, true, true, 2},
		{"derivative inside", "fddx.32x2 %5", true, true, false, 1},
		{"sine behind", "fsin.32x2 %5", false, true, true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			place := func(here bool, n string) string {
				if here {
					return "    %" + n + " = " + c.taken + "\n    store_deref.x1 %9, %" + n + ".x write_mask=1\n"
				}
				return ""
			}
			got := passtest.Run(t, values.CSE, `shader fragment "main"
var @1 "img" uniform sampled_image(f32, 2d, unknown)
var @2 "at" shader_in f32x2 location=0
var @3 "color" shader_out f32 location=0
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=uniform type=sampled_image(f32, 2d, unknown) var=@1
    %1 = deref_var.32 modes=shader_in type=f32x2 var=@2
    %5 = load_deref.32x2 %1
    %9 = deref_var.32 modes=shader_out type=f32 var=@3
    %10 = load_const.32 value=(0x3f000000)
`+place(c.around, "30")+`  loop {
    b1:
`+place(c.in, "31")+`      %11 = load_deref.32 %9
      %12 = flt.1 %11, %10
    if %12 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
`+place(c.then, "32")+`}
`)
			if n := strings.Count(got, strings.Fields(c.taken)[0]); n != c.want {
				t.Errorf("%d times, want %d:\n%s", n, c.want, got)
			}
		})
	}
}
