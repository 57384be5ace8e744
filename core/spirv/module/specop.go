// SPDX-License-Identifier: MIT

package module

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
func (r *Reader) specOp(rec *IdRec, t *TypeRec, in []uint32) {
	num, ops := uint16(in[3]), in[4:]
	info := spirvtab.Lookup(num)
	if in[3] > 0xffff || info == nil {
		r.Fail("unknown opcode %d", in[3])
	}
	switch num {
	case spirvtab.OpCompositeExtract:
		r.specExtract(rec, info, ops)
		return
	case spirvtab.OpCompositeInsert:
		r.specInsert(in[2], info, ops)
		return
	case spirvtab.OpSelect:
		if t.Comps == 0 {
			r.specSelect(rec, info, ops)
			return
		}
	case spirvtab.OpVectorShuffle:
	default:
		if info.Program[0] == 0 || info.Program[1] != 0 {
			r.Refuse("%s in a specialization constant is not supported", info.Name)
		}
	}
	if t.Comps == 0 {
		r.Fail("the result is not a scalar or vector")
	}
	v := r.specValue(info, t, ops)
	if v.comps != t.Comps || v.bits != t.Bits {
		r.Fail("%s yields %d %d-bit components, but the result type has %d of %d bits", info.Name, v.comps, v.bits, t.Comps, t.Bits)
	}
	r.newConst(rec, v.v[:v.comps]...)
}

