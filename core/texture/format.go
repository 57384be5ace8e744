package texture

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"jacquard.example/generated/kind"
)

// Numeric is the interpretation of a component's bits (Vulkan specification, "Format
// Definition").
type Numeric uint8

// The numeric formats.
const (
	UNorm Numeric = iota
	SNorm
	UScaled
	SScaled
	UInt
	SInt
	UFloat
	SFloat
	SRGB
)

var numerics = map[string]Numeric{
	"UNORM": UNorm, "SNORM": SNorm, "USCALED": UScaled, "SSCALED": SScaled, "UINT": UInt, "SINT": SInt,
	"UFLOAT": UFloat, "SFLOAT": SFloat, "SRGB": SRGB,
}

// Component is one component of a texel.
type Component struct {
	Name    byte // R G B A; D depth, S stencil, E shared exponent, X unused
	Bits    uint8
	Shift   uint16 // from the lowest bit of the texel's first byte
	Numeric Numeric
}

// Format is the layout of a texel.
type Format struct {
	Name   string // Vulkan's, without VK_FORMAT_
	Bytes  int
	Comps  []Component // in the order of the name
	Base   kind.BaseType
	shared bool    // one exponent for all components
	comp   [4]int8 // index in Comps of red, green, blue, alpha; -1: absent
}

// Has reports whether a texel has component c: red, green, blue, alpha. Depth and stencil are
// red.
func (f *Format) Has(c int) bool { return f.comp[c] >= 0 }

// Component returns component c of a texel, red, green, blue or alpha, nil if it has none.
func (f *Format) Component(c int) *Component {
	if f.comp[c] < 0 {
		return nil
	}
	return &f.Comps[f.comp[c]]
}

// Depth reports whether texels are depths.
func (f *Format) Depth() bool {
	return f.Comps[0].Name == 'D' || len(f.Comps) > 1 && f.Comps[1].Name == 'D'
}

// fixedDepth reports whether depths are fixed-point numbers from 0 to 1.
func (f *Format) fixedDepth() bool { return f.comp[0] >= 0 && f.Comps[f.comp[0]].Numeric == UNorm }

// Named returns the format with a name: components with their bits, their numeric format, and
// for packed formats the size of the containing word, whose highest bits have the component
// named first (Vulkan specification, "Formats"). Names are case-sensitive and may start with
// VK_FORMAT_.
func Named(name string) (*Format, error) {
	name = strings.TrimPrefix(name, "VK_FORMAT_")
	if f, ok := named.Load(name); ok {
		return f.(*Format), nil
	}
	f, err := parse(name)
	if err != nil {
		return nil, err
	}
	x, _ := named.LoadOrStore(name, f)
	return x.(*Format), nil
}

// named caches parsed formats: there are few, since only valid names are kept.
var named sync.Map

func parse(name string) (*Format, error) {
	bad := func(why string) (*Format, error) { return nil, fmt.Errorf("%q is not a format: %s", name, why) }
	f := &Format{Name: name, comp: [4]int8{-1, -1, -1, -1}}
	read, packed, total := 0, 0, 0
	for _, word := range strings.Split(name, "_") {
		if n, ok := numerics[word]; ok {
			if read == len(f.Comps) {
				return bad(word + " has no components")
			}
			for ; read < len(f.Comps); read++ {
				f.Comps[read].Numeric = n
			}
			continue
		}
		if size, ok := strings.CutPrefix(word, "PACK"); ok {
			n, err := strconv.Atoi(size)
			if err != nil || packed != 0 {
				return bad("unknown word " + word)
			}
			packed = n
			continue
		}
		for word != "" {
			if !strings.ContainsRune("RGBADSEX", rune(word[0])) {
				return bad("unknown word " + word)
			}
			end := 1
			for end < len(word) && word[end] >= '0' && word[end] <= '9' {
				end++
			}
			bits, err := strconv.Atoi(word[1:end])
			if err != nil || bits < 1 || bits > 64 || len(f.Comps) == 8 {
				return bad("a component needs from 1 to 64 bits")
			}
			f.Comps = append(f.Comps, Component{Name: word[0], Bits: uint8(bits)})
			total += bits
			word = word[end:]
		}
	}
	for _, c := range f.Comps[read:] {
		if c.Name != 'X' {
			return bad("its components have no numeric format")
		}
	}
	if read == 0 || total%8 != 0 || total > 256 || packed != 0 && (packed != total || packed > 64) {
		return bad("its size is not a whole number of bytes")
	}
	f.Bytes = total / 8
	at := 0
	for i := range f.Comps {
		k := i
		if packed != 0 {
			k = len(f.Comps) - 1 - i
		}
		c := &f.Comps[k]
		c.Shift = uint16(at)
		at += int(c.Bits)
		if err := f.place(k); err != "" {
			return bad(err)
		}
		if packed == 0 && (c.Bits%8 != 0 || c.Bits > 8 && c.Bits&(c.Bits-1) != 0) && c.Name != 'D' && c.Name != 'X' {
			return bad("its components are not whole bytes")
		}
	}
	if f.comp[0] < 0 && f.comp[1] < 0 && f.comp[2] < 0 && f.comp[3] < 0 {
		return bad("it has no components")
	}
	return f, f.check()
}

