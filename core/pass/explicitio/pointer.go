// SPDX-License-Identifier: MIT

package explicitio

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Pointer values have a low and a high half (see pointerFormats). Their contents depend on the mode:
//
//	global         the address
//	ssbo           offset in the low half; 1 + binding-table entry in the high half
//	shared         offset in the low half; tag 1 in the two highest bits
//	function_temp  offset in scratch memory in the low half; tag 2 in the two highest bits
//
// The null pointer is therefore 0 and refers to nothing, and the tag of a pointer that may refer to global, shared or
// private memory tells which (addresses have 48 bits, sign-extended: their tag is 0 or 3).
const (
	tagShift   = 30 // in the high half
	tagShared  = 1
	tagPrivate = 2
)

// unpackPointer returns the address in the value that deref d, a cast, turns into a pointer.
func (c context) unpackPointer(d ir.Value) (address, bool) {
	s, b := c.S, c.B
	p := s.Src(d, 0)
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

// maxOrigin bounds the number of phis and selects through which the origin of a pointer is traced.
const maxOrigin = 16

// origin returns the only variable that a pointer can refer to, or 0 if there may be several or it is not found.
func (c context) origin(v ir.Value, depth int) ir.Var {
	s := c.S
	in := s.At(v)
	if depth > maxOrigin {
		return 0
	}
	var from, to int
	switch {
	case in.Kind == kind.Deref && in.DerefKind() == kind.DerefVar:
		return ir.Var(s.Words(v)[kind.FieldDerefVarVar])
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
		p := s.Src(v, i).Val
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

// joins returns the index of the first of the operands whose value a phi, a select or a copy may have. ok is false for
// other instructions.
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
		if p = s.Src(p, 0).Val; p == v {
			return true
		}
	}
	return false
}

// lowerPointer replaces uses of a deref as a value with its address, in the format of its mode. It reports whether there
// are any.
func (c context) lowerPointer(v ir.Value) bool {
	s := c.S
	f := c.pointerFormat(v, s.Modes(v))
	if f == nil {
		if s.At(v).Bits != 64 {
			return false // a use as an access, not as a value
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
		r := s.UseSrc(u)
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

// stepGlobal adds index times stride to a 64-bit address. Constant parts are kept apart and added last, so that
// MergeAddresses can tell which accesses are adjacent.
func (c context) stepGlobal(a address, index ir.Src, stride uint32) address {
	s, b := c.S, c.B
	x := s.At(index.Val)
	if i, ok := s.ConstOf(index); ok {
		a.far += uint64(int64(i<<(64-x.Bits)) >> (64 - x.Bits) * int64(stride))
		return a
	}
	var bytes ir.Src
	switch {
	case x.Kind == kind.ALU && x.Op == uint16(op.I2I64) && s.At(s.Src(index.Val, 0).Val).Bits == 32:
		index = s.Src(index.Val, 0).Comp(int(index.Swz.Comp(0)))
	case x.Bits == 64:
		if lo, hi := c.extended(index.Val); lo.Val != 0 {
			if rest, k := c.parts(lo); k != 0 {
				a.far += k * uint64(stride)
				if hi.Val == 0 {
					hi = b.IShr(rest, b.Imm(31))
				}
				index = b.Pack64_2x32Split(rest, hi)
			}
		}
		bytes = b.IMul(index, b.Const(64, uint64(stride)))
	default:
		index = c.index32(index)
	}
	if bytes.Val == 0 {
		rest, k := c.parts(index)
		a.far += k * uint64(stride)
		bytes = b.IMul2x32_64(rest, b.Imm(stride))
	}
	a.base = b.IAdd(a.base, bytes)
	return a
}

// extended returns the 32-bit value lo that the 64-bit value v extends; lo is unset if v is not an extension. hi is the
// constant 0 of a zero extension, and unset for a sign extension.
func (c context) extended(v ir.Value) (lo, hi ir.Src) {
	s := c.S
	if !s.At(v).IsALU(op.Pack64_2x32Split) || s.At(v).Comps != 1 {
		return lo, hi
	}
	low, high := s.Src(v, 0), s.Src(v, 1)
	if k, ok := c.S.ConstOf(high); ok && k == 0 {
		return low, high
	}
	if !s.At(high.Val).IsALU(op.IShr) || s.At(high.Val).Comps != 1 {
		return lo, hi
	}
	from := s.Src(high.Val, 0)
	if k, ok := s.ConstOf(s.Src(high.Val, 1)); ok && k == 31 && from.Val == low.Val && from.Swz.Comp(0) == low.Swz.Comp(0) {
		return low, hi
	}
	return lo, hi
}

// parts splits a 32-bit index into rest + k such that the sum also holds after rest, k and the index are zero- or
// sign-extended to 64 bits. It returns k = 0 unless rest and k have no ones in common and k is not negative: then the
// addition neither carries nor changes the sign.
func (c context) parts(index ir.Src) (rest ir.Src, k uint64) {
	s := c.S
	in := s.At(index.Val)
	if !in.IsALU(op.IAdd) && !in.IsALU(op.IOr) || in.Comps != 1 {
		return index, 0
	}
	k, ok := s.ConstOf(s.Src(index.Val, 1))
	rest = s.Src(index.Val, 0).X()
	if !ok || k >= 1<<31 || analysis.MayBeOnes(s, rest)&k != 0 {
		return index, 0
	}
	return rest, k
}

func (c context) globalAddress(a address, more uint32) ir.Src {
	k := a.far + uint64(a.offset+more)
	if k == 0 {
		return a.base
	}
	return c.B.IAdd(a.base, c.B.Const(64, k))
}

// varAccess returns the access qualifiers of the variable at an address.
func (c context) varAccess(a address) kind.Access {
	if a.v == 0 {
		return 0
	}
	return c.S.Var(a.v).Access
}

// natural derives the alignment of an access through a pointer: components are at multiples of their size, as the
// layouts of Vulkan require ("Offset and Stride Assignment"), or at multiples of a larger alignment that flags of the
// access promise. It returns the access without these flags.
func (c context) natural(a *address, bits uint8, acc kind.Access) kind.Access {
	if a.ptr {
		a.align, a.known = uint32(bits)/8, 0
		for k, flag := range alignments {
			if n := uint32(4) << k; acc&flag != 0 && n > a.align {
				a.align, a.known = n, a.offset
			}
		}
	}
	for _, flag := range alignments {
		acc &^= flag
	}
	return acc
}

// alignments are the flags that promise an alignment of 4, 8 and 16 bytes.
var alignments = [...]kind.Access{kind.AccessAligned4, kind.AccessAligned8, kind.AccessAligned16}
