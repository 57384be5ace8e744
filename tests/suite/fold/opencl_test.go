// SPDX-License-Identifier: MIT

package fold

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

// kernelRow writes an instruction of OpenCL.std in opcodes, and defines it over big numbers (OpenCL C specification
// 6.15.2, 6.15.3, 6.15.6). In an expression $N is the width and $W twice it. An opcode's size follows @, or is the size
// of its first source without a width.
type kernelRow struct {
	name  string
	sizes []int
	to    string // lines name = expression, then the result
	args  string // i or f for each argument
	want  func(e env, a []uint64) uint64
}

var kernelRows = slices.Concat([]kernelRow{
	{"s_abs", intSizes, "(iabs a)", "i", func(e env, a []uint64) uint64 { v := signed(a[0], e.w); return wrap(v.Abs(v), e.w) }},
	{"clz", intSizes, "(u2u$N (uclz a))", "i", func(e env, a []uint64) uint64 { return uint64(e.w - unsigned(a[0]).BitLen()) }},
	{"ctz", intSizes, "(u2u$N (umin (find_lsb a) $N))", "i", func(e env, a []uint64) uint64 {
		n := 0
		for n < e.w && a[0]>>n&1 == 0 {
			n++
		}
		return uint64(n)
	}},
	{"popcount", intSizes, "(u2u$N (bit_count a))", "i", func(e env, a []uint64) uint64 {
		return uint64(strings.Count(strconv.FormatUint(a[0], 2), "1"))
	}},
	{"rotate", intSizes, "(urol a (u2u32 b))", "ii", func(e env, a []uint64) uint64 {
		n := uint(a[1] % uint64(e.w))
		v := new(big.Int).Lsh(unsigned(a[0]), n)
		return wrap(v.Or(v, new(big.Int).Rsh(v, uint(e.w))), e.w)
	}},
	{"bitselect", intSizes, "(bitfield_select c b a)", "iii", func(e env, a []uint64) uint64 { return a[2]&a[1] | a[0]&^a[2] }},
	{"u_upsample", []int{8, 16, 32}, "(ior (ishl (u2u$W a) $N) (u2u$W b))", "ii", func(e env, a []uint64) uint64 { return a[0]<<e.w | a[1] }},
	{"s_mul24", words, "(imul24 a b)", "ii", func(e env, a []uint64) uint64 { return mad24(true, a[0], a[1], 0) }},
	{"u_mul24", words, "(umul24 a b)", "ii", func(e env, a []uint64) uint64 { return mad24(false, a[0], a[1], 0) }},
	{"s_mad24", words, "(iadd (imul24 a b) c)", "iii", func(e env, a []uint64) uint64 { return mad24(true, a[0], a[1], a[2]) }},
	{"u_mad24", words, "(iadd (umul24 a b) c)", "iii", func(e env, a []uint64) uint64 { return mad24(false, a[0], a[1], a[2]) }},
	{"s_mad_sat", []int{8, 16}, "(i2i$N_sat (iadd (imul (i2i64 a) (i2i64 b)) (i2i64 c)))", "iii", madSat(true)},
	{"s_mad_sat", words, "(i2i32_sat (iadd (imul_2x32_64 a b) (i2i64 c)))", "iii", madSat(true)},
	{"s_mad_sat", []int{64}, `lo = (imul a b)
sum = (iadd lo c)
hi = (iadd (iadd (imul_high a b) (ishr c 63)) (uadd_carry lo c))
(bcsel (ieq hi (ishr sum 63)) sum (ixor (ishr hi 63) 0x7fffffffffffffff))`, "iii", madSat(true)},
	{"u_mad_sat", []int{8, 16}, "(u2u$N_sat (iadd (imul (u2u64 a) (u2u64 b)) (u2u64 c)))", "iii", madSat(false)},
	{"u_mad_sat", words, "(u2u32_sat (iadd (umul_2x32_64 a b) (u2u64 c)))", "iii", madSat(false)},
	{"u_mad_sat", []int{64}, `lo = (imul a b)
hi = (iadd (umul_high a b) (uadd_carry lo c))
(bcsel (ieq hi 0) (iadd lo c) -1)`, "iii", madSat(false)},

	{"fdim", floatSizes, "(bcsel (fge b a) 0 (fsub a b))", "ff", func(e env, a []uint64) uint64 {
		x, y := decode(a[0], e.w, false), decode(a[1], e.w, false)
		if x != nil && y != nil && x.Cmp(y) <= 0 {
			return 0
		}
		return encode(sub(e.w, x, y), e.w, nearest, false)
	}},
	{"copysign", floatSizes, "(bitfield_select (ushr@$N -1 1) a b)", "ff", func(e env, a []uint64) uint64 {
		top := uint64(1) << (e.w - 1)
		return a[0]&^top | a[1]&top
	}},
	{"round", floatSizes, `t = (ftrunc a)
one = (bitfield_select (ushr@$N -1 1) $1 a)
(bcsel (fge (fabs (fsub a t)) $half) (fadd t one) t)`, "f", func(e env, a []uint64) uint64 {
		x := decode(a[0], e.w, false)
		if x == nil || x.IsInf() || x.Sign() == 0 {
			return encode(x, e.w, nearest, false)
		}
		y := new(big.Float).SetPrec(7000).Add(new(big.Float).SetPrec(7000).Abs(x), big.NewFloat(0.5))
		y = integral(y, -1)
		if x.Signbit() {
			y.Neg(y)
		}
		return encode(y, e.w, nearest, false)
	}},
	{"nextafter", floatSizes, `up = (ixor (flt a b) (ilt a 0))
step = (bcsel up (iadd a 1) (isub a 1))
far = (bcsel (feq a 0) (ior (iand b (ishl@$N 1 31)) 1) step)
(bcsel (iand (feq a a) (feq b b)) (bcsel (feq a b) b far) $nan)`, "ff", nextAfter},
	{"signbit", floatSizes, "(ilt a 0)", "f", func(e env, a []uint64) uint64 { return a[0] >> (e.w - 1) }},
	{"isordered", floatSizes, "(iand (feq a a) (feq b b))", "ff", func(e env, a []uint64) uint64 {
		return truthOf(decode(a[0], e.w, false) != nil && decode(a[1], e.w, false) != nil)
	}},
	{"islessgreater", floatSizes, "(ior (flt a b) (flt b a))", "ff", func(e env, a []uint64) uint64 {
		x, y := decode(a[0], e.w, false), decode(a[1], e.w, false)
		return truthOf(x != nil && y != nil && x.Cmp(y) != 0)
	}},
	{"isnan", floatSizes, "(fneu a a)", "f", func(e env, a []uint64) uint64 { return truthOf(decode(a[0], e.w, false) == nil) }},
	{"isinf", floatSizes, "(feq (fabs a) $inf)", "f", func(e env, a []uint64) uint64 {
		x := decode(a[0], e.w, false)
		return truthOf(x != nil && x.IsInf())
	}},
}, paired("mad_hi", "(iadd ($xmul_high a b) c)", "iii", func(w int, v []*big.Int) *big.Int {
	p := new(big.Int).Mul(v[0], v[1])
	return p.Add(p.Rsh(p, uint(w)), v[2])
}))

