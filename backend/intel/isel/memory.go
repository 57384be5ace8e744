package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// place is the location of an access: the memory, and a base that is added to every address.
type place struct {
	space   message.Space
	surface mir.Operand // number of a buffer
	base    mir.Operand // vector added to every address
	wide    bool        // addresses have 64 bits
	v       ir.Value    // the access
	failed  bool
}

// src returns the source of an intrinsic with a role.
func (c *Ctx) src(v ir.Value, role intrinsic.Role) ir.Src {
	return c.S.Src(v, c.S.At(v).Intrinsic().Source(role))
}

// constSrc returns the value of a source, if it is known.
func constSrc(s *ir.Shader, v ir.Value, role intrinsic.Role) (uint64, bool) {
	return s.ConstOf(s.Src(v, s.At(v).Intrinsic().Source(role)))
}

// Message emits the logical message of the row selected for v.
func (c *Ctx) Message(v ir.Value, m *selector.Message) {
	switch {
	case !c.Target.Messages.Does(m.Name):
		c.Fail(v, "%s is not supported: %s has no message for it", c.S.At(v).Intrinsic(), c.Target)
	case c.S.At(v).Kind == kind.Tex:
		c.texture(v, m)
	case m.Sampler != 0:
		c.query(v, m)
	case m.Surface == selector.Image:
		c.texel(v, m)
	case m.Op != selector.NoOp:
		c.atomic(v, m)
	case m.Result == selector.InRow:
		c.loadRow(v, m)
	case m.Result == selector.NoResult:
		c.store(v, m)
	default:
		c.load(v, m)
	}
}

// place returns the location of an access.
func (c *Ctx) place(v ir.Value, m *selector.Message) place {
	switch {
	case m.Space == message.Private:
		return c.scratchPlace()
	case m.Address.IsAddress64():
		return place{space: m.Space, wide: true, v: v}
	case m.Surface == 0:
		return place{space: m.Space}
	}
	s, ok := c.surface(v, m.Surface, "a buffer")
	return place{space: m.Space, surface: s, failed: !ok}
}

// surface returns the binding table index in a source of v. what names the resource in errors.
func (c *Ctx) surface(v ir.Value, from selector.Source, what string) (o mir.Operand, ok bool) {
	r := from.Of(c.S, v)
	if def, comp := c.resolve(r); c.S.At(def).IsConst() {
		return mir.UD(uint32(c.S.Const(def, comp))), true
	}
	def, _ := c.resolve(r)
	if !c.IsUniform(def) {
		c.Fail(v, "%s that differs between the lanes of a subgroup is not supported", what)
		return mir.Operand{}, false
	}
	return c.Use(r, isa.TypeUD), true
}

// base returns the constant base in the indices of an intrinsic, which is added to its offset.
func (c *Ctx) base(v ir.Value) uint32 {
	if c.S.At(v).Intrinsic().Slot(intrinsic.IxBase) < 0 {
		return 0
	}
	return c.S.Index(v, intrinsic.IxBase)
}

func (c *Ctx) scratchPlace() place {
	if c.scratch == 0 {
		c.scratch = c.F.NewReg(1, 4)
		c.usedScratch = c.S.Info.ScratchSize
	}
	return place{space: message.Private, base: mir.V(c.scratch, isa.TypeUD)}
}

// emitScratchBase computes the start of each lane's private memory from the start of the thread's scratch space
// (relative to the general state base, in units of 1024 bytes) and the lane's number.
func (c *Ctx) emitScratchBase() {
	base := mir.V(c.F.NewScalar(4), isa.TypeUD)
	c.B.ScalarMode()
	start, mask := c.field(abi.ScratchBase) // the field's position converts units to bytes
	c.F.ScratchBase = c.B.Insert(mir.Inst{Op: isa.OpAnd, Exec: c.B.Exec, NoMask: c.B.NoMask, Dst: base, Src: [3]mir.Operand{start, mir.UD(mask)}})
	c.B.Vector()
	size := (c.usedScratch + 3) &^ 3
	dst := mir.V(c.scratch, isa.TypeUD)
	part := mir.V(c.F.NewReg(1, 4), isa.TypeUD)
	c.B.Mov(part, mir.V(c.laneIDs, isa.TypeUW))
	scaled := mir.V(c.F.NewReg(1, 4), isa.TypeUD)
	c.mulConst(scaled, part, size)
	c.B.Emit(isa.OpAdd, dst, scaled, c.source(base))
}

// component returns component i of a register operand.
func (c *Ctx) component(o mir.Operand, i int) mir.Operand {
	if o.File != mir.VReg {
		return o
	}
	if r := c.F.Reg(mir.Reg(o.Num)); r.Uniform {
		return o.At(uint32(i) * uint32(r.Lane))
	}
	return o.At(uint32(i) * c.F.Pitch(4))
}

// lanes returns the number of GRFs of a message parameter at the current width.
func (c *Ctx) lanes() int { return int(c.B.Exec) * 4 / mir.GRFBytes }

