// SPDX-License-Identifier: MIT

package fold

import (
	"encoding/binary"
	"flag"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

// sizes lists the execution sizes of an opcode; 0 when it has none.
func sizes(i *op.Info) []int {
	if i.Sizes == 0 {
		return []int{0}
	}
	var out []int
	for _, w := range []int{1, 8, 16, 32, 64} {
		if i.Sizes&op.SizeOf(uint8(w)) != 0 {
			out = append(out, w)
		}
	}
	return out
}

func width(o op.Operand, size int) int {
	if o.Bits != 0 {
		return int(o.Bits)
	}
	return size
}

// usesFloat reports whether the float mode can matter.
func usesFloat(i *op.Info) bool {
	return i.Out.Base == op.Float || slices.ContainsFunc(i.Src[:i.NumSrc], func(o op.Operand) bool { return o.Base == op.Float })
}

var modes = []num.Mode{
	0,
	num.RTZ16 | num.RTZ32 | num.RTZ64,
	num.Flush16 | num.Flush32 | num.Flush64,
	num.RTZ16 | num.Flush32,
}

// corners returns the values of an operand for which mistakes are likely.
func corners(o op.Operand, w int) []uint64 {
	mask := ^uint64(0) >> (64 - w)
	if w == 1 {
		return []uint64{0, 1}
	}
	top := uint64(1) << (w - 1)
	out := []uint64{0, 1, 2, 3, 5, 7, 8, mask, mask - 1, top, top - 1, top + 1, uint64(w) - 1, uint64(w), uint64(w) + 1, 0x55555555_55555555 & mask}
	if o.Base == op.Float || o.Base == op.Bits && w >= 16 {
		for _, f := range []float64{
			1, -1, 2, 0.5, -0.5, 1.5, 2.5, 3.5, 0.25, -0.75, 3, 10, 127.5, 128, 255, 256, -128, -129, 32767.5, 32768, 65504, 65519, 65520, 65535,
			1 << 31, -1 << 31, 1 << 32, 1 << 63, -1 << 63, 1 << 64, 0x1p-14, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-126, 0x1p-149, 0x1p-1074, 1e30, 1e300,
			0.1, 1.0 / 3, math.Pi, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 16777217, 0.49999997, 0.99999994,
		} {
			out = append(out, encode(realOf(f), w, nearest, false))
		}
		inf := encode(realOf(math.Inf(1)), w, nearest, false)
		// Largest finite, least normal, largest denormal, signalling NaN.
		out = append(out, inf-1, inf+1, top|inf|1, uint64(1)<<(layouts[w].prec-1), uint64(1)<<(layouts[w].prec-1)-1)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func realOf(f float64) real {
	if f != f {
		return nil
	}
	return fromFloat(64, f)
}

// random draws a value: any bits, few bits, or for floats a modest exponent.
func random(r *rand.Rand, o op.Operand, w int) uint64 {
	mask := ^uint64(0) >> (64 - w)
	switch k := r.IntN(8); {
	case k < 3:
		return r.Uint64() & mask
	case k == 3:
		return r.Uint64() >> r.IntN(64) & mask
	case k == 4:
		return -(r.Uint64() >> r.IntN(64)) & mask
	case k == 5:
		c := corners(o, w)
		return c[r.IntN(len(c))]
	}
	if o.Base == op.Float || o.Base == op.Bits && w >= 16 {
		return encode(realOf(r.NormFloat64()*math.Exp2(float64(r.IntN(24)-12))), w, nearest, false)
	}
	return r.Uint64N(70) & mask
}

// caller runs the folder on whole vectors and checks that the surrounding memory is unchanged.
type caller struct {
	t    *testing.T
	o    op.Op
	info *op.Info
	src  [op.MaxSrc][16]uint64
	dst  [16]uint64
	args [op.MaxSrc][]uint64
}

func newCaller(t *testing.T, o op.Op) *caller {
	c := &caller{t: t, o: o, info: o.Info()}
	for s := range c.info.NumSrc {
		c.args[s] = c.src[s][:max(c.info.Src[s].Comps, 1)]
	}
	return c
}

func (c *caller) check(ref reference, size int, mode num.Mode) {
	const poison = 0xdeadbeef
	for i := range c.dst {
		c.dst[i] = poison
	}
	if !fold.Eval(c.o, uint8(size), 1, &c.src, &c.dst, mode) {
		c.t.Fatalf("%s@%d: not folded", c.info.Name, size)
	}
	args := c.args[:c.info.NumSrc]
	want := ref(env{size, mode}, args)
	for i, x := range want {
		if c.dst[i] != x {
			c.t.Fatalf("%s@%d %#x (mode %#x): folder gives %#x, the definition %#x", c.info.Name, size, args, mode, c.dst[:len(want)], want)
		}
	}
	if len(want) < 16 && c.dst[len(want)] != poison {
		c.t.Fatalf("%s@%d writes more than %d components", c.info.Name, size, len(want))
	}
}

// forEachRef runs f in parallel for every opcode with a reference.
func forEachRef(t *testing.T, f func(t *testing.T, o op.Op, ref reference)) {
	for name, ref := range refs {
		o, ok := op.ByName(name)
		if !ok {
			t.Errorf("reference for unknown opcode %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, o, ref)
		})
	}
}

// TestReferences: every opcode that has a meaning has one independently written
// definition.
func TestReferences(t *testing.T) {
	for o := range op.Count {
		info := o.Info()
		_, approximate := approximations[info.Name]
		n := 0
		for _, has := range []bool{refs[info.Name] != nil, approximate, info.Has(op.Derivative)} {
			if has {
				n++
			}
		}
		if _, big := transcendental[info.Name]; big != approximate {
			t.Errorf("%s is approximate: %v, but its definition over big numbers: %v", info.Name, approximate, big)
		}
		if n != 1 {
			t.Errorf("%s has %d independent definitions (a derivative, which cannot be evaluated alone, counts as one)", info.Name, n)
		}
	}
	if n := len(refs) + len(approximations); n > int(op.Count) {
		t.Errorf("%d definitions, %d opcodes", n, op.Count)
	}
}

// modesOf returns the float modes that can matter for an opcode.
func modesOf(info *op.Info) []num.Mode {
	if !usesFloat(info) {
		return modes[:1]
	}
	return modes
}

var (
	vectors = flag.Int("vectors", 5000, "random vectors per opcode, shared out among its sizes and the float modes")
	all     = flag.Bool("all", false, "whole cubes of corners, and all 16-bit values at every float mode")
	cube    = flag.Int("cube", 24, "corners of each source that are tried with all others when there are three or more")
)

// TestDefinitions compares all combinations of corners, and random values, at every size and mode.
func TestDefinitions(t *testing.T) {
	forEachRef(t, func(t *testing.T, o op.Op, ref reference) {
		r := rand.New(rand.NewPCG(1, uint64(len(o.String()))))
		c := newCaller(t, o)
		ss, ms := sizes(c.info), modesOf(c.info)
		for _, size := range ss {
			for _, mode := range ms {
				c.corners(ref, size, mode)
				for range *vectors / (len(ss) * len(ms)) {
					c.draw(r, size)
					c.check(ref, size, mode)
				}
			}
		}
	})
}

// draw fills the sources at random.
func (c *caller) draw(r *rand.Rand, size int) {
	for s := range c.info.NumSrc {
		for k := range c.args[s] {
			c.args[s][k] = random(r, c.info.Src[s], width(c.info.Src[s], size))
		}
	}
}

// corners tries all pairs of corners, and with three sources or more all triples of -cube of them; a fourth source, and
// further components, take the corners in turn.
func (c *caller) corners(ref reference, size int, mode num.Mode) {
	var lists [op.MaxSrc][]uint64
	for s := range c.info.NumSrc {
		lists[s] = corners(c.info.Src[s], width(c.info.Src[s], size))
		if c.info.NumSrc > 2 && len(lists[s]) > *cube && !*all {
			some := make([]uint64, *cube) // different corners for each source and mode
			for i := range some {
				some[i] = lists[s][(i*len(lists[s])/(*cube)+int(s)+int(mode))%len(lists[s])]
			}
			lists[s] = some
		}
	}
	second, third := []uint64{0}, []uint64{0}
	if c.info.NumSrc > 1 {
		second = lists[1]
	}
	if c.info.NumSrc > 2 {
		third = lists[2]
	}
	if mode != 0 && len(second) > 30 { // half of the pairs, other ones for each mode
		second = second[int(mode)%2:]
	}
	turn := 0
	for _, x := range lists[0] {
		for _, y := range second {
			for _, z := range third {
				for s := range c.info.NumSrc {
					for k := range c.args[s] {
						turn++
						c.args[s][k] = lists[s][turn*7%len(lists[s])]
					}
				}
				for s, v := range [...]uint64{x, y, z} {
					if s < int(c.info.NumSrc) {
						c.args[s][0] = v
					}
				}
				c.check(ref, size, mode)
			}
		}
	}
}

// TestExhaustive8 tries all bytes for operations on one byte or two; a source
// of another width, such as the amount of a shift, takes the same values and
// its own corners.
func TestExhaustive8(t *testing.T) {
	var tried atomic.Int32
	t.Run("ops", func(t *testing.T) {
		forEachRef(t, func(t *testing.T, o op.Op, ref reference) {
			c := newCaller(t, o)
			if c.info.NumSrc > 2 || c.info.Src[0].Comps > 1 || c.info.Src[1].Comps > 1 ||
				c.info.Sizes&op.Size8 == 0 && c.info.Src[0].Bits != 8 {
				return
			}
			tried.Add(1)
			var values [2][]uint64
			for s := range values {
				switch w := width(c.info.Src[s], 8); {
				case s >= int(c.info.NumSrc):
					values[s] = []uint64{0}
				case w == 1:
					values[s] = []uint64{0, 1}
				default:
					for v := range uint64(256) {
						values[s] = append(values[s], v)
					}
					if w > 8 {
						values[s] = append(values[s], corners(c.info.Src[s], w)...)
					}
				}
			}
			for _, a := range values[0] {
				for _, b := range values[1] {
					c.src[0][0], c.src[1][0] = a, b
					c.check(ref, 8, 0)
				}
			}
		})
	})
	if n := tried.Load(); n < 90 {
		t.Errorf("only %d operations on one byte or two", n)
	}
}

// TestExhaustive16 tries all 16-bit values for operations on one operand, each at one additional float mode, or with -all
// at every float mode.
func TestExhaustive16(t *testing.T) {
	var tried atomic.Int32
	t.Run("ops", func(t *testing.T) {
		forEachRef(t, func(t *testing.T, o op.Op, ref reference) {
			c := newCaller(t, o)
			if c.info.NumSrc != 1 || c.info.Src[0].Comps > 1 || c.info.Sizes&op.Size16 == 0 && c.info.Src[0].Bits != 16 {
				return
			}
			tried.Add(1)
			for i, mode := range modesOf(c.info) {
				for a := range uint64(1 << 16) {
					if i > 0 && !*all && a%3 != uint64(i-1) {
						continue
					}
					c.args[0][0] = a
					c.check(ref, 16, mode)
				}
			}
		})
	})
	if n := tried.Load(); n < 90 {
		t.Errorf("only %d operations on one value of 16 bits", n)
	}
}

// TestApproximations compares with the host's library.
func TestApproximations(t *testing.T) {
	for name, ap := range approximations {
		o, ok := op.ByName(name)
		if !ok {
			t.Fatalf("unknown opcode %s", name)
		}
		info := o.Info()
		r := rand.New(rand.NewPCG(2, 3))
		for k, w := range []int{16, 32, 64} {
			for range 20000 {
				var src [op.MaxSrc][16]uint64
				var dst [16]uint64
				var x []float64
				for s := range info.NumSrc {
					src[s][0] = random(r, info.Src[s], w)
					x = append(x, toFloat(src[s][0], w))
				}
				fold.Eval(o, uint8(w), 1, &src, &dst, 0)
				got, want := toFloat(dst[0], w), ap.f(x...)
				rounded := toFloat(encode(realOf(want), w, nearest, false), w)
				if got == rounded || got != got && rounded != rounded {
					continue
				}
				ulp := math.Abs(toFloat(encode(realOf(want), w, nearest, false)+1, w) - rounded)
				if !(math.Abs(got-want) <= ap.ulp[k]*ulp) {
					t.Fatalf("%s@%d %v = %v, about %v expected", name, w, x, got, want)
				}
			}
		}
	}
}

// TestSameEverywhere pins the bits of the approximations: they must not depend on the host, nor on fused operations of
// the Go compiler.
func TestSameEverywhere(t *testing.T) {
	const want = 0x9ed38b996a03f616
	h := fnv.New64a()
	for _, name := range slices.Sorted(maps.Keys(approximations)) {
		o, _ := op.ByName(name)
		info := o.Info()
		r := rand.New(rand.NewPCG(7, 8))
		for range 20000 {
			for _, w := range []int{16, 32, 64} {
				var src [op.MaxSrc][16]uint64
				var dst [16]uint64
				for s := range info.NumSrc {
					src[s][0] = random(r, info.Src[s], w)
				}
				fold.Eval(o, uint8(w), 1, &src, &dst, 0)
				binary.Write(h, binary.LittleEndian, dst[0])
			}
		}
	}
	if h.Sum64() != want {
		t.Errorf("the bits have changed: %#x", h.Sum64())
	}
}

func toFloat(x uint64, w int) float64 {
	r := decode(x, w, false)
	if r == nil {
		return math.NaN()
	}
	f, _ := r.Float64()
	return f
}

// TestFoldIsTotal calls every opcode with all kinds of operands: no panic, no allocation, nothing
// written when there is no result, and every size of the table folds.
func TestFoldIsTotal(t *testing.T) {
	var src [op.MaxSrc][16]uint64
	var dst [16]uint64
	values := []uint64{0, 1, 0x80, 0x8000, 0x80000000, 1 << 63, ^uint64(0), 0x7f, 0x7fff, 0x7fffffff, 1<<63 - 1, 0x7e00, 0x7fc00000, 0x7ff8 << 48}
	for o := range op.Count + 3 {
		for bits := range 256 {
			for i, v := range values {
				for s := range src {
					for k := range src[s] {
						src[s][k] = values[(i*(s+1)+k)%len(values)]
					}
				}
				src[0][0] = v
				ok := fold.Eval(o, uint8(bits), uint8(i), &src, &dst, num.Mode(i))
				want := o.Valid() && !o.Info().Has(op.Derivative) && (o.Info().Sizes == 0 || o.Info().Sizes&op.SizeOf(uint8(bits)) != 0)
				if ok != want {
					t.Fatalf("%v@%d folds: %v, want %v", o, bits, ok, want)
				}
			}
		}
		if fold.Eval(o, 32, 17, &src, &dst, 0) && o.Info().Out.Comps == 0 {
			t.Fatalf("%v with 17 components", o)
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		for o := range op.Count {
			fold.Eval(o, 32, 4, &src, &dst, 0)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestComponents checks that components do not affect each other.
func TestComponents(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for o := range op.Count {
		info := o.Info()
		if info.Out.Comps != 0 || info.Has(op.Derivative) {
			continue
		}
		size := slices.Max(sizes(info))
		var src, alone [op.MaxSrc][16]uint64
		var dst, single [16]uint64
		for s := range src {
			for k := range src[s] {
				src[s][k] = random(r, info.Src[s], max(width(info.Src[s], size), 1))
			}
		}
		fold.Eval(o, uint8(size), 16, &src, &dst, 0)
		for k := range dst {
			for s := range src {
				alone[s][0] = src[s][k]
			}
			fold.Eval(o, uint8(size), 1, &alone, &single, 0)
			if single[0] != dst[k] {
				t.Errorf("%v: component %d is %#x in a vector and %#x alone", o, k, dst[k], single[0])
			}
		}
	}
}

// TestInPlace: the result may take the place of a source.
func TestInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for o := range op.Count {
		info := o.Info()
		size := slices.Max(sizes(info))
		for at := range info.NumSrc {
			var src [op.MaxSrc][16]uint64
			var dst [16]uint64
			for s := range src {
				for k := range src[s] {
					src[s][k] = random(r, info.Src[s], max(width(info.Src[s], size), 1))
				}
			}
			fold.Eval(o, uint8(size), 16, &src, &dst, 0)
			if !fold.Eval(o, uint8(size), 16, &src, &src[at], 0) {
				continue
			}
			n := max(int(info.Out.Comps), 1)
			if info.Out.Comps == 0 {
				n = 16
			}
			if !slices.Equal(dst[:n], src[at][:n]) {
				t.Errorf("%v into source %d: %#x, want %#x", o, at, src[at][:n], dst[:n])
			}
		}
	}
}

// TestCornersTotal: no input causes a panic: every opcode runs at every size and mode with all pairs of corners of all
// its sources, including NaN payloads, INT_MIN by -1 and shifts by the width. The result of a float opcode is a value
// of the result's width, and a NaN is the canonical one.
func TestCornersTotal(t *testing.T) {
	for o := range op.Count {
		info := o.Info()
		if info.Has(op.Derivative) {
			continue
		}
		for _, size := range sizes(info) {
			out := width(info.Out, size)
			for _, mode := range modes {
				var src [op.MaxSrc][16]uint64
				var dst [16]uint64
				var lists [op.MaxSrc][]uint64
				for s := range info.NumSrc {
					lists[s] = corners(info.Src[s], width(info.Src[s], size))
				}
				turn := 0
				pairs := len(lists[0]) * max(len(lists[1]), 1)
				for p := range pairs {
					for s := range info.NumSrc {
						for k := range src[s] {
							turn++
							src[s][k] = lists[s][turn*11%len(lists[s])]
						}
					}
					src[0][0] = lists[0][p%len(lists[0])]
					if info.NumSrc > 1 {
						src[1][0] = lists[1][p/len(lists[0])]
					}
					if !fold.Eval(o, uint8(size), 2, &src, &dst, mode) {
						t.Fatalf("%v@%d: not folded", o, size)
					}
					for k := range max(int(info.Out.Comps), 1) {
						x := dst[k]
						if x > ^uint64(0)>>(64-out) {
							t.Fatalf("%v@%d gives %#x", o, size, x)
						}
						if info.Out.Base == op.Float && decode(x, out, false) == nil && x != encode(nil, out, nearest, false) {
							t.Fatalf("%v@%d gives the NaN %#x", o, size, x)
						}
					}
				}
			}
		}
	}
}

// TestByName finds every opcode and nothing else.
func TestByName(t *testing.T) {
	for o := range op.Count {
		if got, ok := op.ByName(o.String()); !ok || got != o {
			t.Errorf("ByName(%q) = %v, %v", o.String(), got, ok)
		}
	}
	for _, name := range []string{"", "iad", "iaddd", "zzz", "IAdd", strings.Repeat("x", 100)} {
		if _, ok := op.ByName(name); ok {
			t.Errorf("ByName(%q) finds something", name)
		}
	}
}
