package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/op"
)

// simple are ALU operations that are one machine instruction: sources in order.
var simple = [op.Count]struct {
	op   isa.Op
	cmod isa.CMod
	math isa.MathFn
	ok   bool
}{
	op.FAdd: {op: isa.OpAdd, ok: true}, op.IAdd: {op: isa.OpAdd, ok: true},
	op.FMul: {op: isa.OpMul, ok: true},
	op.IAnd: {op: isa.OpAnd, ok: true}, op.IOr: {op: isa.OpOr, ok: true}, op.IXor: {op: isa.OpXor, ok: true}, op.INot: {op: isa.OpNot, ok: true},
	op.IShl: {op: isa.OpShl, ok: true}, op.UShr: {op: isa.OpShr, ok: true}, op.IShr: {op: isa.OpAsr, ok: true},
	op.FMin: {op: isa.OpSel, cmod: isa.CModLT, ok: true}, op.FMax: {op: isa.OpSel, cmod: isa.CModGE, ok: true},
	op.UMin: {op: isa.OpSel, cmod: isa.CModLT, ok: true}, op.UMax: {op: isa.OpSel, cmod: isa.CModGE, ok: true},
	op.IMin: {op: isa.OpSel, cmod: isa.CModLT, ok: true}, op.IMax: {op: isa.OpSel, cmod: isa.CModGE, ok: true},
	op.FRsq: {op: isa.OpMath, math: isa.MathRsqrt, ok: true}, op.FSqrt: {op: isa.OpMath, math: isa.MathSqrt, ok: true},
	op.FRcp: {op: isa.OpMath, math: isa.MathInv, ok: true}, op.FExp2: {op: isa.OpMath, math: isa.MathExp2, ok: true},
	op.FLog2: {op: isa.OpMath, math: isa.MathLog2, ok: true}, op.FSin: {op: isa.OpMath, math: isa.MathSin, ok: true}, op.FCos: {op: isa.OpMath, math: isa.MathCos, ok: true},
	op.U2F32: {op: isa.OpMov, ok: true}, op.I2F32: {op: isa.OpMov, ok: true},
}

var compares = [op.Count]isa.CMod{
	op.IEq: isa.CModEQ, op.INe: isa.CModNE, op.ILt: isa.CModLT, op.IGe: isa.CModGE, op.ULt: isa.CModLT, op.UGe: isa.CModGE,
	op.FEq: isa.CModEQ, op.FNeu: isa.CModNE, op.FLt: isa.CModLT, op.FGe: isa.CModGE,
}

// SelectBasic selects the commonest ALU operations.
func SelectBasic(c *Ctx, v ir.Value) bool {
	in := c.S.At(v)
	o := in.ALUOp()
	info := o.Info()
	src := func(i int) mir.Operand {
		r := c.S.Operand(v, i).X()
		t := TypeOf(info.Src[i].Base, c.S.At(r.Val).Bits)
		return c.Use(r, t)
	}
	if cond := compares[o]; cond != 0 {
		c.Cmp(v, cond, src(0), src(1))
		return true
	}
	dt := TypeOf(info.Out.Base, in.Bits)
	switch o {
	case op.FSub, op.ISub:
		y := src(1)
		if y.File == mir.Imm {
			t := c.Temp(dt)
			c.B.Mov(t, y)
			y = c.Src(t)
		}
		c.Emit(isa.OpAdd, c.Dst(v, dt), src(0), y.Minus())
		return true
	case op.FNeg, op.INeg:
		c.Emit(isa.OpMov, c.Dst(v, dt), src(0).Minus())
		return true
	case op.FAbs:
		c.Emit(isa.OpMov, c.Dst(v, dt), src(0).Absolute())
		return true
	case op.FFma:
		c.Emit(isa.OpMad, c.Dst(v, dt), src(2), src(0), src(1))
		return true
	case op.BCsel:
		c.Select(v, c.S.Operand(v, 0).X(), c.S.Operand(v, 1).X(), c.S.Operand(v, 2).X(), TypeOf(op.Bits, in.Bits))
		return true
	case op.IMul:
		c.IMul(v, c.S.Operand(v, 0).X(), c.S.Operand(v, 1).X())
		return true
	}
	s := simple[o]
	if !s.ok {
		return false
	}
	var srcs [3]mir.Operand
	for i := range int(info.NumSrc) {
		srcs[i] = src(i)
	}
	m := c.Emit(s.op, c.Dst(v, dt), srcs[:info.NumSrc]...)
	m.CMod, m.Math = s.cmod, s.math
	return true
}
