package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// cval is a scalar or vector constant during evaluation.
type cval struct {
	comps, bits uint8
	v           [4]uint64
}

// specOp reads OpSpecConstantOp. It uses the same tables as for instructions, evaluated by the constant folder.
func (r *reader) specOp(rec *idRec, t *typeRec, in []uint32) {
	num, ops := uint16(in[3]), in[4:]
	info := spirvtab.Lookup(num)
	if in[3] > 0xffff || info == nil {
		r.fail("unknown opcode %d", in[3])
	}
	switch num {
	case spirvtab.OpCompositeExtract:
		r.specExtract(rec, info, ops)
		return
	case spirvtab.OpCompositeInsert:
		r.specInsert(in[2], info, ops)
		return
	case spirvtab.OpSelect:
		if t.comps == 0 {
			r.specSelect(rec, info, ops)
			return
		}
	case spirvtab.OpVectorShuffle:
	default:
		if info.Program[0] == 0 || info.Program[1] != 0 {
			r.refuse("%s in a specialization constant is not supported", info.Name)
		}
	}
	if t.comps == 0 {
		r.fail("the result is not a scalar or vector")
	}
	v := r.specValue(info, t, ops)
	if v.comps != t.comps || v.bits != t.bits {
		r.fail("%s yields %d components of %d bits, the result type has %d of %d", info.Name, v.comps, v.bits, t.comps, t.bits)
	}
	r.newConst(rec, v.v[:v.comps]...)
}

func (r *reader) specValue(info *spirvtab.Op, t *typeRec, ops []uint32) cval {
	need := func(n int) {
		if len(ops) < n {
			r.fail("%s has %d operands, needs %d", info.Name, len(ops), n)
		}
	}
	switch info.Num {
	case spirvtab.OpVectorShuffle:
		need(3)
		a, b := r.cval(ops[0]), r.cval(ops[1])
		if a.bits != b.bits || len(ops)-2 != int(t.comps) {
			r.fail("%s does not fit the result", info.Name)
		}
		out := cval{comps: t.comps, bits: a.bits}
		for i, k := range ops[2:] {
			switch {
			case k < uint32(a.comps):
				out.v[i] = a.v[k]
			case k-uint32(a.comps) < uint32(b.comps):
				out.v[i] = b.v[k-uint32(a.comps)]
			case k != ^uint32(0):
				r.fail("%s: there is no component %d", info.Name, k)
			}
		}
		return out
	case spirvtab.OpSelect:
		need(3)
		return r.foldOp(op.BCsel, []cval{r.cval(ops[0]), r.cval(ops[1]), r.cval(ops[2])})
	}
	need(int(info.Args))
	var args [4]cval
	for i := range info.Args {
		args[i] = r.cval(ops[i])
	}
	return r.foldProgram(info.Program[0], args[:info.Args], t)
}

// cval returns a scalar or vector constant; an undefined one is zero.
func (r *reader) cval(id uint32) cval {
	if id == 0 || id >= r.bound || r.ids[id].kind != idConst && r.ids[id].kind != idUndef || r.typeOf(id).comps == 0 {
		r.fail("id %d is not a scalar or vector constant", id)
	}
	t := r.typeOf(id)
	c := cval{comps: t.comps, bits: t.bits}
	if r.ids[id].kind == idUndef {
		return c
	}
	copy(c.v[:], r.bits[r.ids[id].aux:r.ids[id].aux+uint32(t.comps)])
	return c
}