// paramReg returns a register for n message parameters at the current width and mask.
func (c *Ctx) paramReg(n int) mir.Reg {
	if c.B.NoMask {
		return c.F.NewGRFs(n * c.lanes())
	}
	return c.F.NewReg(n, 4)
}

// addressLen returns the number of GRFs of the addresses of an access.
func (c *Ctx) addressLen(p place) int {
	if p.wide {
		return 2 * c.lanes()
	}
	return c.lanes()
}

// address returns the byte address of an access, as a parameter of the next message emitted.
func (c *Ctx) address(p place, off ir.Src, base uint32) mir.Operand {
	if p.wide {
		if base != 0 {
			c.Fail(p.v, "accesses at 64-bit addresses must be split before selection")
		}
		return c.address64(p.v, off)
	}
	o := c.Use(off, isa.TypeUD)
	if base != 0 {
		if o.File == mir.Imm {
			o.Num += base
		} else {
			t := mir.V(c.paramReg(1), isa.TypeUD)
			c.B.Emit(isa.OpAdd, t, o, mir.UD(base))
			o = t
		}
	}
	if p.base.File != mir.None {
		t := mir.V(c.paramReg(1), isa.TypeUD)
		c.B.Emit(isa.OpAdd, t, p.base, o)
		o = t
	}
	return o
}

// gather returns n components as the data of the next message emitted.
func (c *Ctx) gather(n int, comp func(int) mir.Operand) mir.Operand {
	first := comp(0)
	if n == 1 {
		return first
	}
	parts := [4]mir.Operand{first}
	for i := 1; i < n; i++ {
		parts[i] = comp(i)
	}
	p := mir.V(c.F.NewReg(n, 4), isa.TypeUD)
	c.B.Compose(p, parts[:n]...)
	return p
}

// volatile returns the spaces whose accesses a volatile access keeps in order.
func (c *Ctx) volatile(v ir.Value, space message.Space) mir.Spaces {
	if !selector.Volatile(c.S, v) {
		return 0
	}
	return mir.SpacesOf(space)
}

// load reads v's components from memory.
func (c *Ctx) load(v ir.Value, m *selector.Message) {
	p, off, base := c.place(v, m), m.Address.Of(c.S, v), c.base(v)
	n := int(c.S.At(v).Comps)
	uniform := c.B.NoMask
	if p.base.File != mir.None {
		uniform = false // private to the lane
	}
	if uniform {
		c.B.Exec = 8 // all eight lanes read the same address
	} else {
		c.B.Vector()
	}
	if p.failed {
		return
	}
	if m.BySize {
		c.loadSmall(v, m, p, off, base, uniform)
		return
	}
	dst := mir.V(c.regOf(v), isa.TypeUD)
	for i := 0; i < n; i += max(int(m.Comps), 1) {
		k := max(min(n-i, int(m.Comps)), 1)
		c.B.Message(mir.Message{
			Msg:     mir.Msg{Name: m.Name, Space: p.space, Comps: min(m.Comps, uint8(k))},
			Orders:  c.volatile(v, p.space),
			Address: c.address(p, off, base+uint32(4*i)), AddressLen: c.addressLen(p), Surface: p.surface,
			Dst: c.component(dst, i), DstLen: k * c.lanes(),
		})
	}
}

// loadSmall reads 8- and 16-bit components, with one message each.
func (c *Ctx) loadSmall(v ir.Value, m *selector.Message, p place, off ir.Src, base uint32, uniform bool) {
	in := c.S.At(v)
	bytes := uint32(in.Bits / 8)
	for i := range int(in.Comps) {
		dst := c.component(mir.V(c.regOf(v), isa.TypeUD), i)
		to := dst
		if uniform {
			to = mir.V(c.F.NewGRFs(1), isa.TypeUD)
		}
		c.B.Message(mir.Message{
			Msg:     mir.Msg{Name: m.Name, Space: p.space, Bytes: uint8(bytes)},
			Orders:  c.volatile(v, p.space),
			Address: c.address(p, off, base+uint32(i)*bytes), AddressLen: c.addressLen(p), Surface: p.surface,
			Dst: to, DstLen: c.lanes(),
		})
		if uniform {
			c.B.ScalarMode()
			c.B.Mov(dst, to.WithStride(0))
			c.B.Exec = 8
		}
	}
}

// store writes the components in the write mask, with one message per run.
func (c *Ctx) store(v ir.Value, m *selector.Message) {
	p, off, base := c.place(v, m), m.Address.Of(c.S, v), c.base(v)
	if p.failed {
		return
	}
	val := m.Data[0].Of(c.S, v)
	bits := c.S.At(val.Val).Bits
	mask := c.S.Index(v, intrinsic.IxWriteMask)
	if mask == 0 {
		mask = 1<<val.N - 1
	}
	for i := 0; i < int(val.N); {
		if mask>>i&1 == 0 {
			i++
			continue
		}
		n := 1
		for n < int(m.Comps) && i+n < int(val.N) && mask>>(i+n)&1 != 0 {
			n++
		}
		c.storeRun(m, p, off, base+uint32(i)*uint32(bits/8), val, i, n, bits)
		i += n
	}
}

