// SPDX-License-Identifier: MIT

package interp

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// layout is the memory layout of an object.
type layout uint8

const (
	laidOut  layout = iota // by the offsets and strides of types; packed where a type has none
	packed                 // contiguous, each part at a multiple of its size: offsets and strides of types are ignored
	inDwords               // like packed, but every part takes at least a dword
	numLayouts
)

// layouts caches extents and offsets, by layout and type.
type layouts struct {
	types *ir.TypeTable
	sizes [numLayouts][]extent
	parts [numLayouts][][]uint64 // offsets of a struct's members
}

// extent is the size and alignment of a type, in bytes.
type extent struct {
	size, align uint64 // align 0: not computed yet
	step        uint64 // from one element to the next
	across      uint64 // from one component of a matrix column to the next
}

// huge bounds the size of an object, in bytes.
const huge = 1 << 40

func (m *layouts) start(types *ir.TypeTable) {
	m.types = types
	for l := range m.sizes {
		m.sizes[l] = make([]extent, types.Num())
		m.parts[l] = make([][]uint64, types.Num())
	}
}

// scalar returns the size in bytes of a scalar; a bool is a dword.
func (l layout) scalar(bits uint8) uint64 {
	if bits == 1 || l == inDwords && bits < 32 {
		return 4
	}
	return uint64(bits) / 8
}

func upTo(x, align uint64) uint64 { return (x + align - 1) / align * align }

// extent returns the extent of a type.
func (m *layouts) extent(l layout, t ir.Type) extent {
	if e := m.sizes[l][t]; e.align != 0 {
		return e
	}
	x := *m.types.At(t)
	var e extent
	switch x.Kind {
	case ir.TypeStruct:
		e = m.members(l, t)
	case ir.TypeArray:
		of := m.extent(l, x.Elem)
		e.align, e.step = of.align, upTo(of.size, of.align)
		if l == laidOut && x.Stride != 0 {
			e.step = uint64(x.Stride)
		}
		e.size = huge
		if e.step == 0 || uint64(x.Len) <= huge/e.step {
			e.size = e.step * uint64(x.Len)
		}
	case ir.TypeMatrix:
		_, bits, rows := m.types.ScalarOf(x.Elem)
		one := l.scalar(bits)
		e = extent{size: one * uint64(rows) * uint64(x.Len), align: one, step: one * uint64(rows), across: one}
		switch {
		case l == laidOut && x.RowMajor:
			e.step, e.across = one, one*uint64(x.Len)
			if x.Stride != 0 {
				e.across = uint64(x.Stride)
			}
			e.size = e.across * uint64(rows)
		case l == laidOut && x.Stride != 0:
			e.step = uint64(x.Stride)
			e.size = e.step * uint64(x.Len)
		}
	default:
		_, bits, n := m.types.ScalarOf(t)
		one := max(l.scalar(bits), 1)
		e = extent{size: one * uint64(n), align: one, step: one, across: one}
	}
	m.sizes[l][t] = e
	return e
}

// members places the members of a struct.
func (m *layouts) members(l layout, t ir.Type) extent {
	e := extent{align: 1}
	list := m.types.Members(t)
	at := make([]uint64, len(list))
	for i := range list {
		of := m.extent(l, list[i].Type)
		at[i] = upTo(e.size, of.align)
		if l == laidOut && list[i].Offset != ir.NoOffset {
			at[i] = uint64(list[i].Offset)
		}
		e.size = min(max(e.size, at[i]+of.size), huge)
		e.align = max(e.align, of.align)
	}
	e.size = upTo(e.size, e.align)
	m.parts[l][t] = at
	return e
}

// member returns the offset of a struct member.
func (m *layouts) member(l layout, t ir.Type, i int) uint64 {
	m.extent(l, t)
	return m.parts[l][t][i]
}

// layoutOfVar returns the layout of a variable's memory: private memory in dwords,
// workgroup memory packed unless the variable is a block (SPIR-V specification 2.16.2).
func layoutOfVar(s *ir.Shader, x ir.Var) layout {
	switch v := s.Var(x); {
	case v.Mode&(kind.ModeFunctionTemp|kind.ModeShaderTemp) != 0:
		return inDwords
	case v.Mode == kind.ModeShared && !s.Var(x).SharedBlock(&s.Types):
		return packed
	}
	return laidOut
}

// step returns a pointer a number of bytes after p, into the same object.
func (g *subgroup) step(modes kind.Mode, p, bytes uint64) uint64 {
	if g.isAddress(modes, p) {
		return p + bytes
	}
	obj, off := split(p)
	return pointer(obj, off+bytes)
}

// layoutAt returns the layout of the object that a pointer refers to.
func (g *subgroup) layoutAt(modes kind.Mode, p uint64) layout {
	if g.isAddress(modes, p) {
		return laidOut
	}
	if obj, _ := split(p); obj < len(g.objs) {
		return g.objs[obj].layout
	}
	return laidOut
}
