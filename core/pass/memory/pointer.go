package memory

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Pointer values have a low and a high half (see pointerFormats). What these contain depends on
// the mode:
//
//	global         the address
//	ssbo           offset in the low half; 1 + binding-table entry in the high half
//	shared         offset in the low half; tag 1 in the two highest bits
//	function_temp  offset in scratch memory in the low half; tag 2 likewise
//
// so that the null pointer is 0 and refers to nothing, and the tag of a pointer
// that may refer to global, shared or private memory distinguishes them
// (addresses have 48 bits, sign-extended: their tag is 0 or 3).
const (
	tagShift   = 30 // in the high half
	tagShared  = 1
	tagPrivate = 2
)

// unpackPointer unpacks the value that deref d, a cast, turns into a pointer.
func (c context) unpackPointer(d ir.Value) (address, bool) {
	s, b := c.S, c.B
	p := s.Operand(d, 0)
	a := address{mode: s.Modes(d), align: 16, ptr: true}
	if a.mode&^generic == 0 {
		a.mode &= c.possibleModes(p.Val, 0)
	}
	f := c.pointerFormat(p.Val, a.mode)
	if f == nil {
		return a, false
	}
	switch a.mode {
	case kind.ModeShared, kind.ModeFunctionTemp, kind.ModeShaderTemp:
		a.dyn, _ = f.unpack(c, p)
		return a, true
	case kind.ModeSSBO:
		var entry ir.Src
		a.dyn, entry = f.unpack(c, p)
		if x := c.origin(p.Val, 0); x != 0 && s.Types.At(s.Var(x).Type).Kind != ir.TypeArray {
			a.v, a.block = x, c.varAddress(x).block
		} else {
			a.block = b.ISub(entry, b.Imm(1))
		}
		return a, true
	}
	if a.base = p; f.bits != 64 {
		a.base = b.Pack64_2x32Split(f.unpack(c, p))
	}
	return a, a.mode&^generic == 0
}

// maxOrigin bounds the number of phis and selects through which the origin of a
// pointer is traced.
const maxOrigin = 16

// origin returns the only variable that a pointer can refer to, 0 if there may be
// several.
func (c context) origin(v ir.Value, depth int) ir.Var {
	s := c.S
	in := s.At(v)
	if depth > maxOrigin {
		return 0
	}
	var from, to int
	switch {
	case in.Kind == kind.Deref && in.DerefKind() == kind.DerefVar:
		return ir.Var(s.Word(v, kind.FieldDerefVarVar))
	case in.Kind == kind.Deref:
		to = 1
	default:
		first, ok := c.joins(v)
		if !ok {
			return 0
		}
		from, to = first, int(in.NSrc)
	}
	var x ir.Var
	for i := from; i < to; i++ {
		p := s.SrcVal(v, i)
		if p == v || c.stepsFrom(p, v) {
			continue // around a loop
		}
		y := c.origin(p, depth+1)
		if y == 0 || x != 0 && x != y {
			return 0
		}
		x = y
	}
	return x
}

// joins returns the first of the operands that a value may be equal to, for a phi,
// a select or a copy.
func (c context) joins(v ir.Value) (first int, ok bool) {
	in := c.S.At(v)
	switch {
	case in.Kind == kind.Phi:
		return 0, true
	case in.Kind == kind.ALU && in.Op == uint16(op.BCsel):
		return 1, true
	case in.Kind == kind.ALU && in.Op == uint16(op.Mov):
		return 0, true
	}
	return 0, false
}

// stepsFrom reports whether p is derived from v by derefs only.
func (c context) stepsFrom(p, v ir.Value) bool {
	s := c.S
	for s.At(p).Kind == kind.Deref && s.At(p).DerefKind() != kind.DerefVar {
		if p = s.SrcVal(p, 0); p == v {
			return true
		}
	}
	return false
}

// lowerPointer replaces uses of a deref as a value by its address in the format of
// its mode.
func (c context) lowerPointer(v ir.Value) bool {
	s := c.S
	f := c.pointerFormat(v, s.Modes(v))
	if f == nil {
		if s.At(v).Bits != 64 {
			return false // refers to its memory, and is no value
		}
		f = &pointerFormats[0]
	}
	var val ir.Src
	for u := range s.Uses(v) {
		if u.If == 0 {
			if s.At(u.User).Kind == kind.Deref {
				continue
			}
		}
		if val.Val == 0 {
			c.B.After(v)
			a, ok := c.address(v)
			if !ok {
				return false
			}
			val = c.packPointer(a, f)
			if c.Failed() {
				return false
			}
		}
		r := s.Operand(u.User, u.Index)
		r.Val = val.Val
		s.SetUse(u, r)
	}
	return val.Val != 0
}

// packPointer returns the value of a pointer to an address.
func (c context) packPointer(a address, f *pointerFormat) ir.Src {
	b := c.B
	switch {
	case a.base.Val != 0:
		p := c.globalAddress(a, 0)
		if f.bits == 64 {
			return p
		}
		return f.pack(c, b.Unpack64_2x32SplitX(p), b.Unpack64_2x32SplitY(p))
	case a.mode == kind.ModeShared:
		return f.pack(c, c.offsetOf(a, 0), b.Imm(tagShared<<tagShift))
	case a.mode&pass.Promotable != 0:
		return f.pack(c, c.offsetOf(a, 0), b.Imm(tagPrivate<<tagShift))
	case a.mode == kind.ModeSSBO:
		return f.pack(c, c.offsetOf(a, 0), b.IAdd(a.block, b.Imm(1)))
	}
	c.FailAt(c.B.Loc, "a pointer to %s memory cannot be a value", a.mode)
	return b.Const(64, 0)
}

// stepGlobal adds index times stride to a 64-bit address.
func (c context) stepGlobal(a address, index ir.Src, stride uint32) address {
	s, b := c.S, c.B
	var bytes ir.Src
	switch x := s.At(index.Val); {
	case s.IsConst(index.Val):
		bits := x.Bits
		i := int64(s.Const(index.Val, int(index.Swz.Comp(0)))<<(64-bits)) >> (64 - bits)
		bytes = b.Const(64, uint64(i*int64(stride)))
	case x.Kind == kind.ALU && x.Op == uint16(op.I2I64) && s.At(s.SrcVal(index.Val, 0)).Bits == 32:
		bytes = b.IMul2x32_64(s.Operand(index.Val, 0).Comp(int(index.Swz.Comp(0))), b.Imm(stride))
	case x.Bits == 64:
		bytes = b.IMul(index, b.Const(64, uint64(stride)))
	default:
		bytes = b.IMul2x32_64(c.index32(index), b.Imm(stride))
	}
	a.base = b.IAdd(a.base, bytes)
	return a
}

func (c context) globalAddress(a address, more uint32) ir.Src {
	if a.offset+more == 0 {
		return a.base
	}
	return c.B.IAdd(a.base, c.B.Const(64, uint64(a.offset+more)))
}

// varAccess returns the access qualifiers of the variable at an address.
func (c context) varAccess(a address) kind.Access {
	if a.v == 0 {
		return 0
	}
	return c.S.Var(a.v).Access
}

// natural assumes, for an access through a pointer, that components are at multiples
// of their size, as the layouts of Vulkan require ("Offset and Stride
// Assignment").
func (c context) natural(a *address, bits uint8) {
	if a.ptr {
		a.align = uint32(bits) / 8
	}
}
