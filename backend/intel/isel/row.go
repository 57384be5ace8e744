package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
)

// Numbers of doublewords that a row load reads: one GRF or two.
const (
	rowLanes     = mir.GRFBytes / 4
	longRowLanes = 2 * rowLanes
)

// inRow reports whether v is a uniform vector loaded as a row.
func (c *Ctx) inRow(v ir.Value) bool {
	m := c.sel.Message(v)
	return m != nil && m.Result == selector.InRow
}

// rowWidth returns the number of doublewords that a row load of n components reads.
func rowWidth(n int) int {
	if n > rowLanes {
		return longRowLanes
	}
	return rowLanes
}

// loadRow loads a uniform vector into one GRF or two. The rest of the registers receives the memory after the
// vector, which is not used.
func (c *Ctx) loadRow(v ir.Value, row *selector.Message) {
	p := c.place(v, row)
	c.B.Exec = 8
	if p.failed {
		return
	}
	width := rowWidth(c.resultComps(v))
	m := mir.Message{
		Msg:     mir.Msg{Name: row.Name, Space: p.space},
		Orders:  c.volatile(v, p.space),
		Surface: p.surface, Dst: mir.V(c.regOf(v), isa.TypeUD), DstLen: width / rowLanes,
	}
	if row.Header != 0 {
		off := c.Use(row.Header.Of(c.S, v), isa.TypeUD)
		c.B.Exec = rowLanes
		m.Header = c.rowHeader(off)
		c.B.Message(m)
		return
	}
	off := c.Use(row.Address.Of(c.S, v), isa.TypeUD)
	c.B.Exec = uint8(width)
	m.Comps = 1
	m.Address, m.AddressLen = c.rowAddress(off), width/rowLanes
	c.B.Message(m)
}

// rowHeader returns the header of a constant cache read. Doubleword 2 is the offset; the message does not read
// the other doublewords, which are set to the same value (TGL PRM vol. 9, "Message Header" of OWord block
// messages).
func (c *Ctx) rowHeader(off mir.Operand) mir.Operand {
	h := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	c.B.Mov(h, off)
	return h
}

// rowAddress returns the addresses of an untyped read of a row: lane i reads component i, with its own bounds
// check.
func (c *Ctx) rowAddress(off mir.Operand) mir.Operand {
	if c.rowSteps == 0 {
		c.rowSteps = c.F.NewGRFs(1)
	}
	if r := c.F.Reg(c.rowSteps); int(r.Bytes) < c.lanes()*mir.GRFBytes {
		r.Bytes = uint32(c.lanes() * mir.GRFBytes)
	}
	at := mir.V(c.rowSteps, isa.TypeUD)
	if off.File == mir.Imm && off.Num == 0 {
		return at
	}
	t := mir.V(c.paramReg(1), isa.TypeUD)
	c.B.Emit(isa.OpAdd, t, at, off)
	return t
}

// emitRowSteps computes the offsets of the components of a row from a packed immediate.
func (c *Ctx) emitRowSteps() {
	n := int(c.F.Reg(c.rowSteps).Bytes) / 4
	lanes := mir.V(c.F.NewScalar(2*n), isa.TypeUW)
	c.B.Exec, c.B.NoMask, c.B.Chan = rowLanes, true, 0
	c.B.Mov(lanes, mir.ImmOp(0x76543210, isa.TypeV))
	if n > rowLanes {
		c.B.Emit(isa.OpAdd, lanes.At(2*rowLanes), lanes, mir.UW(rowLanes))
	}
	c.B.Exec = uint8(n)
	c.B.Emit(isa.OpShl, mir.V(c.rowSteps, isa.TypeUD), lanes, mir.UD(2))
}
