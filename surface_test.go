package jacquard

import (
	"strings"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// TestSurfaceFormats: every format that a storage image declares is a surface format of the
// name that Vulkan has for it, except the ones of 64 bits, and each has a code of its own.
func TestSurfaceFormats(t *testing.T) {
	packed := map[string]string{
		"B10G11R11_UFLOAT_PACK32": "R11G11B10_FLOAT", "A2B10G10R10_UNORM_PACK32": "R10G10B10A2_UNORM", "A2B10G10R10_UINT_PACK32": "R10G10B10A2_UINT",
	}
	codes, n := map[int]string{}, 0
	for f := kind.Format(1); texture.Of(f) != nil; f++ {
		row := surfaceFormat(f.String())
		if f == kind.FormatR64i || f == kind.FormatR64ui {
			if row != nil {
				t.Errorf("%s is the surface format %+v", f, row)
			}
			continue
		}
		want := strings.Replace(texture.Of(f).Name, "SFLOAT", "FLOAT", 1)
		if name := packed[want]; name != "" {
			want = name
		}
		switch {
		case row == nil || row.Name != want:
			t.Errorf("%s is %+v, want %s", f, row, want)
		case codes[row.Code] != "":
			t.Errorf("%s and %s have code %d", want, codes[row.Code], row.Code)
		default:
			codes[row.Code] = want
			n++
		}
	}
	if n != 39 {
		t.Errorf("%d formats", n)
	}
	if surfaceFormat("unknown") != nil {
		t.Error("an unknown format has a surface format")
	}
}
