package spirv

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/generated/spirvtab"
)

// typeRec is a type of the module.
type typeRec struct {
	op    uint16
	base  ir.TypeKind // scalars and vectors: of a component
	comps uint8       // scalars and vectors: 1 to 4; 0: other types
	bits  uint8
	ir    ir.Type // 0 for functions and pointers that are not values
	elem  uint32  // id: pointee, element, column, return type
	n     uint32  // elements; pointers: the storage class
	depth uint16  // nesting depth
	align uint8   // bytes of its largest scalar; 0: none
	// untyped is set for pointers without a pointee type.
	untyped bool
	leafs   uint32 // vectors in a value, at most maxLeaves+1; 0: runtime-sized
	// unsized is the specialization constant that gives an array in the type an impossible length, 0: none. The user
	// may specialize it, or the type may be unused.
	unsized uint32
}

// maxTypeDepth bounds the nesting of types (SPIR-V specification 2.17: 255).
const maxTypeDepth = 255

func (r *reader) typeAt(id uint32) *typeRec {
	rec := &r.ids[id]
	if rec.kind != idType {
		panic(r.errorf("id %d is not a type", id))
	}
	return &r.types[rec.aux]
}

// typeOf returns the type of a value or constant.
func (r *reader) typeOf(id uint32) *typeRec {
	t := r.ids[id].typ
	if t == 0 {
		panic(r.errorf("id %d is not a value", id))
	}
	return &r.types[r.ids[t].aux]
}

func (r *reader) typeInstr(info *spirvtab.Op, in []uint32) {
	id := in[1]
	if info.Num == spirvtab.OpTypeForwardPointer {
		r.forwardPointer(in)
		return
	}
	if info.Num == spirvtab.OpTypePointer && r.definePointer(in) {
		return
	}
	t := typeRec{op: info.Num}
	tt := &r.s.Types
	switch info.Num {
	case spirvtab.OpTypeVoid:
	case spirvtab.OpTypeBool:
		t.base, t.comps, t.bits = ir.TypeBool, 1, 1
		t.ir = tt.Scalar(ir.TypeBool, 1)
	case spirvtab.OpTypeInt:
		t.base = ir.TypeUint
		if in[3] != 0 {
			t.base = ir.TypeInt
		}
		t.comps = 1
		switch in[2] {
		case 8, 16, 32, 64:
			t.bits = uint8(in[2])
		default:
			r.refuse("integers of %d bits are not supported", in[2])
		}
		t.ir = tt.Scalar(t.base, t.bits)
	case spirvtab.OpTypeFloat:
		t.base, t.comps = ir.TypeFloat, 1
		switch in[2] {
		case 16, 32, 64:
			t.bits = uint8(in[2])
		default:
			r.refuse("floats of %d bits are not supported", in[2])
		}
		t.ir = tt.Scalar(t.base, t.bits)
	case spirvtab.OpTypeVector:
		e := r.typeAt(in[2])
		if e.comps != 1 || in[3] < 2 || in[3] > 4 {
			r.refuse("vectors of %d such components are not supported", in[3])
		}
		t.base, t.bits, t.comps, t.elem, t.n = e.base, e.bits, uint8(in[3]), in[2], in[3]
		t.ir = tt.Vector(e.ir, in[3])
	case spirvtab.OpTypeMatrix:
		e := r.typeAt(in[2])
		if e.comps < 2 || e.base != ir.TypeFloat || in[3] < 2 || in[3] > 4 {
			r.fail("a matrix must have 2 to 4 columns that are vectors of floats")
		}
		t.elem, t.n, t.leafs = in[2], in[3], in[3]
		t.align = e.align
		t.ir = tt.Intern(ir.TypeInfo{Kind: ir.TypeMatrix, Elem: e.ir, Len: in[3]})
	case spirvtab.OpTypeArray, spirvtab.OpTypeRuntimeArray:
		r.arrayType(&t, in)
	case spirvtab.OpTypeStruct:
		r.structType(&t, in)
	case spirvtab.OpTypeImage:
		r.imageType(&t, in)
	case spirvtab.OpTypeSampler:
		t.ir, t.leafs = tt.Intern(ir.TypeInfo{Kind: ir.TypeSampler}), 1
	case spirvtab.OpTypeSampledImage:
		r.sampledImageType(&t, in)
	case spirvtab.OpTypePointer:
		r.typeAt(in[3])
		r.pointerType(&t, in[2], in[3])
	case spirvtab.OpTypeUntypedPointerKHR:
		r.pointerType(&t, in[2], 0)
		t.untyped = true
	case spirvtab.OpTypeFunction:
		t.elem = in[2]
		for _, p := range in[2:] {
			r.typeAt(p)
		}
	}
	if t.comps != 0 {
		t.leafs = 1
		t.align = t.bits / 8
	}
	r.types = append(r.types, t)
	rec := &r.ids[id]
	rec.kind, rec.aux = idType, uint32(len(r.types)-1)
}

