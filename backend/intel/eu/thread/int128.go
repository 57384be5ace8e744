// SPDX-License-Identifier: MIT

package thread

import (
	"math/big"
	"math/bits"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Int128 is a signed 128-bit integer. It holds sums, shifts by up to 63 and products of 32-bit integers for any
// 64-bit sources, so that the store receives the exact result.
type Int128 struct {
	Hi int64
	Lo uint64
}

// Wide extends a lane of an integer type, as returned by Thread.LoadI.
func Wide(v int64, t isa.Type) Int128 {
	if t == isa.TypeUQ {
		return Int128{0, uint64(v)}
	}
	return Int128{v >> 63, uint64(v)}
}

// Add returns a + b.
func (a Int128) Add(b Int128) Int128 {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	return Int128{a.Hi + b.Hi + int64(carry), lo}
}

// Neg returns -a.
func (a Int128) Neg() Int128 {
	lo, borrow := bits.Sub64(0, a.Lo, 0)
	return Int128{-a.Hi - int64(borrow), lo}
}

// Abs returns the absolute value of a.
func (a Int128) Abs() Int128 {
	if a.Hi < 0 {
		return a.Neg()
	}
	return a
}

// Shl returns a shifted left by n bits, from 0 to 63.
func (a Int128) Shl(n uint) Int128 {
	return Int128{a.Hi<<n | int64(a.Lo>>(64-n)), a.Lo << n}
}

// Sar returns a shifted right by n bits, from 0 to 63, with copies of the sign.
func (a Int128) Sar(n uint) Int128 {
	return Int128{a.Hi >> n, a.Lo>>n | uint64(a.Hi)<<(64-n)}
}

// Product multiplies two integers of at most 64 bits.
func Product(a, b Int128) Int128 {
	negative := (a.Hi < 0) != (b.Hi < 0)
	hi, lo := bits.Mul64(a.Abs().Lo, b.Abs().Lo)
	p := Int128{int64(hi), lo}
	if negative {
		return p.Neg()
	}
	return p
}

// Cmp returns a negative number, zero or a positive number if a is less than, equal to or greater than b.
func (a Int128) Cmp(b Int128) int {
	switch {
	case a.Hi != b.Hi && a.Hi < b.Hi, a.Hi == b.Hi && a.Lo < b.Lo:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// Float returns the exact value.
func (a Int128) Float() *big.Float {
	v := new(big.Int).SetInt64(a.Hi)
	v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(a.Lo))
	return new(big.Float).SetPrec(130).SetInt(v)
}

// Range128 returns the range of an integer type.
func Range128(t isa.Type) (lo, hi Int128) {
	switch t {
	case isa.TypeUQ:
		return Int128{}, Int128{0, 1<<64 - 1}
	case isa.TypeQ:
		return Int128{-1, 1 << 63}, Int128{0, 1<<63 - 1}
	}
	l, h := IntRange(t)
	return Wide(l, isa.TypeQ), Wide(h, isa.TypeQ)
}

// Wrap128 truncates an integer to a type.
func Wrap128(a Int128, t isa.Type) Int128 {
	switch t {
	case isa.TypeUQ:
		return Int128{0, a.Lo}
	case isa.TypeQ:
		return Wide(int64(a.Lo), isa.TypeQ)
	}
	return Wide(wrap(int64(a.Lo), t), isa.TypeQ)
}

// Arithmetic with 64-bit operands, on machines that have it, is never the common case. So it aims at exactness: integers
// are computed in 128 bits, and each float operation is rounded once (package alu).

// WideBuffers holds the operands of an instruction with 64-bit operands; [3] is the result.
type WideBuffers struct {
	I [4][32]Int128
	D [4][32]float64
}

// valid returns an error for types that the machine does not compute with.
func (p *Program) valid(t isa.Type) *OpError {
	var need target.Capability
	switch t {
	case isa.TypeUQ, isa.TypeQ:
		need = target.Int64
	case isa.TypeDF:
		need = target.Float64
	default:
		if t.Size() == 0 {
			return Operr(FaultIllegal, "an operand has no type")
		}
		return nil
	}
	if !p.Machine.Can(need) {
		return Operr(FaultIllegal, "type %s: this hardware has no 64-bit arithmetic", t)
	}
	return nil
}
