// SPDX-License-Identifier: MIT

package opencl

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/num"
	"jacquard.example/generated/target"
)

const items = 96 // three threads of 32 lanes

// words returns n random dwords: small, large and special ones mixed.
func words(n int, seed uint64) Buffer {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make(Buffer, 4*n)
	for i := 0; i < n; i++ {
		v := r.Uint32() >> r.IntN(32)
		switch r.IntN(10) {
		case 0:
			v = []uint32{0, 1, math.MaxUint32, math.MaxInt32, 1 << 31}[r.IntN(5)]
		case 1, 2:
			v = -v
		}
		binary.LittleEndian.PutUint32(b[4*i:], v)
	}
	return b
}

func (b Buffer) l(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
func (b Buffer) h(i int) uint16 { return binary.LittleEndian.Uint16(b[2*i:]) }

// feature runs one kernel of features.cl over items invocations under every schedule and
// passes the arguments to check.
func feature(t *testing.T, m *module, name string, args func() []Arg, check func(t *testing.T, a []Arg)) {
	t.Run(name, func(t *testing.T) {
		schedules(t, func(t *testing.T, opts eu.Options) {
			a := args()
			launchKernel(t, m, name, opts, [3]uint32{1, 1, 1}, [3]uint32{items, 1, 1}, a...)
			check(t, a)
		})
	})
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// TestFeatures compiles with and without optimization, and for each width that the compiler can be made to
// choose: different code must compute the same results.
func TestFeatures(t *testing.T) {
	for i, c := range []struct {
		name    string
		options []string
	}{
		{"default", nil},
		{"unoptimized", []string{"-cl-opt-disable"}},
		{"SIMD8", []string{"-DWIDTH=8"}},
		{"SIMD16", []string{"-DWIDTH=16"}},
		{"SIMD32", []string{"-DWIDTH=32"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDevice(t, i, func(t *testing.T, d device) { testFeatures(t, d.compile(t, "features", c.options...)) })
		})
	}
}

// signedQuotient is the number of the quotient of signed integers among the results of the kernel ints; the remainder follows.
const signedQuotient = 5

func testFeatures(t *testing.T, m *module) {
	out := func(n int) Buffer { return make(Buffer, n) }

	feature(t, m, "ints", func() []Arg { return []Arg{words(items, 1), words(items, 2), out(20 * 4 * items)} }, func(t *testing.T, a []Arg) {
		for i := 0; i < items; i++ {
			x, y := a[0].(Buffer).u(i), a[1].(Buffer).u(i)
			sx, sy := int32(x), int32(y)
			quo, rem := -sx, int32(0) // Go divides by -1 without overflow only in 64-bit words
			if sy|1 != -1 {
				quo, rem = sx/(sy|1), sx%(sy|1)
			}
			want := []uint32{
				x * y, uint32(uint64(x) * uint64(y) >> 32), uint32(int64(sx) * int64(sy) >> 32), x / (y | 1), x % (y | 1),
				uint32(quo), uint32(rem), uint32(bits.LeadingZeros32(x)), uint32(bits.OnesCount32(x)),
				bits.RotateLeft32(x, int(y&31)), uint32(sx >> (y & 31)), x >> (y & 31), x << (y & 31), uint32(max(sx, sy)), min(x, y),
				uint32(min(uint64(x)+uint64(y), math.MaxUint32)), uint32(int32(max(min(int64(sx)-int64(sy), math.MaxInt32), math.MinInt32))),
				uint32(max(int64(sx)-int64(sy), int64(sy)-int64(sx))), uint32((uint64(x) + uint64(y) + 1) >> 1),
				b2u(sx < sy) | b2u(x < y)<<1 | b2u(x == y)<<2,
			}
			for k, w := range want {
				if m.on.Target.Can(target.Pipes) && (k == signedQuotient || k == signedQuotient+1) {
					continue // see quotients in features.cl
				}
				if got := a[2].(Buffer).u(k*items + i); got != w {
					t.Fatalf("result %d of %x and %x: %x, want %x", k, x, y, got, w)
				}
			}
		}
	})

	feature(t, m, "longs", func() []Arg { return []Arg{words(2*items, 3), words(2*items, 4), out(8 * 8 * items)} }, func(t *testing.T, a []Arg) {
		for i := 0; i < items; i++ {
			x, y := a[0].(Buffer).l(i), a[1].(Buffer).l(i)
			want := []uint64{x + y, x - y, x * y, x >> (y & 63), x << (y & 63), uint64(int64(x) >> (y & 63)), min(x, y), uint64(max(int64(x), int64(y)))}
			for k, w := range want {
				if got := a[2].(Buffer).l(k*items + i); got != w {
					t.Fatalf("result %d of %x and %x: %x, want %x", k, x, y, got, w)
				}
			}
		}
	})

	feature(t, m, "bytes", func() []Arg { return []Arg{words(items, 5), words(items, 6), out(items), out(2 * items)} }, func(t *testing.T, a []Arg) {
		for i := 0; i < items; i++ {
			x, y := a[0].(Buffer)[i], a[1].(Buffer).h(i)
			if got, want := a[2].(Buffer)[i], x*3+byte(y); got != want {
				t.Fatalf("byte %d: %x, want %x", i, got, want)
			}
			if got, want := a[3].(Buffer).h(i), uint16(int8(x))-y; got != want {
				t.Fatalf("word %d: %x, want %x", i, got, want)
			}
		}
	})

	t.Run("floats", func(t *testing.T) { testFloats(t, m) })

	feature(t, m, "flow", func() []Arg {
		b := words(items, 7)
		for i := 0; i < items; i++ {
			binary.LittleEndian.PutUint32(b[4*i:], b.u(i)%5000)
		}
		return []Arg{b, out(4 * items)}
	}, func(t *testing.T, a []Arg) {
		for i := 0; i < items; i++ {
			if got, want := a[1].(Buffer).u(i), flow(uint32(i), a[0].(Buffer).u(i)); got != want {
				t.Fatalf("lane %d with %d: %d, want %d", i, a[0].(Buffer).u(i), got, want)
			}
		}
	})

	feature(t, m, "quotients", func() []Arg { return []Arg{words(items, 1), words(items, 2), out(2 * 4 * items)} }, func(t *testing.T, a []Arg) {
		for i := range items {
			x, y := int64(int32(a[0].(Buffer).u(i))), int64(int32(a[1].(Buffer).u(i)|1))
			if got, want := a[2].(Buffer).u(i), uint32(x/y); got != want {
				t.Fatalf("%d / %d: %x, want %x", x, y, got, want)
			}
			if got, want := a[2].(Buffer).u(items+i), uint32(x%y); got != want {
				t.Fatalf("%d %% %d: %x, want %x", x, y, got, want)
			}
		}
	})

	feature(t, m, "scratch", func() []Arg { return []Arg{words(50, 8), out(4 * items), Uint32(50)} }, func(t *testing.T, a []Arg) {
		for i := uint32(0); i < items; i++ {
			var tab [64]uint32
			for k := range tab {
				tab[k] = a[0].(Buffer).u(int(i+uint32(k))%50) ^ uint32(k)
			}
			p, sum := i, uint32(0)
			for k := uint32(0); k < 100; k++ {
				v := tab[p&63]
				tab[(p+v)&63] += v
				sum += v * (k + 1)
				p = p*5 + v
			}
			if got := a[1].(Buffer).u(int(i)); got != sum {
				t.Fatalf("lane %d: %x, want %x", i, got, sum)
			}
		}
	})

	feature(t, m, "calls", func() []Arg { return []Arg{words(items, 9), out(4 * items)} }, func(t *testing.T, a []Arg) {
		for i := 0; i < items; i++ {
			if got, want := a[1].(Buffer).u(i), []uint32{0, 1, 1, 2, 3, 5, 8, 13}[a[0].(Buffer).u(i)%8]; got != want {
				t.Fatalf("lane %d: %d, want %d", i, got, want)
			}
		}
	})

	feature(t, m, "globals", func() []Arg {
		h := out(32)
		binary.LittleEndian.PutUint32(h[20:], 1000)
		return []Arg{out(4 * items), h}
	}, func(t *testing.T, a []Arg) {
		table := []uint32{3, 1, 4, 1, 5, 9, 2, 6}
		var hist [7]uint32
		for i := uint32(0); i < items; i++ {
			if got, want := a[0].(Buffer).u(int(i)), table[i&7]*100+30; got != want {
				t.Fatalf("lane %d: %d, want %d", i, got, want)
			}
			hist[i&3] += i
		}
		hist[4], hist[5], hist[6] = items-1, 0, 2*items
		for i, want := range hist {
			if got := a[1].(Buffer).u(i); got != want {
				t.Errorf("counter %d: %d, want %d", i, got, want)
			}
		}
	})

	t.Run("grid", func(t *testing.T) {
		schedules(t, func(t *testing.T, opts eu.Options) {
			o := out(4 * 64 * 12)
			launchKernel(t, m, "grid", opts, [3]uint32{2, 3, 2}, [3]uint32{4, 4, 4}, o, Local(256))
			for g := uint32(0); g < 12; g++ {
				id := g%2 + 10*(g/2%3) + 100*(g/6)
				for l := 0; l < 64; l++ {
					if got, want := o.u(int(64*g)+l), 2*id+8000; got != want {
						t.Fatalf("group %d item %d: %d, want %d", g, l, got, want)
					}
				}
			}
		})
	})

	feature(t, m, "longatomics", func() []Arg {
		sum := out(8 * (8 + items))
		for i := range items {
			binary.LittleEndian.PutUint64(sum[8*(8+i):], uint64(i/2%2)) // every other exchange succeeds
		}
		return []Arg{sum, words(2*items, 13), out(8 * items)}
	}, func(t *testing.T, a []Arg) {
		sum, in, old := a[0].(Buffer), a[1].(Buffer), a[2].(Buffer)
		var want [8]uint64
		for i := range items {
			x := in.l(i)
			want[i%3] += x
			want[3] = max(want[3], x)
			want[4] = uint64(min(int64(want[4]), int64(x)))
			want[5] ^= x
			want[6] -= x
			want[7]++
			had, left := uint64(i/2%2), uint64(i/2%2)
			if had == uint64(i%2) {
				left = x
			}
			if old.l(i) != had || sum.l(8+i) != left {
				t.Fatalf("compare and exchange %d: returned %x and left %x, want %x and %x", i, old.l(i), sum.l(8+i), had, left)
			}
		}
		for k, w := range want {
			if sum.l(k) != w {
				t.Fatalf("result %d is %x, want %x", k, sum.l(k), w)
			}
		}
	})

	feature(t, m, "halves", func() []Arg { return []Arg{halves(items, 10), halves(items, 11), out(5 * 2 * items)} }, func(t *testing.T, a []Arg) {
		for i := 0; i < items; i++ {
			x, y := num.F16ToF32(a[0].(Buffer).h(i)), num.F16ToF32(a[1].(Buffer).h(i))
			for k, w := range []float32{x + y, x * y, fma(x, y, 0.5), x * 3, max(x, y)} {
				// The result is rounded to 11 bits; the float32 result may differ from the exact one only by
				// less than half of that.
				got, want := a[2].(Buffer).h(k*items+i), num.F32ToF16RNE(w)
				if got != want {
					t.Fatalf("result %d of %g and %g: %x, want %x", k, x, y, got, want)
				}
			}
		}
	})

	feature(t, m, "subgroup", func() []Arg { return []Arg{words(items, 12), out(5 * 4 * items)} }, func(t *testing.T, a []Arg) {
		in, o := a[0].(Buffer), a[1].(Buffer)
		for i := 0; i < items; i++ {
			first := i / 16 * 16
			var sum, before, vote uint32
			all := uint32(2)
			for j := first; j < first+16; j++ {
				if j < i {
					before += in.u(j)
				}
				sum += in.u(j)
				vote |= b2u(in.u(j) > 3000000000)
				if in.u(j) >= 4000000000 {
					all = 0
				}
			}
			want := []uint32{sum, before, in.u(first + 5), vote + all, uint32(i%16 + 100*(i/16))}
			for k, w := range want {
				if got := o.u(k*items + i); got != w {
					t.Fatalf("result %d of lane %d: %x, want %x", k, i, got, w)
				}
			}
		}
	})

	feature(t, m, "vectors", func() []Arg {
		idx := out(4 * items)
		for i := 0; i < items; i++ {
			binary.LittleEndian.PutUint32(idx[4*i:], uint32(i*7%items))
		}
		return []Arg{floats(random(4*items, 13)), out(16 * items), idx}
	}, func(t *testing.T, a []Arg) {
		in, o := a[0].(Buffer), a[1].(Buffer)
		for i := 0; i < items; i++ {
			j := i * 7 % items
			v := func(k int) float64 { return float64(in.f(4*i + k)) }
			w := func(k int) float64 { return float64(in.f(4*j + k)) }
			dot := v(0)*w(0) + v(1)*w(1) + v(2)*w(2)
			for k, want := range []float64{v(3)*w(0) + dot, v(2)*w(1) + v(0), v(1)*w(2) + w(1), v(0)*w(3) + 1} {
				if got := float64(o.f(4*i + k)); math.Abs(got-want) > 1e-5 {
					t.Fatalf("item %d component %d: %g, want %g", i, k, got, want)
				}
			}
		}
	})
}

// halves returns random float16 numbers of moderate size.
func halves(n int, seed uint64) Buffer {
	b := make(Buffer, 2*n)
	for i, f := range random(n, seed) {
		binary.LittleEndian.PutUint16(b[2*i:], num.F32ToF16RNE(f))
	}
	return b
}

// flow computes the reference result of the kernel flow.
func flow(i, x uint32) uint32 {
	steps := uint32(0)
	for x != 1 && steps < 200 {
		if x&1 != 0 {
			if x > 1000000 {
				steps += 1000
				break
			}
			x = 3*x + 1
		} else {
			x >>= 1
			if x&7 == 4 {
				steps += 5
				continue
			}
		}
		for k := uint32(0); k < x&3; k++ {
			if k == 2 && i&1 != 0 {
				break
			}
			steps += k
		}
		steps++
	}
	switch i % 5 {
	case 0:
		steps ^= 1
	case 1:
		steps *= 3
	case 3:
		steps += 7
		fallthrough
	default:
		steps += 2
	}
	return steps
}

func testFloats(t *testing.T, m *module) {
	x, y := random(items, 14), random(items, 15)
	nan := float32(math.NaN())
	special := []float32{0, float32(math.Copysign(0, -1)), 1.5, 2.5, -0.5, 1e9, -1e9, 300, 0x1p-140, nan, float32(math.Inf(1)), -3.999}
	copy(x, special)
	copy(y[6:], special)
	schedules(t, func(t *testing.T, opts eu.Options) {
		o := make(Buffer, 20*4*items)
		launchKernel(t, m, "floats", opts, [3]uint32{1, 1, 1}, [3]uint32{items, 1, 1}, floats(x), floats(y), o)
		for i := range x {
			a, b := x[i], y[i]
			f64 := func(f func(float64) float64, v float32) float32 { return float32(f(float64(v))) }
			abs := float32(math.Abs(float64(a)))
			lo, hi := a, a
			switch {
			case a != a:
				lo, hi = b, b
			case b == b:
				lo, hi = min(a, b), max(a, b)
			}
			sel := -b
			if a < b {
				sel = a
			}
			want := []float32{
				a + b, a - b, a * b, 0, f64(math.Floor, a), f64(math.Ceil, a), f64(math.Trunc, a), f64(math.RoundToEven, a), lo, hi, abs, sel,
				f64(math.Sqrt, abs), float32(clamp(a, math.MinInt32, math.MaxInt32)), float32(clamp(abs, 0, math.MaxUint32)), float32(clamp(a, 0, 255)),
				float32(clamp(float32(b*1000), math.MinInt16, math.MaxInt16)), math.Float32frombits(2 - b2u(a != a)), a / b, f64(math.Sqrt, float32(math.Abs(float64(b)))),
			}
			if math.IsInf(float64(a), 0) || math.IsInf(float64(b), 0) || a != a || b != b {
				want[3] = a*b + 1
			} else {
				want[3] = fma(a, b, 1)
			}
			for k, w := range want {
				got := o.f(k*items + i)
				if got == w || got != got && w != w {
					continue
				}
				// Software approximates division and the exact square root to within a few units in the last
				// place.
				if k >= 18 && math.Abs(float64(got-w)) <= 3e-7*math.Abs(float64(w)) {
					continue
				}
				t.Errorf("result %d of %g and %g: %g, want %g", k, a, b, got, w)
			}
		}
	})
}

func clamp(f float32, lo, hi float64) int64 {
	if f != f {
		return 0
	}
	return int64(max(lo, min(hi, math.Trunc(float64(f)))))
}
