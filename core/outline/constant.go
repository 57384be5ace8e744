// SPDX-License-Identifier: MIT

package outline

import (
	"cmp"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// Constant is a specialization constant.
type Constant struct {
	ID      uint32      // its SpecId
	Name    string      // OpName, or "" if it has none
	Base    ir.TypeKind // bool, int, uint or float
	Size    uint8       // in bits; 1 for a bool
	Default uint64      // bit pattern
}

// constants lists the specialization constants; constants with the same SpecId are in the order of the module.
func (r *reader) constants() error {
	for _, at := range r.specs {
		in := r.ins(at)
		t := r.types[in[1]]
		if t == nil || t.scalar == 0 || t.bits > 64 {
			return r.errorf(at, "id %d is not a scalar type", in[1])
		}
		c := Constant{ID: r.marks[in[2]].spec, Base: t.scalar, Size: uint8(t.bits)}
		switch uint16(in[0]) {
		case spirvtab.OpSpecConstantTrue:
			c.Default = 1
		case spirvtab.OpSpecConstantFalse:
		default:
			words := in[3:]
			if len(words) == 0 || t.bits > 32 && len(words) < 2 {
				return r.errorf(at, "has no value")
			}
			if c.Default = uint64(words[0]); t.bits > 32 {
				c.Default |= uint64(words[1]) << 32
			}
			c.Default &= ^uint64(0) >> (64 - t.bits) // the module sign-extends narrow negative numbers
		}
		var err error
		if c.Name, err = r.nameOf(in[2]); err != nil {
			return err
		}
		r.m.Constants = append(r.m.Constants, c)
	}
	slices.SortStableFunc(r.m.Constants, func(a, b Constant) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// number returns the value of a constant: the default if it can be specialized, and 0 if an operation computes it.
func (r *reader) number(id uint32) uint32 {
	in := r.constant(id)
	if len(in) > 3 && (uint16(in[0]) == spirvtab.OpConstant || uint16(in[0]) == spirvtab.OpSpecConstant) {
		return in[3]
	}
	return 0
}
