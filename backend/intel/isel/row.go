package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// A load of a row reads a doubleword for each lane of its message, which fill one GRF or two.
const (
	rowLanes     = mir.GRFBytes / 4
	longRowLanes = 2 * rowLanes
)

// inRow reports whether v is a uniform vector from a buffer that is loaded as a row.
func (c *Ctx) inRow(v ir.Value) bool {
	in := c.S.At(v)
	switch in.Intrinsic() {
	case intrinsic.LoadSSBO, intrinsic.LoadUBO:
		return in.Bits == 32 && in.Comps > 1 && in.Comps <= longRowLanes && c.IsUniform(v)
	}
	return false
}

// rowWidth returns the number of lanes of the message that loads a row of n components.
func rowWidth(n int) int {
	if n > rowLanes {
		return longRowLanes
	}
	return rowLanes
}

// loadRow loads a uniform vector into one GRF or two: lane i reads component i. The lanes past
// the last one read what follows, which has no effect; each has bounds of its own.
func (c *Ctx) loadRow(v ir.Value, p place, off ir.Src, base uint32) {
	c.B.Exec = uint8(rowWidth(c.resultComps(v)))
	n := c.lanes()
	if c.rowSteps == 0 {
		c.rowSteps = c.F.NewGRFs(1)
	}
	if r := c.F.Reg(c.rowSteps); int(r.Bytes) < n*mir.GRFBytes {
		r.Bytes = uint32(n) * mir.GRFBytes
	}
	at := mir.V(c.rowSteps, isa.TypeUD)
	o := c.Use(off, isa.TypeUD)
	if o.File == mir.Imm {
		o, base = mir.UD(o.Num+base), 0
	}
	for _, more := range [2]mir.Operand{o, mir.UD(base)} {
		if more.File == mir.Imm && more.Num == 0 {
			continue
		}
		t := mir.V(c.paramReg(1), isa.TypeUD)
		c.B.Emit(isa.OpAdd, t, at, more)
		at = t
	}
	c.B.Message(mir.Message{
		Msg:     mir.Msg{Name: p.access(message.UntypedRead), Space: p.space, Comps: 1},
		Orders:  c.volatile(v, p.space),
		Address: at, AddressLen: n, Surface: p.surface,
		Dst: mir.V(c.regOf(v), isa.TypeUD), DstLen: n,
	})
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