// specExtract makes the result an alias of the extracted part's constant.
func (r *reader) specExtract(rec *idRec, info *spirvtab.Op, ops []uint32) {
	if len(ops) < 2 || ops[0] == 0 || ops[0] >= r.bound {
		r.fail("%s needs a composite and an index", info.Name)
	}
	id, typ := ops[0], r.ids[ops[0]].typ
	for n, i := range ops[1:] {
		pt := r.part(typ, i)
		if pt == 0 {
			r.fail("%s: there is no part %d", info.Name, i)
		}
		c := &r.ids[id]
		switch {
		case c.kind == idNull || c.kind == idUndef:
			rec.kind = c.kind
			if t := r.typeAt(rec.typ); t.comps != 0 {
				r.newConst(rec, make([]uint64, t.comps)...)
			}
			return
		case c.kind == idConst:
			if n != len(ops)-2 || pt != rec.typ {
				r.fail("%s: the part has another type than the result", info.Name)
			}
			r.newConst(rec, r.bits[c.aux+i])
			return
		case c.kind != idComposite:
			r.fail("id %d is not a constant", id)
		}
		id, typ = r.constParts(id)[i], pt
	}
	if typ != rec.typ {
		r.fail("%s: the part has another type than the result", info.Name)
	}
	c := &r.ids[id]
	rec.kind, rec.aux, rec.word = c.kind, c.aux, c.word
}

// constParts returns the ids of a composite constant's constituents.
func (r *reader) constParts(id uint32) []uint32 {
	rec := &r.ids[id]
	if rec.aux == 0 {
		return r.ins(rec.word)[3:]
	}
	return r.parts[rec.aux : rec.aux+r.typeAt(rec.typ).n]
}

// specInsert makes the result a copy of a composite with one part replaced.
func (r *reader) specInsert(id uint32, info *spirvtab.Op, ops []uint32) {
	if len(ops) < 3 {
		r.fail("%s needs an object, a composite and an index", info.Name)
	}
	for _, o := range ops[:2] {
		r.checkConst(o)
	}
	if r.ids[ops[1]].typ != r.ids[id].typ {
		r.fail("%s: the composite has another type than the result", info.Name)
	}
	c := r.ids[r.inserting(ops[0], ops[1], ops[2:])]
	rec := &r.ids[id]
	rec.kind, rec.aux, rec.word = c.kind, c.aux, c.word
}

// specSelect makes a result of aggregate type an alias of the selected constant.
func (r *reader) specSelect(rec *idRec, info *spirvtab.Op, ops []uint32) {
	if len(ops) != 3 {
		r.fail("%s has %d operands, needs 3", info.Name, len(ops))
	}
	c := r.cval(ops[0])
	if c.comps != 1 || c.bits != 1 {
		r.fail("%s: the condition is not a bool", info.Name)
	}
	id := ops[1]
	if c.v[0] == 0 {
		id = ops[2]
	}
	for _, o := range ops[1:] {
		r.checkConst(o)
		if r.ids[o].typ != rec.typ {
			r.fail("%s: id %d has another type than the result", info.Name, o)
		}
	}
	x := &r.ids[id]
	rec.kind, rec.aux, rec.word = x.kind, x.aux, x.word
}

func (r *reader) checkConst(id uint32) {
	if id != 0 && id < r.bound {
		switch r.ids[id].kind {
		case idConst, idComposite, idNull, idUndef:
			return
		}
	}
	r.fail("id %d is not a constant", id)
}

// inserting returns a copy of the constant composite id in which the part selected by the indices is the constant obj.
func (r *reader) inserting(obj, id uint32, indices []uint32) uint32 {
	if len(indices) == 0 {
		if r.ids[obj].typ != r.ids[id].typ {
			r.fail("the part has another type than the object")
		}
		return obj
	}
	typ := r.ids[id].typ
	i := indices[0]
	pt := r.part(typ, i)
	if pt == 0 {
		r.fail("there is no part %d", i)
	}
	t := r.typeAt(typ)
	r.count(t.n)
	if t.comps != 0 {
		v := r.ids[obj]
		if len(indices) != 1 || v.typ != pt || v.kind != idConst && v.kind != idUndef {
			r.fail("the part has another type than the object")
		}
		var comps [4]uint64
		if c := &r.ids[id]; c.kind == idConst {
			copy(comps[:], r.bits[c.aux:c.aux+t.n])
		}
		if v.kind == idConst {
			comps[i] = r.bits[v.aux]
		}
		out := r.madeUp(idConst, typ)
		r.newConst(&r.ids[out], comps[:t.n]...)
		return out
	}
	n := t.n
	part := r.constPart(id, i)
	part = r.inserting(obj, part, indices[1:])
	at := uint32(len(r.parts))
	for k := range n {
		p := part
		if k != i {
			p = r.constPart(id, k)
		}
		r.parts = append(r.parts, p)
	}
	out := r.madeUp(idComposite, typ)
	r.ids[out].aux = at
	return out
}

