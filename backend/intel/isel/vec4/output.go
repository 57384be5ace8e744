// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/isel/stage"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

const (
	maxSlots     = 14     // slots of a message: with its header, at most 15 registers, and an even number
	enableDword  = 5      // of a message's header: the components that are written
	enableAll    = 0xFF00 // all components of both vertices (Haswell PRM vol. 2d, "URB_WRITE_HWORD")
	headerSlot   = 0      // of a vertex: the fixed functions always read it
	positionSlot = 1
)

// End writes the outputs to the URB, up to 14 slots in a message. The last message ends the thread.
func (c *Context) End() {
	stage.CollectOutputs(c.Context)
	if c.Err() != nil {
		return
	}
	stage.OutputAt(c.Context, headerSlot)
	slots := c.Outputs[len(c.Outputs)-1].Slot + 1
	slots += slots % 2
	for first := uint32(0); first < slots; first += maxSlots {
		n := min(slots-first, maxSlots)
		c.writeSlots(first, n, first+n == slots)
	}
}

// writeSlots writes n slots in one message.
func (c *Context) writeSlots(first, n uint32, last bool) {
	payload := mir.V(c.newReg(1+int(n)), isa.TypeUD)
	c.B.Vector()
	var outputs [maxSlots]filling // what is computed in a slot can be copied to the others
	for i := range outputs {
		outputs[i] = filling{rest: empty, taken: empty, zero: empty}
	}
	for i := range c.Outputs {
		if at := c.Outputs[i].Slot - first; at < n {
			x := &outputs[at]
			x.dst = payload.At(c.F.GRF.Start(1 + at))
			c.computeSlot(x, &c.Outputs[i])
		}
	}
	for i := range outputs[:n] {
		c.move(&outputs[i])
	}
	header := mir.Fixed(value.RegHeader, isa.TypeUD)
	c.B.Insert(mir.Inst{Op: isa.OpMov, Exec: uint8(c.Width), NoMask: true, Align16: true, Dst: payload, Src: [3]mir.Operand{header}})
	at := uint32(4 * enableDword)
	c.B.Insert(mir.Inst{Op: isa.OpOr, Exec: 1, NoMask: true, Dst: payload.At(at),
		Src: [3]mir.Operand{mir.FixedScalar(value.RegHeader, at, isa.TypeUD), mir.UD(enableAll)}})
	m := mir.Message{
		Msg: mir.Msg{Name: message.VectorUrbWrite}, Address: payload, AddressLen: 1 + int(n), Offset: mir.UD(first * mir.SlotBytes),
	}
	if last {
		m.Name = message.VectorUrbEnd
	}
	c.B.Message(m).Align16 = true
}

// computeSlot computes the components of an output that can be computed in its slot. Unwritten components of the header are
// zero, and so are unwritten components of a position of which others are written.
func (c *Context) computeSlot(x *filling, o *value.OutputSlot) {
	var srcs [channels]ir.Src
	for k := range o.Comps {
		switch {
		case o.Comps[k].Val != 0:
			x.rest[k], x.taken[k], srcs[k] = int8(k), int8(k), o.Comps[k]
		case o.Slot == headerSlot || o.Slot == positionSlot:
			x.zero[k], x.taken[k] = int8(k), int8(k)
		}
	}
	c.compute(x, srcs)
}
