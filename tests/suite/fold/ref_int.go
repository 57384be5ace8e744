// SPDX-License-Identifier: MIT

package fold

import (
	"math/big"

	"jacquard.example/core/num"
)

// reference computes an opcode by its definition in the SPIR-V and GLSL specifications or, in cases that these leave
// open, by the opcode's own sentence in the reference page.
type reference func(e env, src [][]uint64) []uint64

// env is the environment of an instruction: its size and the float mode.
type env struct {
	w    int
	mode num.Mode
}

func one(x uint64) []uint64 { return []uint64{x} }

func bit(b bool) []uint64 {
	if b {
		return one(1)
	}
	return one(0)
}

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func unsigned(x uint64) *big.Int { return new(big.Int).SetUint64(x) }

func signed(x uint64, w int) *big.Int {
	b := unsigned(x)
	if x>>(w-1)&1 != 0 {
		b.Sub(b, pow2(w))
	}
	return b
}

func wrap(b *big.Int, w int) uint64 { return new(big.Int).Mod(b, pow2(w)).Uint64() }

func clamp(b, lo, hi *big.Int) *big.Int {
	if b.Cmp(lo) < 0 {
		return lo
	}
	if b.Cmp(hi) > 0 {
		return hi
	}
	return b
}

func clampS(b *big.Int, w int) uint64 {
	hi := pow2(w - 1)
	return wrap(clamp(b, new(big.Int).Neg(hi), new(big.Int).Sub(hi, big.NewInt(1))), w)
}

func clampU(b *big.Int, w int) uint64 {
	return wrap(clamp(b, new(big.Int), new(big.Int).Sub(pow2(w), big.NewInt(1))), w)
}

// refs holds the references by opcode name.
var refs = map[string]reference{}

// s2 and u2 define an integer operation with two sources, signed or unsigned, over big integers. The result wraps.
func s2(name string, f func(w int, a, b *big.Int) *big.Int) {
	refs[name] = func(e env, s [][]uint64) []uint64 {
		return one(wrap(f(e.w, signed(s[0][0], e.w), signed(s[1][0], e.w)), e.w))
	}
}

func u2(name string, f func(w int, a, b *big.Int) *big.Int) {
	refs[name] = func(e env, s [][]uint64) []uint64 {
		return one(wrap(f(e.w, unsigned(s[0][0]), unsigned(s[1][0])), e.w))
	}
}

func s1(name string, f func(w int, a *big.Int) *big.Int) {
	refs[name] = func(e env, s [][]uint64) []uint64 { return one(wrap(f(e.w, signed(s[0][0], e.w)), e.w)) }
}

func whole(n int) *big.Int { return big.NewInt(int64(n)) }

// bitwise defines an operation that computes each bit of the result from the same bits of the sources.
func bitwise(name string, f func(bits ...uint64) uint64) {
	refs[name] = func(e env, s [][]uint64) []uint64 {
		r := uint64(0)
		for i := range e.w {
			in := make([]uint64, len(s))
			for k := range s {
				in[k] = s[k][0] >> i & 1
			}
			r |= (f(in...) & 1) << i
		}
		return one(r)
	}
}

// field builds a result bit by bit: from returns the source bit for each position, or -1 for a zero.
func field(w int, x uint64, from func(i int) int) uint64 {
	r := uint64(0)
	for i := range w {
		if j := from(i); j >= 0 && j < 64 {
			r |= x >> j & 1 << i
		}
	}
	return r
}

