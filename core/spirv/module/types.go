// SPDX-License-Identifier: MIT

package module

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// TypeRec is a type of the module.
type TypeRec struct {
	Op    uint16
	Base  ir.TypeKind // scalars and vectors: of a component
	Comps uint8       // scalars and vectors: 1 to 4; 0 for other types
	Bits  uint8
	Ir    ir.Type // 0 for void, functions, pointers that are not values, and types with Unsized
	Elem  uint32  // id: pointee, element, column, return type
	N     uint32  // elements; pointers: the storage class
	depth uint16  // nesting depth
	align uint8   // bytes of its largest scalar; 0 if none
	// Untyped is set for pointers without a pointee type.
	Untyped bool
	leafs   uint32 // vectors in a value, at most maxLeaves+1; 0 if runtime-sized
	// Unsized is the specialization constant that gives an array in the type an impossible length, or 0 if none. The user
	// may specialize it, or the type may be unused.
	Unsized uint32
}

// maxTypeDepth bounds the nesting of types (SPIR-V specification 2.17: 255).
const maxTypeDepth = 255

// TypeAt returns the type with an id, and fails if the id is not a type.
func (r *Reader) TypeAt(id uint32) *TypeRec {
	rec := &r.Ids[id]
	if rec.Kind != idType {
		panic(r.Errorf("id %d is not a type", id))
	}
	return &r.Types[rec.Aux]
}

// TypeOf returns the type of a value or constant.
func (r *Reader) TypeOf(id uint32) *TypeRec {
	t := r.Ids[id].Typ
	if t == 0 {
		panic(r.Errorf("id %d is not a value", id))
	}
	return &r.Types[r.Ids[t].Aux]
}

func (r *Reader) typeInstr(info *spirvtab.Op, in []uint32) {
	id := in[1]
	if info.Num == spirvtab.OpTypeForwardPointer {
		r.forwardPointer(in)
		return
	}
	if info.Num == spirvtab.OpTypePointer && r.definePointer(in) {
		return
	}
	t := TypeRec{Op: info.Num}
	tt := &r.S.Types
	switch info.Num {
	case spirvtab.OpTypeVoid:
	case spirvtab.OpTypeBool:
		t.Base, t.Comps, t.Bits = ir.TypeBool, 1, 1
		t.Ir = tt.Scalar(ir.TypeBool, 1)
	case spirvtab.OpTypeInt:
		t.Base = ir.TypeUint
		if in[3] != 0 {
			t.Base = ir.TypeInt
		}
		t.Comps = 1
		switch in[2] {
		case 8, 16, 32, 64:
			t.Bits = uint8(in[2])
		default:
			r.Refuse("%d-bit integers are not supported", in[2])
		}
		t.Ir = tt.Scalar(t.Base, t.Bits)
	case spirvtab.OpTypeFloat:
		t.Base, t.Comps = ir.TypeFloat, 1
		switch in[2] {
		case 16, 32, 64:
			t.Bits = uint8(in[2])
		default:
			r.Refuse("%d-bit floats are not supported", in[2])
		}
		t.Ir = tt.Scalar(t.Base, t.Bits)
	case spirvtab.OpTypeVector:
		e := r.TypeAt(in[2])
		if e.Comps != 1 || in[3] < 2 || in[3] > 4 {
			r.Refuse("vectors of %d such components are not supported", in[3])
		}
		t.Base, t.Bits, t.Comps = e.Base, e.Bits, uint8(in[3])
		t.Elem, t.N = in[2], in[3]
		t.Ir = tt.Vector(e.Ir, in[3])
	case spirvtab.OpTypeMatrix:
		e := r.TypeAt(in[2])
		if e.Comps < 2 || e.Base != ir.TypeFloat || in[3] < 2 || in[3] > 4 {
			r.Fail("a matrix must have 2 to 4 columns that are vectors of floats")
		}
		t.Elem, t.N, t.leafs = in[2], in[3], in[3]
		t.align = e.align
		t.Ir = tt.Intern(ir.TypeInfo{Kind: ir.TypeMatrix, Elem: e.Ir, Len: in[3]})
	case spirvtab.OpTypeArray, spirvtab.OpTypeRuntimeArray:
		r.arrayType(&t, in)
	case spirvtab.OpTypeStruct:
		r.structType(&t, in)
	case spirvtab.OpTypeImage:
		r.imageType(&t, in)
	case spirvtab.OpTypeSampler:
		t.Ir, t.leafs = tt.Intern(ir.TypeInfo{Kind: ir.TypeSampler}), 1
	case spirvtab.OpTypeSampledImage:
		r.sampledImageType(&t, in)
	case spirvtab.OpTypePointer:
		r.TypeAt(in[3])
		r.pointerType(&t, in[2], in[3])
	case spirvtab.OpTypeUntypedPointerKHR:
		r.pointerType(&t, in[2], 0)
		t.Untyped = true
	case spirvtab.OpTypeFunction:
		t.Elem = in[2]
		for _, p := range in[2:] {
			r.TypeAt(p)
		}
	}
	if t.Comps != 0 {
		t.leafs = 1
		t.align = t.Bits / 8
	}
	r.Types = append(r.Types, t)
	rec := &r.Ids[id]
	rec.Kind, rec.Aux = idType, uint32(len(r.Types)-1)
}

