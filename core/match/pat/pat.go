// SPDX-License-Identifier: MIT

package pat

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Sub returns operand i of w, the instruction that x reads, seen through x's swizzle.
func Sub(s *ir.Shader, x ir.Src, w ir.Value, i int) ir.Src {
	y := s.Src(w, i)
	if s.At(w).ALUOp().Info().Src[i].Comps == 0 {
		if x.N == 1 {
			y.Swz, y.N = ir.Broadcast(int(y.Swz.Comp(int(x.Swz&15)))), 1
		} else {
			y.Swz, y.N = x.Swz.Compose(y.Swz), x.N
		}
	}
	return y
}

// Def returns the instruction that x reads if it is the ALU operation o, and 0 otherwise. An
// operation whose result has a fixed number of components matches only if all of them are
// read in order.
func Def(s *ir.Shader, x ir.Src, o op.Op) ir.Value {
	in := s.At(x.Val)
	if in.Kind != kind.ALU || in.Op != uint16(o) {
		return 0
	}
	if n := o.Info().Out.Comps; n > 1 && (x.N != n || !prefix(x.Swz, ir.Identity, n)) {
		return 0
	}
	return x.Val
}

// Same reports whether two operands read the same components of one value.
func Same(x, y ir.Src) bool {
	return x.Val == y.Val && x.N == y.N && prefix(x.Swz, y.Swz, x.N)
}

// prefix reports whether the first n components of two swizzles are equal.
func prefix(a, b ir.Swizzle, n uint8) bool {
	if n >= 8 {
		return a == b
	}
	return (a^b)&(1<<(4*n)-1) == 0
}

// Reads reports whether component i of x is component z.Comp(i) for all components that x
// reads.
func Reads(x ir.Src, z ir.Swizzle) bool { return prefix(x.Swz, z, x.N) }

// Whole returns all components of the value that x reads.
func Whole(s *ir.Shader, x ir.Src) ir.Src { return s.All(x.Val) }

// Swz returns the n components of x that z selects.
func Swz(x ir.Src, z ir.Swizzle, n uint8) ir.Src {
	return ir.Src{Val: x.Val, Swz: z.Compose(x.Swz), N: n}
}

// Bits returns the size in bits of a component of x.
func Bits(s *ir.Shader, x ir.Src) uint8 { return s.At(x.Val).Bits }

// SizeIn reports whether a size in bits is in a set of sizes.
func SizeIn(bits uint8, set op.Sizes) bool { return op.SizeOf(bits)&set != 0 }

// IsConst reports whether x reads a constant.
func IsConst(s *ir.Shader, x ir.Src) bool { return s.At(x.Val).IsConst() }

// Ones returns the largest unsigned number of a size.
func Ones(bits uint8) uint64 { return ^uint64(0) >> (64 - bits) }

// Comp returns component i of the constant that x reads.
func Comp(s *ir.Shader, x ir.Src, i int) uint64 { return s.Const(x.Val, int(x.Swz.Comp(i))) }

// IsInt reports whether x reads the integer c, truncated to its size, in every
// component.
func IsInt(s *ir.Shader, x ir.Src, c uint64) bool {
	in := s.At(x.Val)
	if in.Kind != kind.LoadConst {
		return false
	}
	c &= ^uint64(0) >> (64 - in.Bits)
	for i := range int(x.N) {
		if Comp(s, x, i) != c {
			return false
		}
	}
	return true
}

// IsFloat reports whether x reads the float with bits h, f or d at 16, 32 or 64 bits in every
// component.
func IsFloat(s *ir.Shader, x ir.Src, h uint16, f uint32, d uint64) bool {
	in := s.At(x.Val)
	if in.Kind != kind.LoadConst {
		return false
	}
	c := FloatBits(in.Bits, h, f, d)
	for i := range int(x.N) {
		if Comp(s, x, i) != c {
			return false
		}
	}
	return true
}

// FloatBits selects one of a float's encodings by its size.
func FloatBits(bits uint8, h uint16, f uint32, d uint64) uint64 {
	switch bits {
	case 16:
		return uint64(h)
	case 32:
		return uint64(f)
	}
	return d
}

// Mods are source modifiers, applied to a value when it is read, the absolute value first.
type Mods uint8

// The source modifiers. Not applies to operands that support a bitwise complement instead of a negation.
const (
	Neg Mods = 1 << iota
	Abs
	Not
)

