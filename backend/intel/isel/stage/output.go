// SPDX-License-Identifier: MIT

package stage

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// CollectOutputs finds the outputs, which are stored where the shader ends, in the order of their slots. In a
// fragment shader these are the render targets; outputs that are builtins follow.
func CollectOutputs(c *value.Context) {
	s := c.S
	entry := s.Entry()
	c.Outputs = c.Outputs[:0]
	for b := s.FirstBlock(entry); b != 0; b = s.NextBlock(b) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() != intrinsic.StoreOutput {
				continue
			}
			if s.NodeKind(s.Parent(b)) != ir.NodeFunc {
				c.Fail(v, "an output that is written in control flow must be lowered before selection")
				return
			}
			collect(c, v)
		}
	}
}

// collect adds the components that an instruction stores.
func collect(c *value.Context, v ir.Value) {
	s := c.S
	stored := c.Operand(v, intrinsic.RoleValue)
	off, known := value.ConstSrc(s, v, intrinsic.RoleOffset)
	switch bits := s.At(stored.Val).Bits; {
	case !known:
		c.Fail(v, "an output at a non-constant index must be lowered before selection")
		return
	case bits != 32:
		c.Fail(v, "%d-bit outputs are not supported yet", bits)
		return
	}
	slot := s.Index(v, intrinsic.IxBase) + uint32(off)
	if c.IsFragment() {
		if slot, known = fragmentOutput(c, v, slot); !known {
			return
		}
	}
	o := OutputAt(c, slot)
	mask := s.Index(v, intrinsic.IxWriteMask)
	for i := range int(stored.N) {
		if k := int(s.Index(v, intrinsic.IxComponent)) + i; mask>>i&1 != 0 && k < len(o.Comps) {
			o.Comps[k] = stored.Comp(i)
		}
	}
}

// OutputAt returns the output in a slot, which is inserted in order if it is new.
func OutputAt(c *value.Context, slot uint32) *value.OutputSlot {
	at := 0
	for at < len(c.Outputs) && c.Outputs[at].Slot < slot {
		at++
	}
	if at == len(c.Outputs) || c.Outputs[at].Slot != slot {
		c.Outputs = append(c.Outputs, value.OutputSlot{})
		copy(c.Outputs[at+1:], c.Outputs[at:])
		c.Outputs[at] = value.OutputSlot{Slot: slot}
	}
	return &c.Outputs[at]
}

// outputComponent returns a component of an output, or no register if the shader does not write the component, which
// leaves it undefined.
func outputComponent(c *value.Context, o *value.OutputSlot, k int) mir.Operand {
	if o.Comps[k].Val == 0 {
		return mir.Null(isa.TypeUD)
	}
	return c.Use(o.Comps[k], isa.TypeUD)
}

// vertexComponent returns a component of a vertex output. Components of the header and the position that the shader does
// not write are 0.
func vertexComponent(c *value.Context, o *value.OutputSlot, k int) mir.Operand {
	if o.Comps[k].Val == 0 && o.Slot < headerSlots {
		return mir.UD(0)
	}
	return outputComponent(c, o, k)
}

// urbDwords is the maximum number of doublewords that a message writes to a URB entry (TGL PRM vol. 9, "URB
// Write SIMD8").
const urbDwords = 8

// headerSlots is the number of slots that the fixed functions always read: a vertex's header and position.
const headerSlots = 2

// EndOfVertex writes the outputs to the URB, adjacent slots in one message. The last message ends the thread.
func EndOfVertex(c *value.Context) {
	CollectOutputs(c)
	if c.Err() != nil {
		return
	}
	for slot := range uint32(headerSlots) {
		OutputAt(c, slot)
	}
	handles := mir.Fixed(c.Layout.At(abi.URBHandles), isa.TypeUD)
	c.B.Vector()
	for i := 0; i < len(c.Outputs); {
		n := 1
		for i+n < len(c.Outputs) && 4*n < urbDwords && c.Outputs[i+n].Slot == c.Outputs[i].Slot+uint32(n) {
			n++
		}
		var data [urbDwords]mir.Operand
		dwords := 0
		for k := range 4 * n {
			o := &c.Outputs[i+k/4]
			data[k] = vertexComponent(c, o, k%4)
			if o.Comps[k%4].Val != 0 || o.Slot < headerSlots {
				dwords = k + 1
			}
		}
		for !c.Target.Messages.Takes(message.UrbWrite, message.ValueDwords, uint32(dwords)) {
			dwords++ // what follows in the slot is arbitrary
		}
		m := mir.Message{Msg: mir.Msg{Name: message.UrbWrite}, Header: handles, Offset: mir.UD(c.Outputs[i].Slot * mir.SlotBytes)}
		if i+n == len(c.Outputs) {
			m.Name = message.UrbEnd
		}
		m.Data, m.DataLen = c.Payload(data[:dwords]), dwords*c.Lanes()
		c.B.Message(m)
		i += n
	}
}
