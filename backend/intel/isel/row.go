package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// A load of a row reads as many doublewords as fill one GRF or two.
const (
	rowLanes     = mir.GRFBytes / 4
	longRowLanes = 2 * rowLanes
)

// inRow reports whether v is a uniform vector from a buffer that is loaded as a row. Of a
// uniform buffer, single components are as well.
func (c *Ctx) inRow(v ir.Value) bool {
	in := c.S.At(v)
	least := uint8(2)
	switch in.Intrinsic() {
	case intrinsic.LoadUBO:
		least = 1
	case intrinsic.LoadSSBO:
	default:
		return false
	}
	return in.Bits == 32 && in.Comps >= least && in.Comps <= longRowLanes && c.IsUniform(v)
}

// rowWidth returns the number of doublewords that a load of a row of n components reads.
func rowWidth(n int) int {
	if n > rowLanes {
		return longRowLanes
	}
	return rowLanes
}

// loadRow loads a uniform vector into one GRF or two, with what follows it in memory, which
// nothing reads.
func (c *Ctx) loadRow(v ir.Value, p place) {
	off := c.Use(c.offset(v), isa.TypeUD)
	width := rowWidth(c.resultComps(v))
	m := mir.Message{
		Msg:     mir.Msg{Space: p.space},
		Orders:  c.volatile(v, p.space),
		Surface: p.surface, Dst: mir.V(c.regOf(v), isa.TypeUD), DstLen: width / rowLanes,
	}
	if c.S.At(v).Intrinsic() == intrinsic.LoadUBO && m.Orders == 0 {
		c.B.Exec = rowLanes
		m.Name, m.Header = message.ConstantRead, c.rowHeader(off)
		c.B.Message(m)
		return
	}
	c.B.Exec = uint8(width)
	m.Name, m.Comps = p.access(message.UntypedRead), 1
	m.Address, m.AddressLen = c.rowAddress(off), width/rowLanes
	c.B.Message(m)
}

// rowHeader returns the header of a read of constants: the offset is in its doubleword 2, and
// the others, which the message does not read, are the same (TGL PRM vol. 9, "Message
// Header" of OWord block messages).
func (c *Ctx) rowHeader(off mir.Operand) mir.Operand {
	h := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	c.B.Mov(h, off)
	return h
}

// rowAddress returns the addresses of an untyped read of a row: lane i reads component i. Each
// lane has bounds of its own.
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

// emitRowSteps computes the offsets of the components of a row, from a packed immediate.
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
