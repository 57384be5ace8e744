// SPDX-License-Identifier: MIT

package texture

import "jacquard.example/generated/kind"

// Filter selects how a sample is computed from texels.
type Filter uint8

// The filters.
const (
	Nearest Filter = iota
	Linear
)

// Address selects the texel that is used outside the image.
type Address uint8

// The address modes.
const (
	Repeat Address = iota
	MirroredRepeat
	ClampToEdge
	ClampToBorder
	MirrorClampToEdge
)

// Border selects the color around an image.
type Border uint8

// The border colors. Whether their components are floats or integers follows
// from the image's format.
const (
	TransparentBlack Border = iota
	OpaqueBlack
	OpaqueWhite
)

// Compare is a comparison of a reference with a depth.
type Compare uint8

// The comparisons; the reference is the left operand.
const (
	Never Compare = iota
	Less
	Equal
	LessOrEqual
	Greater
	NotEqual
	GreaterOrEqual
	Always
)

// Sampler describes how an image is sampled.
type Sampler struct {
	Mag, Min, Mip  Filter
	Address        [3]Address // along x, y, z
	Bias           float32
	MinLOD, MaxLOD float32
	CompareOp      Compare
	Border         Border
	Unnormalized   bool // coordinates are in texels
}

// DefaultSampler reads the nearest texel of any level and repeats the image.
func DefaultSampler() Sampler { return Sampler{MaxLOD: 1000} }

// Query is a sampling request of a shader.
type Query struct {
	Coord   [3]float32 // as many as the shape has
	Layer   float32    // for shapes with layers; for an array of cubes, the cube
	LOD     float32
	Bias    float32 // added to the level of detail, like the sampler's bias
	Grad    bool    // Ddx and Ddy determine the level of detail instead of LOD
	Ddx     [3]float32
	Ddy     [3]float32
	MinLOD  float32
	Offset  [3]int32
	Compare bool // the texel is compared with Ref
	Ref     float32

	// Unbound is set by sampling if a texel that was read has no memory.
	Unbound bool
}

// wrap returns the texel, of n, for texel i of an endless row, or -1 for the border ("Wrapping Operation").
func wrap(a Address, i, n int64) int64 {
	mirror := func(x int64) int64 {
		if x >= 0 {
			return x
		}
		return -(1 + x)
	}
	mod := func(x, m int64) int64 { return (x%m + m) % m }
	switch a {
	case Repeat:
		return mod(i, n)
	case MirroredRepeat:
		return n - 1 - mirror(mod(i, 2*n)-n)
	case ClampToEdge:
		return min(max(i, 0), n-1)
	case MirrorClampToEdge:
		return min(mirror(i), n-1)
	}
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// border returns the texel around an image.
func (s *Sampler) border(f *Format) Texel {
	var t Texel
	one := f.One()
	if s.Border != TransparentBlack {
		t[3] = one
	}
	if s.Border == OpaqueWhite {
		t[0], t[1], t[2] = one, one, one
	}
	f.fill(&t)
	return t
}

// compare replaces a texel with the result of its comparison, 1 or 0 ("Depth Compare Operation"). The reference is
// clamped for fixed-point depths.
func (s *Sampler) compare(f *Format, t *Texel, ref float32) {
	d := t.Float(0)
	if f.fixedDepth() {
		ref = min(max(ref, 0), 1)
	}
	holds := [...]bool{
		Never: false, Less: ref < d, Equal: ref == d, LessOrEqual: ref <= d,
		Greater: ref > d, NotEqual: ref != d, GreaterOrEqual: ref >= d, Always: true,
	}[s.CompareOp]
	*t = Texel{}
	t.SetFloat(3, 1)
	if holds {
		t.SetFloat(0, 1)
	}
}

// linearFilter reports whether an image's texels can be averaged.
func linearFilter(f *Format) bool { return f.Base == kind.BaseFloat }
