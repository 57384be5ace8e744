// SPDX-License-Identifier: MIT

package interp

import (
	"encoding/binary"
	"math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

func popcount(x uint64) int { return bits.OnesCount64(x) }

// A pointer consists of the number of an object, a byte offset in it, and a tag. Addresses are 48 bits, sign-extended,
// and so never have the tag. Null is 0: object 0 is empty.
const (
	offsetBits = 40
	objectTag  = 1 << 62
)

func pointer(obj int, offset uint64) uint64 {
	return objectTag | uint64(obj)<<offsetBits | offset&(1<<offsetBits-1)
}

func split(p uint64) (obj int, offset uint64) {
	return int(p &^ objectTag >> offsetBits), p & (1<<offsetBits - 1)
}

func (g *subgroup) deref(v ir.Value, in *ir.Instr, mask uint64) {
	s := g.s
	out := g.slot(v)
	if in.DerefKind() == kind.DerefVar {
		x := ir.Var(s.Words(v)[kind.FieldDerefVarVar])
		obj := g.varObj[x]
		if obj < 0 {
			g.fail(v, "variables of mode %s cannot be interpreted yet", s.Var(x).Mode)
		}
		g.same(v, mask, pointer(obj, 0))
		return
	}
	parent := s.Src(v, 0).Val
	p := g.read(parent)
	if in.DerefKind() == kind.DerefCast {
		g.each(v, mask, func(l int) uint64 { return p[l] })
		return
	}
	if in.DerefKind() == kind.DerefArrayWildcard {
		g.fail(v, "wildcards must be lowered first")
	}
	modes := s.Modes(v)
	t := s.DerefType(parent)
	switch in.DerefKind() {
	case kind.DerefStruct:
		i := int(s.Words(v)[kind.FieldDerefStructMember])
		g.each(v, mask, func(l int) uint64 { return g.step(modes, p[l], g.layouts.member(g.layoutAt(modes, p[l]), t, i)) })
	case kind.DerefArray, kind.DerefPtrAsArray:
		r := s.Src(v, 1)
		idx := g.read(r.Val)[int(r.Swz.Comp(0))*g.width:]
		size := s.At(r.Val).Bits
		each, descriptors := g.descriptors(parent, v)
		var strides [numLayouts]uint64
		for l := range strides {
			if in.DerefKind() == kind.DerefArray {
				strides[l] = g.elementStride(layout(l), parent, t)
			} else {
				strides[l] = uint64(s.Words(parent)[kind.FieldDerefCastStride])
			}
		}
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			i := int64(idx[l]<<(64-size)) >> (64 - size)
			if n := s.Types.At(t).Len; in.DerefKind() == kind.DerefArray && n != 0 && uint64(i) >= uint64(n) {
				g.stats.Outside++
			}
			if descriptors {
				obj, off := split(p[l])
				if uint64(i) >= uint64(g.elements(parent)) {
					obj, i = 0, 0
					if s.Types.At(t).Len == 0 {
						g.stats.Outside++
					}
				}
				out[l] = pointer(obj+int(i)*each, off)
				continue
			}
			out[l] = g.step(modes, p[l], uint64(i)*strides[g.layoutAt(modes, p[l])])
		}
	}
}

// descriptors reports whether a deref refers to an array of buffers or images, and the number of descriptors in each
// element.
func (g *subgroup) descriptors(parent, element ir.Value) (each int, ok bool) {
	s := g.s
	if s.Modes(parent)&(kind.ModeUBO|kind.ModeSSBO|kind.ModeImage|kind.ModeUniform) == 0 ||
		s.Types.At(s.DerefType(parent)).Kind != ir.TypeArray {
		return 0, false
	}
	n, ok := s.Types.Descriptors(s.DerefType(element))
	return int(n), ok
}

// elements returns the length of an array of descriptors. A runtime array is a whole variable: its length is the number
// of descriptors bound to it.
func (g *subgroup) elements(d ir.Value) uint32 {
	s := g.s
	x := s.Types.At(s.DerefType(d))
	if x.Len != 0 || s.At(d).DerefKind() != kind.DerefVar {
		return x.Len
	}
	each, _ := s.Types.Descriptors(x.Elem)
	return g.counts[s.Words(d)[kind.FieldDerefVarVar]] / max(each, 1)
}