// Peel looks through negations and absolute values of type b (op.Float: fneg, fabs; op.Int: ineg, iabs) as far as
// allowed permits, or through complements (Not). It returns the value below, and the modifiers that turn it into x.
func Peel(s *ir.Shader, x ir.Src, b op.Base, allowed Mods) (ir.Src, Mods) {
	neg, abs := op.FNeg, op.FAbs
	if b != op.Float {
		neg, abs = op.INeg, op.IAbs
	}
	var m Mods
	for {
		in := s.At(x.Val)
		if in.Kind != kind.ALU {
			return x, m
		}
		switch o := in.ALUOp(); {
		case o == neg && allowed&Neg != 0:
			if m&Abs == 0 {
				m ^= Neg
			}
		case o == abs && allowed&Abs != 0:
			m |= Abs
		case o == op.INot && allowed&Not != 0:
			m ^= Not
		default:
			return x, m
		}
		x = Sub(s, x, x.Val, 0)
	}
}

// Test is the scratch memory of a test on a constant.
type Test struct {
	Src  [4][16]uint64 // the components in Src[0]
	Dst  [16]uint64    // result of the test for each: 0 or 1
	Bits uint8
}

// Load loads the components of the constant that x reads. It returns false if x is not constant.
func (t *Test) Load(s *ir.Shader, x ir.Src) bool {
	in := s.At(x.Val)
	if in.Kind != kind.LoadConst {
		return false
	}
	t.Bits = in.Bits
	for i := range int(x.N) {
		t.Src[0][i] = Comp(s, x, i)
	}
	return true
}

// All reports whether the test held for the first n components.
func (t *Test) All(n int) bool {
	for i := range n {
		if t.Dst[i] == 0 {
			return false
		}
	}
	return true
}

// Truth returns 1 for true and 0 for false.
func Truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// UsedOnce reports whether x is the only use of its value.
func UsedOnce(s *ir.Shader, x ir.Src) bool { return s.UsedOnce(x.Val) }

// NotConst reports whether x does not read a constant.
func NotConst(s *ir.Shader, x ir.Src) bool { return !s.At(x.Val).IsConst() }

// DwordFactor reports whether a 32-bit product with x is neither a shift nor known to be a product with 16 bits.
func DwordFactor(s *ir.Shader, x ir.Src) bool {
	most := analysis.MayBeOnes(s, x)
	switch in := s.At(x.Val); {
	case in.Kind == kind.LoadConst:
		return most > 1<<16-1 && most < 1<<32-1<<15 && most&(most-1) != 0
	case in.Kind == kind.Intrinsic:
		switch in.Intrinsic() {
		case intrinsic.LoadSubgroupInvocation, intrinsic.LoadSubgroupID, intrinsic.LoadSubgroupSize:
			return false
		}
	}
	return most > 1<<16-1
}

// mostUsers bounds the users of a value that are examined: if each of n users examined all others, that would take n²
// steps.
const mostUsers = 64

// OnlyUsedByFAdd reports whether every user of x's value is a float addition, or a negation
// used only by float additions. With more than mostUsers users it reports false.
func OnlyUsedByFAdd(s *ir.Shader, x ir.Src) bool {
	left := mostUsers
	return addsOnly(s, x.Val, true, &left)
}

func addsOnly(s *ir.Shader, v ir.Value, deeper bool, left *int) bool {
	for u := range s.Uses(v) {
		if *left--; *left < 0 || u.User == 0 {
			return false
		}
		in := s.At(u.User)
		if in.IsALU(op.FAdd) || deeper && in.IsALU(op.FNeg) && addsOnly(s, u.User, false, left) {
			continue
		}
		return false
	}
	return true
}

// NoConstantProduct reports whether x is not a float product with a constant.
func NoConstantProduct(s *ir.Shader, x ir.Src) bool { return !withConstant(s, x, op.FMul) }

// NoConstantSum reports whether x is not a float sum with a constant.
func NoConstantSum(s *ir.Shader, x ir.Src) bool { return !withConstant(s, x, op.FAdd) }

func withConstant(s *ir.Shader, x ir.Src, o op.Op) bool {
	return s.At(x.Val).IsALU(o) && (s.At(s.Src(x.Val, 0).Val).IsConst() || s.At(s.Src(x.Val, 1).Val).IsConst())
}
