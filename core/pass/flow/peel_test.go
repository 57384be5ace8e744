package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
)

// overElements is a loop over an array of three elements: of a stage, in a kind of buffer, with the start
// of the counter and its step. The number of iterations is in the buffer.
func overElements(stage, mode string, start, step int) string {
	block, variable := `struct S1 "U" block {
  [3 x f32x4, 16] "light" offset=0
  i32 "count" offset=48
}
`, `var @1 "" ubo S1 access=non_writeable`
	if mode != "ubo" {
		variable = `var @1 "" ` + mode + ` S1`
	}
	return fmt.Sprintf(`shader %[1]s "main"
%[2]s%[3]s
var @2 "color" shader_out f32x4 location=0
fn 1 "main"() entry {
  b0:
    %%1 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %%3 = load_const.32 value=(%#[5]x)
    %%4 = deref_var.32 modes=%[4]s type=S1 var=@1
    %%5 = load_const.32 value=(%#[6]x)
    %%6 = deref_var.32 modes=shader_out type=f32x4 var=@2
  loop {
    b1:
      %%7 = phi.32 b0: %%3, b4: %%16
      %%8 = phi.32x4 b0: %%1, b4: %%15
      %%9 = deref_struct.32 %%4 modes=%[4]s type=i32 member=1
      %%10 = load_deref.32 %%9
      %%11 = ilt.1 %%7, %%10
    if %%11 {
      b2:
    } else {
      b3:
        jump_break
    }
    b4:
      %%12 = deref_struct.32 %%4 modes=%[4]s type=[3 x f32x4, 16]
      %%13 = deref_array.32 %%12, %%7 modes=%[4]s type=f32x4
      %%14 = load_deref.32x4 %%13
      %%15 = fadd.32x4 %%8, %%14
      %%16 = iadd.32 %%7, %%5
  }
  b5:
    store_deref.x4 %%6, %%8 write_mask=15
}
`, stage, block, variable, mode, start, step)
}

// TestPeelElements: the iterations that index the elements of an array of a uniform buffer stand in front of the
// loop, which remains for a counter that goes further. There is none to peel of a buffer that is not pushed, and
// none if the counter is not known to pass the elements one by one.
func TestPeelElements(t *testing.T) {
	for _, c := range []struct {
		name, stage, mode string
		start, step       int
		want              int // elements that are loaded by copies
	}{
		{"from the first", "fragment", "ubo", 0, 1, 3},
		{"from the second", "fragment", "ubo", 1, 1, 2},
		{"vertex", "vertex", "ubo", 0, 1, 3},
		{"only the last", "fragment", "ubo", 2, 1, 0},
		{"every other", "fragment", "ubo", 0, 2, 0},
		{"behind the end", "fragment", "ubo", 3, 1, 0},
		{"a storage buffer", "fragment", "ssbo", 0, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, flow.UnrollLoops, overElements(c.stage, c.mode, c.start, c.step))
			if n := strings.Count(got, "deref_array") - 1; n != c.want {
				t.Errorf("%d copies, want %d:\n%s", n, c.want, got)
			}
			if n := strings.Count(got, "loop dont_unroll"); (n == 1) != (c.want > 0) {
				t.Errorf("%d loops remain behind the copies:\n%s", n, got)
			}
		})
	}
}

// TestUnrollSamples: a loop that samples may be unrolled to three times the size of one that does not.
func TestUnrollSamples(t *testing.T) {
	loop := func(trips int, body string) string {
		return fmt.Sprintf(`shader fragment "main"
var @1 "img" uniform sampled_image(f32, 2d, unknown)
var @2 "at" shader_in f32x2 location=0
var @4 "color" shader_out f32x4 location=0
fn 1 "main"() entry {
  b0:
    %%1 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %%3 = load_const.32 value=(0x0)
    %%4 = load_const.32 value=(%#x)
    %%5 = deref_var.32 modes=uniform type=sampled_image(f32, 2d, unknown) var=@1
    %%6 = deref_var.32 modes=shader_in type=f32x2 var=@2
    %%8 = load_const.32 value=(0x1)
    %%9 = deref_var.32 modes=shader_out type=f32x4 var=@4
    %%13 = load_deref.32x2 %%6
  loop {
    b1:
      %%10 = phi.32 b0: %%3, b4: %%21
      %%11 = phi.32x4 b0: %%1, b4: %%20
      %%12 = ilt.1 %%10, %%4
    if %%12 {
      b2:
    } else {
      b3:
        jump_break
    }
    b4:
      %%16 = i2f32.32 %%10
      %%17 = fmul.32 %%16, %%16
      %%18 = fmul.32x2 %%13, %%17.xx
      %%19 = %s
      %%20 = fadd.32x4 %%11, %%19
      %%21 = iadd.32 %%10, %%8
  }
  b5:
    store_deref.x4 %%9, %%11 write_mask=15
}
`, trips, body)
	}
	const sample = "tex_tex.32x4 coord: %18, texture_deref: %5, sampler_deref: %5 dim=2d dest_base=float"
	const product = "fmul.32x4 %18.xyxy, %18.yxyx"
	for _, c := range []struct {
		name, body string
		trips      int
		want       bool
	}{{"few", product, 20, true}, {"many", product, 60, false}, {"many that sample", sample, 60, true}} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Run(t, flow.UnrollLoops, loop(c.trips, c.body))
			if unrolled := strings.Count(got, "= fadd") >= c.trips; unrolled != c.want {
				t.Errorf("unrolled: %v, want %v:\n%s", unrolled, c.want, got)
			}
		})
	}
}
