// SPDX-License-Identifier: MIT

package memory

import (
	"jacquard.example/backend/intel/isel/stage"
	"jacquard.example/backend/intel/isel/value"
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
	surface mir.Operand // binding table index of a buffer
	base    mir.Operand // vector added to every address
	wide    bool        // addresses have 64 bits
	v       ir.Value    // the access
	failed  bool
}

// placeOf returns the location of an access.
func placeOf(c *value.Context, v ir.Value, m *selector.Message) place {
	switch {
	case m.Space == message.Private:
		return scratchPlace(c)
	case m.Address.IsAddress64():
		return place{space: m.Space, wide: true, v: v}
	case m.Surface == 0:
		return place{space: m.Space}
	}
	s, ok := Surface(c, v, m.Surface, "a buffer")
	return place{space: m.Space, surface: s, failed: !ok}
}

// Surface returns the binding table index or the handle in a source of v, which must be the same for all lanes. what
// names the resource in errors.
func Surface(c *value.Context, v ir.Value, from selector.Source, what string) (o mir.Operand, ok bool) {
	r := from.Of(c.S, v)
	if def, comp := c.Resolve(r); c.S.At(def).IsConst() {
		return mir.UD(uint32(c.S.Const(def, comp))), true
	}
	def, _ := c.Resolve(r)
	if !c.IsUniform(def) {
		c.Fail(v, "%s that differs between the lanes of a subgroup is not supported", what)
		return mir.Operand{}, false
	}
	return c.Use(r, isa.TypeUD), true
}

// base returns the constant base in the indices of an intrinsic, which is added to its offset.
func base(c *value.Context, v ir.Value) uint32 {
	if c.S.At(v).Intrinsic().Slot(intrinsic.IxBase) < 0 {
		return 0
	}
	return c.S.Index(v, intrinsic.IxBase)
}

func scratchPlace(c *value.Context) place {
	if c.Scratch == 0 {
		c.Scratch = c.F.NewReg(1, 4)
		c.UsedScratch = c.S.Info.ScratchSize
	}
	return place{space: message.Private, base: mir.V(c.Scratch, isa.TypeUD)}
}

// EmitScratchBase computes the start of each lane's private memory from the start of the thread's scratch space
// (relative to the general state base, in units of 1024 bytes) and the lane's number.
func EmitScratchBase(c *value.Context) {
	base := mir.V(c.F.NewScalar(4), isa.TypeUD)
	c.B.ScalarMode()
	start, mask := c.Field(abi.ScratchBase) // the field's position converts units to bytes
	in := mir.Inst{Op: isa.OpAnd, Exec: c.B.Exec, NoMask: c.B.NoMask, Dst: base, Src: [3]mir.Operand{start, mir.UD(mask)}}
	if c.Target.Messages.Send(message.UntypedRead, message.Private).State != 0 { // addresses are offsets into the scratch space
		in.Op, in.Src = isa.OpMov, [3]mir.Operand{mir.UD(0)}
	}
	c.F.ScratchBase = c.B.Insert(in)
	c.B.Vector()
	size := (c.UsedScratch + 3) &^ 3
	dst := mir.V(c.Scratch, isa.TypeUD)
	part := mir.V(c.F.NewReg(1, 4), isa.TypeUD)
	c.B.Mov(part, mir.V(c.LaneIDs, isa.TypeUW))
	scaled := mir.V(c.F.NewReg(1, 4), isa.TypeUD)
	c.MulConst(scaled, part, size)
	c.B.Emit(isa.OpAdd, dst, scaled, c.Source(base))
}

// addressLen returns the number of GRFs of the addresses of an access.
func addressLen(c *value.Context, p place) int {
	if p.wide {
		return 2 * c.Lanes()
	}
	return c.Lanes()
}

// address returns the byte address of an access, as a parameter of the next message emitted.
func address(c *value.Context, p place, off ir.Src, base uint32) mir.Operand {
	if p.wide {
		if base != 0 {
			c.Fail(p.v, "accesses at 64-bit addresses must be split before selection")
		}
		return address64(c, p.v, off)
	}
	o := c.Use(off, isa.TypeUD)
	if base != 0 {
		if o.File == mir.Imm {
			o.Num += base
		} else {
			t := mir.V(c.ParamReg(1), isa.TypeUD)
			c.B.Emit(isa.OpAdd, t, o, mir.UD(base))
			o = t
		}
	}
	if p.base.File != mir.None {
		t := mir.V(c.ParamReg(1), isa.TypeUD)
		c.B.Emit(isa.OpAdd, t, p.base, o)
		o = t
	}
	return o
}

