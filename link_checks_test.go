package jacquard

import (
	"errors"
	"strings"
	"testing"

	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/kind"
)

// LinkVertex is a vertex shader for tests of linking, inside and outside the package.
const LinkVertex = `shader vertex "main"
struct S1 "gl_PerVertex" block {
  f32x4 "gl_Position" builtin=0
}
var @1 "" shader_out S1
var @2 "in" shader_in f32x4 location=0
var @3 "a" shader_out f32x4 location=7
var @4 "b" shader_out f32x2 location=2
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_in type=f32x4 var=@2
    %1 = load_deref.32x4 %0
    %2 = deref_var.32 modes=shader_out type=S1 var=@1
    %3 = deref_struct.32 %2 modes=shader_out type=f32x4
    store_deref.x4 %3, %1 write_mask=15
    %4 = deref_var.32 modes=shader_out type=f32x4 var=@3
    store_deref.x4 %4, %1 write_mask=15
    %5 = load_const.32x2 value=(0x3f800000, 0x40000000)
    %6 = deref_var.32 modes=shader_out type=f32x2 var=@4
    store_deref.x2 %6, %5 write_mask=3
}
`

// LinkFragment is a fragment shader to link with LinkVertex.
const LinkFragment = `shader fragment "main"
var @1 "a" shader_in f32x2 location=7 component=1
var @2 "b" shader_in f32x2 location=2
var @3 "o" shader_out f32x4 location=0
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_in type=f32x2 var=@1
    %1 = load_deref.32x2 %0
    %2 = deref_var.32 modes=shader_in type=f32x2 var=@2
    %3 = load_deref.32x2 %2
    %4 = vec4.32x4 %1.x, %1.y, %3.x, %3.y
    %5 = deref_var.32 modes=shader_out type=f32x4 var=@3
    store_deref.x4 %5, %4 write_mask=15
}
`

// TestLinkChecks: with Options.Verify, both shaders of a pipeline are checked after each pass, before and after
// linking. The defect is a multiplication of 7 bits.
func TestLinkChecks(t *testing.T) {
	vertex := strings.Replace(LinkVertex, "store_deref.x4 %4, %1", "%7 = fmul.32x4 %1, %1\n    store_deref.x4 %4, %7", 1)
	halves := func(verify bool) (v, f *linkable) {
		var err error
		if v, err = newLinkable(t.Context(), []byte(vertex), kind.StageVertex, &Options{Verify: verify}); err != nil {
			t.Fatal(err)
		}
		if f, err = newLinkable(t.Context(), []byte(LinkFragment), kind.StageFragment, &Options{Verify: verify}); err != nil {
			t.Fatal(err)
		}
		return v, f
	}
	spoil := func(h *linkable) {
		s := h.S
		for b := range s.Blocks(h.F) {
			for i := range s.Instrs(b) {
				if in := s.At(i); in.Kind == kind.ALU {
					in.Bits = 7
					return
				}
			}
		}
		t.Fatal("there is no arithmetic")
	}
	for _, verify := range []bool{false, true} {
		for side := range 2 {
			v, f := halves(verify)
			spoil([]*linkable{v, f}[side])
			_, err := join(v, f)
			var internal *InternalError
			if found := errors.As(err, &internal); found != verify || found && internal.Pass != "link" {
				t.Errorf("verify %t, shader %d: %v", verify, side, err)
			}
		}
		v, f := halves(verify)
		for _, h := range []*linkable{v, f} {
			if followed := h.checks.follow != (pipeline.Follower{}); followed != verify {
				t.Errorf("verify %t: passes before linking are checked: %t", verify, followed)
			}
		}
	}
}
