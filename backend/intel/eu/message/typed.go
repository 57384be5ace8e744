// SPDX-License-Identifier: MIT

package message

import (
	"fmt"
	"slices"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// rawFormats are the formats of texels read without conversion, by size in bytes.
var rawFormats = map[int]string{1: "R8_UINT", 2: "R16_UINT", 4: "R32_UINT", 8: "R32G32_UINT"}

// Typed returns a surface in the form in which typed messages of a machine access it. The formats come from the
// machine's own table; the compiler uses separate rows for texels and reads.
func Typed(machine *target.Target, surface *thread.Surface) (thread.TypedSurface, error) {
	m := surface.Image
	s := thread.TypedSurface{Image: m}
	row, format := surface.Format, m.Format
	if row == nil {
		row = isa.SurfaceFormatOf(m.Format.Name)
	}
	if row == nil {
		return s, nil
	}
	if !slices.Contains(row.Texels, format.Name) {
		var err error
		if format, err = texture.Named(row.Texels[0]); err != nil {
			return s, err
		}
		if format.Bytes != m.Format.Bytes {
			return s, fmt.Errorf("surface format %s has texels of %d bytes, but the image has texels of %d (%s)", row.Name,
				format.Bytes, m.Format.Bytes, m.Format.Name)
		}
	}
	s.Format, s.Atomics = format, row.Atomics[machine.Platform]
	switch {
	case row.WriteOnly:
	case row.Raw[machine.Platform]:
		f, err := texture.Named(rawFormats[format.Bytes])
		if err != nil {
			return s, err
		}
		s.Read = f
	default:
		s.Read = format
	}
	return s, nil
}
