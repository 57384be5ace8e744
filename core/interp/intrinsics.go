package interp

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// lane reads component c of operand i for one lane.
func (g *subgroup) lane(v ir.Value, i, c, l int) uint64 {
	r := g.s.Operand(v, i)
	return g.read(r.Val)[int(r.Swz.Comp(c))*g.width+l]
}

// each calls fn for every active lane with what it returns as the scalar
// result.
func (g *subgroup) each(v ir.Value, mask uint64, fn func(l int) uint64) {
	out := g.slot(v)
	for l := range g.width {
		if mask>>l&1 != 0 {
			out[l] = fn(l)
		}
	}
}

// same gives the active lanes the same vector. The others keep what the
// instruction gave them when it last ran for them: control may have left them
// behind a loop that goes on for the rest.
func (g *subgroup) same(v ir.Value, mask uint64, x ...uint64) {
	out := g.slot(v)
	for c := range x {
		for l := range g.width {
			if mask>>l&1 != 0 {
				out[c*g.width+l] = x[c]
			}
		}
	}
}

func (g *subgroup) intrinsic(v ir.Value, in *ir.Instr, mask uint64) {
	if fn := handlers[in.Intrinsic()]; fn != nil {
		fn(g, v, in, mask)
		return
	}
	g.fail(v, "cannot be interpreted yet")
}

type handler func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64)

var handlers [intrinsic.Count]handler

func init() {
	h := &handlers
	h[intrinsic.LoadDeref] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) { g.loadDeref(v, in, mask) }
	h[intrinsic.StoreDeref] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.storeDeref(v, g.s.Index(v, intrinsic.IxWriteMask), mask)
	}
	h[intrinsic.CopyDeref] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) { g.copyDeref(v, mask) }
	h[intrinsic.DerefAtomic] = atomicAt(1, func(g *subgroup, v ir.Value, l, n int) []byte {
		return g.mem(g.s.SrcVal(v, 0), g.lane(v, 0, 0, l), l, n)
	})
	h[intrinsic.DerefAtomicSwap] = h[intrinsic.DerefAtomic]
	h[intrinsic.DerefBufferArrayLength] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		d := g.s.SrcVal(v, 0)
		stride := g.layouts.extent(laidOut, g.s.DerefType(d)).step
		g.each(v, mask, func(l int) uint64 {
			obj, off := split(g.lane(v, 0, 0, l))
			if obj < len(g.objs) && off < uint64(g.objs[obj].size) && stride > 0 {
				return (uint64(g.objs[obj].size) - off) / stride
			}
			return 0
		})
	}
	h[intrinsic.LoadUBO] = loader(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return g.inTable(g.lane(v, 0, 0, l), g.lane(v, 1, 0, l)+more, n)
	})
	h[intrinsic.LoadSSBO] = h[intrinsic.LoadUBO]
	h[intrinsic.StoreSSBO] = storer(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return g.inTable(g.lane(v, 1, 0, l), g.lane(v, 2, 0, l)+more, n)
	})
	h[intrinsic.SSBOAtomic] = atomicAt(2, func(g *subgroup, v ir.Value, l, n int) []byte {
		return g.inTable(g.lane(v, 0, 0, l), g.lane(v, 1, 0, l), n)
	})
	h[intrinsic.SSBOAtomicSwap] = h[intrinsic.SSBOAtomic]
	h[intrinsic.GetSSBOSize] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.each(v, mask, func(l int) uint64 {
			if e := g.lane(v, 0, 0, l); e < uint64(len(g.table)) && g.table[e] >= 0 {
				return uint64(g.objs[g.table[e]].size)
			}
			return 0
		})
	}
	h[intrinsic.LoadBufferDescriptor] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		out := g.slot(v)
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			var d [4]uint64
			if e := g.lane(v, 0, 0, l); e < uint64(len(g.table)) && g.table[e] >= 0 {
				o := &g.objs[g.table[e]]
				d = [4]uint64{o.address & 0xffffffff, o.address >> 32, uint64(o.size), 0}
			}
			for c := range d {
				out[c*g.width+l] = d[c]
			}
		}
	}
	base := func(g *subgroup, v ir.Value) uint64 { return uint64(g.s.Index(v, intrinsic.IxBase)) }
	h[intrinsic.LoadShared] = loader(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(g.shared, (g.lane(v, 0, 0, l)+base(g, v)+more)&math.MaxUint32, n)
	})
	h[intrinsic.StoreShared] = storer(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(g.shared, (g.lane(v, 1, 0, l)+base(g, v)+more)&math.MaxUint32, n)
	})
	h[intrinsic.SharedAtomic] = atomicAt(1, func(g *subgroup, v ir.Value, l, n int) []byte {
		return within(g.shared, (g.lane(v, 0, 0, l)+base(g, v))&math.MaxUint32, n)
	})
	h[intrinsic.SharedAtomicSwap] = h[intrinsic.SharedAtomic]
	h[intrinsic.LoadPushConstant] = loader(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(g.call.Push, (g.lane(v, 0, 0, l)+base(g, v)+more)&math.MaxUint32, n)
	})
	h[intrinsic.LoadConstant] = loader(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(g.s.Info.ConstData, (g.lane(v, 0, 0, l)+base(g, v)+more)&math.MaxUint32, n)
	})
	h[intrinsic.LoadGlobal] = loader(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return g.res.global(g.lane(v, 0, 0, l)+more, n)
	})
	h[intrinsic.StoreGlobal] = storer(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return g.res.global(g.lane(v, 1, 0, l)+more, n)
	})
	h[intrinsic.GlobalAtomic] = atomicAt(1, func(g *subgroup, v ir.Value, l, n int) []byte {
		return g.res.global(g.lane(v, 0, 0, l), n)
	})
	h[intrinsic.GlobalAtomicSwap] = h[intrinsic.GlobalAtomic]
	own := func(g *subgroup, l int) []byte {
		n := int(g.s.Info.ScratchSize)
		return g.scratch[l*n : (l+1)*n]
	}
	h[intrinsic.LoadScratch] = loader(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(own(g, l), g.lane(v, 0, 0, l)+more, n)
	})
	h[intrinsic.StoreScratch] = storer(func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte {
		return within(own(g, l), g.lane(v, 1, 0, l)+more, n)
	})
	h[intrinsic.LoadParam] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		call := g.calls[len(g.calls)-1]
		out := g.slot(v)
		for l := range g.width {
			for c := range int(in.Comps) {
				if mask>>l&1 != 0 {
					out[c*g.width+l] = g.lane(call, int(g.s.Index(v, intrinsic.IxParam)), c, l)
				}
			}
		}
	}
	h[intrinsic.LoadReg] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		x, out := g.reg(g.s.Index(v, intrinsic.IxReg)), g.slot(v)
		for l := range g.width {
			for c := range int(in.Comps) {
				if mask>>l&1 != 0 {
					out[c*g.width+l] = x[c*g.width+l]
				}
			}
		}
	}
	h[intrinsic.StoreReg] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		x, wm := g.reg(g.s.Index(v, intrinsic.IxReg)), g.s.Index(v, intrinsic.IxWriteMask)
		for l := range g.width {
			for c := range int(in.Comps) {
				if mask>>l&1 != 0 && wm>>c&1 != 0 {
					x[c*g.width+l] = g.lane(v, 0, c, l)
				}
			}
		}
	}
	h[intrinsic.Barrier] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		if kind.Scope(g.s.Index(v, intrinsic.IxExecutionScope)) == kind.ScopeWorkgroup && g.barrier != nil {
			g.barrier()
		}
	}
	systemValues(h)
	subgroupOps(h)
	ballots(h)
	imageOps(h)
}