// gather returns n components as the data of the next message emitted.
func gather(c *value.Context, n int, comp func(int) mir.Operand) mir.Operand {
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

// Volatile returns the spaces whose accesses v keeps in order: its own if it is volatile, otherwise none.
func Volatile(c *value.Context, v ir.Value, space message.Space) mir.Spaces {
	if !selector.Volatile(c.S, v) {
		return 0
	}
	return mir.SpacesOf(space)
}

// Load emits the messages that read v's components from memory, as many as the row's message requires.
func Load(c *value.Context, v ir.Value, m *selector.Message) {
	p, off, base := placeOf(c, v, m), m.Address.Of(c.S, v), base(c, v)
	n := int(c.S.At(v).Comps)
	uniform := c.B.NoMask
	if p.base.File != mir.None {
		uniform = false // private to the lane
	}
	if uniform {
		c.B.Exec = c.F.GRF.Dwords() // all lanes read the same address
	} else {
		c.B.Vector()
	}
	if p.failed {
		return
	}
	if m.BySize {
		loadSmall(c, v, m, p, off, base, uniform)
		return
	}
	dst := mir.V(c.RegOf(v), isa.TypeUD)
	for i := 0; i < n; i += max(int(m.Comps), 1) {
		k := max(min(n-i, int(m.Comps)), 1)
		c.B.Message(mir.Message{
			Msg:     mir.Msg{Name: m.Name, Space: p.space, Comps: min(m.Comps, uint8(k))},
			Orders:  Volatile(c, v, p.space),
			Address: address(c, p, off, base+uint32(4*i)), AddressLen: addressLen(c, p), Surface: p.surface,
			Dst: c.Component(dst, i), DstLen: k * c.Lanes(),
		})
	}
}

// loadSmall reads 8- and 16-bit components, with one message each.
func loadSmall(c *value.Context, v ir.Value, m *selector.Message, p place, off ir.Src, base uint32, uniform bool) {
	in := c.S.At(v)
	bytes := uint32(in.Bits / 8)
	for i := range int(in.Comps) {
		dst := c.Component(mir.V(c.RegOf(v), isa.TypeUD), i)
		to := dst
		if uniform {
			to = mir.V(c.F.NewGRFs(1), isa.TypeUD)
		}
		c.B.Message(mir.Message{
			Msg:     mir.Msg{Name: m.Name, Space: p.space, Bytes: uint8(bytes)},
			Orders:  Volatile(c, v, p.space),
			Address: address(c, p, off, base+uint32(i)*bytes), AddressLen: addressLen(c, p), Surface: p.surface,
			Dst: to, DstLen: c.Lanes(),
		})
		if uniform {
			c.B.ScalarMode()
			c.B.Mov(dst, to.WithStride(0))
			c.B.Exec = c.F.GRF.Dwords()
		}
	}
}

// Store writes the components in the write mask, with one message per run.
func Store(c *value.Context, v ir.Value, m *selector.Message) {
	p, off, base := placeOf(c, v, m), m.Address.Of(c.S, v), base(c, v)
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
		storeRun(c, m, p, off, base+uint32(i)*uint32(bits/8), val, i, n, bits)
		i += n
	}
}

func storeRun(c *value.Context, m *selector.Message, p place, off ir.Src, base uint32, val ir.Src, first, n int, bits uint8) {
	lanes := mir.Flag(0)
	if p.space != message.Private {
		lanes = stage.Acting(c)
	}
	addr := address(c, p, off, base)
	typ := value.TypeOf(0, bits)
	data := gather(c, n, func(i int) mir.Operand { return c.Use(val.Comp(first+i), typ) })
	msg := mir.Msg{Name: m.Name, Space: p.space, Comps: min(m.Comps, uint8(n))}
	if m.BySize {
		msg.Bytes = bits / 8
	}
	stage.Effect(c, mir.Message{
		Msg: msg, Address: addr, AddressLen: addressLen(c, p), Data: data, DataLen: n * c.Lanes(), Surface: p.surface,
	}, lanes)
}

