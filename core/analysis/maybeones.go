// SPDX-License-Identifier: MIT

package analysis

import (
	"math/bits"

	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// mostSteps bounds the number of instructions that one call of MayBeOnes examines.
const mostSteps = 24

// MayBeOnes returns a mask with a one for each bit that may be one in a component that x reads. It follows a small
// number of the instructions that compute x and treats everything beyond as unknown. The mask is also an upper bound of
// the unsigned value, and its low zeros give a power of two that divides the value.
func MayBeOnes(s *ir.Shader, x ir.Src) uint64 {
	w := ones{s, mostSteps}
	return w.of(x)
}

// Ones caches the latest results of MayBeOnes. Its zero value is ready to use.
type Ones struct {
	w    ones
	of   [4]ir.Src
	is   [4]uint64
	next uint8
}

// Forget drops the cached results. It must be called when the shader or its code has changed.
func (o *Ones) Forget() { o.of = [4]ir.Src{} }

// MayBe is like MayBeOnes, with caching.
func (o *Ones) MayBe(s *ir.Shader, x ir.Src) uint64 {
	for i := range o.of {
		if o.of[i] == x {
			return o.is[i]
		}
	}
	o.w = ones{s, mostSteps}
	i := o.next & 3
	o.of[i], o.is[i] = x, o.w.of(x)
	o.next++
	return o.is[i]
}

type ones struct {
	s    *ir.Shader
	left int
}

func allOnes(n uint8) uint64 { return ^uint64(0) >> (64 - n) }

// upTo returns the mask of the bits that the numbers from 0 to max use.
func upTo(max uint64) uint64 { return 1<<bits.Len64(max) - 1 }

// multiple returns the mask of the bits that may be one in multiples of 2^n.
func multiple(n int) uint64 { return ^uint64(0) << min(n, 63) }

// zeros returns the number of low zeros in a mask; 64 for a zero mask.
func zeros(x uint64) int { return bits.TrailingZeros64(x) }

func (w *ones) of(x ir.Src) uint64 {
	in := w.s.At(x.Val)
	all := allOnes(in.Bits)
	if w.left--; w.left < 0 {
		return all
	}
	switch in.Kind {
	case kind.LoadConst:
		m := uint64(0)
		for i := range int(x.N) {
			m |= w.s.Const(x.Val, int(x.Swz.Comp(i)))
		}
		return m
	case kind.ALU:
		if f := onesOf[in.ALUOp()]; f != nil {
			return f(w, x.Val) & all
		}
	case kind.Intrinsic:
		return w.intrinsic(x) & all
	}
	return all
}

func (w *ones) arg(v ir.Value, i int) uint64 { return w.of(w.s.Src(v, i)) }

// size returns the number of bits of operand i.
func (w *ones) size(v ir.Value, i int) uint8 { return w.s.At(w.s.Src(v, i).Val).Bits }

// constant returns the common value of all components of operand i.
func (w *ones) constant(v ir.Value, i int) (uint64, bool) {
	x := w.s.Src(v, i)
	if !w.s.At(x.Val).IsConst() {
		return 0, false
	}
	c := w.s.Const(x.Val, int(x.Swz.Comp(0)))
	for k := 1; k < int(x.N); k++ {
		if w.s.Const(x.Val, int(x.Swz.Comp(k))) != c {
			return 0, false
		}
	}
	return c, true
}

// amount returns a constant shift amount, modulo the width.
func (w *ones) amount(v ir.Value) (int, bool) {
	c, ok := w.constant(v, 1)
	return int(c) & (int(w.s.At(v).Bits) - 1), ok
}

// intrinsic returns the mask of an intrinsic. It knows the bounds of positions in a workgroup.
func (w *ones) intrinsic(x ir.Src) uint64 {
	size := &w.s.Info.WorkgroupSize
	if size[0] == 0 || size[1] == 0 || size[2] == 0 {
		return ^uint64(0)
	}
	switch w.s.At(x.Val).Intrinsic() {
	case intrinsic.LoadLocalInvocationID:
		m := uint64(0)
		for i := range int(x.N) {
			m |= upTo(uint64(size[x.Swz.Comp(i)] - 1))
		}
		return m
	case intrinsic.LoadLocalInvocationIndex:
		hi, lo := bits.Mul64(uint64(size[0])*uint64(size[1]), uint64(size[2]))
		if hi == 0 {
			return upTo(lo - 1)
		}
	}
	return ^uint64(0)
}

// sum returns the mask of a + b, given the masks of a and b, modulo 2^n.
func sum(a, b uint64, n uint8) uint64 {
	if a&b == 0 {
		return a | b // no carries
	}
	m := ^uint64(0)
	if s, carry := bits.Add64(a, b, 0); carry == 0 && s <= allOnes(n) {
		m = upTo(s)
	}
	return m & multiple(min(zeros(a), zeros(b)))
}

// either returns the mask of a result in which a bit is one only if it is one in an operand.
func either(w *ones, v ir.Value) uint64 { return w.arg(v, 0) | w.arg(v, 1) }

// atMostFirst returns the mask of a result that is at most operand 0.
func atMostFirst(w *ones, v ir.Value) uint64 { return upTo(w.arg(v, 0)) }

func difference(w *ones, v ir.Value) uint64 {
	return multiple(min(zeros(w.arg(v, 0)), zeros(w.arg(v, 1))))
}

func unchanged(w *ones, v ir.Value) uint64 { return w.arg(v, 0) }

// signed returns the mask of a sign extension or truncation: the sign bit is extended if it may be one.
func signed(w *ones, v ir.Value) uint64 {
	n := w.size(v, 0)
	return signExtend(w.arg(v, 0), n)
}

func signExtend(m uint64, n uint8) uint64 { return uint64(int64(m<<(64-n)) >> (64 - n)) }

func fixed(m uint64) func(*ones, ir.Value) uint64 {
	return func(*ones, ir.Value) uint64 { return m }
}

// onesOf has functions that compute the mask of an opcode's result from the masks of its operands; bits above the
// result's width are ignored.
var onesOf [op.Count]func(w *ones, v ir.Value) uint64

// The functions refer to the table, so it cannot be initialized where it is declared.
func init() {
	onesOf = [op.Count]func(w *ones, v ir.Value) uint64{
		op.Mov: unchanged,

		op.IAnd: func(w *ones, v ir.Value) uint64 { return w.arg(v, 0) & w.arg(v, 1) },
		op.IOr:  either,
		op.IXor: either,
		op.IShl: func(w *ones, v ir.Value) uint64 {
			a := w.arg(v, 0)
			if n, ok := w.amount(v); ok {
				return a << n
			}
			if a == 0 {
				return 0
			}
			return multiple(zeros(a))
		},
		op.UShr: func(w *ones, v ir.Value) uint64 {
			a := w.arg(v, 0)
			if n, ok := w.amount(v); ok {
				return a >> n
			}
			return upTo(a)
		},
		op.IShr: func(w *ones, v ir.Value) uint64 {
			bits := w.s.At(v).Bits
			a := w.arg(v, 0)
			n, ok := w.amount(v)
			switch negative := a>>(bits-1) != 0; {
			case ok:
				return uint64(int64(signExtend(a, bits)) >> n)
			case negative:
				return ^uint64(0)
			}
			return upTo(a)
		},
		op.BitfieldReverse: func(w *ones, v ir.Value) uint64 {
			return bits.Reverse64(w.arg(v, 0)) >> (64 - w.s.At(v).Bits)
		},
		op.BitCount: func(w *ones, v ir.Value) uint64 { return upTo(uint64(bits.OnesCount64(w.arg(v, 0)))) },
		op.UClz:     func(w *ones, v ir.Value) uint64 { return upTo(uint64(w.size(v, 0))) },
		op.UBfe: func(w *ones, v ir.Value) uint64 {
			if n, ok := w.constant(v, 2); ok {
				return 1<<(n&31) - 1
			}
			return upTo(w.arg(v, 0))
		},
		op.ExtractU8:  fixed(0xff),
		op.ExtractU16: fixed(0xffff),

		op.IAdd: func(w *ones, v ir.Value) uint64 { return sum(w.arg(v, 0), w.arg(v, 1), w.s.At(v).Bits) },
		op.ISub: difference,
		op.INeg: func(w *ones, v ir.Value) uint64 {
			a := w.arg(v, 0)
			if a == 0 {
				return 0
			}
			return multiple(zeros(a))
		},
		op.IMul: func(w *ones, v ir.Value) uint64 {
			a, b := w.arg(v, 0), w.arg(v, 1)
			if a == 0 || b == 0 {
				return 0
			}
			m := ^uint64(0)
			if hi, lo := bits.Mul64(a, b); hi == 0 && lo <= allOnes(w.s.At(v).Bits) {
				m = upTo(lo)
			}
			return m & multiple(zeros(a)+zeros(b))
		},
		op.UMulHigh: func(w *ones, v ir.Value) uint64 {
			n := w.s.At(v).Bits
			hi, lo := bits.Mul64(w.arg(v, 0), w.arg(v, 1))
			if n < 64 {
				hi = hi<<(64-n) | lo>>n
			}
			return upTo(hi)
		},
		op.UDiv: func(w *ones, v ir.Value) uint64 {
			if c, ok := w.constant(v, 1); ok && c != 0 {
				return upTo(w.arg(v, 0) / c)
			}
			return ^uint64(0) // a division by zero
		},
		op.UMod: func(w *ones, v ir.Value) uint64 {
			a := upTo(w.arg(v, 0))
			if c, ok := w.constant(v, 1); ok && c != 0 {
				return a & upTo(c-1)
			}
			return a
		},
		op.UMin: func(w *ones, v ir.Value) uint64 {
			a, b := w.arg(v, 0), w.arg(v, 1)
			return (a | b) & upTo(min(a, b))
		},
		op.UMax: either,
		op.IMin: either,
		op.IMax: either,
		op.IAbs: func(w *ones, v ir.Value) uint64 {
			if a := w.arg(v, 0); a>>(w.s.At(v).Bits-1) == 0 {
				return a
			}
			return ^uint64(0)
		},
		op.USubSat:    atMostFirst,
		op.UHadd:      func(w *ones, v ir.Value) uint64 { return upTo(max(w.arg(v, 0), w.arg(v, 1))) },
		op.UAddCarry:  fixed(1),
		op.USubBorrow: fixed(1),

		op.BCsel: func(w *ones, v ir.Value) uint64 { return w.arg(v, 1) | w.arg(v, 2) },
		op.B2I8:  fixed(1), op.B2I16: fixed(1), op.B2I32: fixed(1), op.B2I64: fixed(1),
		op.U2U8: unchanged, op.U2U16: unchanged, op.U2U32: unchanged, op.U2U64: unchanged,
		op.I2I8: signed, op.I2I16: signed, op.I2I32: signed, op.I2I64: signed,

		op.Pack64_2x32Split:    func(w *ones, v ir.Value) uint64 { return w.arg(v, 0) | w.arg(v, 1)<<32 },
		op.Unpack64_2x32SplitX: unchanged,
		op.Unpack64_2x32SplitY: func(w *ones, v ir.Value) uint64 { return w.arg(v, 0) >> 32 },
		op.Pack32_2x16Split:    func(w *ones, v ir.Value) uint64 { return w.arg(v, 0) | w.arg(v, 1)<<16 },
		op.Unpack32_2x16SplitX: unchanged,
		op.Unpack32_2x16SplitY: func(w *ones, v ir.Value) uint64 { return w.arg(v, 0) >> 16 },
		op.Pack32_4x8Split: func(w *ones, v ir.Value) uint64 {
			return w.arg(v, 0) | w.arg(v, 1)<<8 | w.arg(v, 2)<<16 | w.arg(v, 3)<<24
		},
	}
}
