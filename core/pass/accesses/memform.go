// SPDX-License-Identifier: MIT

package accesses

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// memForm has the operands and words of an access by offset.
type memForm struct {
	bytes   bool // the access is to bytes: its row has an alignment
	offset  int8 // operand with the offset
	value   int8 // operand with the stored value, or -1 for loads
	surface int8 // operand with the buffer, or -1 if there is none
	base    int8 // word with a constant part of the offset, or -1 if there is none
	space   space
}

// memForms has the forms of all intrinsics.
var memForms = func() (t [intrinsic.Count]memForm) {
	for id := range intrinsic.Count {
		t[id] = memForm{
			bytes:   id.Slot(intrinsic.IxAlignMul) >= 0,
			offset:  int8(max(id.Source(intrinsic.RoleOffset), id.Source(intrinsic.RoleAddress))),
			value:   int8(id.Source(intrinsic.RoleValue)),
			surface: int8(id.Source(intrinsic.RoleSurface)),
			base:    int8(id.Slot(intrinsic.IxBase)),
			space:   spaceOf(id),
		}
	}
	return t
}()

// memFormOf returns the form of an access to bytes.
func memFormOf(id intrinsic.ID) (memForm, bool) {
	f := &memForms[id]
	return *f, f.bytes
}

// watched reports whether an access to bytes must stay, since others may observe when it happens.
func (c context) watched(v ir.Value) bool {
	return kind.Access(c.S.Index(v, intrinsic.IxAccess))&(kind.AccessVolatile|kind.AccessCoherent) != 0
}

// justLoads reports whether an instruction is an access to bytes without an effect beyond its result.
func (c context) justLoads(v ir.Value) bool {
	f := &memForms[c.S.At(v).Intrinsic()]
	return f.bytes && f.value < 0 && !c.watched(v)
}