// Atomic emits an atomic operation.
func Atomic(c *value.Context, v ir.Value, row *selector.Message) {
	p := placeOf(c, v, row)
	c.B.Vector()
	if p.failed {
		return
	}
	op, ok := AtomicOp(c, v, row)
	code := c.Target.Messages.Atomic(op)
	if !ok || code == nil {
		c.Fail(v, "the atomic %v at %d bits is not supported", op, c.S.At(v).Bits)
		return
	}
	if !c.Target.Atomic(op) {
		c.Fail(v, "the atomic %v must be lowered before selection: %s has no message for it", op, c.Target)
		return
	}
	aop, returns := CodeOf(c, v, op), c.Needed[v]
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
		atomic64(c, v, row, m, n)
		return
	}
	lanes := stage.Acting(c)
	m.Address, m.AddressLen = address(c, p, row.Address.Of(c.S, v), base(c, v)), c.Lanes()
	if n > 0 {
		m.Data = gather(c, n, func(i int) mir.Operand { return c.Use(row.Data[i].Of(c.S, v).X(), isa.TypeUD) })
		m.DataLen = n * c.Lanes()
	}
	if returns {
		m.Dst, m.DstLen = mir.V(c.RegOf(v), isa.TypeUD), c.Lanes()
	}
	stage.Effect(c, m, lanes)
}

// CodeOf returns the code for integers of an atomic that the machine has, or of a form without data that does the same.
func CodeOf(c *value.Context, v ir.Value, op kind.AtomicOp) isa.AtomicOp {
	code := c.Target.Messages.Atomic(op)
	if k, ok := value.ConstSrc(c.S, v, intrinsic.RoleData); ok && c.S.At(v).Comps == 1 {
		for _, short := range code.Short {
			if short.Data == uint32(k) {
				return short.Int
			}
		}
	}
	return code.Int
}

// AtomicOp returns the operation of an atomic, which is the operation index of the intrinsic or follows from
// the intrinsic.
func AtomicOp(c *value.Context, v ir.Value, m *selector.Message) (kind.AtomicOp, bool) {
	if m.Op == selector.ByAtomicOp {
		return kind.AtomicOp(c.S.Index(v, intrinsic.IxAtomicOp)), true
	}
	return atomic.Texel(c.S.At(v).Intrinsic(), kind.BaseType(c.S.Index(v, intrinsic.IxTexelBase)))
}

// StoreReg copies a value into an IR register.
func StoreReg(c *value.Context, v ir.Value) {
	n := c.S.Index(v, intrinsic.IxReg)
	val := c.Operand(v, intrinsic.RoleValue)
	mask := c.S.Index(v, intrinsic.IxWriteMask)
	if mask == 0 {
		mask = 1<<val.N - 1
	}
	typ := value.TypeOf(0, c.S.At(val.Val).Bits)
	if typ == isa.TypeD {
		typ = isa.TypeUD
	}
	if c.F.Reg(c.IrRegister(n)).Uniform {
		c.B.ScalarMode()
	} else {
		c.B.Vector()
	}
	for i := range int(val.N) {
		if mask>>i&1 == 0 {
			continue
		}
		src := c.Use(val.Comp(i), typ)
		dst := c.RegComp(n, i, typ)
		if dst.Stride == 0 {
			dst.Stride = 1
		}
		c.B.Mov(dst, src)
	}
}

// LoadReg copies an IR register, which may be overwritten before the value is read.
func LoadReg(c *value.Context, v ir.Value) {
	n := c.S.Index(v, intrinsic.IxReg)
	for i := range int(c.S.At(v).Comps) {
		c.B.Mov(c.Component(c.Result(v, isa.TypeUD), i), c.RegComp(n, i, isa.TypeUD))
	}
}

// TableEntry fails for an entry of the payload's tables whose index is not constant.
func TableEntry(c *value.Context, v ir.Value) {
	c.Fail(v, "the size or address of a buffer at a non-constant index must be lowered before selection")
}