func (g *subgroup) reg(r uint32) []uint64 {
	if g.regs[r] == nil {
		x := make([]uint64, int(g.s.Reg(r).Comps)*g.width)
		g.hold(8 * len(x))
		for i := range x {
			x[i] = g.arbitrary(r, g.s.Reg(r).Bits)
		}
		g.regs[r] = x
	}
	return g.regs[r]
}

// place finds n bytes of memory for a lane, more bytes behind where the
// instruction points; nil when they are outside.
type place func(g *subgroup, v ir.Value, l int, more uint64, n int) []byte

func loader(at place) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		out := g.slot(v)
		n := int(in.Bits) / 8
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			for c := range int(in.Comps) {
				out[c*g.width+l] = load(at(g, v, l, uint64(c*n), n))
			}
		}
	}
}

func storer(at place) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		r := g.s.Operand(v, 0)
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
					store(at(g, v, l, uint64(c*n), n), x[int(r.Swz.Comp(c))*g.width+l])
				}
			}
		}
	}
}

// atomicAt runs an atomic whose data (or compare, then data) starts at operand
// first. Lanes go one after the other, the lowest first.
func atomicAt(first int, at func(g *subgroup, v ir.Value, l, n int) []byte) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		n := int(in.Bits) / 8
		o := kind.AtomicOp(g.s.Index(v, intrinsic.IxAtomicOp))
		out := g.slot(v)
		for i := range g.width {
			l := g.turn(i)
			if mask>>l&1 == 0 {
				continue
			}
			mem := at(g, v, l, n)
			old := load(mem)
			x := g.lane(v, first, 0, l)
			y := uint64(0)
			if int(in.NSrc) > first+1 {
				y = g.lane(v, first+1, 0, l)
			}
			if nu, ok := Atomic(o, old, x, y, in.Bits); ok {
				store(mem, nu)
			} else {
				g.fail(v, "%s on %d bits cannot be interpreted", o, in.Bits)
			}
			out[l] = old
		}
	}
}

