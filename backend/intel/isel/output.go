package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// output is a slot that the shader writes at its end.
type output struct {
	slot  uint32
	comps [4]ir.Src // without a value if not written
}

func (c *Ctx) isVertex() bool   { return c.S.Info.Stage == kind.StageVertex }
func (c *Ctx) isFragment() bool { return c.S.Info.Stage == kind.StageFragment }

// collectOutputs finds the outputs, which are stored where the shader ends, in the order of their slots. In a
// fragment shader these are the render targets; outputs that are builtins follow.
func (c *Ctx) collectOutputs() {
	s := c.S
	entry := s.Entry()
	c.outputs = c.outputs[:0]
	for b := s.FirstBlock(entry); b != 0; b = s.NextBlock(b) {
		for v := range s.Instrs(b) {
			if s.At(v).Intrinsic() != intrinsic.StoreOutput {
				continue
			}
			if s.NodeKind(s.Parent(b)) != ir.NodeFunc {
				c.Fail(v, "an output that is written in control flow must be lowered before selection")
				return
			}
			c.collect(v)
		}
	}
}

// collect adds the components that an instruction stores.
func (c *Ctx) collect(v ir.Value) {
	s := c.S
	stored := c.src(v, intrinsic.RoleValue)
	off, known := constSrc(s, v, intrinsic.RoleOffset)
	switch bits := s.At(stored.Val).Bits; {
	case !known:
		c.Fail(v, "an output at an index that is not constant must be lowered before selection")
		return
	case bits != 32:
		c.Fail(v, "outputs of %d bits are not supported yet", bits)
		return
	}
	slot := s.Index(v, intrinsic.IxBase) + uint32(off)
	if c.isFragment() {
		if slot, known = c.fragmentOutput(v, slot); !known {
			return
		}
	}
	o := c.output(slot)
	mask := s.Index(v, intrinsic.IxWriteMask)
	for i := range int(stored.N) {
		if k := int(s.Index(v, intrinsic.IxComponent)) + i; mask>>i&1 != 0 && k < len(o.comps) {
			o.comps[k] = stored.Comp(i)
		}
	}
}

// output returns the output in a slot, which is inserted in order if it is new.
func (c *Ctx) output(slot uint32) *output {
	at := 0
	for at < len(c.outputs) && c.outputs[at].slot < slot {
		at++
	}
	if at == len(c.outputs) || c.outputs[at].slot != slot {
		c.outputs = append(c.outputs, output{})
		copy(c.outputs[at+1:], c.outputs[at:])
		c.outputs[at] = output{slot: slot}
	}
	return &c.outputs[at]
}

// outputComponent returns a component of an output, or 0 if it is not written.
func (c *Ctx) outputComponent(o *output, k int) mir.Operand {
	if o.comps[k].Val == 0 {
		return mir.UD(0)
	}
	return c.Use(o.comps[k], isa.TypeUD)
}

// vertexComponent returns a component of a vertex output. Unwritten components are not read, unless they belong
// to the header or the position.
func (c *Ctx) vertexComponent(o *output, k int) mir.Operand {
	if o.comps[k].Val == 0 && o.slot >= headerSlots {
		return mir.Null(isa.TypeUD)
	}
	return c.outputComponent(o, k)
}

// urbDwords is the maximum number of doublewords that a message writes to a URB entry (TGL PRM vol. 9, "URB
// Write SIMD8").
const urbDwords = 8

// headerSlots is the number of slots that the fixed functions always read: a vertex's header and position.
const headerSlots = 2

// endOfVertex writes the outputs to the URB, adjacent slots in one message. The last message ends the thread.
func (c *Ctx) endOfVertex() {
	c.collectOutputs()
	if c.Err() != nil {
		return
	}
	for slot := range uint32(headerSlots) {
		c.output(slot)
	}
	handles := mir.Fixed(c.Layout.At(abi.URBHandles), isa.TypeUD)
	c.B.Vector()
	for i := 0; i < len(c.outputs); {
		n := 1
		for i+n < len(c.outputs) && 4*n < urbDwords && c.outputs[i+n].slot == c.outputs[i].slot+uint32(n) {
			n++
		}
		var data [urbDwords]mir.Operand
		dwords := 0
		for k := range 4 * n {
			o := &c.outputs[i+k/4]
			data[k] = c.vertexComponent(o, k%4)
			if o.comps[k%4].Val != 0 || o.slot < headerSlots {
				dwords = k + 1
			}
		}
		m := mir.Message{Msg: mir.Msg{Name: message.UrbWrite}, Header: handles, Offset: mir.UD(c.outputs[i].slot * mir.SlotBytes)}
		if i+n == len(c.outputs) {
			m.Name = message.UrbEnd
		}
		m.Data, m.DataLen = c.payload(data[:dwords]), dwords*c.lanes()
		c.B.Message(m)
		i += n
	}
}