// elementStride returns the bytes between the elements of an array, matrix or vector of
// type t that a deref refers to.
func (g *subgroup) elementStride(l layout, d ir.Value, t ir.Type) uint64 {
	if g.s.Types.At(t).Kind == ir.TypeVector {
		return g.compStride(l, d, t)
	}
	return g.layouts.extent(l, t).step
}

// compStride returns the bytes between the components of a vector of type t that a deref refers to. They are not
// contiguous in a column of a row-major matrix.
func (g *subgroup) compStride(l layout, d ir.Value, t ir.Type) uint64 {
	s := g.s
	if s.At(d).Kind == kind.Deref && s.At(d).DerefKind() == kind.DerefArray {
		if p := s.DerefType(s.Src(d, 0).Val); s.Types.At(p).Kind == ir.TypeMatrix {
			return g.layouts.extent(l, p).across
		}
	}
	_, bits, _ := s.Types.ScalarOf(t)
	return l.scalar(bits)
}

// components has the stride and the size of a vector's components in each layout, in bytes.
type components struct {
	step [numLayouts]uint64
	size [numLayouts]int
}

// components returns the components of the vector that deref d refers to.
func (g *subgroup) components(d ir.Value, bits uint8) components {
	var c components
	for l := range layout(numLayouts) {
		c.step[l], c.size[l] = g.compStride(l, d, g.s.DerefType(d)), int(l.scalar(bits))
	}
	return c
}

// at returns the n bytes at a pointer for a lane, or nil outside the object.
func (g *subgroup) at(p uint64, lane int, n int) []byte {
	obj, off := split(p)
	if obj >= len(g.objs) {
		return nil
	}
	o := &g.objs[obj]
	if off > uint64(o.size) || uint64(n) > uint64(o.size)-off {
		g.stats.Outside++
		return nil
	}
	if o.private {
		base := lane*o.size + int(off)
		return g.priv[obj][base : base+n]
	}
	return o.data[off : off+uint64(n)]
}

// mem returns the n bytes that deref d refers to for a lane, or nil outside the object.
func (g *subgroup) mem(d ir.Value, p uint64, lane, n int) []byte {
	if g.isAddress(g.s.Modes(d), p) {
		return g.res.global(p, n)
	}
	return g.at(p, lane, n)
}

// loadMem reads a component of n bytes through a deref. It splits the component into the same accesses as place.load.
func (g *subgroup) loadMem(d ir.Value, p uint64, lane, n int) uint64 {
	if n == 8 {
		return load(g.mem(d, p, lane, 4)) | load(g.mem(d, p+4, lane, 4))<<32
	}
	b := g.mem(d, p, lane, n)
	if b == nil && n > 1 {
		return loadBytes(n, func(k uint64) []byte { return g.mem(d, p+k, lane, 1) })
	}
	return load(b)
}

// storeMem writes a component of n bytes through a deref.
func (g *subgroup) storeMem(d ir.Value, p uint64, lane, n int, x uint64) {
	if n == 8 {
		store(g.mem(d, p, lane, 4), x)
		store(g.mem(d, p+4, lane, 4), x>>32)
		return
	}
	b := g.mem(d, p, lane, n)
	if b == nil && n > 1 {
		storeBytes(n, func(k uint64) []byte { return g.mem(d, p+k, lane, 1) }, x)
		return
	}
	store(b, x)
}

// isAddress reports whether a pointer with these modes is an address.
func (g *subgroup) isAddress(modes kind.Mode, p uint64) bool {
	return modes&kind.ModeGlobal != 0 && (modes == kind.ModeGlobal || p>>62 != objectTag>>62)
}

func load(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func store(b []byte, x uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(x)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(x))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(x))
	case 8:
		binary.LittleEndian.PutUint64(b, x)
	}
}

func (g *subgroup) loadDeref(v ir.Value, in *ir.Instr, mask uint64) {
	s := g.s
	d := g.source(v, intrinsic.RoleDeref).Val
	at := g.components(d, in.Bits)
	p := g.read(d)
	out := g.slot(v)
	m := ^uint64(0) >> (64 - in.Bits)
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		lay := g.layoutAt(s.Modes(d), p[l])
		for c := range int(in.Comps) {
			// A bool is the last bit of its word, so that an uninitialized bool may also be false.
			out[c*g.width+l] = g.loadMem(d, p[l]+uint64(c)*at.step[lay], l, at.size[lay]) & m
		}
	}
}