func valueName(v *spirvtab.Value, num uint32) string {
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
func (r *reader) memberOK(t *typeRec) {
	switch t.op {
	case spirvtab.OpTypeVoid, spirvtab.OpTypeFunction:
		r.fail("an element or member cannot have such a type")
	case spirvtab.OpTypePointer:
		r.needValue(t)
	}
}

// aligned rejects offsets and strides that are not multiples of the scalar alignment, the minimum in Vulkan (Vulkan
// specification, "Offset and Stride Assignment", scalar alignment).
func (r *reader) aligned(n uint32, align uint8, what string) {
	if align > 1 && n%uint32(align) != 0 {
		r.fail("%s, %d bytes, is not a multiple of the scalar size %d", what, n, align)
	}
}

// leafs returns n · each, or maxLeaves+1 if the product is greater.
func leafs(n, each uint32) uint32 {
	if p := uint64(n) * uint64(each); p <= maxLeaves {
		return uint32(p)
	}
	return maxLeaves + 1
}

func (r *reader) arrayType(t *typeRec, in []uint32) {
	e := r.typeAt(in[2])
	r.memberOK(e)
	stride, _ := r.find(in[1], spirvtab.DecorationArrayStride)
	t.align = e.align
	r.aligned(stride, e.align, "the stride")
	t.elem = in[2]
	r.nest(t, e)
	if t.op == spirvtab.OpTypeArray {
		n, ok := r.constScalar(in[3])
		if !ok {
			r.fail("the length, id %d, is not a constant integer", in[3])
		}
		if e.op == spirvtab.OpTypeRuntimeArray {
			r.fail("arrays of runtime-sized arrays are not allowed")
		}
		if n == 0 || n > 1<<28 {
			if !r.specializable(in[3]) {
				r.fail("an array of %d elements", n)
			}
			t.unsized, n = in[3], 1
		}
		t.n = uint32(n)
		t.leafs = leafs(t.n, e.leafs)
	}
	if t.unsized = max(t.unsized, e.unsized); t.unsized == 0 {
		t.ir = r.s.Types.Array(e.ir, t.n, stride)
	}
}

// specializable reports whether a constant depends on the user's specialization.
func (r *reader) specializable(id uint32) bool {
	switch r.op(r.ids[id].word) {
	case spirvtab.OpSpecConstant, spirvtab.OpSpecConstantOp:
		return true
	}
	return false
}

func (r *reader) nest(t, inner *typeRec) {
	if t.depth = max(t.depth, inner.depth+1); t.depth > maxTypeDepth {
		r.fail("types nest deeper than %d", maxTypeDepth)
	}
}

func (r *reader) structType(t *typeRec, in []uint32) {
	id, members := in[1], in[2:]
	ms := slices.Grow(r.members[:0], len(members))[:len(members)]
	r.members = ms
	t.n, t.leafs = uint32(len(members)), 0
	runtime := false
	for i, m := range members {
		e := r.typeAt(m)
		r.memberOK(e)
		if e.opaque() {
			r.fail("member %d is an image or a sampler", i)
		}
		r.nest(t, e)
		t.align = max(t.align, e.align)
		t.unsized = max(t.unsized, e.unsized)
		if runtime {
			r.fail("a runtime array must be the last member")
		}
		if runtime = e.op == spirvtab.OpTypeRuntimeArray; !runtime {
			t.leafs = min(t.leafs+e.leafs, maxLeaves+1)
		}
		ms[i] = ir.Member{Type: e.ir, Offset: ir.NoOffset}
	}
	if runtime {
		t.leafs = 0
	}
	info := ir.TypeInfo{Name: r.nameOf(id)}
	for d := r.ids[id].dec; d != 0; d = r.decs[d].next {
		x := &r.decs[d]
		if x.member == noMember {
			if x.num == spirvtab.DecorationBlock || x.num == spirvtab.DecorationBufferBlock {
				info.Block = true
			}
			continue
		}
		if int(x.member) >= len(ms) {
			r.failAt(x.word, "the struct has no member %d", x.member)
		}
		m := &ms[x.member]
		if x.num == memberName {
			m.Name = r.s.Strs.InternBytes(r.text(x.word + x.lit))
			continue
		}
		lit := r.words[x.word+min(x.lit, uint32(len(r.ins(x.word)))-1)]
		switch x.num {
		case spirvtab.DecorationOffset:
			r.aligned(lit, r.typeAt(members[x.member]).align, "the offset of a member")
			m.Offset = lit
		case spirvtab.DecorationMatrixStride:
			r.aligned(lit, r.typeAt(members[x.member]).align, "the stride of a matrix")
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
	if t.unsized == 0 {
		t.ir = r.s.Types.Struct(info, ms)
	}
}

// matrixLayout assigns the stride to the matrices in a member's type.
func (r *reader) matrixLayout(t ir.Type, stride uint32, rowMajor bool) ir.Type {
	info := *r.s.Types.At(t)
	switch info.Kind {
	case ir.TypeMatrix:
		info.Stride, info.RowMajor = stride, rowMajor
	case ir.TypeArray:
		info.Elem = r.matrixLayout(info.Elem, stride, rowMajor)
	default:
		return t
	}
	return r.s.Types.Intern(info)
}
