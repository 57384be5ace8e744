// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/image"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/op"
	"jacquard.example/generated/spirvtab"
)

// arithmetic emits an instruction whose row has a program: an expression of ALU operations on its operands.
func arithmetic(r *module.Reader, info *spirvtab.Op, in []uint32) {
	id := in[2]
	var args [4]ir.Src
	n := int(info.Args)
	for i := range n {
		args[i] = value.Src(r, in[3+i])
	}
	programs(r, id, info.Program, args[:n])
}

// programs sets id to the result of one program, or to a struct of the results of two.
func programs(r *module.Reader, id uint32, progs [2]uint8, args []ir.Src) {
	t := r.TypeOf(id)
	if progs[1] == 0 {
		value.SetSrc(r, id, image.Fit(r, run(r, progs[0], args, t.Bits), t))
		return
	}
	if t.Op != spirvtab.OpTypeStruct || t.N != 2 {
		r.Fail("the result type is not a struct of two members")
	}
	var v [2]module.Value
	for i := range v {
		mt := r.TypeAt(r.StructMember(r.Ids[id].Typ, i))
		if mt.Comps == 0 {
			r.Fail("member %d of the result type is not a scalar or vector", i)
		}
		v[i] = value.Leaf(image.Fit(r, run(r, progs[i], args, mt.Bits), mt))
		if v[i].Src.N != mt.Comps {
			r.Fail("member %d of the result type has another number of components than the operands", i)
		}
	}
	kids := value.NewKids(r, 2)
	r.Tree[kids], r.Tree[kids+1] = v[0], v[1]
	value.Set(r, id, module.Value{Kids: kids})
}

// clampTo32 clamps a signed 64-bit integer to the range of 32 bits.
func clampTo32(r *module.Reader, s ir.Src) ir.Src {
	s = value.Alu(r, op.IMax, s, value.Alu(r, op.I2I64, value.Imm(r, 1<<31)))
	return value.Alu(r, op.IMin, s, value.Alu(r, op.I2I64, value.Imm(r, 1<<31-1)))
}

// run emits the ALU operations of a program and returns its result. bits is the size of a component of the result.
func run(r *module.Reader, prog uint8, args []ir.Src, bits uint8) ir.Src {
	p := &spirvtab.Programs[prog-1]
	if p.Plain != 0 {
		return value.Alu(r, op.Op(p.Plain-1), args...)
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
					r.Fail("operand %d has too few components", n.Arg)
				}
				s = s.Swizzle(n.Swz)
			}
			if n.Bits != 0 {
				if have := value.BitsOf(r, s); n.Signed && have > 32 {
					s = clampTo32(r, s)
				}
				s = image.ToInt(r, s, n.Bits, n.Signed)
			}
			vals[i] = s
		case spirvtab.NodeConst:
			vals[i] = floatConst(r, n.Imm, value.BitsOf(r, args[0]))
		case spirvtab.NodeOp:
			for j := range n.NSrc {
				src[j] = vals[n.Src[j]]
			}
			vals[i] = value.Alu(r, r.Pick(n, src[0], bits), src[:n.NSrc]...)
		}
	}
	return vals[len(p.Nodes)-1]
}

func floatConst(r *module.Reader, row uint16, bits uint8) ir.Src {
	c := &spirvtab.Constants[row]
	switch bits {
	case 16:
		return value.AtEntry(r).Const(16, uint64(c.F16))
	case 64:
		return value.AtEntry(r).Const(64, c.F64)
	}
	return value.AtEntry(r).Const(32, uint64(c.F32))
}