// place records which component of a texel Comps[k] is.
func (f *Format) place(k int) string {
	c := &f.Comps[k]
	i := strings.IndexByte("RGBA", c.Name)
	switch c.Name {
	case 'D':
		i = 0
	case 'S':
		for _, x := range f.Comps {
			if x.Name == 'D' {
				return "" // sampled as a depth
			}
		}
		i = 0
	case 'E':
		f.shared = true
		return ""
	case 'X':
		return ""
	}
	if f.comp[i] >= 0 {
		return "a component occurs twice"
	}
	f.comp[i] = int8(k)
	return ""
}

// check rejects invalid components and sets Base.
func (f *Format) check() error {
	f.Base = kind.BaseBool
	for _, i := range f.comp {
		if i < 0 {
			continue
		}
		c := &f.Comps[i]
		ok := c.Bits <= 32
		base := kind.BaseFloat
		switch c.Numeric {
		case UInt:
			base, ok = kind.BaseUint, true
		case SInt:
			base, ok = kind.BaseInt, true
		case SFloat:
			ok = c.Bits == 16 || c.Bits == 32
		case UFloat:
			ok = f.shared && c.Bits == 9 || c.Bits == 10 || c.Bits == 11
		}
		if !ok {
			return fmt.Errorf("format %s: components of %d bits cannot be read like that", f.Name, c.Bits)
		}
		if f.Base != kind.BaseBool && f.Base != base {
			return fmt.Errorf("format %s: its components have different numeric formats", f.Name)
		}
		f.Base = base
	}
	return nil
}

// storage are the formats of the IR, by Vulkan's names (Vulkan specification,
// "Compatibility Between SPIR-V Image Formats and Vulkan Formats").
var storage = [...]string{
	kind.FormatRgba32f: "R32G32B32A32_SFLOAT", kind.FormatRg32f: "R32G32_SFLOAT", kind.FormatR32f: "R32_SFLOAT",
	kind.FormatRgba16f: "R16G16B16A16_SFLOAT", kind.FormatRg16f: "R16G16_SFLOAT", kind.FormatR16f: "R16_SFLOAT",
	kind.FormatRgba16: "R16G16B16A16_UNORM", kind.FormatRg16: "R16G16_UNORM", kind.FormatR16: "R16_UNORM",
	kind.FormatRgba8: "R8G8B8A8_UNORM", kind.FormatRg8: "R8G8_UNORM", kind.FormatR8: "R8_UNORM",
	kind.FormatRgba16Snorm: "R16G16B16A16_SNORM", kind.FormatRg16Snorm: "R16G16_SNORM", kind.FormatR16Snorm: "R16_SNORM",
	kind.FormatRgba8Snorm: "R8G8B8A8_SNORM", kind.FormatRg8Snorm: "R8G8_SNORM", kind.FormatR8Snorm: "R8_SNORM",
	kind.FormatRgba32i: "R32G32B32A32_SINT", kind.FormatRg32i: "R32G32_SINT", kind.FormatR32i: "R32_SINT",
	kind.FormatRgba16i: "R16G16B16A16_SINT", kind.FormatRg16i: "R16G16_SINT", kind.FormatR16i: "R16_SINT",
	kind.FormatRgba8i: "R8G8B8A8_SINT", kind.FormatRg8i: "R8G8_SINT", kind.FormatR8i: "R8_SINT",
	kind.FormatRgba32ui: "R32G32B32A32_UINT", kind.FormatRg32ui: "R32G32_UINT", kind.FormatR32ui: "R32_UINT",
	kind.FormatRgba16ui: "R16G16B16A16_UINT", kind.FormatRg16ui: "R16G16_UINT", kind.FormatR16ui: "R16_UINT",
	kind.FormatRgba8ui: "R8G8B8A8_UINT", kind.FormatRg8ui: "R8G8_UINT", kind.FormatR8ui: "R8_UINT",
	kind.FormatR64ui: "R64_UINT", kind.FormatR64i: "R64_SINT",
	kind.FormatR11fG11fB10f: "B10G11R11_UFLOAT_PACK32", kind.FormatRgb10A2: "A2B10G10R10_UNORM_PACK32",
	kind.FormatRgb10A2ui: "A2B10G10R10_UINT_PACK32",
}

// Of returns the format for a format of the IR, nil for unknown.
func Of(f kind.Format) *Format {
	if int(f) >= len(storage) || storage[f] == "" {
		return nil
	}
	x, err := Named(storage[f])
	if err != nil {
		return nil
	}
	return x
}
