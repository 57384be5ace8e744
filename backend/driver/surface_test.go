// SPDX-License-Identifier: MIT

package driver

import (
	"slices"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
)

// TestSurfaceFormats: every format that a storage image can declare, except 64-bit formats, has a surface format with
// the texels defined by Vulkan and with a unique code.
func TestSurfaceFormats(t *testing.T) {
	codes, n := map[int]string{}, 0
	for f := kind.Format(1); texture.Of(f) != nil; f++ {
		got := surfaceFormat(f.String())
		if f == kind.FormatR64i || f == kind.FormatR64ui {
			if got != nil {
				t.Errorf("%s is the surface format %+v", f, got)
			}
			continue
		}
		switch {
		case got == nil:
			t.Errorf("%s has no surface format", f)
			continue
		case codes[got.Code] != "":
			t.Errorf("%s and %s have code %d", f, codes[got.Code], got.Code)
		}
		if row := isa.SurfaceFormatCoded(got.Code); row == nil || row.Name != got.Name || !slices.Contains(row.Texels, texture.Of(f).Name) {
			t.Errorf("%s (%s) is %+v, which has the texels of %+v", f, texture.Of(f).Name, got, row)
		}
		codes[got.Code] = f.String()
		n++
	}
	if n != 39 {
		t.Errorf("%d formats", n)
	}
	if surfaceFormat("unknown") != nil || surfaceFormat("nothing") != nil {
		t.Error("an unknown format has a surface format")
	}
}
