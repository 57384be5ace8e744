package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// memForm holds where an access by offset has its operands and words.
type memForm struct {
	bytes   bool // its row has an alignment: it is an access to bytes
	offset  int8 // operand of the offset
	value   int8 // operand of the stored value, -1 for loads
	surface int8 // operand of the buffer, -1 if it has none
	base    int8 // word of a constant part of the offset, -1 if it has none
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

// watched reports whether an access to bytes stays as it is: others may see when it happens.
func (c context) watched(v ir.Value) bool {
	return kind.Access(c.S.Index(v, intrinsic.IxAccess))&(kind.AccessVolatile|kind.AccessCoherent) != 0
}

// justLoads reports whether an instruction is an access to bytes that has no effect but its result.
func (c context) justLoads(v ir.Value) bool {
	f := &memForms[c.S.At(v).Intrinsic()]
	return f.bytes && f.value < 0 && !c.watched(v)
}
