// SPDX-License-Identifier: MIT

package link

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// uniformVar returns the fragment shader's variable for the block from which a value of the vertex shader is loaded.
func (l *linker) uniformVar(v ir.Value) (ir.Var, bool) {
	s := l.vertex.S
	in := s.At(v)
	if in.Kind != kind.Intrinsic || in.Intrinsic() != intrinsic.LoadDeref ||
		kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile != 0 {
		return 0, false
	}
	d := s.Src(v, 0).Val
	if s.At(d).Kind != kind.Deref || !ir.ModeMustBe(s.Modes(d), uniforms) {
		return 0, false
	}
	for s.At(d).DerefKind() != kind.DerefVar {
		if k := s.At(d).DerefKind(); k != kind.DerefStruct {
			if _, known := s.ConstOf(s.Src(d, 1)); k != kind.DerefArray || !known {
				return 0, false
			}
		}
		d = s.Src(d, 0).Val
		if s.At(d).Kind != kind.Deref {
			return 0, false
		}
	}
	from := s.Var(s.DerefVar(d))
	for _, x := range l.blocks {
		to := l.fragment.S.Var(x)
		if to.Mode == from.Mode && (to.Mode == kind.ModePushConstant || to.Set == from.Set && to.Binding == from.Binding) &&
			l.same(from.Type, to.Type) {
			return x, true
		}
	}
	return 0, false
}

// useBlocks lists the blocks that the fragment shader uses.
func (l *linker) useBlocks() {
	f := l.fragment.S
	for b := range f.Blocks(f.Entry()) {
		for v := range f.Instrs(b) {
			if f.At(v).Kind != kind.Deref || f.At(v).DerefKind() != kind.DerefVar {
				continue
			}
			if x := f.DerefVar(v); f.Var(x).Mode&uniforms != 0 && !slices.Contains(l.blocks, x) {
				l.blocks = append(l.blocks, x)
			}
		}
	}
}

// structs is a pair of structs of the vertex and the fragment shader.
type structs [2]ir.Type

// same reports whether a type of the vertex shader and a type of the fragment shader have the same structure and
// layout.
func (l *linker) same(a, b ir.Type) bool {
	ta, tb := &l.vertex.S.Types, &l.fragment.S.Types
	x, y := ta.At(a), tb.At(b)
	if x.Kind != y.Kind || x.Bits != y.Bits || x.Len != y.Len || x.Stride != y.Stride || x.RowMajor != y.RowMajor {
		return false
	}
	switch x.Kind {
	case ir.TypeVector, ir.TypeMatrix, ir.TypeArray:
		return l.same(x.Elem, y.Elem)
	case ir.TypeStruct:
		if known, ok := l.alike[structs{a, b}]; ok { // a struct may contain another one many times
			return known
		}
		if l.alike == nil {
			l.alike = map[structs]bool{}
		}
		m, n := ta.Members(a), tb.Members(b)
		for i := range m {
			if m[i].Offset != n[i].Offset || m[i].Stride != n[i].Stride || m[i].RowMajor != n[i].RowMajor || !l.same(m[i].Type, n[i].Type) {
				l.alike[structs{a, b}] = false
				return false
			}
		}
		l.alike[structs{a, b}] = true
		return true
	case ir.TypeBool, ir.TypeInt, ir.TypeUint, ir.TypeFloat:
		return true
	}
	return false
}

// loadUniform inserts a load of a uniform value of the vertex shader into the fragment shader, at its builder.
func (l *linker) loadUniform(v ir.Value) ir.Src {
	s, b := l.vertex.S, l.fragment.B
	x, _ := l.uniformVar(v)
	var chain func(d ir.Value) ir.Value
	chain = func(d ir.Value) ir.Value {
		switch s.At(d).DerefKind() {
		case kind.DerefVar:
			return b.DerefVar(x)
		case kind.DerefStruct:
			return b.DerefStruct(chain(s.Src(d, 0).Val), int(s.Words(d)[kind.FieldDerefStructMember]))
		}
		index, _ := s.ConstOf(s.Src(d, 1))
		return b.DerefArray(chain(s.Src(d, 0).Val), b.Imm(uint32(index)))
	}
	in := s.At(v)
	return b.LoadDeref(in.Comps, in.Bits, l.fragment.S.All(chain(s.Src(v, 0).Val)), kind.Access(s.Index(v, intrinsic.IxAccess)))
}
