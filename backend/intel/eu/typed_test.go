// SPDX-License-Identifier: MIT

package eu

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestTypedFormats checks that typed messages access all formats of storage images except 64-bit ones, and that
// atomics access the formats of one doubleword. The machine's rows and the compiler's rows, which are written
// separately, must agree about the formats that are read without conversion.
func TestTypedFormats(t *testing.T) {
	seen := 0
	for f := range irkind.Format(len(irkind.EnumFormat.Names)) {
		format := texture.Of(f)
		if format == nil {
			continue
		}
		seen++
		for _, machine := range target.All {
			s, err := message.Typed(machine, &thread.Surface{Image: texture.NewImage(irkind.Dim2D, format, 1, 1, 1, 1, 1, 1)})
			if err != nil {
				t.Fatal(err)
			}
			long := f == irkind.FormatR64ui || f == irkind.FormatR64i
			if (s.Format == nil) != long || (s.Read == nil) != long {
				t.Errorf("%s: %s: written as %v, read as %v", machine, format.Name, s.Format, s.Read)
			}
			if raw := s.Read != format; !long && raw != machine.ReadsRaw(f) {
				t.Errorf("%s: %s: the machine reads it raw: %t, but the compiler's row has %t", machine, format.Name, raw, !raw)
			}
			if whole := f == irkind.FormatR32ui || f == irkind.FormatR32i; whole != (s.Atomics == isa.AllAtomics) {
				t.Errorf("%s: %s: atomics %d", machine, format.Name, s.Atomics)
			}
		}
	}
	if seen != len(irkind.EnumFormat.Names)-1 { // all but unknown
		t.Errorf("only %d formats", seen)
	}
}

// TestSurfaceFormats checks the texels of each surface format against its name, which lists components from the
// lowest bit to the highest.
func TestSurfaceFormats(t *testing.T) {
	component := regexp.MustCompile(`([RGBA])(\d+)`)
	for _, row := range isa.SurfaceFormats {
		layout, numeric, _ := strings.Cut(row.Name, "_")
		numeric = strings.Replace(numeric, "FLOAT", "SFLOAT", 1)
		if row.Name == "R11G11B10_FLOAT" {
			numeric = "UFLOAT"
		}
		for _, name := range row.Texels {
			format, err := texture.Named(name)
			if err != nil {
				t.Errorf("%s: %v", row.Name, err)
				continue
			}
			comps := slices.Clone(format.Comps)
			slices.SortFunc(comps, func(a, b texture.Component) int { return int(a.Shift) - int(b.Shift) })
			want := component.FindAllStringSubmatch(layout, -1)
			ok := len(want) == len(comps) && strings.Contains(name, "_"+numeric)
			for i := range comps {
				ok = ok && want[i][1] == string(comps[i].Name) && want[i][2] == strconv.Itoa(int(comps[i].Bits))
			}
			if !ok {
				t.Errorf("%s has texels of %s", row.Name, name)
			}
			if isa.SurfaceFormatOf(name).Code != row.Code || isa.SurfaceFormatCoded(int(row.Code)).Name != row.Name {
				t.Errorf("%s is not found by %s, or not by its code", row.Name, name)
			}
		}
	}
	if n := len(isa.SurfaceFormats); n != 43 { // 39 storage formats, and 4 that Vulkan has for other uses
		t.Errorf("%d formats", n)
	}
}

// TestSurfaceStateFormat checks that typed messages use the format of the surface state instead of the image's,
// whose texels must have the same size.
func TestSurfaceStateFormat(t *testing.T) {
	texels, err := texture.Named("R8G8B8A8_UNORM")
	if err != nil {
		t.Fatal(err)
	}
	m := texture.NewImage(irkind.Dim2D, texels, 1, 1, 1, 1, 1, 1)
	s, err := message.Typed(target.TGL, &thread.Surface{Image: m, Format: isa.SurfaceFormatNamed("R32_UINT")})
	if err != nil || s.Read.Name != "R32_UINT" || s.Format.Name != "R32_UINT" || s.Atomics != isa.AllAtomics {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := message.Typed(target.TGL, &thread.Surface{Image: m, Format: isa.SurfaceFormatNamed("R16_UINT")}); err == nil ||
		!strings.Contains(err.Error(), "has texels of 2 bytes, but the image has texels of 4") {
		t.Errorf("texels of another size: %v", err)
	}
}
