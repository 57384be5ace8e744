// SPDX-License-Identifier: MIT

package memory

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
)

// LoadRow loads a uniform vector into one GRF or two. The rest of the registers receives the memory after the
// vector, which is not used.
func LoadRow(c *value.Context, v ir.Value, row *selector.Message) {
	p := placeOf(c, v, row)
	c.B.Exec = c.F.GRF.Dwords()
	if p.failed {
		return
	}
	width := c.RowWidth(c.ResultComps(v))
	m := mir.Message{
		Msg:     mir.Msg{Name: row.Name, Space: p.space},
		Orders:  Volatile(c, v, p.space),
		Surface: p.surface, Dst: mir.V(c.RegOf(v), isa.TypeUD), DstLen: width / int(c.F.GRF.Dwords()),
	}
	if row.Header != 0 {
		off := c.Use(row.Header.Of(c.S, v), isa.TypeUD)
		c.B.Exec = c.F.GRF.Dwords()
		m.Header = rowHeader(c, off)
		c.B.Message(m)
		return
	}
	off := c.Use(row.Address.Of(c.S, v), isa.TypeUD)
	c.B.Exec = uint8(width)
	m.Comps = 1
	m.Address, m.AddressLen = rowAddress(c, off), width/int(c.F.GRF.Dwords())
	c.B.Message(m)
}

// rowHeader returns the header of a constant cache read. Doubleword 2 is the offset; the message does not read
// the other doublewords, which are set to the same value (TGL PRM vol. 9, "Message Header" of OWord block
// messages).
func rowHeader(c *value.Context, off mir.Operand) mir.Operand {
	h := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	c.B.Mov(h, off)
	return h
}

// rowAddress returns the addresses of an untyped read of a row: lane i reads component i, with its own bounds
// check.
func rowAddress(c *value.Context, off mir.Operand) mir.Operand {
	if c.RowSteps == 0 {
		c.RowSteps = c.F.NewGRFs(1)
	}
	if r := c.F.Reg(c.RowSteps); int(r.Bytes) < c.Lanes()*int(c.F.GRF.Bytes()) {
		r.Bytes = c.F.GRF.Start(uint32(c.Lanes()))
	}
	at := mir.V(c.RowSteps, isa.TypeUD)
	if off.File == mir.Imm && off.Num == 0 {
		return at
	}
	t := mir.V(c.ParamReg(1), isa.TypeUD)
	c.B.Emit(isa.OpAdd, t, at, off)
	return t
}

// EmitRowSteps computes the offsets of the components of a row from a packed immediate.
func EmitRowSteps(c *value.Context) {
	n := int(c.F.Reg(c.RowSteps).Bytes) / 4
	lanes := mir.V(c.F.NewScalar(2*n), isa.TypeUW)
	c.B.Exec, c.B.NoMask, c.B.Chan = 8, true, 0
	c.B.Mov(lanes, mir.ImmOp(0x76543210, isa.TypeV))
	for at := 8; at < n; at *= 2 {
		c.B.Exec = uint8(at)
		c.B.Emit(isa.OpAdd, lanes.At(uint32(2*at)), lanes, mir.UW(uint16(at)))
	}
	c.B.Exec = uint8(n)
	c.B.Emit(isa.OpShl, mir.V(c.RowSteps, isa.TypeUD), lanes, mir.UD(2))
}
