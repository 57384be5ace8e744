// SPDX-License-Identifier: MIT

package vary_test

import (
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/interp/vary"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

const sampling = `shader fragment "main"
var @1 "image" uniform sampled_image(f32, 2d, unknown) set=0 binding=0
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_barycentric_pixel.32x2 interp_mode=smooth
    %2 = load_interpolated_input.32x2 %1, %0 base=0 range=1 component=0 value_base=float location=0
    %3 = deref_var.32 modes=uniform type=sampled_image(f32, 2d, unknown) var=@1
    %4 = TEX
    store_output.x4 %4, %0 base=0 range=1 write_mask=15 component=0 value_base=float location=0
}
`

// fixedVariants returns the number of distinct variants of a shader, by text.
func fixedVariants(t *testing.T, source string) int {
	t.Helper()
	var out []string
	for seed := range uint64(60) {
		s, err := text.Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		vary.Fixed(s, seed)
		if err := validate.Shader(s); err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text.Print(s)))
	}
	slices.Sort(out)
	return len(slices.Compact(out))
}

// TestFixed: inputs, coordinates and filtered values vary, each independently; fetched texels and sizes do not.
func TestFixed(t *testing.T) {
	const input = 9 // three factors and three offsets
	for _, c := range []struct {
		tex         string
		least, most int
	}{
		{"tex_tex.32x4 coord: %2, texture_deref: %3, sampler_deref: %3 dim=2d dest_base=float", 2*input + 1, 9 * input},
		{"tex_tg4.32x4 coord: %2, texture_deref: %3, sampler_deref: %3 dim=2d dest_base=float", 2*input + 1, 9 * input},
		{"tex_tex.32x4 coord: %2, texture_deref: %3, sampler_deref: %3 dim=2d dest_base=int", input, 3 * input},
		{"vec4.32x4 %2.x, %2.y, %2.x, %2.y", input - 2, input},
	} {
		if n := fixedVariants(t, strings.Replace(sampling, "TEX", c.tex, 1)); n < c.least || n > c.most {
			t.Errorf("%s: %d variants, want %d to %d", c.tex, n, c.least, c.most)
		}
	}
}