func truthOf(b bool) uint64 { return bit(b)[0] }

// paired returns the signed and the unsigned form.
func paired(name, to, args string, f func(w int, v []*big.Int) *big.Int) []kernelRow {
	var out []kernelRow
	for _, x := range []string{"i", "u"} {
		out = append(out, kernelRow{map[string]string{"i": "s_", "u": "u_"}[x] + name, intSizes, strings.ReplaceAll(to, "$x", x), args,
			func(e env, a []uint64) uint64 {
				v := make([]*big.Int, len(a))
				for i := range a {
					v[i] = unsigned(a[i])
					if x == "i" {
						v[i] = signed(a[i], e.w)
					}
				}
				return wrap(f(e.w, v), e.w)
			}})
	}
	return out
}

func mad24(sgn bool, a, b, c uint64) uint64 {
	x, y := unsigned(a&0xffffff), unsigned(b&0xffffff)
	if sgn {
		x, y = signed(a&0xffffff, 24), signed(b&0xffffff, 24)
	}
	return wrap(x.Add(x.Mul(x, y), unsigned(c)), 32)
}

func madSat(sgn bool) func(e env, a []uint64) uint64 {
	return func(e env, a []uint64) uint64 {
		if sgn {
			p := signed(a[0], e.w)
			return clampS(p.Add(p.Mul(p, signed(a[1], e.w)), signed(a[2], e.w)), e.w)
		}
		p := unsigned(a[0])
		return clampU(p.Add(p.Mul(p, unsigned(a[1])), unsigned(a[2])), e.w)
	}
}

// typed is a value with its width; a literal has none yet.
type typed struct {
	x uint64
	w int
}

// kernelEval computes an expression with the folder.
type kernelEval struct {
	t     *testing.T
	names map[string]typed
	text  string
}

func (k *kernelEval) word() string {
	k.text = strings.TrimLeft(k.text, " ")
	n := strings.IndexAny(k.text, " ()")
	if n <= 0 {
		n = len(k.text)
	}
	w := k.text[:n]
	k.text = k.text[n:]
	return w
}

