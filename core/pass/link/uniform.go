package link

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// uniformVar returns the fragment shader's variable for the block that a value of the vertex shader
// is loaded from.
func (l *linker) uniformVar(v ir.Value) (ir.Var, bool) {
	s := l.vertex.S
	in := s.At(v)
	if in.Kind != kind.Intrinsic || in.Intrinsic() != intrinsic.LoadDeref || kind.Access(s.Index(v, intrinsic.IxAccess))&kind.AccessVolatile != 0 {
		return 0, false
	}
	d := s.SrcVal(v, 0)
	if s.At(d).Kind != kind.Deref || !ir.ModeMustBe(s.Modes(d), uniforms) {
		return 0, false
	}
	for s.At(d).DerefKind() != kind.DerefVar {
		if k := s.At(d).DerefKind(); k != kind.DerefStruct {
			if _, known := s.ConstSrc(d, 1); k != kind.DerefArray || !known {
				return 0, false
			}
		}
		d = s.SrcVal(d, 0)
		if s.At(d).Kind != kind.Deref {
			return 0, false
		}
	}
	from := s.Var(s.DerefVar(d))
	f := l.fragment.S
	for b := range f.Blocks(f.Entry()) {
		for x := range f.Instrs(b) {
			if f.At(x).Kind != kind.Deref || f.At(x).DerefKind() != kind.DerefVar {
				continue
			}
			to := f.Var(f.DerefVar(x))
			if to.Mode == from.Mode && (to.Mode == kind.ModePushConstant || to.Set == from.Set && to.Binding == from.Binding) && alike(&s.Types, from.Type, &f.Types, to.Type) {
				return f.DerefVar(x), true
			}
		}
	}
	return 0, false
}

// alike reports whether two types of different shaders have the same structure and layout.
func alike(ta *ir.TypeTable, a ir.Type, tb *ir.TypeTable, b ir.Type) bool {
	x, y := ta.At(a), tb.At(b)
	if x.Kind != y.Kind || x.Bits != y.Bits || x.Len != y.Len || x.Stride != y.Stride || x.RowMajor != y.RowMajor {
		return false
	}
	switch x.Kind {
	case ir.TypeVector, ir.TypeMatrix, ir.TypeArray:
		return alike(ta, x.Elem, tb, y.Elem)
	case ir.TypeStruct:
		m, n := ta.Members(a), tb.Members(b)
		for i := range m {
			if m[i].Offset != n[i].Offset || m[i].Stride != n[i].Stride || m[i].RowMajor != n[i].RowMajor || !alike(ta, m[i].Type, tb, n[i].Type) {
				return false
			}
		}
		return true
	case ir.TypeBool, ir.TypeInt, ir.TypeUint, ir.TypeFloat:
		return true
	}
	return false
}

// loadUniform loads what a value of the vertex shader is, at the fragment shader's builder.
func (l *linker) loadUniform(v ir.Value) ir.Src {
	s, b := l.vertex.S, l.fragment.B
	x, _ := l.uniformVar(v)
	var chain func(d ir.Value) ir.Value
	chain = func(d ir.Value) ir.Value {
		switch s.At(d).DerefKind() {
		case kind.DerefVar:
			return b.DerefVar(x)
		case kind.DerefStruct:
			return b.DerefStruct(chain(s.SrcVal(d, 0)), int(s.Word(d, kind.FieldDerefStructMember)))
		}
		index, _ := s.ConstSrc(d, 1)
		return b.DerefArray(chain(s.SrcVal(d, 0)), b.Imm(uint32(index)))
	}
	in := s.At(v)
	return b.LoadDeref(in.Comps, in.Bits, l.fragment.S.All(chain(s.SrcVal(v, 0))), kind.Access(s.Index(v, intrinsic.IxAccess)))
}
