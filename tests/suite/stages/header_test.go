// SPDX-License-Identifier: MIT

package stages

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/generated/target"
)

// TestO11EightDistances checks on the model the header that a vertex shader writes for the fixed functions (TGL PRM
// vol. 7, "Vertex URB Entry"): of eight distances, divided in every way, the clip distances come first, starting at
// doubleword 8, and the cull distances follow without a gap; the user's outputs start at doubleword 16; layer, viewport
// and point size are in doublewords 1 to 3, and doubleword 0 and any of these that the shader does not write are zero.
func TestO11EightDistances(t *testing.T) {
	onEach(t, func(t *testing.T, m *target.Target) {
		for clips := range 9 {
			var b strings.Builder
			line := func(format string, x ...any) { fmt.Fprintf(&b, format+"\n", x...) }
			line("shader vertex \"main\"\nvar @1 \"at\" shader_out f32x4 builtin=0\nvar @2 \"user\" shader_out u32 location=3")
			line("var @3 \"point\" shader_out f32 builtin=1\nvar @4 \"viewport\" shader_out i32 builtin=10")
			if clips > 0 {
				line("var @5 \"clip\" shader_out [%d x f32, 0] builtin=3", clips)
			}
			if clips < 8 {
				line("var @6 \"cull\" shader_out [%d x f32, 0] builtin=4", 8-clips)
			}
			line("fn 1 \"main\"() entry {\n  b0:")
			next := 0
			constant := func(x uint32) int {
				next++
				line("    %%%d = load_const.32 value=(%#x)", next, x)
				return next
			}
			store := func(deref string, x int) {
				next++
				line("    %%%d = %s", next, deref)
				line("    store_deref.x1 %%%d, %%%d write_mask=1", next, x)
			}
			store("deref_var.32 modes=shader_out type=u32 var=@2", constant(0x300))
			store("deref_var.32 modes=shader_out type=f32 var=@3", constant(0x400))
			if clips%2 == 0 { // else the viewport is not written
				store("deref_var.32 modes=shader_out type=i32 var=@4", constant(0x500))
			}
			for n := 7; n >= 0; n-- {
				id, count, i := 5, clips, n
				if n >= clips {
					id, count, i = 6, 8-clips, n-clips
				}
				index, x := constant(uint32(i)), constant(0x100+uint32(n))
				next++
				line("    %%%d = deref_var.32 modes=shader_out type=[%d x f32, 0] var=@%d", next, count, id)
				store(fmt.Sprintf("deref_array.32 %%%d, %%%d modes=shader_out type=f32", next, index), x)
			}
			line("}")
			want := map[int]uint32{0: 0, 1: 0, 2: 0, 3: 0x400, 16: 0x300}
			if clips%2 == 0 {
				want[2] = 0x500
			}
			for n := range 8 {
				want[8+n] = 0x100 + uint32(n)
			}
			got := onModel(t, m, lowered(t, m, b.String()))
			for l := range 8 {
				for at, x := range want {
					if y, written := got[[3]int{l, at / 4, at % 4}]; !written || y != x {
						t.Errorf("%d clip distances, vertex %d: doubleword %d is %#x, written: %v, want %#x", clips, l, at, y, written, x)
					}
				}
			}
		}
	})
}