func (c *Ctx) storeRun(m *selector.Message, p place, off ir.Src, base uint32, val ir.Src, first, n int, bits uint8) {
	lanes := mir.Flag(0)
	if p.space != message.Private {
		lanes = c.acting()
	}
	addr := c.address(p, off, base)
	typ := TypeOf(0, bits)
	data := c.gather(n, func(i int) mir.Operand { return c.Use(val.Comp(first+i), typ) })
	msg := mir.Msg{Name: m.Name, Space: p.space, Comps: min(m.Comps, uint8(n))}
	if m.BySize {
		msg.Bytes = bits / 8
	}
	c.effect(mir.Message{
		Msg: msg, Address: addr, AddressLen: c.addressLen(p), Data: data, DataLen: n * c.lanes(), Surface: p.surface,
	}, lanes)
}

// atomic emits an atomic operation.
func (c *Ctx) atomic(v ir.Value, row *selector.Message) {
	p := c.place(v, row)
	c.B.Vector()
	if p.failed {
		return
	}
	op, ok := c.atomicOp(v, row)
	code := c.Target.Messages.Atomic(op)
	if !ok || code == nil {
		c.Fail(v, "the atomic %v at %d bits is not supported", op, c.S.At(v).Bits)
		return
	}
	if !c.Target.Atomic(op) {
		c.Fail(v, "the atomic %v must be lowered before selection: %s has no message for it", op, c.Target)
		return
	}
	aop, returns := code.Int, c.needed[v]
	if k, ok := constSrc(c.S, v, intrinsic.RoleData); ok && c.S.At(v).Comps == 1 {
		for _, short := range code.Short {
			if short.Data == uint32(k) {
				aop = short.Int
			}
		}
	}
	m := mir.Message{Msg: mir.Msg{Name: row.Name, Space: p.space, Op: uint8(aop), Bytes: row.Bytes}, Surface: p.surface}
	n := aop.Operands()
	if code.Float != 0 {
		n = code.Float.Operands()
		m.Name, m.Op = row.Name.Info().Floats, uint8(code.Float)
	}
	if !m.Name.Info().Sized {
		m.Bytes = 0
	}
	if n > len(row.Operands()) {
		c.Fail(v, "the atomic %v needs more operands", op)
		return
	}
	if !c.Target.Messages.Does(m.Name) {
		c.Fail(v, "the atomic %v is not supported: %s has no message for it", op, c.Target)
		return
	}
	if p.wide {
		c.atomic64(v, row, m, n)
		return
	}
	lanes := c.acting()
	m.Address, m.AddressLen = c.address(p, row.Address.Of(c.S, v), c.base(v)), c.lanes()
	if n > 0 {
		m.Data = c.gather(n, func(i int) mir.Operand { return c.Use(row.Data[i].Of(c.S, v).X(), isa.TypeUD) })
		m.DataLen = n * c.lanes()
	}
	if returns {
		m.Dst, m.DstLen = mir.V(c.regOf(v), isa.TypeUD), c.lanes()
	}
	c.effect(m, lanes)
}

// atomicOp returns the operation of an atomic, which is the operation index of the intrinsic or follows from
// the intrinsic.
func (c *Ctx) atomicOp(v ir.Value, m *selector.Message) (kind.AtomicOp, bool) {
	if m.Op == selector.ByAtomicOp {
		return kind.AtomicOp(c.S.Index(v, intrinsic.IxAtomicOp)), true
	}
	return atomic.Texel(c.S.At(v).Intrinsic(), kind.BaseType(c.S.Index(v, intrinsic.IxTexelBase)))
}

// StoreReg copies a value into an IR register.
func (c *Ctx) StoreReg(v ir.Value) {
	n := c.S.Index(v, intrinsic.IxReg)
	val := c.src(v, intrinsic.RoleValue)
	mask := c.S.Index(v, intrinsic.IxWriteMask)
	if mask == 0 {
		mask = 1<<val.N - 1
	}
	typ := TypeOf(0, c.S.At(val.Val).Bits)
	if typ == isa.TypeD {
		typ = isa.TypeUD
	}
	if c.F.Reg(c.irRegister(n)).Uniform {
		c.B.ScalarMode()
	} else {
		c.B.Vector()
	}
	for i := range int(val.N) {
		if mask>>i&1 == 0 {
			continue
		}
		src := c.Use(val.Comp(i), typ)
		dst := c.regComp(n, i, typ)
		if dst.Stride == 0 {
			dst.Stride = 1
		}
		c.B.Mov(dst, src)
	}
}

// LoadReg copies an IR register, which may be overwritten before the value is read.
func (c *Ctx) LoadReg(v ir.Value) {
	n := c.S.Index(v, intrinsic.IxReg)
	for i := range int(c.S.At(v).Comps) {
		c.B.Mov(c.component(c.dst(v, isa.TypeUD), i), c.regComp(n, i, isa.TypeUD))
	}
}

// TableEntry fails for an entry of the payload's tables whose index is not constant.
func (c *Ctx) TableEntry(v ir.Value) {
	c.Fail(v, "the size or address of a buffer whose index is not constant must be lowered before selection")
}