func (k *kernelEval) expr() typed {
	k.text = strings.TrimLeft(k.text, " ")
	if !strings.HasPrefix(k.text, "(") {
		w := k.word()
		if v, ok := k.names[w]; ok {
			return v
		}
		n, err := strconv.ParseInt(w, 0, 64)
		if err != nil {
			k.t.Fatalf("%q: %v", w, err)
		}
		return typed{uint64(n), 0}
	}
	k.text = k.text[1:]
	name, sized, _ := strings.Cut(k.word(), "@")
	o, ok := op.ByName(name)
	if !ok {
		k.t.Fatalf("there is no opcode %q", name)
	}
	info := o.Info()
	size, _ := strconv.Atoi(sized)
	var args []typed
	for {
		k.text = strings.TrimLeft(k.text, " ")
		if strings.HasPrefix(k.text, ")") {
			k.text = k.text[1:]
			break
		}
		args = append(args, k.expr())
	}
	if len(args) != int(info.NumSrc) {
		k.t.Fatalf("%s has %d sources, not %d", name, info.NumSrc, len(args))
	}
	for i, a := range args {
		if info.Src[i].Bits == 0 && size == 0 {
			size = a.w
		}
	}
	var src [op.MaxSrc][16]uint64
	var dst [16]uint64
	for i, a := range args {
		w := width(info.Src[i], size)
		if a.w != 0 && a.w != w {
			k.t.Fatalf("source %d of %s has %d bits, not %d", i, name, a.w, w)
		}
		src[i][0] = a.x & (^uint64(0) >> (64 - w))
	}
	if !fold.Eval(o, uint8(size), 1, &src, &dst, 0) {
		k.t.Fatalf("%s has no form of %d bits", name, size)
	}
	return typed{dst[0], width(info.Out, size)}
}

// TestOpenCL: the instructions of OpenCL.std that kernels use without a library are expressed in opcodes, at every
// size, and give the results of the specification.
func TestOpenCL(t *testing.T) {
	for i := range kernelRows {
		row := &kernelRows[i]
		for _, w := range row.sizes {
			t.Run(row.name+"@"+itoa(w), func(t *testing.T) {
				e := env{w: w}
				r := rand.New(rand.NewPCG(uint64(w), uint64(i)))
				text := row.to
				if row.args[0] == 'f' {
					for name, f := range map[string]real{"$1": fromFloat(w, 1), "$half": fromFloat(w, 0.5), "$inf": newReal(w).SetInf(false), "$nan": nil} {
						text = strings.ReplaceAll(text, name, "0x"+strconv.FormatUint(encode(f, w, nearest, false)&(1<<63-1), 16))
					}
					text = strings.ReplaceAll(text, " 1 31)", " 1 "+itoa(w-1)+")")
				}
				text = strings.NewReplacer("$N", itoa(w), "$W", itoa(2*w)).Replace(text)
				lines := strings.Split(text, "\n")
				for range 2000 {
					args := make([]uint64, len(row.args))
					k := kernelEval{t: t, names: map[string]typed{}}
					for j := range args {
						base := op.Int
						if row.args[j] == 'f' {
							base = op.Float
						}
						args[j] = random(r, op.Operand{Base: base}, w)
						k.names[string(rune('a'+j))] = typed{args[j], w}
					}
					var got typed
					for _, line := range lines {
						name, rest, let := strings.Cut(line, " = ")
						if !let {
							rest = line
						}
						k.text = rest
						got = k.expr()
						k.names[name] = got
					}
					if x := row.want(e, args); got.x != x {
						t.Fatalf("%s%#x: opcodes give %#x, the definition %#x", row.name, args, got.x, x)
					}
				}
			})
		}
	}
}

// nextAfter finds the next value by the order of all values of the width.
func nextAfter(e env, a []uint64) uint64 {
	x, y := decode(a[0], e.w, false), decode(a[1], e.w, false)
	if x == nil || y == nil {
		return encode(nil, e.w, nearest, false)
	}
	c := x.Cmp(y)
	if c == 0 {
		return a[1]
	}
	top := uint64(1) << (e.w - 1)
	rank := func(v uint64) int64 { // both zeros have rank 0
		if v&top != 0 {
			return -int64(v &^ top)
		}
		return int64(v)
	}
	n := rank(a[0]) - int64(c)
	switch {
	case n < 0:
		return top | uint64(-n)
	case n == 0 && a[0]&top != 0: // from below zero
		return top
	}
	return uint64(n)
}
