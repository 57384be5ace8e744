// SPDX-License-Identifier: MIT

package fold

import (
	"math/big"
	"slices"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

func concat(_ env, s [][]uint64) []uint64 { return slices.Concat(s...) }

func init() {
	for _, n := range []int{2, 3, 4, 5, 8, 16} {
		refs["vec"+itoa(n)] = concat
	}
	for _, n := range []int{2, 3, 4, 8, 16} {
		refs["ball"+itoa(n)] = func(_ env, s [][]uint64) []uint64 { return bit(!slices.Contains(s[0], 0)) }
		refs["bany"+itoa(n)] = func(_ env, s [][]uint64) []uint64 { return bit(slices.Contains(s[0], 1)) }
		refs["ball_iequal"+itoa(n)] = func(_ env, s [][]uint64) []uint64 { return bit(slices.Equal(s[0], s[1])) }
		refs["bany_inequal"+itoa(n)] = func(_ env, s [][]uint64) []uint64 { return bit(!slices.Equal(s[0], s[1])) }
	}

	// Parts of an integer, x lowest: digits in base 2^w.
	join := func(w int, parts []uint64) uint64 {
		t := new(big.Int)
		for i := len(parts) - 1; i >= 0; i-- {
			t.Add(t.Mul(t, pow2(w)), unsigned(parts[i]))
		}
		return t.Uint64()
	}
	split := func(w, n int, x uint64) []uint64 {
		out := make([]uint64, n)
		t := unsigned(x)
		for i := range out {
			out[i] = new(big.Int).Mod(t, pow2(w)).Uint64()
			t.Rsh(t, uint(w))
		}
		return out
	}
	for _, p := range []struct{ total, n, w int }{{64, 2, 32}, {64, 4, 16}, {32, 2, 16}, {32, 4, 8}} {
		name := itoa(p.total) + "_" + itoa(p.n) + "x" + itoa(p.w)
		refs["pack_"+name] = func(_ env, s [][]uint64) []uint64 { return one(join(p.w, s[0])) }
		refs["unpack_"+name] = func(_ env, s [][]uint64) []uint64 { return split(p.w, p.n, s[0][0]) }
		if name != "64_4x16" {
			refs["pack_"+name+"_split"] = func(_ env, s [][]uint64) []uint64 { return one(join(p.w, slices.Concat(s...))) }
		}
		if p.n == 2 {
			refs["unpack_"+name+"_split_x"] = func(_ env, s [][]uint64) []uint64 { return split(p.w, 2, s[0][0])[:1] }
			refs["unpack_"+name+"_split_y"] = func(_ env, s [][]uint64) []uint64 { return split(p.w, 2, s[0][0])[1:] }
		}
	}
	halves := func(e env, s []uint64, d direction) []uint64 {
		var h []uint64
		for _, x := range s {
			h = append(h, encode(decode(x, 32, e.flush(32)), 16, d, false))
		}
		return one(join(16, h))
	}
	refs["pack_half_2x16"] = func(e env, s [][]uint64) []uint64 { return halves(e, s[0], e.direction(16)) }
	refs["pack_half_2x16_split"] = func(e env, s [][]uint64) []uint64 { return halves(e, slices.Concat(s...), e.direction(16)) }
	refs["pack_half_2x16_rtz_split"] = func(e env, s [][]uint64) []uint64 { return halves(e, slices.Concat(s...), zeroward) }
	unhalf := func(e env, x uint64) []uint64 {
		var out []uint64
		for _, h := range split(16, 2, x) {
			out = append(out, encode(decode(h, 16, false), 32, nearest, e.flush(32)))
		}
		return out
	}
	refs["unpack_half_2x16"] = func(e env, s [][]uint64) []uint64 { return unhalf(e, s[0][0]) }
	refs["unpack_half_2x16_split_x"] = func(e env, s [][]uint64) []uint64 { return unhalf(e, s[0][0])[:1] }
	refs["unpack_half_2x16_split_y"] = func(e env, s [][]uint64) []uint64 { return unhalf(e, s[0][0])[1:] }

	// GLSL 4.60, 8.4: round(clamp(c, lo, 1) * scale), and clamp(f / scale, lo, 1).
	for _, p := range []struct{ n, w int }{{4, 8}, {2, 16}} {
		for _, sgn := range []bool{false, true} {
			name, scale, lo := "unorm_", float64(int(1)<<p.w-1), 0.0
			if sgn {
				name, scale, lo = "snorm_", float64(int(1)<<(p.w-1)-1), -1
			}
			name += itoa(p.n) + "x" + itoa(p.w)
			refs["pack_"+name] = func(e env, s [][]uint64) []uint64 {
				var parts []uint64
				for _, x := range s[0] {
					c := decode(x, 32, e.flush(32))
					if c == nil {
						c = fromFloat(32, lo)
					}
					c = pick(pick(c, fromFloat(32, lo), true), fromFloat(32, 1), false)
					c = decode(encode(mul(32, c, fromFloat(32, scale)), 32, e.direction(32), false), 32, false)
					i, _ := integral(c, 2).Int(nil)
					parts = append(parts, wrap(i, p.w))
				}
				return one(join(p.w, parts))
			}
			refs["unpack_"+name] = func(e env, s [][]uint64) []uint64 {
				var out []uint64
				for _, x := range split(p.w, p.n, s[0][0]) {
					i := unsigned(x)
					if sgn {
						i = signed(x, p.w)
					}
					f := quo(32, newReal(32).SetInt(i), fromFloat(32, scale))
					f = decode(encode(f, 32, e.direction(32), false), 32, false)
					out = append(out, encode(pick(f, fromFloat(32, lo), true), 32, nearest, e.flush(32)))
				}
				return out
			}
		}
	}

	// Dot products of packed integers (SPV_KHR_integer_dot_product): exact
	// sums, then wrapped or saturated.
	for _, d := range []struct {
		name   string
		n, w   int
		sa, sb bool
	}{
		{"sdot_4x8_iadd", 4, 8, true, true}, {"udot_4x8_uadd", 4, 8, false, false}, {"sudot_4x8_iadd", 4, 8, true, false},
		{"sdot_2x16_iadd", 2, 16, true, true}, {"udot_2x16_uadd", 2, 16, false, false},
	} {
		sum := func(s [][]uint64) *big.Int {
			val := func(x uint64, w int, sgn bool) *big.Int {
				if sgn {
					return signed(x, w)
				}
				return unsigned(x)
			}
			t := val(s[2][0], 32, d.sa)
			a, b := split(d.w, d.n, s[0][0]), split(d.w, d.n, s[1][0])
			for i := range a {
				t.Add(t, new(big.Int).Mul(val(a[i], d.w, d.sa), val(b[i], d.w, d.sb)))
			}
			return t
		}
		refs[d.name] = func(_ env, s [][]uint64) []uint64 { return one(wrap(sum(s), 32)) }
		refs[d.name+"_sat"] = func(_ env, s [][]uint64) []uint64 {
			if d.sa {
				return one(clampS(sum(s), 32))
			}
			return one(clampU(sum(s), 32))
		}
	}
}
