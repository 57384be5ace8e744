// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// maxTree limits the number of comparisons that are recomputed for one condition.
const maxTree = 6

// Flag computes a condition into a new flag at the current width. inv reports whether the flag contains the
// inverse of the condition.
func (c *Context) Flag(r ir.Src) (flag mir.Flag, inv bool) {
	flag = c.F.NewFlag()
	v, _ := c.Resolve(r)
	for c.S.At(v).IsALU(op.INot) && c.S.At(v).Bits == 1 {
		inv = !inv
		v, _ = c.Resolve(c.S.Src(v, 0).X())
	}
	budget := maxTree
	if c.inFlag(v) && !c.canFlag(v, false, &budget) {
		budget = maxTree
		if c.canFlag(v, true, &budget) {
			c.intoFlag(v, flagMode{on: true, flag: flag, neg: true})
			return flag, !inv
		}
	}
	c.intoFlag(v, flagMode{on: true, flag: flag})
	return flag, inv
}

// isCompare reports whether v is a comparison of values wider than one bit.
func (c *Context) isCompare(v ir.Value) bool {
	in := c.S.At(v)
	return in.Kind == kind.ALU && in.ALUOp().Info().Has(op.Comparison) && c.S.At(c.S.Src(v, 0).Val).Bits != 1
}

// inFlag reports whether v is recomputed into a flag at each use.
func (c *Context) inFlag(v ir.Value) bool {
	in := c.S.At(v)
	if in.Kind != kind.ALU || in.Bits != 1 {
		return false
	}
	if c.isCompare(v) {
		return true
	}
	switch in.ALUOp() {
	case op.IAnd, op.IOr, op.INot:
		return c.S.UsedOnce(v)
	}
	return false
}

// canFlag reports whether a tree of conditions (with neg, its inverse) can be computed into a flag step by
// step, under predicates.
func (c *Context) canFlag(v ir.Value, neg bool, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	if !c.inFlag(v) {
		return true // tested from its register
	}
	in := c.S.At(v)
	if c.isCompare(v) {
		return !neg || hasInverse(in.ALUOp())
	}
	a, _ := c.Resolve(c.S.Src(v, 0).X())
	if in.ALUOp() == op.INot {
		return c.canFlag(a, !neg, budget)
	}
	b, _ := c.Resolve(c.S.Src(v, 1).X())
	if !c.canFlag(a, neg, budget) || !c.canFlag(b, neg, budget) {
		return false
	}
	// The second operand is computed under the first: it is a chain of the same kind or a single comparison.
	return c.chains(b, neg, in.ALUOp() == op.IAnd != neg)
}

// chains reports whether v (with neg, its inverse) is a leaf or a chain of ands (or of ors) that can continue
// in the same flag.
func (c *Context) chains(v ir.Value, neg, and bool) bool {
	if !c.inFlag(v) || c.isCompare(v) {
		return true
	}
	in := c.S.At(v)
	a, _ := c.Resolve(c.S.Src(v, 0).X())
	if in.ALUOp() == op.INot {
		return c.chains(a, !neg, and)
	}
	b, _ := c.Resolve(c.S.Src(v, 1).X())
	return in.ALUOp() == op.IAnd != neg == and && c.chains(a, neg, and) && c.chains(b, neg, and)
}

// hasInverse reports whether an operation has another comparison as its exact inverse. Float less-than has
// none: both it and greater-or-equal are false for NaN.
func hasInverse(o op.Op) bool {
	switch o {
	case op.FEq, op.FNeu, op.IEq, op.INe, op.ILt, op.IGe, op.ULt, op.UGe:
		return true
	}
	return false
}

// intoFlag emits v into the flag of the mode.
func (c *Context) intoFlag(v ir.Value, m flagMode) {
	budget := maxTree
	if !c.inFlag(v) || !c.canFlag(v, m.neg, &budget) || m.pred && !c.chains(v, m.neg, !m.predInv) {
		cond := isa.CModNE
		if m.neg {
			cond = isa.CModEQ
		}
		in := c.B.Emit(isa.OpMov, mir.Null(isa.TypeD), c.flagSource(v))
		in.CMod, in.Flag = cond, m.flag
		m.predicate(in)
		return
	}
	in := c.S.At(v)
	if c.isCompare(v) {
		saved := c.flagMode
		c.flagMode = m
		c.Sel.Emit(v)
		c.flagMode = saved
		return
	}
	a, _ := c.Resolve(c.S.Src(v, 0).X())
	if in.ALUOp() == op.INot {
		m.neg = !m.neg
		c.intoFlag(a, m)
		return
	}
	b, _ := c.Resolve(c.S.Src(v, 1).X())
	c.intoFlag(a, m)
	m.pred, m.predInv = true, in.ALUOp() == op.IAnd == m.neg
	c.intoFlag(b, m)
}

// flagSource returns the register or constant of a condition, for a test against zero.
func (c *Context) flagSource(v ir.Value) mir.Operand {
	return c.value(v, 0, isa.TypeD)
}

func (m *flagMode) predicate(in *mir.Inst) {
	if m.pred {
		in.Pred, in.PredInv = isa.PredNormal, m.predInv
	}
}

var inverse = [...]isa.CMod{
	isa.CModEQ: isa.CModNE, isa.CModNE: isa.CModEQ, isa.CModLT: isa.CModGE,
	isa.CModGE: isa.CModLT, isa.CModGT: isa.CModLE, isa.CModLE: isa.CModGT,
}

// compare emits the comparison in, which computes v, into the flag being computed or into v's register.
func (c *Context) compare(v ir.Value, in mir.Inst) {
	m := c.flagMode
	x := in.Src[0].Type
	if m.on {
		if m.neg {
			in.CMod = inverse[in.CMod]
		}
		c.flagMode = flagMode{}
		in.Flag, in.Dst = m.flag, mir.Null(x)
		m.predicate(&in)
		c.Insert(in)
		return
	}
	in.Flag = c.F.NewFlag()
	if x.Size() == 4 {
		in.Dst = c.Result(v, x)
		c.Insert(in)
		return
	}
	// The result has the size of the sources: widen it through the flag.
	in.Dst = mir.Null(x)
	c.Insert(in)
	t := c.NewTemp(isa.TypeD)
	c.B.Mov(t, mir.D(0))
	c.B.Sel(in.Flag, true, c.Result(v, isa.TypeD), c.Source(t), mir.D(-1))
}

// Insert inserts an instruction at the cursor, at the current width and mask.
func (c *Context) Insert(in mir.Inst) *mir.Inst {
	in.Exec, in.Chan, in.NoMask = c.B.Exec, c.B.Chan, c.B.NoMask
	return c.F.At(c.B.Insert(in))
}

// Select emits a select of a if the condition holds, else of b.
func (c *Context) Select(v ir.Value, cond, a, b ir.Src) {
	t := TypeOf(op.Bits, c.S.At(v).Bits)
	dst, x, y := c.Result(v, t), c.Use(a, t), c.Use(b, t)
	flag, inv := c.Flag(cond)
	c.B.Sel(flag, inv, dst, x, y)
}
