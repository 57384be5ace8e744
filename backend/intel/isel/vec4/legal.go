// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// legalize moves sources of an instruction to where it can read them: one immediate, the last source, of one with two
// sources; none of the math unit and of one with three, which reads whole registers or one component for all channels
// (Haswell PRM vol. 7, "Immediate", "Three-source instructions"). Where the machine negates the sources of bitwise
// operations as numbers, complements are instructions of their own.
func (c *Context) legalize(in *mir.Inst) {
	for k := range in.Src {
		if o := &in.Src[k]; o.File == mir.Imm && o.HasMods() { // a row has folded a negation of a constant
			neg, abs := o.Neg, o.Abs
			*o = c.loaded(*o)
			o.Neg, o.Abs = neg, abs
		}
		if o := &in.Src[k]; o.Neg && isLogic(in.Op) && c.Target.Can(target.LogicNegates) {
			tmp, from := mir.V(c.newReg(1), o.Type), *o
			from.Neg = false
			c.emit(isa.OpNot, tmp, from)
			*o = tmp
		}
	}
	info := &isa.Ops[in.Op]
	switch info.Format {
	case isa.FormatTernary:
		for k := range in.Src {
			c.whole(&in.Src[k])
		}
		return
	case isa.FormatMath:
		for k := range in.Src {
			if in.Src[k].File == mir.Imm {
				in.Src[k] = c.loaded(in.Src[k])
			}
		}
		return
	}
	if in.Src[0].File != mir.Imm || in.Src[1].File == mir.None {
		return
	}
	if in.Src[1].File != mir.Imm && swap(in) {
		return
	}
	in.Src[0] = c.loaded(in.Src[0])
}

// isLogic reports whether an operation works on bits.
func isLogic(o isa.Op) bool {
	return o == isa.OpAnd || o == isa.OpOr || o == isa.OpXor || o == isa.OpNot
}

// whole replaces a source that an instruction with three sources cannot read, an immediate or a half of a register, by a
// register that is loaded at the start.
func (c *Context) whole(o *mir.Operand) {
	if o.File == mir.Imm {
		*o = c.loaded(*o)
		return
	}
	if o.Rows == 0 {
		return
	}
	if ch := o.Swizzle.Lane(0); o.Swizzle == fields.SwizzleOf(uint8(ch), uint8(ch), uint8(ch), uint8(ch)) {
		*o = o.At(4 * uint32(ch)).WithStride(0)
		return
	}
	swizzle, neg, abs := o.Swizzle, o.Neg, o.Abs
	base := *o
	base.Swizzle, base.Neg, base.Abs = 0, false, false
	reg := c.copies[base.As(isa.TypeUD)]
	if reg == 0 {
		reg = c.newReg(1)
		base = base.As(isa.TypeUD)
		c.copies[base] = reg
		c.loads = append(c.loads, base)
	}
	*o = mir.V(reg, o.Type)
	o.Swizzle, o.Neg, o.Abs = swizzle, neg, abs
}

// swap exchanges the two sources of an instruction, if it can compute the same from them.
func swap(in *mir.Inst) bool {
	switch in.Op {
	case isa.OpAdd, isa.OpMul, isa.OpAnd, isa.OpOr, isa.OpXor:
	case isa.OpSel:
		if in.CMod == isa.CModNone {
			in.PredInv = !in.PredInv
		}
	case isa.OpCmp:
		in.CMod = swapped[in.CMod]
	default:
		return false
	}
	in.Src[0], in.Src[1] = in.Src[1], in.Src[0]
	return true
}

// swapped are the comparisons of exchanged operands.
var swapped = [...]isa.CMod{
	isa.CModEQ: isa.CModEQ, isa.CModNE: isa.CModNE, isa.CModLT: isa.CModGT,
	isa.CModGE: isa.CModLE, isa.CModGT: isa.CModLT, isa.CModLE: isa.CModGE,
}

// loadCopies copies the push data that instructions with three sources read to whole registers.
func (c *Context) loadCopies() {
	for _, o := range c.loads {
		c.frame = all(0)
		c.emit(isa.OpMov, mir.V(c.copies[o], isa.TypeUD), o)
	}
}
