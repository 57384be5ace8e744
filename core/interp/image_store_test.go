// SPDX-License-Identifier: MIT

package interp_test

import (
	"fmt"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/generated/kind"
)

// TestI04StoreValue: a store takes four components; those beyond the format's components are ignored.
func TestI04StoreValue(t *testing.T) {
	const store = `    %%5 = load_const.32x4 value=(0x0, 0x0, 0x0, 0x0)
    %%6 = load_const.32x4 value=(%s)
    image_store %%5, %%0, %%6, %%1 image_dim=2d format=%s texel_base=uint
`
	for _, c := range []struct {
		format kind.Format
		values []string
		want   []byte
	}{
		{kind.FormatR32ui, []string{"0x1, 0x0, 0x0, 0x0", "0x1, 0x2, 0x3, 0x4", "0x1, 0xffffffff, 0xffffffff, 0xffffffff"}, words(1)},
		{kind.FormatRg32ui, []string{"0x1, 0x2, 0x0, 0x0", "0x1, 0x2, 0x3, 0x4", "0x1, 0x2, 0xffffffff, 0xffffffff"}, words(1, 2)},
		{kind.FormatRgba8ui, []string{"0x1, 0x2, 0x3, 0x4"}, []byte{1, 2, 3, 4}},
	} {
		for _, v := range c.values {
			m := &interp.Image{Dim: kind.Dim2D, Format: c.format, Width: 1, Height: 1, Data: make([]byte, len(c.want))}
			src := imageShader(fmt.Sprintf("image(u32, 2d, %s, storage)", c.format), fmt.Sprintf(store, v, c.format))
			runImage(t, src, m)
			if string(m.Data) != string(c.want) {
				t.Errorf("%s: (%s) leaves % x, want % x", c.format, v, m.Data, c.want)
			}
		}
	}
}
