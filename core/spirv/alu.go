package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// alu inserts an ALU operation after checking its sources, which an invalid module may give any type.
func (r *reader) alu(o op.Op, src ...ir.Src) ir.Src {
	info := o.Info()
	bits := uint8(0)
	float := info.Out.Base == op.Float
	n := uint8(1)
	for i := range src {
		want := &info.Src[i]
		b := r.bitsOf(src[i])
		if want.Bits == 0 {
			if bits == 0 {
				bits = b
			}
			if b != bits || info.Sizes&op.SizeOf(b) == 0 {
				r.fail("an operand of %d bits does not fit %v", b, o)
			}
		} else if b != want.Bits {
			r.fail("an operand of %d bits does not fit %v", b, o)
		}
		if want.Comps == 0 {
			if src[i].N != 1 {
				if n != 1 && n != src[i].N {
					r.fail("operands of %d and %d components", n, src[i].N)
				}
				n = src[i].N
			}
		} else if src[i].N != want.Comps {
			r.fail("an operand of %d components does not fit %v", src[i].N, o)
		}
		float = float || want.Base == op.Float
	}
	r.b.Float = 0
	if float {
		if bits == 0 {
			bits = max(info.Out.Bits, info.Src[0].Bits)
		}
		r.b.Float = r.mask(bits)&^r.own.drop | r.own.give
	}
	return r.b.ALU(o, src...)
}

// mask returns the guarantees that float operations of a size may relax by default.
func (r *reader) mask(bits uint8) uint16 {
	switch bits {
	case 16:
		return r.floatMask[0]
	case 64:
		return r.floatMask[2]
	}
	return r.floatMask[1]
}

// arithmetic reads an instruction implemented by a program.
func (r *reader) arithmetic(info *spirvtab.Op, in []uint32) {
	id := in[2]
	var args [4]ir.Src
	n := int(info.Args)
	for i := range n {
		args[i] = r.src(in[3+i])
	}
	r.programs(id, info.Program, args[:n])
}

// programs sets id to the result of one program, or to a struct of the results of two.
func (r *reader) programs(id uint32, progs [2]uint8, args []ir.Src) {
	t := r.typeOf(id)
	if progs[1] == 0 {
		r.setSrc(id, r.fit(r.run(progs[0], args, t.bits), t))
		return
	}
	if t.op != spirvtab.OpTypeStruct || t.n != 2 {
		r.fail("the result type is not a struct of two members")
	}
	var v [2]value
	for i := range v {
		mt := r.typeAt(r.structMember(r.ids[id].typ, i))
		if mt.comps == 0 {
			r.fail("member %d of the result type is not a scalar or vector", i)
		}
		v[i] = leaf(r.fit(r.run(progs[i], args, mt.bits), mt))
		if v[i].src.N != mt.comps {
			r.fail("member %d of the result type has other components than the operands", i)
		}
	}
	kids := r.newKids(2)
	r.tree[kids], r.tree[kids+1] = v[0], v[1]
	r.set(id, value{kids: kids})
}

// fit converts the result of an operation whose size is fixed (bit counts, bit
// positions) to the integer type of the instruction.
func (r *reader) fit(s ir.Src, t *typeRec) ir.Src {
	have := r.bitsOf(s)
	if have == t.bits || t.base != ir.TypeInt && t.base != ir.TypeUint {
		return s
	}
	if t.base == ir.TypeInt {
		return r.toInt(s, t.bits, true)
	}
	return r.toInt(s, t.bits, false)
}

var signedTo = [5]op.Op{1: op.I2I8, 2: op.I2I16, 3: op.I2I32, 4: op.I2I64}
var unsignedTo = [5]op.Op{1: op.U2U8, 2: op.U2U16, 3: op.U2U32, 4: op.U2U64}

// toInt converts an integer to another size.
func (r *reader) toInt(s ir.Src, bits uint8, signed bool) ir.Src {
	if have := r.bitsOf(s); have == bits || have == 1 || bits == 1 {
		return s
	}
	if signed {
		return r.alu(signedTo[sizeIndex(bits)], s)
	}
	return r.alu(unsignedTo[sizeIndex(bits)], s)
}

// clampTo32 clamps a signed 64-bit integer to the range of 32 bits.
func (r *reader) clampTo32(s ir.Src) ir.Src {
	s = r.alu(op.IMax, s, r.alu(op.I2I64, r.imm(1<<31)))
	return r.alu(op.IMin, s, r.alu(op.I2I64, r.imm(1<<31-1)))
}

// run evaluates a program over operands. bits is the size of a component of the
// result.
func (r *reader) run(prog uint8, args []ir.Src, bits uint8) ir.Src {
	p := &spirvtab.Programs[prog-1]
	if p.Plain != 0 {
		return r.alu(op.Op(p.Plain-1), args...)
	}
	var vals [64]ir.Src
	var src [4]ir.Src
	for i := range p.Nodes {
		n := &p.Nodes[i]
		switch n.Kind {
		case spirvtab.NodeArg:
			s := args[n.Arg]
			if n.Swz != "" {
				if s.N < uint8(len(n.Swz)) {
					r.fail("operand %d has too few components", n.Arg)
				}
				s = s.Swizzle(n.Swz)
			}
			if n.Bits != 0 {
				if have := r.bitsOf(s); n.Signed && have > 32 {
					s = r.clampTo32(s)
				}
				s = r.toInt(s, n.Bits, n.Signed)
			}
			vals[i] = s
		case spirvtab.NodeConst:
			vals[i] = r.floatConst(n.Imm, r.bitsOf(args[0]))
		case spirvtab.NodeOp:
			for j := range n.NSrc {
				src[j] = vals[n.Src[j]]
			}
			vals[i] = r.alu(r.pick(n, src[0], bits), src[:n.NSrc]...)
		}
	}
	return vals[len(p.Nodes)-1]
}

// pick returns the opcode of a program's step.
func (r *reader) pick(n *spirvtab.Node, first ir.Src, bits uint8) op.Op {
	o := uint16(0)
	switch n.Pick {
	case spirvtab.PickFixed:
		return op.Op(n.Op)
	case spirvtab.PickBits:
		if i := sizeIndex(bits); i > 0 {
			o = spirvtab.Families[n.Op][i-1]
		}
	case spirvtab.PickComps:
		o = spirvtab.Families[n.Op][first.N-1]
	}
	if o == 0 {
		r.fail("the operation is not defined on components of %d bits", bits)
	}
	return op.Op(o - 1)
}

func (r *reader) floatConst(row uint16, bits uint8) ir.Src {
	c := &spirvtab.Constants[row]
	switch bits {
	case 16:
		return r.atEntry().Const(16, uint64(c.F16))
	case 64:
		return r.atEntry().Const(64, c.F64)
	}
	return r.atEntry().Const(32, uint64(c.F32))
}
