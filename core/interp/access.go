// SPDX-License-Identifier: MIT

package interp

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// place returns the n bytes of memory that start at byte more of a lane's access, or nil if they are out of bounds.
type place func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte

// load reads a component. As on the machine, a 64-bit component is two accesses of 32 bits, each with its own
// bounds check. If an access is not entirely in bounds, its bytes are checked one by one: memory consists of whole
// dwords, and the bytes of a buffer's last dword that are outside the buffer read as zero.
func (at place) load(g *subgroup, v ir.Value, l int, more uint64, n int) uint64 {
	if n == 8 {
		return load(at(g, v, l, more, 4)) | load(at(g, v, l, more+4, 4))<<32
	}
	b := at(g, v, l, more, n)
	if b == nil && n > 1 {
		return loadBytes(n, func(k uint64) []byte { return at(g, v, l, more+k, 1) })
	}
	return load(b)
}

// store writes a component. It splits the component into the same accesses as load.
func (at place) store(g *subgroup, v ir.Value, l int, more uint64, n int, x uint64) {
	if n == 8 {
		store(at(g, v, l, more, 4), x)
		store(at(g, v, l, more+4, 4), x>>32)
		return
	}
	b := at(g, v, l, more, n)
	if b == nil && n > 1 {
		storeBytes(n, func(k uint64) []byte { return at(g, v, l, more+k, 1) }, x)
		return
	}
	store(b, x)
}

// loadBytes loads the n bytes of a component one by one.
func loadBytes(n int, at func(k uint64) []byte) (x uint64) {
	for k := range uint64(n) {
		x |= load(at(k)) << (8 * k)
	}
	return x
}

// storeBytes stores the n bytes of a component one by one.
func storeBytes(n int, at func(k uint64) []byte, x uint64) {
	for k := range uint64(n) {
		store(at(k), x>>(8*k))
	}
}

// accesses adds the handlers of the intrinsics that read and write memory.
func accesses(h *[intrinsic.Count]handler) {
	const at, where = intrinsic.RoleOffset, intrinsic.RoleSurface
	offset := func(g *subgroup, v ir.Value, l int, more uint64) uint64 {
		return (g.role(v, at, 0, l) + uint64(g.s.Index(v, intrinsic.IxBase)) + more) & math.MaxUint32
	}
	buffer := func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return g.inTable(g.role(v, where, 0, l), g.role(v, at, 0, l)+more, n)
	}
	shared := func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(g.shared, offset(g, v, l, more), n)
	}
	scratch := func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		size := int(g.s.Info.ScratchSize)
		return within(g.scratch[l*size:(l+1)*size], g.role(v, at, 0, l)+more, n)
	}
	global := func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		address := g.role(v, intrinsic.RoleAddress, 0, l) + more
		if c := g.s.Info.ConstData; address-constantAddress < uint64(len(c)) {
			return within(c, address-constantAddress, n)
		}
		return g.res.global(address, n)
	}
	push := func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(g.call.Push, offset(g, v, l, more), n)
	}
	constant := func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(g.s.Info.ConstData, offset(g, v, l, more), n)
	}
	deref := func(g *subgroup, v ir.Value, l int, _ uint64, n int) []byte {
		d := g.source(v, intrinsic.RoleDeref)
		return g.mem(d.Val, g.role(v, intrinsic.RoleDeref, 0, l), l, n)
	}
	h[intrinsic.LoadPushConstant] = loader(push)
	h[intrinsic.LoadConstant] = loader(constant)
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		var at func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte
		switch {
		case id.Is(intrinsic.TraitBuffer):
			at = buffer
		case id.Is(intrinsic.TraitShared):
			at = shared
		case id.Is(intrinsic.TraitScratch):
			at = scratch
		case id.Is(intrinsic.TraitGlobal):
			at = global
		case id.Is(intrinsic.TraitAtomic):
			at = deref
		default:
			continue
		}
		switch {
		case id.Is(intrinsic.TraitAtomic):
			h[id] = atomicAt(at)
		case id.Info().HasDest:
			h[id] = loader(at)
		default:
			h[id] = storer(at)
		}
	}
	sizes(h)
}

