// SPDX-License-Identifier: MIT

package ir_test

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// memory is a shader with a variable for each memory layout.
type memory struct {
	s                                 *ir.Shader
	buffer, private, workgroup, block ir.Var
}

// newMemory creates variables of type t; block adds a workgroup variable that is a block.
func newMemory(s *ir.Shader, t ir.Type, block bool) memory {
	m := memory{s: s}
	m.buffer = s.NewVar(ir.VarInfo{Mode: kind.ModeSSBO, Type: t})
	m.private = s.NewVar(ir.VarInfo{Mode: kind.ModeShaderTemp, Type: t})
	m.workgroup = s.NewVar(ir.VarInfo{Mode: kind.ModeShared, Type: t})
	if block {
		b := s.Types.Struct(ir.TypeInfo{Block: true}, []ir.Member{{Type: t}})
		m.block = s.NewVar(ir.VarInfo{Mode: kind.ModeShared, Type: b})
	}
	return m
}

// TestLayout checks sizes that were computed by hand: in buffers by decorations, in private memory packed into dwords,
// in workgroup memory packed.
func TestLayout(t *testing.T) {
	type place struct{ size, align, stride, end uint32 }
	type types struct {
		*ir.TypeTable
		b, h, f, v3, h2 ir.Type
	}
	matrix := func(x types, column ir.Type, columns, stride uint32, rows bool) ir.Type {
		return x.Intern(ir.TypeInfo{Kind: ir.TypeMatrix, Elem: column, Len: columns, Stride: stride, RowMajor: rows})
	}
	for _, c := range []struct {
		name                       string
		make                       func(types) ir.Type
		buffer, private, workgroup place
	}{
		{"byte", func(x types) ir.Type { return x.b }, place{1, 1, 1, 1}, place{4, 4, 4, 4}, place{1, 1, 1, 1}},
		{"half vector", func(x types) ir.Type { return x.h2 }, place{4, 2, 2, 4}, place{8, 4, 4, 8}, place{4, 2, 2, 4}},
		{"halves, stride 2", func(x types) ir.Type { return x.Array(x.h, 5, 2) }, place{10, 2, 2, 10}, place{20, 4, 4, 20}, place{10, 2, 2, 10}},
		{"bytes, stride 16", func(x types) ir.Type { return x.Array(x.b, 3, 16) }, place{48, 1, 16, 33}, place{12, 4, 4, 12}, place{3, 1, 1, 3}},
		{"bytes, no stride", func(x types) ir.Type { return x.Array(x.b, 3, 0) }, place{3, 1, 1, 3}, place{12, 4, 4, 12}, place{3, 1, 1, 3}},
		{"runtime-sized", func(x types) ir.Type { return x.Array(x.f, 0, 16) }, place{0, 4, 16, 0}, place{0, 4, 4, 0}, place{0, 4, 4, 0}},
		{"mat3, stride 16", func(x types) ir.Type { return matrix(x, x.v3, 3, 16, false) }, place{48, 4, 16, 44}, place{36, 4, 12, 36}, place{36, 4, 12, 36}},
		{"mat2x3 by rows, stride 8", func(x types) ir.Type { return matrix(x, x.v3, 2, 8, true) }, place{24, 4, 8, 24}, place{24, 4, 12, 24}, place{24, 4, 12, 24}},
		{"mat2x3 by rows, stride 16", func(x types) ir.Type { return matrix(x, x.v3, 2, 16, true) }, place{48, 4, 16, 40}, place{24, 4, 12, 24}, place{24, 4, 12, 24}},
		{"half mat4x2 by rows, stride 16", func(x types) ir.Type { return matrix(x, x.h2, 4, 16, true) }, place{32, 2, 16, 24}, place{32, 4, 8, 32}, place{16, 2, 4, 16}},
	} {
		for _, block := range []bool{false, true} {
			s := ir.New()
			tt := &s.Types
			x := types{TypeTable: tt, b: tt.Scalar(ir.TypeUint, 8), h: tt.Scalar(ir.TypeFloat, 16), f: tt.Scalar(ir.TypeFloat, 32)}
			x.v3, x.h2 = tt.Vector(x.f, 3), tt.Vector(x.h, 2)
			typ := c.make(x)
			m := newMemory(s, typ, block)
			for _, v := range []struct {
				name string
				l    ir.Layout
				want place
			}{
				{"a buffer", s.LayoutOfVar(m.buffer), c.buffer}, {"private", s.LayoutOfVar(m.private), c.private},
				{"workgroup", s.LayoutOfVar(m.workgroup), c.workgroup}, {"ssbo", s.LayoutOf(kind.ModeSSBO), c.buffer},
				{"function", s.LayoutOf(kind.ModeFunctionTemp), c.private},
				{"a pointer to workgroup memory", s.LayoutOf(kind.ModeShared), map[bool]place{false: c.workgroup, true: c.buffer}[block]},
			} {
				got := place{stride: v.l.Stride(typ), end: v.l.End(typ)}
				got.size, got.align = v.l.Size(typ)
				if got != v.want {
					t.Errorf("%s in %s (a block: %v): size, align, stride, end %v, want %v", c.name, v.name, block, got, v.want)
				}
			}
			if block {
				if size, _ := s.LayoutOfVar(m.block).Size(typ); size != c.buffer.size {
					t.Errorf("%s in a workgroup block: %d bytes, want %d", c.name, size, c.buffer.size)
				}
			}
		}
	}
}

// TestLayoutOfMembers has a struct with members in reverse order and a missing offset.
func TestLayoutOfMembers(t *testing.T) {
	s := ir.New()
	tt := &s.Types
	b, f := tt.Scalar(ir.TypeUint, 8), tt.Scalar(ir.TypeFloat, 32)
	typ := tt.Struct(ir.TypeInfo{}, []ir.Member{{Type: b, Offset: 12}, {Type: f, Offset: 4}, {Type: b, Offset: 0}, {Type: b, Offset: ir.NoOffset}})
	m := newMemory(s, typ, false)
	for _, c := range []struct {
		name string
		v    ir.Var
		at   [4]uint32
		size uint32
	}{
		{"a buffer", m.buffer, [4]uint32{12, 4, 0, 13}, 16},
		{"private", m.private, [4]uint32{0, 4, 8, 12}, 16},
		{"workgroup", m.workgroup, [4]uint32{0, 4, 8, 9}, 12},
	} {
		l := s.LayoutOfVar(c.v)
		for i, want := range c.at {
			if got := l.Offset(typ, i); got != want {
				t.Errorf("%s: member %d at %d, want %d", c.name, i, got, want)
			}
		}
		if size, _ := l.Size(typ); size != c.size {
			t.Errorf("%s: %d bytes, want %d", c.name, size, c.size)
		}
	}
}

// TestLayoutOfSharedTypes has types that contain each other twice, sixty levels deep: each must be visited once, and
// the size must not wrap around.
func TestLayoutOfSharedTypes(t *testing.T) {
	s := ir.New()
	tt := &s.Types
	typ := tt.Scalar(ir.TypeFloat, 32)
	for range 60 {
		typ = tt.Array(tt.Struct(ir.TypeInfo{}, []ir.Member{{Type: typ, Offset: ir.NoOffset}, {Type: typ, Offset: ir.NoOffset}}), 1, 0)
	}
	if size, _ := s.LayoutOf(kind.ModeShared).Size(typ); size < 1<<31 {
		t.Errorf("%d bytes", size)
	}
}