// Atomic returns what an atomic leaves in memory that held old: x is its data,
// or for a compare and exchange what is compared and y the data.
func Atomic(o kind.AtomicOp, old, x, y uint64, size uint8) (uint64, bool) {
	sx := func(v uint64) int64 { return int64(v<<(64-size)) >> (64 - size) }
	m := ^uint64(0) >> (64 - size)
	pick := func(c bool) (uint64, bool) {
		if c {
			return old, true
		}
		return x, true
	}
	switch o {
	case kind.AtomicIadd:
		return (old + x) & m, true
	case kind.AtomicImin:
		return pick(sx(old) <= sx(x))
	case kind.AtomicImax:
		return pick(sx(old) >= sx(x))
	case kind.AtomicUmin:
		return pick(old <= x)
	case kind.AtomicUmax:
		return pick(old >= x)
	case kind.AtomicIand:
		return old & x, true
	case kind.AtomicIor:
		return old | x, true
	case kind.AtomicIxor:
		return old ^ x, true
	case kind.AtomicXchg:
		return x, true
	case kind.AtomicCmpxchg:
		if old == x {
			return y, true
		}
		return old, true
	case kind.AtomicIncWrap:
		if old >= x {
			return 0, true
		}
		return old + 1, true
	case kind.AtomicDecWrap:
		if old == 0 || old > x {
			return x, true
		}
		return old - 1, true
	}
	if size != 32 {
		return 0, false
	}
	a, b := math.Float32frombits(uint32(old)), math.Float32frombits(uint32(x))
	switch o {
	case kind.AtomicFadd:
		return uint64(math.Float32bits(num.Add32(a, b, 0))), true
	case kind.AtomicFmin:
		return pick(a <= b || b != b)
	case kind.AtomicFmax:
		return pick(a >= b || b != b)
	}
	return 0, false
}

func systemValues(h *[intrinsic.Count]handler) {
	index := func(g *subgroup, l int) uint64 { return uint64(g.num*g.width + l) }
	size := func(g *subgroup) [3]uint64 {
		n := g.s.Info.WorkgroupSize
		return [3]uint64{uint64(n[0]), uint64(n[1]), uint64(n[2])}
	}
	local := func(g *subgroup, l int) [3]uint64 {
		n, i := size(g), index(g, l)
		return [3]uint64{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}
	}
	vec := func(fn func(g *subgroup, l int) [3]uint64) handler {
		return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
			out := g.slot(v)
			m := ^uint64(0) >> (64 - in.Bits)
			for l := range g.width {
				if mask>>l&1 == 0 {
					continue
				}
				x := fn(g, l)
				for c := range int(in.Comps) {
					out[c*g.width+l] = x[c] & m
				}
			}
		}
	}
	one := func(fn func(g *subgroup, l int) uint64) handler {
		return vec(func(g *subgroup, l int) [3]uint64 { return [3]uint64{fn(g, l)} })
	}
	global := func(g *subgroup, l int) [3]uint64 {
		n, x := size(g), local(g, l)
		for i := range x {
			x[i] += uint64(g.id[i]) * n[i]
		}
		return x
	}
	u3 := func(x [3]uint32) [3]uint64 { return [3]uint64{uint64(x[0]), uint64(x[1]), uint64(x[2])} }
	h[intrinsic.LoadWorkgroupID] = vec(func(g *subgroup, l int) [3]uint64 { return u3(g.id) })
	h[intrinsic.LoadBaseWorkgroupID] = vec(func(g *subgroup, l int) [3]uint64 { return [3]uint64{} })
	h[intrinsic.LoadNumWorkgroups] = vec(func(g *subgroup, l int) [3]uint64 { return u3(g.call.Groups) })
	h[intrinsic.LoadWorkgroupSize] = vec(func(g *subgroup, l int) [3]uint64 { return size(g) })
	h[intrinsic.LoadLocalInvocationID] = vec(local)
	h[intrinsic.LoadGlobalInvocationID] = vec(global)
	h[intrinsic.LoadLocalInvocationIndex] = one(index)
	h[intrinsic.LoadGlobalInvocationIndex] = one(func(g *subgroup, l int) uint64 {
		n, x := size(g), global(g, l)
		w, d := n[0]*uint64(g.call.Groups[0]), n[1]*uint64(g.call.Groups[1])
		return (x[2]*d+x[1])*w + x[0]
	})
	h[intrinsic.LoadSubgroupSize] = one(func(g *subgroup, l int) uint64 { return uint64(g.width) })
	h[intrinsic.LoadSubgroupInvocation] = one(func(g *subgroup, l int) uint64 { return uint64(l) })
	h[intrinsic.LoadSubgroupID] = one(func(g *subgroup, l int) uint64 { return uint64(g.num) })
	h[intrinsic.LoadNumSubgroups] = one(func(g *subgroup, l int) uint64 {
		return uint64((int(g.total) + g.width - 1) / g.width)
	})
	h[intrinsic.LoadDeviceIndex] = one(func(g *subgroup, l int) uint64 { return 0 })
}
