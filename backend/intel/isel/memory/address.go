// SPDX-License-Identifier: MIT

package memory

import (
	"jacquard.example/backend/intel/isel/stage"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// halves returns the two doublewords of a 64-bit value. After lowering, such a value is a pair, a constant or undefined.
func halves(c *value.Context, v ir.Value, r ir.Src) (lo, hi mir.Operand) {
	def, comp := c.Resolve(r)
	in := c.S.At(def)
	switch {
	case in.Kind == kind.LoadConst:
		x := c.S.Const(def, comp)
		return mir.UD(uint32(x)), mir.UD(uint32(x >> 32))
	case in.Kind == kind.Undef:
		return mir.UD(0), mir.UD(0)
	case in.Kind == kind.ALU && in.ALUOp() == op.Pack64_2x32Split:
		return c.Use(c.S.Src(def, 0).Comp(comp), isa.TypeUD), c.Use(c.S.Src(def, 1).Comp(comp), isa.TypeUD)
	}
	c.Fail(v, "64-bit values must be lowered to pairs before selection")
	return mir.UD(0), mir.UD(0)
}

// Pair fails if anything except a message reads the 64-bit value v.
func Pair(c *value.Context, v ir.Value) {
	if c.Needed[v] {
		c.Fail(v, "64-bit values must be lowered to pairs before selection")
	}
}

// quadwords writes a packed quadword for each lane of the current width to the registers that start at to. It
// moves as many doublewords at a time as a register has: more would span more than two registers.
func quadwords(c *value.Context, to, lo, hi mir.Operand) {
	exec, first := c.B.Exec, c.B.Chan
	lanes := min(exec, c.F.GRF.Dwords())
	c.B.Exec = lanes
	for at := uint8(0); at < exec; at += lanes {
		c.B.Chan = first + at
		for k, half := range [2]mir.Operand{lo, hi} {
			half.Slice(uint32(at), int(lanes))
			c.B.Mov(to.At(8*uint32(at)+4*uint32(k)).WithStride(2), half)
		}
	}
	c.B.Exec, c.B.Chan = exec, first
}

// address64 returns the 64-bit addresses of an access, for the next message emitted.
func address64(c *value.Context, v ir.Value, r ir.Src) mir.Operand {
	lo, hi := halves(c, v, r)
	t := mir.Reg(0)
	if c.B.NoMask {
		t = c.F.NewGRFs(2 * c.Lanes())
	} else {
		t = c.F.NewReg(1, 8)
	}
	quadwords(c, mir.V(t, isa.TypeUD), lo, hi)
	return mir.V(t, isa.TypeUD)
}

// atomic64 emits an atomic at 64-bit addresses, a message for as many lanes as a register has doublewords. m has the name, the
// space and the operation of the messages; the operation takes n operands.
func atomic64(c *value.Context, v ir.Value, row *selector.Message, m mir.Message, n int) {
	operands := row.Data[:n]
	wide := c.S.At(v).Comps == 2 // 64-bit operands, as pairs of 32 bits
	each := c.F.GRF.Dwords()
	comps, grfs, addresses := 1, 1, 2
	if wide {
		comps, grfs = 2, 2
	}
	lo, hi := halves(c, v, row.Address.Of(c.S, v))
	var data [2][2]mir.Operand
	for i, x := range operands {
		for k := range comps {
			data[i][k] = c.Use(x.Of(c.S, v).Comp(k), isa.TypeUD)
		}
	}
	lanes := stage.Acting(c)
	returns, result := c.Needed[v], mir.Operand{}
	if returns {
		result = mir.V(c.RegOf(v), isa.TypeUD)
	}
	piece := func(n int) mir.Operand {
		return mir.V(c.F.NewPiece(n), isa.TypeUD)
	}
	for at := uint8(0); int(at) < c.Width; at += each {
		c.B.Exec, c.B.Chan = each, at
		slice := func(o mir.Operand) mir.Operand {
			o.Slice(uint32(at), int(each))
			return o
		}
		n := m
		n.Address, n.AddressLen = piece(addresses), addresses
		quadwords(c, n.Address, slice(lo), slice(hi))
		if len(operands) > 0 {
			n.DataLen = grfs * len(operands)
			n.Data = piece(n.DataLen)
			for i := range operands {
				to := n.Data.At(c.F.GRF.Start(uint32(i * grfs)))
				if wide {
					quadwords(c, to, slice(data[i][0]), slice(data[i][1]))
				} else {
					c.B.Mov(to, slice(data[i][0]))
				}
			}
		}
		if returns {
			n.DstLen, n.Dst = grfs, slice(result)
			if wide {
				n.Dst = piece(grfs)
			}
		}
		stage.Effect(c, n, lanes)
		for k := range comps {
			if returns && wide {
				c.B.Mov(slice(c.Component(result, k)), n.Dst.At(4*uint32(k)).WithStride(2))
			}
		}
	}
	c.B.Vector()
}
