package spirv

import (
	"cmp"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// SpecConstant is a specialization constant of a module.
type SpecConstant struct {
	ID      uint32      // its SpecId
	Name    string      // its OpName, "" if it has none
	Base    ir.TypeKind // bool, int, uint or float
	Size    uint8       // in bits; 1 for a bool
	Default uint64      // bit pattern
}

// SpecConstants returns the specialization constants of a module in the order of their
// SpecId. Several constants may have the same SpecId; they are listed separately.
func SpecConstants(module []byte) (list []SpecConstant, err error) {
	_, err = reading(module, Options{}, func(r *reader) {
		r.header()
		r.scan()
		for id := range r.ids {
			rec := &r.ids[id]
			spec, ok := r.find(uint32(id), spirvtab.DecorationSpecId)
			if !ok || rec.kind != idConst {
				continue
			}
			t := r.typeOf(uint32(id))
			list = append(list, SpecConstant{
				ID: spec, Name: r.s.Strs.Text(r.nameOf(uint32(id))), Base: t.base, Size: t.bits, Default: r.bits[rec.aux],
			})
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b SpecConstant) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}
