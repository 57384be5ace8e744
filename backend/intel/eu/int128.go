package eu

import (
	"math/big"
	"math/bits"

	"jacquard.example/generated/isa"
)

// int128 is a signed 128-bit integer. It holds sums, shifts by up to 63 and products of 32-bit integers for any
// 64-bit sources, so that the store receives the exact result.
type int128 struct {
	hi int64
	lo uint64
}

// wide extends a lane of an integer type, as returned by loadI.
func wide(v int64, t isa.Type) int128 {
	if t == isa.TypeUQ {
		return int128{0, uint64(v)}
	}
	return int128{v >> 63, uint64(v)}
}

func (a int128) add(b int128) int128 {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return int128{a.hi + b.hi + int64(carry), lo}
}

func (a int128) neg() int128 {
	lo, borrow := bits.Sub64(0, a.lo, 0)
	return int128{-a.hi - int64(borrow), lo}
}

func (a int128) abs() int128 {
	if a.hi < 0 {
		return a.neg()
	}
	return a
}

// shl and sar shift by 0 to 63 bits.
func (a int128) shl(n uint) int128 {
	return int128{a.hi<<n | int64(a.lo>>(64-n)), a.lo << n}
}

func (a int128) sar(n uint) int128 {
	return int128{a.hi >> n, a.lo>>n | uint64(a.hi)<<(64-n)}
}

// product multiplies two integers of at most 64 bits.
func product(a, b int128) int128 {
	negative := (a.hi < 0) != (b.hi < 0)
	hi, lo := bits.Mul64(a.abs().lo, b.abs().lo)
	p := int128{int64(hi), lo}
	if negative {
		return p.neg()
	}
	return p
}

// cmp returns a negative number, zero or a positive number if a is less than, equal to or greater than b.
func (a int128) cmp(b int128) int {
	switch {
	case a.hi != b.hi && a.hi < b.hi, a.hi == b.hi && a.lo < b.lo:
		return -1
	case a == b:
		return 0
	}
	return 1
}

// float returns the exact value.
func (a int128) float() *big.Float {
	v := new(big.Int).SetInt64(a.hi)
	v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(a.lo))
	return new(big.Float).SetPrec(130).SetInt(v)
}

// range128 returns the range of an integer type.
func range128(t isa.Type) (lo, hi int128) {
	switch t {
	case isa.TypeUQ:
		return int128{}, int128{0, 1<<64 - 1}
	case isa.TypeQ:
		return int128{-1, 1 << 63}, int128{0, 1<<63 - 1}
	}
	l, h := intRange(t)
	return wide(l, isa.TypeQ), wide(h, isa.TypeQ)
}

// wrap128 truncates an integer to a type.
func wrap128(a int128, t isa.Type) int128 {
	switch t {
	case isa.TypeUQ:
		return int128{0, a.lo}
	case isa.TypeQ:
		return wide(int64(a.lo), isa.TypeQ)
	}
	return wide(wrap(int64(a.lo), t), isa.TypeQ)
}