// constPart returns the constant for a part of a composite constant.
func (r *reader) constPart(id, i uint32) uint32 {
	rec := &r.ids[id]
	if rec.kind == idComposite {
		return r.constParts(id)[i]
	}
	pt := r.part(rec.typ, i)
	if t := r.typeAt(pt); t.comps != 0 && rec.kind == idNull {
		out := r.madeUp(idConst, pt)
		r.newConst(&r.ids[out], make([]uint64, t.comps)...)
		return out
	}
	return r.madeUp(rec.kind, pt)
}

// madeUp creates a constant that has no id in the module.
func (r *reader) madeUp(k idKind, typ uint32) uint32 {
	r.ids = append(r.ids, idRec{kind: k, typ: typ, word: r.at})
	return uint32(len(r.ids) - 1)
}

// foldProgram is run for constants.
func (r *reader) foldProgram(prog uint8, args []cval, t *typeRec) cval {
	p := &spirvtab.Programs[prog-1]
	var vals [64]cval
	var src [4]cval
	for i := range p.Nodes {
		n := &p.Nodes[i]
		switch n.Kind {
		case spirvtab.NodeArg:
			c := args[n.Arg]
			if n.Swz != "" {
				r.fail("a swizzle in a specialization constant")
			}
			if n.Bits != 0 && c.bits != 1 {
				for j := range c.v {
					c.v[j] &= mask(n.Bits)
				}
				c.bits = n.Bits
			}
			vals[i] = c
		case spirvtab.NodeConst:
			k := &spirvtab.Constants[n.Imm]
			vals[i] = cval{1, args[0].bits, [4]uint64{uint64(k.F32)}}
			switch args[0].bits {
			case 16:
				vals[i].v[0] = uint64(k.F16)
			case 64:
				vals[i].v[0] = k.F64
			}
		case spirvtab.NodeOp:
			for j := range n.NSrc {
				src[j] = vals[n.Src[j]]
			}
			vals[i] = r.foldOp(r.pick(n, ir.Src{N: src[0].comps}, t.bits), src[:n.NSrc])
		}
	}
	return vals[len(p.Nodes)-1]
}

// foldOp computes an ALU operation on constants.
func (r *reader) foldOp(o op.Op, args []cval) cval {
	info := o.Info()
	comps, bits := uint8(1), uint8(0)
	for i := range args {
		want := &info.Src[i]
		switch {
		case want.Bits != 0 && want.Bits != args[i].bits, want.Comps != 0 && want.Comps != args[i].comps,
			want.Bits == 0 && bits != 0 && bits != args[i].bits:
			r.fail("an operand does not fit %v", o)
		case want.Bits == 0:
			bits = args[i].bits
		}
		if want.Comps == 0 {
			comps = max(comps, args[i].comps)
		}
	}
	if bits != 0 && info.Sizes&op.SizeOf(bits) == 0 {
		r.fail("an operand of %d bits does not fit %v", bits, o)
	}
	var src [op.MaxSrc][fold.MaxComps]uint64
	var dst [fold.MaxComps]uint64
	for i := range args {
		for c := range max(comps, args[i].comps) {
			src[i][c] = args[i].v[c]
			if args[i].comps == 1 {
				src[i][c] = args[i].v[0]
			}
		}
	}
	if !fold.Eval(o, bits, comps, &src, &dst, num.Mode(0)) {
		r.fail("%v of %d bits cannot be computed", o, bits)
	}
	out := cval{comps: comps, bits: bits}
	if info.Out.Comps != 0 {
		out.comps = info.Out.Comps
	}
	if info.Out.Bits != 0 {
		out.bits = info.Out.Bits
	}
	copy(out.v[:], dst[:4])
	return out
}