// constantAddress is the address of constant data. No buffer is there.
const constantAddress = 1 << 46

// sizes adds the handlers of the intrinsics that query addresses and sizes of memory.
func sizes(h *[intrinsic.Count]handler) {
	h[intrinsic.DerefBufferArrayLength] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		d := g.source(v, intrinsic.RoleDeref).Val
		stride := g.layouts.extent(laidOut, g.s.DerefType(d)).step
		g.each(v, mask, func(l int) uint64 {
			obj, off := split(g.role(v, intrinsic.RoleDeref, 0, l))
			if obj < len(g.objs) && off < uint64(g.objs[obj].size) && stride > 0 {
				return (uint64(g.objs[obj].size) - off) / stride
			}
			return 0
		})
	}
	h[intrinsic.GetSSBOSize] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 {
			if e := g.role(v, intrinsic.RoleSurface, 0, l); e < uint64(len(g.table)) && g.table[e] >= 0 {
				return uint64(g.objs[g.table[e]].size)
			}
			return 0
		})
	}
	h[intrinsic.LoadConstantAddress] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		out := g.slot(v)
		for l := range g.width {
			if mask>>l&1 != 0 {
				out[l], out[g.width+l] = constantAddress&0xffffffff, constantAddress>>32
			}
		}
	}
	h[intrinsic.LoadBufferDescriptor] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		out := g.slot(v)
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			var d [4]uint64
			if e := g.role(v, intrinsic.RoleSurface, 0, l); e < uint64(len(g.table)) && g.table[e] >= 0 {
				o := &g.objs[g.table[e]]
				d = [4]uint64{o.address & 0xffffffff, o.address >> 32, uint64(o.size), 0}
			}
			for c := range d {
				out[c*g.width+l] = d[c]
			}
		}
	}
}

func loader(at place) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		out := g.slot(v)
		n := int(in.Bits) / 8
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			for c := range int(in.Comps) {
				out[c*g.width+l] = at.load(g, v, l, uint64(c*n), n)
			}
		}
	}
}

func storer(at place) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		r := g.source(v, intrinsic.RoleValue)
		x := g.read(r.Val)
		n := int(g.s.At(r.Val).Bits) / 8
		wm := g.s.Index(v, intrinsic.IxWriteMask)
		for i := range g.width {
			l := g.turn(i)
			if mask>>l&1 == 0 {
				continue
			}
			for c := range int(r.N) {
				if wm>>c&1 != 0 {
					at.store(g, v, l, uint64(c*n), n, x[int(r.Swz.Comp(c))*g.width+l])
				}
			}
		}
	}
}

// atomicAt returns the handler of an atomic. Lanes run one after the other, in the order of turn.
func atomicAt(at place) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		bits := in.Bits * in.Comps // 64 may be two of 32
		n := int(bits) / 8
		o := kind.AtomicOp(g.s.Index(v, intrinsic.IxAtomicOp))
		out := g.slot(v)
		for i := range g.width {
			l := g.turn(i)
			if mask>>l&1 == 0 {
				continue
			}
			mem := at(g, v, l, 0, n)
			old := load(mem)
			data, compare := g.atomicData(v, l)
			if nu, ok := fold.Atomic(o, bits, old, data, compare); ok {
				store(mem, nu)
			} else {
				g.fail(v, "%s on %d bits cannot be interpreted", o, bits)
			}
			if in.Comps == 2 {
				out[g.width+l] = old >> 32
				old &= math.MaxUint32
			}
			out[l] = old
		}
	}
}

// atomicData returns the operands of an atomic: its data, and for a compare and swap the comparator.
func (g *subgroup) atomicData(v ir.Value, l int) (data, compare uint64) {
	in := g.s.At(v)
	operand := func(r intrinsic.Role) uint64 {
		z := g.role(v, r, 0, l)
		if in.Comps == 2 {
			z |= g.role(v, r, 1, l) << 32
		}
		return z
	}
	data = operand(intrinsic.RoleData)
	if in.Intrinsic().Source(intrinsic.RoleCompare) >= 0 {
		compare = operand(intrinsic.RoleCompare)
	}
	return data, compare
}
