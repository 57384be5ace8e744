package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// constant reads an instruction that creates a constant. The bits of scalars and vectors are stored; composites are
// decomposed where they are used, so that nested constants cost nothing here.
func (r *reader) constant(in []uint32) {
	id := in[2]
	rec := &r.ids[id]
	t := r.typeOf(id)
	op := r.op(r.at)
	if t.unsized != 0 { // rejected where it is used
		rec.kind = idOther
		return
	}
	switch op {
	case spirvtab.OpConstantTrue, spirvtab.OpConstantFalse, spirvtab.OpSpecConstantTrue, spirvtab.OpSpecConstantFalse:
		if t.base != ir.TypeBool || t.comps != 1 {
			r.fail("the type is not a bool")
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
		if t.comps != 1 || t.base == ir.TypeBool {
			r.fail("the type is not a number")
		}
		n := 1 + int(t.bits)/64
		if len(in) != 3+n {
			r.fail("has %d words of value, the type needs %d", len(in)-3, n)
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
		rec.kind, rec.aux = idConst, uint32(len(r.bits))
		r.bits = append(r.bits, v&mask(t.bits))
	case spirvtab.OpConstantComposite, spirvtab.OpSpecConstantComposite:
		r.compositeConst(rec, t, in)
	case spirvtab.OpConstantNull:
		if t.comps != 0 {
			r.newConst(rec, make([]uint64, t.comps)...)
		} else {
			rec.kind = idNull
		}
	case spirvtab.OpSpecConstantOp:
		r.specOp(rec, t, in)
	}
}

func mask(bits uint8) uint64 { return ^uint64(0) >> (64 - bits) }

func (r *reader) newConst(rec *idRec, comps ...uint64) {
	rec.kind, rec.aux = idConst, uint32(len(r.bits))
	r.bits = append(r.bits, comps...)
}

// specialized returns the value that the caller assigns to a specialization constant.
func (r *reader) specialized(id uint32) (uint64, bool) {
	spec, ok := r.find(id, spirvtab.DecorationSpecId)
	if !ok || len(r.opt.Specialize) == 0 {
		return 0, false
	}
	if r.specs == nil {
		r.specs = make(map[uint32]uint64, len(r.opt.Specialize))
		for _, s := range r.opt.Specialize {
			if _, dup := r.specs[s.ID]; !dup {
				r.specs[s.ID] = s.Bits
			}
		}
	}
	bits, ok := r.specs[spec]
	return bits, ok
}

func (r *reader) compositeConst(rec *idRec, t *typeRec, in []uint32) {
	parts := in[3:]
	if t.comps < 2 && t.n == 0 && t.op != spirvtab.OpTypeStruct || len(parts) != int(t.n) {
		r.fail("has %d constituents, the type has %d", len(parts), t.n)
	}
	if t.comps >= 2 {
		var v [4]uint64
		for i, p := range parts {
			c := &r.ids[p]
			switch {
			case c.kind == idUndef && c.typ == t.elem:
			case c.kind == idConst && r.sameSize(c.typ, t.elem): // assemblers mix signed and unsigned
				v[i] = r.bits[c.aux]
			default:
				r.fail("id %d is not a constant of the component type", p)
			}
		}
		r.newConst(rec, v[:t.comps]...)
		return
	}
	for i, p := range parts {
		want := t.elem
		if t.op == spirvtab.OpTypeStruct {
			want = r.structMember(rec.typ, i)
		}
		switch c := &r.ids[p]; c.kind {
		case idConst, idComposite, idNull, idUndef:
			if c.typ != want {
				r.fail("constituent %d, id %d, is not of the type %d", i, p, want)
			}
		default:
			r.fail("id %d is not a constant", p)
		}
	}
	rec.kind = idComposite
}

// sameSize reports whether two types are scalars of the same size.
func (r *reader) sameSize(a, b uint32) bool {
	x, y := r.typeAt(a), r.typeAt(b)
	return x.comps == 1 && y.comps == 1 && x.bits == y.bits
}

// structMember returns the type id of a struct's member.
func (r *reader) structMember(typ uint32, i int) uint32 {
	return r.ins(r.ids[typ].word)[2+i]
}

// constScalar returns a constant integer.
func (r *reader) constScalar(id uint32) (uint64, bool) {
	if id == 0 || id >= r.bound || r.ids[id].kind != idConst {
		return 0, false
	}
	t := r.typeOf(id)
	if t.comps != 1 || t.base != ir.TypeInt && t.base != ir.TypeUint {
		return 0, false
	}
	v := r.bits[r.ids[id].aux]
	if t.base == ir.TypeInt { // sign-extended: a negative length is then far too large
		v = uint64(int64(v<<(64-t.bits)) >> (64 - t.bits))
	}
	return v, true
}

// constInt returns a constant integer that must be known while reading.
func (r *reader) constInt(id uint32, what string) uint32 {
	v, ok := r.constScalar(id)
	if !ok {
		r.fail("%s, id %d, is not a constant integer", what, id)
	}
	return uint32(v)
}