func init() {
	s2("iadd", func(_ int, a, b *big.Int) *big.Int { return a.Add(a, b) })
	s2("isub", func(_ int, a, b *big.Int) *big.Int { return a.Sub(a, b) })
	s2("imul", func(_ int, a, b *big.Int) *big.Int { return a.Mul(a, b) })
	refs["iadd3"] = func(e env, s [][]uint64) []uint64 {
		t := new(big.Int).Add(unsigned(s[0][0]), unsigned(s[1][0]))
		return one(wrap(t.Add(t, unsigned(s[2][0])), e.w))
	}
	s2("imul_high", func(w int, a, b *big.Int) *big.Int { return a.Rsh(a.Mul(a, b), uint(w)) })
	u2("umul_high", func(w int, a, b *big.Int) *big.Int { return a.Rsh(a.Mul(a, b), uint(w)) })
	s2("idiv", func(_ int, a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			if a.Sign() < 0 {
				return whole(1)
			}
			return whole(-1)
		}
		return a.Quo(a, b) // truncates
	})
	u2("udiv", func(_ int, a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return whole(-1)
		}
		return a.Quo(a, b)
	})
	s2("irem", func(_ int, a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		return a.Rem(a, b)
	})
	s2("imod", func(_ int, a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		m := new(big.Int).Mod(a, new(big.Int).Abs(b)) // 0 <= m < |b|
		if b.Sign() < 0 && m.Sign() != 0 {
			m.Add(m, b)
		}
		return m
	})
	u2("umod", func(_ int, a, b *big.Int) *big.Int {
		if b.Sign() == 0 {
			return a
		}
		return a.Rem(a, b)
	})
	s1("ineg", func(_ int, a *big.Int) *big.Int { return a.Neg(a) })
	s1("iabs", func(_ int, a *big.Int) *big.Int { return a.Abs(a) })
	s1("isign", func(_ int, a *big.Int) *big.Int { return whole(a.Sign()) })
	smaller := func(_ int, a, b *big.Int) *big.Int {
		if a.Cmp(b) < 0 {
			return a
		}
		return b
	}
	larger := func(_ int, a, b *big.Int) *big.Int {
		if a.Cmp(b) > 0 {
			return a
		}
		return b
	}
	s2("imin", smaller)
	u2("umin", smaller)
	s2("imax", larger)
	u2("umax", larger)
	sat := func(name string, sgn, sub bool) {
		refs[name] = func(e env, s [][]uint64) []uint64 {
			a, b := unsigned(s[0][0]), unsigned(s[1][0])
			if sgn {
				a, b = signed(s[0][0], e.w), signed(s[1][0], e.w)
			}
			if sub {
				b.Neg(b)
			}
			a.Add(a, b)
			if sgn {
				return one(clampS(a, e.w))
			}
			return one(clampU(a, e.w))
		}
	}
	sat("iadd_sat", true, false)
	sat("uadd_sat", false, false)
	sat("isub_sat", true, true)
	sat("usub_sat", false, true)
	u2("uadd_carry", func(w int, a, b *big.Int) *big.Int { return a.Rsh(a.Add(a, b), uint(w)) })
	u2("usub_borrow", func(_ int, a, b *big.Int) *big.Int {
		if a.Cmp(b) < 0 {
			return whole(1)
		}
		return whole(0)
	})
	half := func(up int) func(int, *big.Int, *big.Int) *big.Int {
		return func(_ int, a, b *big.Int) *big.Int { return a.Rsh(a.Add(a.Add(a, b), whole(up)), 1) }
	}
	s2("ihadd", half(0))
	u2("uhadd", half(0))
	s2("irhadd", half(1))
	u2("urhadd", half(1))
	distance := func(_ int, a, b *big.Int) *big.Int { return a.Abs(a.Sub(a, b)) }
	s2("uabs_isub", distance)
	u2("uabs_usub", distance)

	wide := func(name string, w int, f func(a, b uint64) *big.Int) {
		refs[name] = func(_ env, s [][]uint64) []uint64 { return one(wrap(f(s[0][0], s[1][0]), w)) }
	}
	prod := func(a, b *big.Int) *big.Int { return a.Mul(a, b) }
	wide("imul_2x32_64", 64, func(a, b uint64) *big.Int { return prod(signed(a, 32), signed(b, 32)) })
	wide("umul_2x32_64", 64, func(a, b uint64) *big.Int { return prod(unsigned(a), unsigned(b)) })
	wide("imul_32x16", 32, func(a, b uint64) *big.Int { return prod(signed(a, 32), signed(b&0xffff, 16)) })
	wide("umul_32x16", 32, func(a, b uint64) *big.Int { return prod(unsigned(a), unsigned(b&0xffff)) })
	wide("imul24", 32, func(a, b uint64) *big.Int { return prod(signed(a&0xffffff, 24), signed(b&0xffffff, 24)) })
	wide("umul24", 32, func(a, b uint64) *big.Int { return prod(unsigned(a&0xffffff), unsigned(b&0xffffff)) })

	bitwise("iand", func(b ...uint64) uint64 { return b[0] & b[1] })
	bitwise("ior", func(b ...uint64) uint64 { return b[0] | b[1] })
	bitwise("ixor", func(b ...uint64) uint64 { return b[0] ^ b[1] })
	bitwise("inot", func(b ...uint64) uint64 { return 1 - b[0] })
	bitwise("mov", func(b ...uint64) uint64 { return b[0] })
	bitwise("bitfield_select", func(b ...uint64) uint64 { return b[2-b[0]] })
	refs["bcsel"] = func(_ env, s [][]uint64) []uint64 {
		if s[0][0] == 1 {
			return s[1]
		}
		return s[2]
	}

	// Shifts and rotations, by the origin of each bit.
	shift := func(name string, from func(w, n, i int) int) {
		refs[name] = func(e env, s [][]uint64) []uint64 {
			n := int(s[1][0] % uint64(e.w))
			return one(field(e.w, s[0][0], func(i int) int { return from(e.w, n, i) }))
		}
	}
	shift("ishl", func(_, n, i int) int { return i - n })
	shift("ushr", func(w, n, i int) int {
		if i+n < w {
			return i + n
		}
		return -1
	})
	shift("ishr", func(w, n, i int) int { return min(i+n, w-1) })
	shift("urol", func(w, n, i int) int { return (i - n + w) % w })
	shift("uror", func(w, n, i int) int { return (i + n) % w })

	count := func(name string, f func(w int, x uint64) int) {
		refs[name] = func(e env, s [][]uint64) []uint64 { return one(uint64(uint32(int32(f(e.w, s[0][0]))))) }
	}
	count("bit_count", func(w int, x uint64) (n int) {
		for i := range w {
			n += int(x >> i & 1)
		}
		return n
	})
	count("find_lsb", func(w int, x uint64) int {
		for i := range w {
			if x>>i&1 != 0 {
				return i
			}
		}
		return -1
	})
	msb := func(w int, x uint64) int { return unsigned(x).BitLen() - 1 }
	count("ufind_msb", msb)
	count("uclz", func(w int, x uint64) int { return w - 1 - msb(w, x) })
	count("ifind_msb", func(w int, x uint64) int {
		b := signed(x, w)
		if b.Sign() < 0 {
			b.Not(b)
		}
		return b.BitLen() - 1
	})
	refs["bitfield_reverse"] = func(e env, s [][]uint64) []uint64 {
		return one(field(e.w, s[0][0], func(i int) int { return e.w - 1 - i }))
	}

	// Bit fields: bit i of the result is bit offset+i of the source, for i < count.
	extract := func(name string, w int, sgn, whole bool) {
		refs[name] = func(e env, s [][]uint64) []uint64 {
			w := max(w, e.w)
			n := int(s[2][0] % uint64(w))
			if whole && s[2][0] >= uint64(w) {
				return s[0]
			}
			o := int(s[1][0] % uint64(w))
			n = min(n, w-o)
			return one(field(w, s[0][0], func(i int) int {
				switch {
				case i < n:
					return o + i
				case sgn && n > 0:
					return o + n - 1
				}
				return -1
			}))
		}
	}
	extract("ubfe", 32, false, false)
	extract("ibfe", 32, true, false)
	extract("ubitfield_extract", 0, false, true)
	extract("ibitfield_extract", 0, true, true)
	refs["bfm"] = func(_ env, s [][]uint64) []uint64 {
		n, o := int(s[0][0]%32), int(s[1][0]%32)
		r := uint64(0)
		for i := o; i < min(o+n, 32); i++ {
			r |= 1 << i
		}
		return one(r)
	}
	refs["bfi"] = func(_ env, s [][]uint64) []uint64 {
		mask, insert, base := s[0][0], s[1][0], s[2][0]
		low := -1
		r := uint64(0)
		for i := range 32 {
			if mask>>i&1 == 0 {
				r |= base & (1 << i)
				continue
			}
			if low < 0 {
				low = i
			}
			r |= insert >> (i - low) & 1 << i
		}
		return one(r)
	}
	refs["bitfield_insert"] = func(e env, s [][]uint64) []uint64 {
		if s[3][0] >= uint64(e.w) {
			return s[1]
		}
		o, n := int(s[2][0]%uint64(e.w)), int(s[3][0])
		r := s[0][0]
		for i := o; i < min(o+n, e.w); i++ {
			r = r&^(1<<i) | s[1][0]>>(i-o)&1<<i
		}
		return one(r)
	}
	part := func(name string, pw int, sgn bool) {
		refs["extract_"+name] = func(e env, s [][]uint64) []uint64 {
			k := int(s[1][0] % uint64(e.w/pw))
			x := s[0][0] >> (k * pw) & (1<<pw - 1)
			if sgn {
				return one(wrap(signed(x, pw), e.w))
			}
			return one(x)
		}
		if !sgn {
			refs["insert_"+name] = func(e env, s [][]uint64) []uint64 {
				k := int(s[1][0] % uint64(e.w/pw))
				return one(s[0][0] & (1<<pw - 1) << (k * pw))
			}
		}
	}
	part("u8", 8, false)
	part("i8", 8, true)
	part("u16", 16, false)
	part("i16", 16, true)

	cmp := func(name string, sgn bool, f func(c int) bool) {
		refs[name] = func(e env, s [][]uint64) []uint64 {
			a, b := unsigned(s[0][0]), unsigned(s[1][0])
			if sgn {
				a, b = signed(s[0][0], e.w), signed(s[1][0], e.w)
			}
			return bit(f(a.Cmp(b)))
		}
	}
	cmp("ieq", false, func(c int) bool { return c == 0 })
	cmp("ine", false, func(c int) bool { return c != 0 })
	cmp("ilt", true, func(c int) bool { return c < 0 })
	cmp("ige", true, func(c int) bool { return c >= 0 })
	cmp("ult", false, func(c int) bool { return c < 0 })
	cmp("uge", false, func(c int) bool { return c >= 0 })

	for _, w := range []int{8, 16, 32, 64} {
		refs["i2i"+itoa(w)] = func(e env, s [][]uint64) []uint64 { return one(wrap(signed(s[0][0], e.w), w)) }
		refs["u2u"+itoa(w)] = func(_ env, s [][]uint64) []uint64 { return one(wrap(unsigned(s[0][0]), w)) }
		// OpenCL C 6.2.3.3: a value out of range becomes the nearest value in range.
		for _, from := range []struct {
			letter string
			value  func(x uint64, w int) *big.Int
		}{{"i", signed}, {"u", func(x uint64, _ int) *big.Int { return unsigned(x) }}} {
			refs[from.letter+"2i"+itoa(w)+"_sat"] = func(e env, s [][]uint64) []uint64 { return one(clampS(from.value(s[0][0], e.w), w)) }
			refs[from.letter+"2u"+itoa(w)+"_sat"] = func(e env, s [][]uint64) []uint64 { return one(clampU(from.value(s[0][0], e.w), w)) }
			delete(refs, from.letter+"2"+from.letter+"64_sat") // always in range: no such opcode
		}
		refs["b2i"+itoa(w)] = func(_ env, s [][]uint64) []uint64 { return s[0] }
	}
}
