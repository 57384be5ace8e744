// SPDX-License-Identifier: MIT

package driver

import (
	"jacquard.example/backend/launch"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// UnreadableFormats returns the formats of storage images, by Vulkan's names, that code for a target can read only if
// the shader declares them: typed reads return the bits of their texels, and the declaration determines the conversion. It
// includes formats that typed reads do not support and no shader can declare.
func UnreadableFormats(t *target.Target) (list []string) {
	for i := range isa.SurfaceFormats {
		if row := &isa.SurfaceFormats[i]; row.Raw[t.Platform] || row.WriteOnly {
			list = append(list, row.Texels...)
		}
	}
	return list
}

// surfaceFormat returns the surface format for a declared format, by the IR's name, or nil if there is none: typed
// messages do not access such texels.
func surfaceFormat(name string) *launch.SurfaceFormat {
	if name == "" {
		return nil // not an image
	}
	f, ok := kind.EnumFormat.Value(name)
	if !ok {
		return nil
	}
	row := target.SurfaceFormat(kind.Format(f))
	if row == nil {
		return nil
	}
	return &launch.SurfaceFormat{Name: row.Name, Code: int(row.Code)}
}
