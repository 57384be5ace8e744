package jacquard

import "jacquard.example/generated/kind"

// SurfaceFormat is a format of texels as surface states name it.
type SurfaceFormat struct {
	Name string `json:"name"`
	Code int    `json:"code"` // RENDER_SURFACE_STATE, "Surface Format"
}

// surfaceFormats are the formats that storage images declare (Intel's "SURFACE_FORMAT"
// enumeration; the codes are the same on Gen9, Gen11 and Gen12.1). Others have no row:
// typed messages do not access them.
var surfaceFormats = [...]SurfaceFormat{
	kind.FormatRgba32f: {"R32G32B32A32_FLOAT", 0x000}, kind.FormatRgba32i: {"R32G32B32A32_SINT", 0x001}, kind.FormatRgba32ui: {"R32G32B32A32_UINT", 0x002},
	kind.FormatRgba16: {"R16G16B16A16_UNORM", 0x080}, kind.FormatRgba16Snorm: {"R16G16B16A16_SNORM", 0x081},
	kind.FormatRgba16i: {"R16G16B16A16_SINT", 0x082}, kind.FormatRgba16ui: {"R16G16B16A16_UINT", 0x083}, kind.FormatRgba16f: {"R16G16B16A16_FLOAT", 0x084},
	kind.FormatRg32f: {"R32G32_FLOAT", 0x085}, kind.FormatRg32i: {"R32G32_SINT", 0x086}, kind.FormatRg32ui: {"R32G32_UINT", 0x087},
	kind.FormatRgb10A2: {"R10G10B10A2_UNORM", 0x0C2}, kind.FormatRgb10A2ui: {"R10G10B10A2_UINT", 0x0C4},
	kind.FormatRgba8: {"R8G8B8A8_UNORM", 0x0C7}, kind.FormatRgba8Snorm: {"R8G8B8A8_SNORM", 0x0C9}, kind.FormatRgba8i: {"R8G8B8A8_SINT", 0x0CA}, kind.FormatRgba8ui: {"R8G8B8A8_UINT", 0x0CB},
	kind.FormatRg16: {"R16G16_UNORM", 0x0CC}, kind.FormatRg16Snorm: {"R16G16_SNORM", 0x0CD}, kind.FormatRg16i: {"R16G16_SINT", 0x0CE}, kind.FormatRg16ui: {"R16G16_UINT", 0x0CF}, kind.FormatRg16f: {"R16G16_FLOAT", 0x0D0},
	kind.FormatR11fG11fB10f: {"R11G11B10_FLOAT", 0x0D3},
	kind.FormatR32i:         {"R32_SINT", 0x0D6}, kind.FormatR32ui: {"R32_UINT", 0x0D7}, kind.FormatR32f: {"R32_FLOAT", 0x0D8},
	kind.FormatRg8: {"R8G8_UNORM", 0x106}, kind.FormatRg8Snorm: {"R8G8_SNORM", 0x107}, kind.FormatRg8i: {"R8G8_SINT", 0x108}, kind.FormatRg8ui: {"R8G8_UINT", 0x109},
	kind.FormatR16: {"R16_UNORM", 0x10A}, kind.FormatR16Snorm: {"R16_SNORM", 0x10B}, kind.FormatR16i: {"R16_SINT", 0x10C}, kind.FormatR16ui: {"R16_UINT", 0x10D}, kind.FormatR16f: {"R16_FLOAT", 0x10E},
	kind.FormatR8: {"R8_UNORM", 0x140}, kind.FormatR8Snorm: {"R8_SNORM", 0x141}, kind.FormatR8i: {"R8_SINT", 0x142}, kind.FormatR8ui: {"R8_UINT", 0x143},
}

// surfaceFormat returns the surface format of a declared format, by the IR's name, nil if
// there is none.
func surfaceFormat(name string) *SurfaceFormat {
	for f := range surfaceFormats {
		if row := &surfaceFormats[f]; row.Name != "" && kind.Format(f).String() == name {
			return row
		}
	}
	return nil
}
