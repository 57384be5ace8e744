package stageio_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
)

// TestBarycentricCoordinates: the coordinate of the first vertex is what the others leave of 1, each
// is found at an index that is not constant, and qualifiers say where.
func TestBarycentricCoordinates(t *testing.T) {
	got := passtest.Run(t, lowered, `shader fragment "main"
var @1 "b" shader_in f32x3 builtin=5286
var @2 "l" shader_in f32x3 builtin=5287 qualifier=centroid
var @3 "o" shader_out f32x4 location=0
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_in type=f32x3 var=@1
    %1 = load_deref.32x3 %0
    %2 = load_sample_id.32
    %3 = deref_var.32 modes=shader_in type=f32x3 var=@2
    %4 = deref_array.32 %3, %2 modes=shader_in type=f32
    %5 = load_deref.32 %4
    %6 = vec4.32x4 %1.x, %1.y, %1.z, %5
    %7 = deref_var.32 modes=shader_out type=f32x4 var=@3
    store_deref.x4 %7, %6 write_mask=15
}
`)
	for _, want := range []string{"load_barycentric_pixel.32x2\n", "load_barycentric_centroid.32x2 interp_mode=noperspective", "fsub.32 %3, %2.x", "fsub.32 %4, %2.y", "vec3.32x3 %5, %2.x, %2.y"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(got, "bcsel"); n != 2 {
		t.Errorf("%d choices among three coordinates", n)
	}
	if t.Failed() {
		t.Log(got)
	}
}