func (r *Reader) specValue(info *spirvtab.Op, t *TypeRec, ops []uint32) cval {
	need := func(n int) {
		if len(ops) < n {
			r.Fail("%s has %d operands, but needs %d", info.Name, len(ops), n)
		}
	}
	switch info.Num {
	case spirvtab.OpVectorShuffle:
		need(3)
		a, b := r.cval(ops[0]), r.cval(ops[1])
		if a.bits != b.bits || len(ops)-2 != int(t.Comps) {
			r.Fail("%s does not fit the result", info.Name)
		}
		out := cval{comps: t.Comps, bits: a.bits}
		for i, k := range ops[2:] {
			switch {
			case k < uint32(a.comps):
				out.v[i] = a.v[k]
			case k-uint32(a.comps) < uint32(b.comps):
				out.v[i] = b.v[k-uint32(a.comps)]
			case k != ^uint32(0):
				r.Fail("%s: there is no component %d", info.Name, k)
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
func (r *Reader) cval(id uint32) cval {
	if id == 0 || id >= r.Bound || r.Ids[id].Kind != IdConst && r.Ids[id].Kind != IdUndef || r.TypeOf(id).Comps == 0 {
		r.Fail("id %d is not a scalar or vector constant", id)
	}
	t := r.TypeOf(id)
	c := cval{comps: t.Comps, bits: t.Bits}
	if r.Ids[id].Kind == IdUndef {
		return c
	}
	copy(c.v[:], r.Bits[r.Ids[id].Aux:r.Ids[id].Aux+uint32(t.Comps)])
	return c
}

// specExtract makes the result an alias of the extracted part's constant.
func (r *Reader) specExtract(rec *IdRec, info *spirvtab.Op, ops []uint32) {
	if len(ops) < 2 || ops[0] == 0 || ops[0] >= r.Bound {
		r.Fail("%s needs a composite and an index", info.Name)
	}
	id, typ := ops[0], r.Ids[ops[0]].Typ
	for n, i := range ops[1:] {
		pt := r.Part(typ, i)
		if pt == 0 {
			r.Fail("%s: there is no part %d", info.Name, i)
		}
		c := &r.Ids[id]
		switch {
		case c.Kind == IdNull || c.Kind == IdUndef:
			rec.Kind = c.Kind
			if t := r.TypeAt(rec.Typ); t.Comps != 0 {
				r.newConst(rec, make([]uint64, t.Comps)...)
			}
			return
		case c.Kind == IdConst:
			if n != len(ops)-2 || pt != rec.Typ {
				r.Fail("%s: the part has a different type than the result", info.Name)
			}
			r.newConst(rec, r.Bits[c.Aux+i])
			return
		case c.Kind != IdComposite:
			r.Fail("id %d is not a constant", id)
		}
		id, typ = r.ConstParts(id)[i], pt
	}
	if typ != rec.Typ {
		r.Fail("%s: the part has a different type than the result", info.Name)
	}
	c := &r.Ids[id]
	rec.Kind, rec.Aux, rec.Word = c.Kind, c.Aux, c.Word
}

// ConstParts returns the ids of a composite constant's constituents.
func (r *Reader) ConstParts(id uint32) []uint32 {
	rec := &r.Ids[id]
	if rec.Aux == 0 {
		return r.Ins(rec.Word)[3:]
	}
	return r.parts[rec.Aux : rec.Aux+r.TypeAt(rec.Typ).N]
}

// specInsert makes the result a copy of a composite with one part replaced.
func (r *Reader) specInsert(id uint32, info *spirvtab.Op, ops []uint32) {
	if len(ops) < 3 {
		r.Fail("%s needs an object, a composite and an index", info.Name)
	}
	for _, o := range ops[:2] {
		r.checkConst(o)
	}
	if r.Ids[ops[1]].Typ != r.Ids[id].Typ {
		r.Fail("%s: the composite has a different type than the result", info.Name)
	}
	c := r.Ids[r.inserting(ops[0], ops[1], ops[2:])]
	rec := &r.Ids[id]
	rec.Kind, rec.Aux, rec.Word = c.Kind, c.Aux, c.Word
}

// specSelect makes a result of aggregate type an alias of the selected constant.
func (r *Reader) specSelect(rec *IdRec, info *spirvtab.Op, ops []uint32) {
	if len(ops) != 3 {
		r.Fail("%s has %d operands, but needs 3", info.Name, len(ops))
	}
	c := r.cval(ops[0])
	if c.comps != 1 || c.bits != 1 {
		r.Fail("%s: the condition is not a bool", info.Name)
	}
	id := ops[1]
	if c.v[0] == 0 {
		id = ops[2]
	}
	for _, o := range ops[1:] {
		r.checkConst(o)
		if r.Ids[o].Typ != rec.Typ {
			r.Fail("%s: id %d has a different type than the result", info.Name, o)
		}
	}
	x := &r.Ids[id]
	rec.Kind, rec.Aux, rec.Word = x.Kind, x.Aux, x.Word
}

func (r *Reader) checkConst(id uint32) {
	if id != 0 && id < r.Bound {
		switch r.Ids[id].Kind {
		case IdConst, IdComposite, IdNull, IdUndef:
			return
		}
	}
	r.Fail("id %d is not a constant", id)
}

// inserting returns a copy of the constant composite id in which the part selected by the indices is the constant obj.
func (r *Reader) inserting(obj, id uint32, indices []uint32) uint32 {
	if len(indices) == 0 {
		if r.Ids[obj].Typ != r.Ids[id].Typ {
			r.Fail("the part has a different type than the object")
		}
		return obj
	}
	typ := r.Ids[id].Typ
	i := indices[0]
	pt := r.Part(typ, i)
	if pt == 0 {
		r.Fail("there is no part %d", i)
	}
	t := r.TypeAt(typ)
	r.Count(t.N)
	if t.Comps != 0 {
		v := r.Ids[obj]
		if len(indices) != 1 || v.Typ != pt || v.Kind != IdConst && v.Kind != IdUndef {
			r.Fail("the part has a different type than the object")
		}
		var comps [4]uint64
		if c := &r.Ids[id]; c.Kind == IdConst {
			copy(comps[:], r.Bits[c.Aux:c.Aux+t.N])
		}
		if v.Kind == IdConst {
			comps[i] = r.Bits[v.Aux]
		}
		out := r.madeUp(IdConst, typ)
		r.newConst(&r.Ids[out], comps[:t.N]...)
		return out
	}
	n := t.N
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
	out := r.madeUp(IdComposite, typ)
	r.Ids[out].Aux = at
	return out
}

// constPart returns the constant for a part of a composite constant.
func (r *Reader) constPart(id, i uint32) uint32 {
	rec := &r.Ids[id]
	if rec.Kind == IdComposite {
		return r.ConstParts(id)[i]
	}
	pt := r.Part(rec.Typ, i)
	if t := r.TypeAt(pt); t.Comps != 0 && rec.Kind == IdNull {
		out := r.madeUp(IdConst, pt)
		r.newConst(&r.Ids[out], make([]uint64, t.Comps)...)
		return out
	}
	return r.madeUp(rec.Kind, pt)
}

// madeUp creates a constant that has no id in the module.
func (r *Reader) madeUp(k idKind, typ uint32) uint32 {
	r.Ids = append(r.Ids, IdRec{Kind: k, Typ: typ, Word: r.At})
	return uint32(len(r.Ids) - 1)
}

// foldProgram computes a program of ALU operations on constants. Its result is a value of type t.
func (r *Reader) foldProgram(prog uint8, args []cval, t *TypeRec) cval {
	p := &spirvtab.Programs[prog-1]
	var vals [64]cval
	var src [4]cval
	for i := range p.Nodes {
		n := &p.Nodes[i]
		switch n.Kind {
		case spirvtab.NodeArg:
			c := args[n.Arg]
			if n.Swz != "" {
				r.Fail("a swizzle in a specialization constant is not supported")
			}
			if n.Bits != 0 && c.bits != 1 {
				for j := range c.v {
					c.v[j] &= Mask(n.Bits)
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
			vals[i] = r.foldOp(r.Pick(n, ir.Src{N: src[0].comps}, t.Bits), src[:n.NSrc])
		}
	}
	return vals[len(p.Nodes)-1]
}

// foldOp computes an ALU operation on constants.
func (r *Reader) foldOp(o op.Op, args []cval) cval {
	info := o.Info()
	comps, bits := uint8(1), uint8(0)
	for i := range args {
		want := &info.Src[i]
		switch {
		case want.Bits != 0 && want.Bits != args[i].bits, want.Comps != 0 && want.Comps != args[i].comps,
			want.Bits == 0 && bits != 0 && bits != args[i].bits:
			r.Fail("an operand does not fit %v", o)
		case want.Bits == 0:
			bits = args[i].bits
		}
		if want.Comps == 0 {
			comps = max(comps, args[i].comps)
		}
	}
	if bits != 0 && info.Sizes&op.SizeOf(bits) == 0 {
		r.Fail("a %d-bit operand does not fit %v", bits, o)
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
		r.Fail("%v of %d bits cannot be computed", o, bits)
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