// ValueName returns the name of an enumerant for messages, or its number if v is nil.
func ValueName(v *spirvtab.Value, num uint32) string {
	if v != nil {
		return v.Name
	}
	return utoa(num)
}

func utoa(n uint32) string {
	var b [10]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(b[i:])
		}
	}
}

// memberOK rejects types that cannot be in an array or struct.
func (r *Reader) memberOK(t *TypeRec) {
	switch t.Op {
	case spirvtab.OpTypeVoid, spirvtab.OpTypeFunction:
		r.Fail("an element or member cannot have such a type")
	case spirvtab.OpTypePointer:
		r.NeedValue(t)
	}
}

// aligned rejects offsets and strides that are not multiples of the scalar alignment, the minimum in Vulkan (Vulkan
// specification, "Offset and Stride Assignment", scalar alignment).
func (r *Reader) aligned(n uint32, align uint8, what string) {
	if align > 1 && n%uint32(align) != 0 {
		r.Fail("%s, %d bytes, is not a multiple of the scalar size %d", what, n, align)
	}
}

// leafs returns n · each, or maxLeaves+1 if the product is greater.
func leafs(n, each uint32) uint32 {
	if p := uint64(n) * uint64(each); p <= maxLeaves {
		return uint32(p)
	}
	return maxLeaves + 1
}

func (r *Reader) arrayType(t *TypeRec, in []uint32) {
	e := r.TypeAt(in[2])
	r.memberOK(e)
	stride, _ := r.Find(in[1], spirvtab.DecorationArrayStride)
	t.align = e.align
	r.aligned(stride, e.align, "the stride")
	t.Elem = in[2]
	r.nest(t, e)
	if t.Op == spirvtab.OpTypeArray {
		n, ok := r.ConstScalar(in[3])
		if !ok {
			r.Fail("the length, id %d, is not a constant integer", in[3])
		}
		if e.Op == spirvtab.OpTypeRuntimeArray {
			r.Fail("arrays of runtime-sized arrays are not allowed")
		}
		if n == 0 || n > 1<<28 {
			if !r.specializable(in[3]) {
				r.Fail("an array has %d elements; it must have from 1 to 2^28", n)
			}
			t.Unsized, n = in[3], 1
		}
		t.N = uint32(n)
		t.leafs = leafs(t.N, e.leafs)
	}
	if t.Unsized = max(t.Unsized, e.Unsized); t.Unsized == 0 {
		t.Ir = r.S.Types.Array(e.Ir, t.N, stride)
	}
}

// specializable reports whether a constant may depend on the user's specialization.
func (r *Reader) specializable(id uint32) bool {
	switch r.Op(r.Ids[id].Word) {
	case spirvtab.OpSpecConstant, spirvtab.OpSpecConstantOp:
		return true
	}
	return false
}

func (r *Reader) nest(t, inner *TypeRec) {
	if t.depth = max(t.depth, inner.depth+1); t.depth > maxTypeDepth {
		r.Fail("types nest deeper than %d", maxTypeDepth)
	}
}

