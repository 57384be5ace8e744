// SPDX-License-Identifier: MIT

package draw

import "jacquard.example/core/texture"

// StencilOp is the operation that a test applies to the stencil value (Vulkan specification, "Stencil Test").
type StencilOp uint8

// The operations.
const (
	Keep StencilOp = iota
	SetZero
	Replace
	IncrementAndClamp
	DecrementAndClamp
	Invert
	IncrementAndWrap
	DecrementAndWrap
)

// StencilFace is the stencil test of one face of polygons. Lines and points are front-facing.
type StencilFace struct {
	Fail, Pass, DepthFail             StencilOp
	Compare                           texture.Compare
	CompareMask, WriteMask, Reference uint8
}

// Stencil is the stencil test. It is off if the attachment has no stencil values.
type Stencil struct {
	Test        bool
	Front, Back StencilFace
}

// face returns the test of a face.
func (s *Stencil) face(front bool) *StencilFace {
	if front {
		return &s.Front
	}
	return &s.Back
}

// passes compares the reference with the stored value.
func (f *StencilFace) passes(reference, stored uint8) bool {
	a, b := reference&f.CompareMask, stored&f.CompareMask
	return passes(f.Compare, a < b, a == b, a > b)
}

// apply returns the new stencil value.
func (f *StencilFace) apply(op StencilOp, reference, stored uint8) uint8 {
	x := stored
	switch op {
	case SetZero:
		x = 0
	case Replace:
		x = reference
	case IncrementAndClamp:
		if x < 255 {
			x++
		}
	case DecrementAndClamp:
		if x > 0 {
			x--
		}
	case Invert:
		x = ^x
	case IncrementAndWrap:
		x++
	case DecrementAndWrap:
		x--
	}
	return stored&^f.WriteMask | x&f.WriteMask
}

// passes reports whether a comparison holds. Its other parameters describe how the operands compare.
func passes(c texture.Compare, less, equal, greater bool) bool {
	switch c {
	case texture.Never:
		return false
	case texture.Less:
		return less
	case texture.Equal:
		return equal
	case texture.LessOrEqual:
		return less || equal
	case texture.Greater:
		return greater
	case texture.NotEqual:
		return !equal
	case texture.GreaterOrEqual:
		return greater || equal
	}
	return true
}
