package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/passtest"
)

// nonUniformHead has arrays of every sort of descriptor and an index.
const nonUniformHead = `shader compute "main"
workgroup_size 8 1 1
struct S1 "B" block {
  u32 "v" offset=0
}
var @1 "bufs" ssbo [4 x S1, 0]
var @2 "imgs" image [4 x image(u32, 2d, r32ui, storage), 0] binding=1
var @3 "texs" uniform [4 x sampled_image(f32, 2d, unknown), 0] binding=2
var @4 "smps" uniform [4 x sampler, 0] binding=3
fn 1 "main"() entry {
  b0:
    %0 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %1 = INDEX
    %2 = deref_var.32 modes=ssbo type=[4 x S1, 0] var=@1
    %3 = deref_array.32 %2, %1 modes=ssbo type=S1
    %4 = deref_struct.32 %3 modes=ssbo type=u32
    %5 = deref_var.32 modes=image type=[4 x image(u32, 2d, r32ui, storage), 0] var=@2
    %6 = deref_array.32 %5, %1 modes=image type=image(u32, 2d, r32ui, storage)
    %7 = deref_var.32 modes=uniform type=[4 x sampled_image(f32, 2d, unknown), 0] var=@3
    %8 = deref_array.32 %7, %1 modes=uniform type=sampled_image(f32, 2d, unknown)
    %9 = deref_var.32 modes=uniform type=[4 x sampler, 0] var=@4
    %10 = isub.32 %0.x, %1
    %11 = deref_array.32 %9, %10 modes=uniform type=sampler
`

// TestI10NonUniformAccess: an access that is marked as non-uniform gets a loop
// around it exactly when the index of its descriptor diverges; the loop reads
// the index of the first invocation and runs the access for those that have the
// same. Of a texture and a sampler with different indices both are compared.
func TestI10NonUniformAccess(t *testing.T) {
	const varies, uniform = "load_local_invocation_index.32", "mov.32 %0.x"
	for _, c := range []struct {
		name, access string // MARK marks it
		mark         string
		firsts       int
	}{
		{"load", "%20 = load_deref.32 %4MARK", " access=non_uniform", 1},
		{"store", "store_deref.x1 %4, %1 write_mask=1MARK", " access=non_uniform", 1},
		{"atomic", "%20 = deref_atomic.32 %4, %1MARK atomic_op=iadd", " access=non_uniform", 1},
		{"image load", "%20 = image_load.32x4 %0, %0.x, %6 image_dim=2d format=r32uiMARK texel_base=uint", " access=coherent|non_uniform", 1},
		{"image store", "image_store %0, %0.x, %0, %6 image_dim=2d format=r32uiMARK texel_base=uint", " access=non_uniform", 1},
		{"image atomic", "%20 = image_atomic_or.32 %0, %0.x, %1, %6 image_dim=2d format=r32uiMARK texel_base=uint", " access=non_uniform", 1},
		{"size", "%20 = image_size.32x2 %0.x, %6 image_dim=2d format=r32uiMARK", " access=non_uniform", 1},
		{"combined", "%20 = tex_txl.32x4 coord: %0.xy, lod: %0.x, texture_deref: %8, sampler_deref: %8 dim=2dMARK dest_base=float", " flags=non_uniform", 1},
		{"separate", "%20 = tex_txl.32x4 coord: %0.xy, lod: %0.x, texture_deref: %8, sampler_deref: %11 dim=2dMARK dest_base=float", " flags=non_uniform", 2},
		{"fetch", "%20 = tex_txf.32x4 coord: %0.xy, texture_deref: %8 dim=2dMARK dest_base=float", " flags=non_uniform", 1},
	} {
		for _, marked := range []bool{true, false} {
			for _, index := range []string{varies, uniform} {
				mark := ""
				if marked {
					mark = c.mark
				}
				body := "    " + strings.ReplaceAll(c.access, "MARK", mark) + "\n"
				if strings.HasPrefix(c.access, "%20") { // read behind the loop
					body += "    %21 = mov.32 %20.x\n    store_deref.x1 %4, %21 write_mask=1\n"
				}
				got := passtest.Run(t, memory.LowerNonUniform, strings.Replace(nonUniformHead, "INDEX", index, 1)+body+"}\n")
				name := fmt.Sprintf("%s, marked %v, %s", c.name, marked, index)
				want := 0
				if marked && index == varies {
					want = c.firsts
				}
				if n := strings.Count(got, "read_first_invocation"); n != want {
					t.Errorf("%s: %d indices of a first invocation, want %d\n%s", name, n, want, got)
				}
				if loops := strings.Count(got, "loop {"); loops != min(want, 1) || strings.Count(got, "jump_break") != loops {
					t.Errorf("%s: %d loops\n%s", name, loops, got)
				}
				if want > 0 && strings.Contains(got, "non_uniform") {
					t.Errorf("%s: still marked\n%s", name, got)
				}
				if want > 0 && strings.Contains(c.mark, "coherent") && !strings.Contains(got, "access=coherent ") {
					t.Errorf("%s: another qualifier was lost\n%s", name, got)
				}
			}
		}
	}
}

// TestRefuseImages: a target without messages for images refuses every
// instruction on them by name.
func TestRefuseImages(t *testing.T) {
	for _, access := range []string{
		"%20 = image_load.32x4 %0, %0.x, %6 image_dim=2d format=r32ui texel_base=uint",
		"image_store %0, %0.x, %0, %6 image_dim=2d format=r32ui texel_base=uint",
		"%20 = image_atomic_comp_swap.32 %0, %0.x, %1, %1, %6 image_dim=2d format=r32ui texel_base=uint",
		"%20 = image_size.32x2 %0.x, %6 image_dim=2d format=r32ui",
		"%20 = tex_txl.32x4 coord: %0.xy, lod: %0.x, texture_deref: %8, sampler_deref: %8 dim=2d dest_base=float",
		"%20 = tex_query_levels.32 texture_deref: %8 dim=2d dest_base=uint",
	} {
		src := strings.Replace(nonUniformHead, "INDEX", "mov.32 %0.x", 1) + "    " + access + "\n"
		if strings.HasPrefix(access, "%20") {
			src += "    %21 = mov.32 %20.x\n    store_deref.x1 %4, %21 write_mask=1\n"
		}
		src += "}\n"
		name := strings.TrimPrefix(access, "%20 = ")
		name = name[:strings.IndexAny(name, ". ")]
		want := "refuse_images: " + name + ": the back end for tgl has no messages for images and samplers yet"
		if err := passtest.Pipeline(t, src, pass.Options{Target: "tgl", NoImages: true}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
		if err := passtest.Pipeline(t, src, pass.Options{Target: "tgl"}); err != nil {
			t.Errorf("%s, on a target with images: %v", name, err)
		}
	}
}
