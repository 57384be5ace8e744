// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// The ranges of slots, of 16 bytes each: locations of the user first, then the second sources of blending, then
// builtins.
const (
	dualSlots    = 1 << 12
	builtinSlots = 1 << 13
	builtinSize  = 2               // slots per builtin: eight clip distances take two
	distances    = 4 * builtinSize // most clip and cull distances of a shader
)

// Slot returns the slot of an input or output, the base of its load and store intrinsics.
func Slot(b kind.IOBuiltin, location uint32, flags kind.IOFlags) int32 {
	switch {
	case b != kind.BuiltinNone:
		return builtinSlots + builtinSize*int32(b)
	case flags&kind.IODualSource != 0:
		return dualSlots + int32(location)
	}
	return int32(location)
}

// Offset returns the offset of an access to inputs or outputs, in slots, if it is constant. An offset beyond the range
// counts as the last slot of the range.
func Offset(s *ir.Shader, v ir.Value) (slots uint32, known bool) {
	at, known := s.ConstOf(s.Src(v, s.At(v).Intrinsic().Source(intrinsic.RoleOffset)))
	return uint32(min(at, uint64(s.Index(v, intrinsic.IxRange)-1))), known
}

// maxLocation bounds the locations of a stage; Vulkan's limits are maxVertexInputAttributes and
// maxVertexOutputComponents.
const maxLocation = 1 << 11

// builtinOf returns the input or output for a SPIR-V builtin (SPIR-V specification 3.21), or BuiltinNone if it is none.
func builtinOf(number uint32) kind.IOBuiltin {
	switch number {
	case 0:
		return kind.BuiltinPosition
	case 1:
		return kind.BuiltinPointSize
	case 3:
		return kind.BuiltinClipDistance
	case 4:
		return kind.BuiltinCullDistance
	case 7:
		return kind.BuiltinPrimitiveID
	case 9:
		return kind.BuiltinLayer
	case 10:
		return kind.BuiltinViewportIndex
	case 20:
		return kind.BuiltinSampleMask
	case 22:
		return kind.BuiltinFragDepth
	case 4432:
		return kind.BuiltinPrimitiveShadingRate
	case 5014:
		return kind.BuiltinFragStencilRef
	}
	return kind.BuiltinNone
}
