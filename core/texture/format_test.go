// SPDX-License-Identifier: MIT

package texture_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

func named(t *testing.T, name string) *texture.Format {
	t.Helper()
	f, err := texture.Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func floats(x ...float32) texture.Texel {
	var t texture.Texel
	for i, v := range x {
		t.SetFloat(i, v)
	}
	return t
}

// TestDecode has texels whose value was derived from the Vulkan specification by hand: the place of each component, its
// conversion, and the components filled in.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		format string
		bytes  []byte
		want   texture.Texel
	}{
		{"R8G8B8A8_UNORM", []byte{0, 51, 255, 102}, floats(0, 0.2, 1, 0.4)},
		{"B8G8R8A8_UNORM", []byte{0, 51, 255, 102}, floats(1, 0.2, 0, 0.4)},
		{"A8B8G8R8_UNORM_PACK32", []byte{255, 51, 0, 102}, floats(1, 0.2, 0, 0.4)},
		{"R8_SNORM", []byte{0x81}, floats(-1, 0, 0, 1)},
		{"R8_SNORM", []byte{0x80}, floats(-1, 0, 0, 1)},
		{"R8_SNORM", []byte{127}, floats(1, 0, 0, 1)},
		{"R8G8_UINT", []byte{3, 255}, texture.Texel{3, 255, 0, 1}},
		{"R8G8_SINT", []byte{3, 255}, texture.Texel{3, ^uint64(0), 0, 1}},
		{"R8_USCALED", []byte{200}, floats(200, 0, 0, 1)},
		{"R8_SSCALED", []byte{200}, floats(-56, 0, 0, 1)},
		{"R16_SFLOAT", []byte{0x00, 0xc0}, floats(-2, 0, 0, 1)},
		{"R16_UNORM", []byte{0xff, 0xff}, floats(1, 0, 0, 1)},
		{"R32G32_SFLOAT", []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, floats(1, -2, 0, 1)},
		{"R5G6B5_UNORM_PACK16", []byte{0x1f, 0xf8}, floats(1, 0, 1, 1)},
		{"R5G6B5_UNORM_PACK16", []byte{0xe0, 0x07}, floats(0, 1, 0, 1)},
		{"A1R5G5B5_UNORM_PACK16", []byte{0x00, 0x80}, floats(0, 0, 0, 1)},
		{"A2B10G10R10_UNORM_PACK32", []byte{0xff, 0x03, 0, 0xc0}, floats(1, 0, 0, 1)},
		{"A2B10G10R10_UINT_PACK32", []byte{0x05, 0x00, 0x30, 0x80}, texture.Texel{5, 0, 3, 2}},
		{"B10G11R11_UFLOAT_PACK32", []byte{0xc0, 0x03, 0, 0x80}, floats(1, 0, 2, 1)},     // 0x3c0: 15<<6; blue 0x200: 16<<5
		{"B10G11R11_UFLOAT_PACK32", []byte{0x01, 0, 0, 0}, floats(1.0/(1<<20), 0, 0, 1)}, // smallest: 2^-14 2^-6
		{"E5B9G9R9_UFLOAT_PACK32", []byte{0x01, 0, 0, 0xc0}, floats(1, 0, 0, 1)},         // 1 2^(24-15-9)
		{"R8G8B8A8_SRGB", []byte{255, 0, 10, 51}, floats(1, 0, 10.0/255/12.92, 0.2)},
		{"D16_UNORM", []byte{0xff, 0xff}, floats(1, 0, 0, 1)},
		{"X8_D24_UNORM_PACK32", []byte{0xff, 0xff, 0xff, 7}, floats(1, 0, 0, 1)},
		{"D32_SFLOAT", []byte{0, 0, 0, 0x3f}, floats(0.5, 0, 0, 1)},
		{"D24_UNORM_S8_UINT", []byte{0xff, 0xff, 0xff, 7}, floats(1, 0, 0, 1)},
		{"S8_UINT", []byte{9}, texture.Texel{9, 0, 0, 1}},
		{"R64_UINT", []byte{1, 0, 0, 0, 0, 0, 0, 0x80}, texture.Texel{1<<63 + 1, 0, 0, 1}},
		{"VK_FORMAT_R8_UNORM", []byte{255}, floats(1, 0, 0, 1)},
	} {
		f := named(t, c.format)
		if f.Bytes != len(c.bytes) {
			t.Errorf("%s has %d bytes", c.format, f.Bytes)
			continue
		}
		if got := f.Decode(c.bytes); got != c.want {
			t.Errorf("%s % x: %v, want %v", c.format, c.bytes, got, c.want)
		}
	}
}