func (g *subgroup) storeDeref(v ir.Value, wm uint32, mask uint64) {
	s := g.s
	d := g.source(v, intrinsic.RoleDeref).Val
	r := g.source(v, intrinsic.RoleValue)
	at := g.components(d, s.At(r.Val).Bits)
	p, x := g.read(d), g.read(r.Val)
	for i := range g.width {
		l := g.turn(i)
		if mask>>l&1 == 0 {
			continue
		}
		lay := g.layoutAt(s.Modes(d), p[l])
		for c := range int(r.N) {
			if wm>>c&1 != 0 {
				g.storeMem(d, p[l]+uint64(c)*at.step[lay], l, at.size[lay], x[int(r.Swz.Comp(c))*g.width+l])
			}
		}
	}
}

func (g *subgroup) copyDeref(v ir.Value, mask uint64) {
	s := g.s
	dst, src := s.Src(v, 0).Val, s.Src(v, 1).Val
	dp, sp := g.read(dst), g.read(src)
	for i := range g.width {
		l := g.turn(i)
		if mask>>l&1 == 0 {
			continue
		}
		to := side{dst, g.layoutAt(s.Modes(dst), dp[l]), l}
		from := side{src, g.layoutAt(s.Modes(src), sp[l]), l}
		g.copyObject(to, from, dp[l], sp[l], s.DerefType(dst), s.DerefType(src))
	}
}

// side is the source or the destination of a copy: a lane's memory at a deref.
type side struct {
	d      ir.Value
	layout layout
	lane   int
}

// copyObject copies an object between layouts.
func (g *subgroup) copyObject(to, from side, dp, sp uint64, dt, st ir.Type) {
	tt := &g.s.Types
	x, y := *tt.At(dt), *tt.At(st)
	de, se := g.layouts.extent(to.layout, dt), g.layouts.extent(from.layout, st)
	switch x.Kind {
	case ir.TypeStruct:
		g.spend(1)
		dm, sm := tt.Members(dt), tt.Members(st)
		for i := range dm {
			g.copyObject(to, from, dp+g.layouts.member(to.layout, dt, i), sp+g.layouts.member(from.layout, st, i), dm[i].Type, sm[i].Type)
		}
	case ir.TypeArray:
		for i := range uint64(x.Len) {
			if i%16 == 0 {
				g.spend(1)
			}
			g.copyObject(to, from, dp+i*de.step, sp+i*se.step, x.Elem, y.Elem)
		}
	case ir.TypeMatrix:
		for i := range uint64(x.Len) {
			g.copyVector(to, from, dp+i*de.step, sp+i*se.step, x.Elem, de.across, se.across)
		}
	default:
		g.copyVector(to, from, dp, sp, dt, g.compStride(to.layout, to.d, dt), g.compStride(from.layout, from.d, st))
	}
}

// copyVector copies the components of a vector or scalar, given their strides.
func (g *subgroup) copyVector(to, from side, dp, sp uint64, t ir.Type, dstep, sstep uint64) {
	_, bits, n := g.s.Types.ScalarOf(t)
	for k := range uint64(n) {
		x := g.loadMem(from.d, sp+k*sstep, from.lane, int(from.layout.scalar(bits)))
		g.storeMem(to.d, dp+k*dstep, to.lane, int(to.layout.scalar(bits)), x)
	}
}

// inTable returns the n bytes at an offset into the buffer of a binding-table entry.
func (g *subgroup) inTable(entry uint64, offset uint64, n int) []byte {
	if entry >= uint64(len(g.table)) || g.table[entry] < 0 {
		return nil
	}
	return g.at(pointer(g.table[entry], 0)+offset&(1<<offsetBits-1), 0, n)
}

func within(mem []byte, offset uint64, n int) []byte {
	if offset > uint64(len(mem)) || uint64(n) > uint64(len(mem))-offset {
		return nil
	}
	return mem[offset : offset+uint64(n)]
}
