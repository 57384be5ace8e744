// SPDX-License-Identifier: MIT

package module

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// constant reads an instruction that creates a constant. The bits of scalars and vectors are stored; composites are
// decomposed where they are used, so that nested constants cost nothing here.
func (r *Reader) constant(in []uint32) {
	id := in[2]
	rec := &r.Ids[id]
	t := r.TypeOf(id)
	op := r.Op(r.At)
	if t.Unsized != 0 { // rejected where it is used
		rec.Kind = IdOther
		return
	}
	switch op {
	case spirvtab.OpConstantTrue, spirvtab.OpConstantFalse, spirvtab.OpSpecConstantTrue, spirvtab.OpSpecConstantFalse:
		if t.Base != ir.TypeBool || t.Comps != 1 {
			r.Fail("the type is not a bool")
		}
		v := uint64(0)
		if op == spirvtab.OpConstantTrue || op == spirvtab.OpSpecConstantTrue {
			v = 1
		}
		if op == spirvtab.OpSpecConstantTrue || op == spirvtab.OpSpecConstantFalse {
			if s, ok := r.specialized(id); ok {
				v = 0
				if s != 0 {
					v = 1
				}
			}
		}
		r.newConst(rec, v)
	case spirvtab.OpConstant, spirvtab.OpSpecConstant:
		if t.Comps != 1 || t.Base == ir.TypeBool {
			r.Fail("the type is not a number")
		}
		n := 1 + int(t.Bits)/64
		if len(in) != 3+n {
			r.Fail("has %d words of value, but the type needs %d", len(in)-3, n)
		}
		v := uint64(in[3])
		if n == 2 {
			v |= uint64(in[4]) << 32
		}
		if op == spirvtab.OpSpecConstant {
			if s, ok := r.specialized(id); ok {
				v = s
			}
		}
		rec.Kind, rec.Aux = IdConst, uint32(len(r.Bits))
		r.Bits = append(r.Bits, v&Mask(t.Bits))
	case spirvtab.OpConstantComposite, spirvtab.OpSpecConstantComposite:
		r.compositeConst(rec, t, in)
	case spirvtab.OpConstantNull:
		if t.Comps != 0 {
			r.newConst(rec, make([]uint64, t.Comps)...)
		} else {
			rec.Kind = IdNull
		}
	case spirvtab.OpSpecConstantOp:
		r.specOp(rec, t, in)
	}
}

// Mask returns the mask of an integer of a given size.
func Mask(bits uint8) uint64 { return ^uint64(0) >> (64 - bits) }

func (r *Reader) newConst(rec *IdRec, comps ...uint64) {
	rec.Kind, rec.Aux = IdConst, uint32(len(r.Bits))
	r.Bits = append(r.Bits, comps...)
}

// specialized returns the value that the caller assigns to a specialization constant, if any; the first if there are
// several.
func (r *Reader) specialized(id uint32) (uint64, bool) {
	spec, ok := r.Find(id, spirvtab.DecorationSpecId)
	if !ok || len(r.Opt.Specialize) == 0 {
		return 0, false
	}
	if r.specs == nil {
		r.specs = make(map[uint32]uint64, len(r.Opt.Specialize))
		for _, s := range r.Opt.Specialize {
			if _, dup := r.specs[s.ID]; !dup {
				r.specs[s.ID] = s.Bits
			}
		}
	}
	bits, ok := r.specs[spec]
	return bits, ok
}

func (r *Reader) compositeConst(rec *IdRec, t *TypeRec, in []uint32) {
	parts := in[3:]
	if t.Comps < 2 && t.N == 0 && t.Op != spirvtab.OpTypeStruct || len(parts) != int(t.N) {
		r.Fail("has %d constituents, but the type has %d", len(parts), t.N)
	}
	if t.Comps >= 2 {
		var v [4]uint64
		for i, p := range parts {
			c := &r.Ids[p]
			switch {
			case c.Kind == IdUndef && c.Typ == t.Elem:
			case c.Kind == IdConst && r.sameSize(c.Typ, t.Elem): // assemblers mix signed and unsigned
				v[i] = r.Bits[c.Aux]
			default:
				r.Fail("id %d is not a constant of the component type", p)
			}
		}
		r.newConst(rec, v[:t.Comps]...)
		return
	}
	for i, p := range parts {
		want := t.Elem
		if t.Op == spirvtab.OpTypeStruct {
			want = r.StructMember(rec.Typ, i)
		}
		switch c := &r.Ids[p]; c.Kind {
		case IdConst, IdComposite, IdNull, IdUndef:
			if c.Typ != want {
				r.Fail("constituent %d, id %d, is not of the type with id %d", i, p, want)
			}
		default:
			r.Fail("id %d is not a constant", p)
		}
	}
	rec.Kind = IdComposite
}

// sameSize reports whether two types are scalars of the same size.
func (r *Reader) sameSize(a, b uint32) bool {
	x, y := r.TypeAt(a), r.TypeAt(b)
	return x.Comps == 1 && y.Comps == 1 && x.Bits == y.Bits
}

// StructMember returns the type id of a struct's member.
func (r *Reader) StructMember(typ uint32, i int) uint32 {
	return r.Ins(r.Ids[typ].Word)[2+i]
}

// ConstScalar returns the value of a constant scalar integer, sign-extended if its type is signed. The second result is
// false if id is not such a constant.
func (r *Reader) ConstScalar(id uint32) (uint64, bool) {
	if id == 0 || id >= r.Bound || r.Ids[id].Kind != IdConst {
		return 0, false
	}
	t := r.TypeOf(id)
	if t.Comps != 1 || t.Base != ir.TypeInt && t.Base != ir.TypeUint {
		return 0, false
	}
	v := r.Bits[r.Ids[id].Aux]
	if t.Base == ir.TypeInt { // sign-extended: a negative length is then far too large
		v = uint64(int64(v<<(64-t.Bits)) >> (64 - t.Bits))
	}
	return v, true
}

// ConstInt returns the low 32 bits of a constant integer that must be known while reading. It fails if id is not one;
// what describes the operand in the error.
func (r *Reader) ConstInt(id uint32, what string) uint32 {
	v, ok := r.ConstScalar(id)
	if !ok {
		r.Fail("%s, id %d, is not a constant integer", what, id)
	}
	return uint32(v)
}

// Mask returns the guarantees that float operations of a size may relax by default.
func (r *Reader) Mask(bits uint8) uint16 {
	switch bits {
	case 16:
		return r.floatMask[0]
	case 64:
		return r.floatMask[2]
	}
	return r.floatMask[1]
}

// Pick returns the opcode of a program's step. It may depend on the size of the result's components, bits, or on the
// number of components of the step's first operand.
func (r *Reader) Pick(n *spirvtab.Node, first ir.Src, bits uint8) op.Op {
	o := uint16(0)
	switch n.Pick {
	case spirvtab.PickFixed:
		return op.Op(n.Op)
	case spirvtab.PickBits:
		if i := SizeIndex(bits); i > 0 {
			o = spirvtab.Families[n.Op][i-1]
		}
	case spirvtab.PickComps:
		o = spirvtab.Families[n.Op][first.N-1]
	}
	if o == 0 {
		r.Fail("the operation is not defined on %d-bit components", bits)
	}
	return op.Op(o - 1)
}
