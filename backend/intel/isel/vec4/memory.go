// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/isel/memory"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Message emits the messages of an access to memory, each with the address of each vertex in component x of its payload.
func (c *Context) Message(v ir.Value, m *selector.Message) {
	if m.Name != message.UntypedRead && m.Name != message.UntypedWrite || m.Space == message.Shared {
		c.Fail(v, "%s is not supported in vec4 code", c.S.At(v).Intrinsic())
		return
	}
	surface := mir.Operand{}
	if m.Surface != 0 {
		entry, ok := c.S.ConstOf(m.Surface.Of(c.S, v))
		if !ok {
			c.Fail(v, "a buffer at a non-constant index is not supported in vec4 code")
			return
		}
		surface = mir.UD(uint32(entry))
	}
	if m.Name == message.UntypedRead {
		c.load(v, m, surface)
		return
	}
	c.store(v, m, surface)
}

// load reads the components of v, four in a message.
func (c *Context) load(v ir.Value, m *selector.Message, surface mir.Operand) {
	p := c.placeOf(v)
	n := int(c.S.At(v).Comps)
	for i := 0; i < n; i += channels {
		k := min(n-i, channels)
		at := c.addressOf(v, m, uint32(4*i))
		c.B.Message(mir.Message{
			Msg:    mir.Msg{Name: message.VectorRead, Space: m.Space, Comps: uint8(k)},
			Orders: memory.Volatile(c.Context, v, m.Space), Address: at, AddressLen: 1, Surface: surface,
			Dst: mir.V(p.reg, isa.TypeUD).At(p.off + uint32(i/channels)*mir.GRFBytes), DstLen: 1,
		}).Align16 = true
	}
}

// store writes the components in the write mask, each run of them in a message.
func (c *Context) store(v ir.Value, m *selector.Message, surface mir.Operand) {
	val := m.Data[0].Of(c.S, v)
	mask := c.S.Index(v, intrinsic.IxWriteMask)
	if mask == 0 {
		mask = 1<<val.N - 1
	}
	for i := 0; i < int(val.N); {
		n := 0
		for n < channels && i+n < int(val.N) && mask>>(i+n)&1 != 0 {
			n++
		}
		if n > 0 {
			payload := mir.V(c.newReg(2), isa.TypeUD)
			c.address(payload, v, m, uint32(4*i))
			var srcs [channels]ir.Src
			for k := range n {
				srcs[k] = val.Comp(i + k)
			}
			c.fill(&filling{dst: payload.At(mir.GRFBytes), rest: whole(n), taken: whole(n), zero: empty}, srcs)
			c.B.Message(mir.Message{
				Msg:    mir.Msg{Name: message.VectorWrite, Space: m.Space, Comps: uint8(n)},
				Orders: memory.Volatile(c.Context, v, m.Space), Address: payload, AddressLen: 2, Surface: surface,
			}).Align16 = true
		}
		i += max(n, 1)
	}
}

// addressOf returns a register with the address of an access in component x: that of the offset, if it is the address.
func (c *Context) addressOf(v ir.Value, m *selector.Message, more uint32) mir.Operand {
	if off := m.Address.Of(c.S, v); more == 0 && base(c.S, v) == 0 && m.Space != message.Private {
		o, ch := c.at(off.Val, int(off.Swz.Comp(0)), isa.TypeUD)
		if o.File == mir.VReg && ch == 0 && c.F.Reg(mir.Reg(o.Num)).Bytes == mir.GRFBytes {
			return o.Operand
		}
	}
	at := mir.V(c.newReg(1), isa.TypeUD)
	c.address(at, v, m, more)
	return at
}

// base returns the constant that is added to the offset of an access.
func base(s *ir.Shader, v ir.Value) uint32 {
	if s.At(v).Intrinsic().Slot(intrinsic.IxBase) < 0 {
		return 0
	}
	return s.Index(v, intrinsic.IxBase)
}

// address writes the address of an access, more bytes after its start, to component x of a register.
func (c *Context) address(dst mir.Operand, v ir.Value, m *selector.Message, more uint32) {
	more += base(c.S, v)
	c.frame = whole(1)
	off := c.read(c.frame, m.Address.Of(c.S, v).X(), isa.TypeUD)
	switch {
	case off.File == mir.Imm:
		c.emit(isa.OpMov, dst, mir.UD(off.Num+more))
	case more != 0:
		c.emit(isa.OpAdd, dst, off, mir.UD(more))
	default:
		c.emit(isa.OpMov, dst, off)
	}
	if m.Space == message.Private {
		if c.Scratch == 0 {
			c.Scratch = c.newReg(1)
			c.UsedScratch = c.S.Info.ScratchSize
		}
		c.emit(isa.OpAdd, dst, dst, mir.V(c.Scratch, isa.TypeUD))
	}
}

// loadScratchBase computes the start of each vertex's private memory: the start of the thread's, and for the second
// vertex the size of the first one's more.
func (c *Context) loadScratchBase() {
	start, mask := c.Field(abi.ScratchBase) // the field's position converts units to bytes
	dst := mir.V(c.Scratch, isa.TypeUD)
	c.F.ScratchBase = c.B.Insert(mir.Inst{Op: isa.OpAnd, Exec: uint8(c.Width), NoMask: true, Dst: dst,
		Src: [3]mir.Operand{start, mir.UD(mask)}})
	second := dst.At(rowBytes)
	size := (c.UsedScratch + 3) &^ 3
	c.B.Insert(mir.Inst{Op: isa.OpAdd, Exec: 1, NoMask: true, Dst: second, Src: [3]mir.Operand{second.WithStride(0), mir.UD(size)}})
}
