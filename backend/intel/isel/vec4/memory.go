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
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// Message emits the messages of an access to memory or to an image.
func (c *Context) Message(v ir.Value, m *selector.Message) {
	form := m.Name.Info().OfVertices
	switch {
	case !c.Target.Messages.Does(form) || !form.Info().Works(m.Space):
		c.Fail(v, "%s is not supported in vec4 code", c.nameOf(v))
		return
	case c.S.At(v).Kind == kind.Tex:
		c.texture(v, m)
		return
	case m.Sampler != 0:
		c.query(v, m)
		return
	}
	surface := mir.Operand{}
	if m.Surface != 0 {
		surface = c.surface(v, m.Surface.Of(c.S, v))
	}
	switch {
	case m.Op != selector.NoOp:
		c.atomic(v, m, surface)
	case m.Result == selector.NoResult:
		c.store(v, m, surface)
	default:
		c.load(v, m, surface)
	}
}

// Barrier orders memory by fences. A vertex waits for no others.
func (t Rows) Barrier(v ir.Value) { memory.Barrier(t.Context.Context, v) }

// load reads the components of v, four in a message.
func (c *Context) load(v ir.Value, m *selector.Message, surface mir.Operand) {
	p := c.placeOf(v)
	n := int(c.S.At(v).Comps)
	for i := 0; i < n; i += channels {
		k := min(n-i, channels)
		at := c.addressOf(v, m, uint32(4*i))
		c.B.Message(mir.Message{
			Msg:    mir.Msg{Name: m.Name.Info().OfVertices, Space: m.Space, Comps: uint8(k)},
			Orders: memory.Volatile(c.Context, v, m.Space), Address: at, AddressLen: 1, Surface: surface,
			Dst: mir.V(p.reg, isa.TypeUD).At(p.off + c.F.GRF.Start(uint32(i/channels))), DstLen: 1,
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
			c.fill(&filling{dst: payload.At(c.F.GRF.Bytes()), rest: whole(n), taken: whole(n), zero: empty}, srcs)
			c.B.Message(mir.Message{
				Msg:    mir.Msg{Name: m.Name.Info().OfVertices, Space: m.Space, Comps: uint8(n)},
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
		if o.File == mir.VReg && ch == 0 && c.F.Reg(mir.Reg(o.Num)).Bytes == c.F.GRF.Bytes() {
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
	if m.Space == message.Private {
		if c.Scratch == 0 {
			c.Scratch = c.newReg(1)
			c.UsedScratch = (c.S.Info.ScratchSize + channels - 1) / channels
		}
		start := mir.V(c.Scratch, isa.TypeUD)
		if off.File == mir.Imm {
			c.sum(dst, start, mir.UD(off.Num+more))
			return
		}
		c.emit(isa.OpAdd, dst, start, off)
		if more == 0 {
			return
		}
		off = dst
	}
	c.sum(dst, off, mir.UD(more))
}

// sum writes the sum of an operand and a constant to a register.
func (c *Context) sum(dst, a, b mir.Operand) {
	switch {
	case a.File == mir.Imm:
		c.emit(isa.OpMov, dst, mir.UD(a.Num+b.Num))
	case b.Num != 0:
		c.emit(isa.OpAdd, dst, a, b)
	default:
		c.emit(isa.OpMov, dst, a)
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
	size := channels * ((c.UsedScratch + 3) &^ 3) // each lane has a part of its vertex's memory
	c.B.Insert(mir.Inst{Op: isa.OpAdd, Exec: 1, NoMask: true, Dst: second, Src: [3]mir.Operand{second.WithStride(0), mir.UD(size)}})
}