func (r *Reader) structType(t *TypeRec, in []uint32) {
	id, members := in[1], in[2:]
	ms := slices.Grow(r.members[:0], len(members))[:len(members)]
	r.members = ms
	t.N, t.leafs = uint32(len(members)), 0
	runtime := false
	for i, m := range members {
		e := r.TypeAt(m)
		r.memberOK(e)
		if e.Opaque() {
			r.Fail("member %d is an image or a sampler", i)
		}
		r.nest(t, e)
		t.align = max(t.align, e.align)
		t.Unsized = max(t.Unsized, e.Unsized)
		if runtime {
			r.Fail("a runtime array must be the last member")
		}
		if runtime = e.Op == spirvtab.OpTypeRuntimeArray; !runtime {
			t.leafs = min(t.leafs+e.leafs, maxLeaves+1)
		}
		ms[i] = ir.Member{Type: e.Ir, Offset: ir.NoOffset}
	}
	if runtime {
		t.leafs = 0
	}
	info := ir.TypeInfo{Name: r.NameOf(id)}
	for d := r.Ids[id].Dec; d != 0; d = r.decs[d].next {
		x := &r.decs[d]
		if x.member == NoMember {
			if x.num == spirvtab.DecorationBlock || x.num == spirvtab.DecorationBufferBlock {
				info.Block = true
			}
			continue
		}
		if int(x.member) >= len(ms) {
			r.FailAt(x.word, "the struct has no member %d", x.member)
		}
		m := &ms[x.member]
		if x.num == memberName {
			m.Name = r.S.Strs.InternBytes(r.text(x.word + x.lit))
			continue
		}
		lit := r.Words[x.word+min(x.lit, uint32(len(r.Ins(x.word)))-1)]
		switch x.num {
		case spirvtab.DecorationOffset:
			r.aligned(lit, r.TypeAt(members[x.member]).align, "the offset of a member")
			m.Offset = lit
		case spirvtab.DecorationMatrixStride:
			r.aligned(lit, r.TypeAt(members[x.member]).align, "the stride of a matrix")
			m.Stride = lit
		case spirvtab.DecorationRowMajor:
			m.RowMajor = true
		case spirvtab.DecorationBuiltIn:
			m.Builtin = lit + 1
		case spirvtab.DecorationXfbBuffer, spirvtab.DecorationXfbStride:
			r.refuseAt(x.word, "transform feedback of a single member is not supported")
		case spirvtab.DecorationLocation:
			m.Location = lit + 1
		case spirvtab.DecorationComponent:
			m.Comp = uint8(lit)
		default:
			m.Access |= accessOf(x.num) &^ r.unclaimed
			m.Qual |= qualifierOf(x.num)
		}
	}
	for i := range ms {
		if ms[i].Stride != 0 {
			ms[i].Type = r.matrixLayout(ms[i].Type, ms[i].Stride, ms[i].RowMajor)
		}
	}
	if t.Unsized == 0 {
		t.Ir = r.S.Types.Struct(info, ms)
	}
}

// matrixLayout returns a member's type with the stride and the order of components assigned to its matrices.
func (r *Reader) matrixLayout(t ir.Type, stride uint32, rowMajor bool) ir.Type {
	info := *r.S.Types.At(t)
	switch info.Kind {
	case ir.TypeMatrix:
		info.Stride, info.RowMajor = stride, rowMajor
	case ir.TypeArray:
		info.Elem = r.matrixLayout(info.Elem, stride, rowMajor)
	default:
		return t
	}
	return r.S.Types.Intern(info)
}

// Part returns the type of part i of a type, or 0 if there is none.
func (r *Reader) Part(typ uint32, i uint32) uint32 {
	t := r.TypeAt(typ)
	switch {
	case i >= t.N:
		return 0
	case t.Op == spirvtab.OpTypeStruct:
		return r.StructMember(typ, int(i))
	case t.Op == spirvtab.OpTypeVector || t.Op == spirvtab.OpTypeMatrix || t.Op == spirvtab.OpTypeArray:
		return t.Elem
	}
	return 0
}
