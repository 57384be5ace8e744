// SPDX-License-Identifier: MIT

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
	comp   [4]int8 // index in Comps of red, green, blue, alpha; -1 if absent
}

// Has reports whether a texel has component c: red, green, blue or alpha. Depth and stencil are red.
func (f *Format) Has(c int) bool { return f.comp[c] >= 0 }

// Component returns component c of a texel (red, green, blue or alpha), or nil if it has none.
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

// Named returns the format with a name: components with their bits, their numeric format, and for packed formats the
// size of the containing word, whose highest bits have the first component in the name (Vulkan specification,
// "Formats"). Names are case-sensitive and may start with VK_FORMAT_.
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

// named caches parsed formats. Only valid names are kept, so there are few.
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
		return bad("its size is not a whole number of bytes up to 32, or not the size of its PACK word")
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

// place records the position of Comps[k] in a texel: red, green, blue or alpha. It returns "", or why the format is
// invalid.
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
			return fmt.Errorf("format %s: %d-bit components have no such numeric format", f.Name, c.Bits)
		}
		if f.Base != kind.BaseBool && f.Base != base {
			return fmt.Errorf("format %s: its components have different numeric formats", f.Name)
		}
		f.Base = base
	}
	return nil
}

// Of returns the format for a format of the IR, or nil if it is unknown.
func Of(f kind.Format) *Format {
	name := f.Vulkan()
	if name == "" {
		return nil
	}
	x, err := Named(name)
	if err != nil {
		return nil
	}
	return x
}