// TestEncodeDecode: every texel of a component of up to 16 bits is decoded to a value that is encoded to the same bits.
// Bits whose value has another encoding are left out: the lowest signed number, and NaN.
func TestEncodeDecode(t *testing.T) {
	names := []string{"R5G6B5_UNORM_PACK16", "B5G5R5A1_UNORM_PACK16", "R4G4B4A4_UNORM_PACK16", "R8_SRGB", "R8_USCALED", "R8_SSCALED", "D16_UNORM", "S8_UINT",
		"A2R10G10B10_SNORM_PACK32", "E5B9G9R9_UFLOAT_PACK32", "B8G8R8A8_SRGB", "X8_D24_UNORM_PACK32", "R8G8B8_UNORM"}
	for f := kind.FormatUnknown + 1; texture.Of(f) != nil; f++ {
		names = append(names, texture.Of(f).Name)
	}
	if len(names) < 50 {
		t.Errorf("%d formats: some of the IR's are missing", len(names))
	}
	for _, name := range names {
		f := named(t, name)
		texel, back := make([]byte, f.Bytes), make([]byte, f.Bytes)
		for _, c := range f.Comps {
			if c.Name == 'X' || f.Name == "E5B9G9R9_UFLOAT_PACK32" && c.Name != 'R' {
				continue
			}
			bits := min(c.Bits, 16)
			if c.Name != 'R' && c.Name != 'D' { // like red, but at another place
				bits = min(bits, 8)
			}
			for x := range uint64(1) << bits {
				clear(texel)
				for i := range int(bits) { // the component's highest bits
					at := int(c.Shift) + int(c.Bits) - int(bits) + i
					texel[at/8] |= byte(x>>i&1) << (at % 8)
				}
				if c.Numeric == texture.SNorm && x == 1<<(bits-1) {
					continue
				}
				if c.Bits == 9 { // the exponent that encoding chooses
					texel[3] |= 0x80
				}
				v := f.Decode(texel)
				if f.Base == kind.BaseFloat && slices.ContainsFunc(v[:], func(x uint64) bool { return x&0x7fffffff > 0x7f800000 }) {
					continue // NaN
				}
				f.Encode(back, &v)
				again := f.Decode(back)
				if v != again || c.Bits != 9 && !bytes.Equal(texel, back) {
					t.Fatalf("%s, component %c: % x is decoded to %v, which is encoded to % x", name, c.Name, texel, v, back)
				}
			}
		}
	}
}

// TestEncodeRounds: values between two codes become the nearer code, values out of range the last one.
func TestEncodeRounds(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		format string
		in     float32
		want   uint32
	}{
		{"R8_UNORM", 0.5, 128}, {"R8_UNORM", -3, 0}, {"R8_UNORM", 7, 255}, {"R8_UNORM", nan, 0}, {"R8_UNORM", inf, 255},
		{"R8_SNORM", -2, 0x81}, {"R8_SNORM", 0.5, 64}, {"R16_SFLOAT", 1, 0x3c00}, {"R16_SFLOAT", 1e9, 0x7c00},
		{"R8_SRGB", 0.5, 188}, {"R8_SRGB", 0.002, 7}, {"R16_UNORM", 0.25, 16384},
		{"B10G11R11_UFLOAT_PACK32", 1, 0x3c0}, {"B10G11R11_UFLOAT_PACK32", -1, 0}, {"B10G11R11_UFLOAT_PACK32", 1e9, 0x7bf},
		{"B10G11R11_UFLOAT_PACK32", inf, 0x7c0}, {"B10G11R11_UFLOAT_PACK32", 1.0 / (1 << 20), 1},
		{"E5B9G9R9_UFLOAT_PACK32", 1, 0x80000100}, {"E5B9G9R9_UFLOAT_PACK32", 1e9, 0xf80001ff}, {"E5B9G9R9_UFLOAT_PACK32", nan, 0},
		{"A2B10G10R10_UNORM_PACK32", 1, 0xc00003ff}, // alpha is 1 below
	} {
		f := named(t, c.format)
		v := floats(c.in, 0, 0, 1)
		b := make([]byte, 4)
		f.Encode(b[:f.Bytes], &v)
		if got := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24; got != c.want {
			t.Errorf("%s of %v: %#x, want %#x", c.format, c.in, got, c.want)
		}
	}
}

// TestEncodeIntegers: integers out of range become the nearest integer in range.
func TestEncodeIntegers(t *testing.T) {
	minus := func(x int64) uint64 { return uint64(-x) }
	for _, c := range []struct {
		format string
		in     uint64
		want   byte
	}{{"R8_UINT", 255, 255}, {"R8_UINT", 256, 255}, {"R8_UINT", 1 << 32, 255}, {"R8_SINT", 127, 127}, {"R8_SINT", 128, 127},
		{"R8_SINT", minus(128), 128}, {"R8_SINT", minus(129), 128}, {"R8_SINT", minus(1), 255}} {
		b := []byte{0}
		named(t, c.format).Encode(b, &texture.Texel{c.in})
		if b[0] != c.want {
			t.Errorf("%s of %#x: %d, want %d", c.format, c.in, b[0], c.want)
		}
	}
}

// TestNamedRefuses: an invalid or unsupported name is an error that states the reason.
func TestNamedRefuses(t *testing.T) {
	for _, name := range []string{"", "R8", "UNORM", "R8G8B8A8", "R8R8_UNORM", "Q8_UNORM", "R7_UNORM", "R5G6B5_UNORM", "R8_UNORM_PACK16", "R8_FLOAT", "BC1_RGB_UNORM_BLOCK",
		"R64_SFLOAT", "R99_UINT", "X8_UNORM", "R8_UNORM_PACKx", "R4G4_UNORM", "ASTC_4x4_UNORM_BLOCK", "R8_SFLOAT", "R999999999999999999999_UINT"} {
		if f, err := texture.Named(name); err == nil {
			t.Errorf("%q is %+v", name, f)
		}
	}
}
