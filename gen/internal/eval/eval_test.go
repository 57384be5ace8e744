// SPDX-License-Identifier: MIT

package eval

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/tests/support/variants"
)

var int32s = []Param{{Name: "a", Type: Type{Int, 32}}, {Name: "b", Type: Type{Uint, 32}}}

func Example() {
	f, err := Compile("a << (b & (bits-1))", int32s, Param{Type: Type{Int, 32}}, 32)
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := make([]uint64, 1)
	f.Run([][]uint64{{1}, {33}}, dst)
	fmt.Println(dst[0])
	fmt.Println(f.Go("truth"))
	terms, _ := f.SMT([][]string{{"x"}, {"n"}})
	fmt.Println(terms[0])
	// Output:
	// 2
	// for k := range comps {
	// 	a := int32(src[0][k&15])
	// 	b := uint32(src[1][k&15])
	// 	dst[k&15] = uint64(uint32(a << (b & uint32(0x1f))))
	// }
	// (bvshl x (bvand n (_ bv31 32)))
}

// TestGoRoundsExplicitly: the Go compiler may fuse a product with a sum unless
// there is a conversion between them.
func TestGoRoundsExplicitly(t *testing.T) {
	for _, w := range []int{16, 32, 64} {
		typ := Type{Float, w}
		f, err := Compile("a * b + c", []Param{{Name: "a", Type: typ}, {Name: "b", Type: typ}, {Name: "c", Type: typ}}, Param{Type: typ}, w)
		if err != nil {
			t.Fatal(err)
		}
		want := map[int]string{
			16: "num.Store16(float32(num.Round16(float32(a*b))+c), mode)",
			32: "float32(float32(a*b)+c)",
			64: "float64(float64(a*b)+c)",
		}[w]
		if code := f.Go("truth").String(); !strings.Contains(code, want) {
			t.Errorf("at %d bits:\n%s", w, code)
		}
		if !f.Rounds() {
			t.Errorf("at %d bits nothing rounds", w)
		}
	}
}

// TestLiterals: literals are rounded once to the width that their context requires.
func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		text string
		bits int
		want uint64
	}{
		{"0.1", 16, 0x2e66},
		{"0.1", 32, 0x3dcccccd},
		{"0.1", 64, 0x3fb999999999999a},
		{"1e-400", 16, 0},
		{"65520.0", 16, 0x7c00},
		{"65519.99999999999999999999", 16, 0x7bff},
		{"1.00048828125", 16, 0x3c00},                    // halfway, to even
		{"1.000488281250000000000000000001", 16, 0x3c01}, // indistinguishable from halfway in a float64
		{"-0.0", 32, 0x80000000},
		{"-inf", 16, 0xfc00},
		{"nan", 32, 0x7fc00000},
		{"3", 32, 0x40400000},
		{"1.0/3.0", 32, 0x3eaaaaab},
	} {
		f, err := Compile(c.text, nil, Param{Type: Type{Float, c.bits}}, c.bits)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		dst := make([]uint64, 1)
		f.Run(nil, dst)
		if dst[0] != c.want {
			t.Errorf("%s at %d bits is %#x, want %#x", c.text, c.bits, dst[0], c.want)
		}
	}
}

// FuzzCompile: any text yields a meaning that can be run and written, or an
// *Error.
func FuzzCompile(fuzz *testing.F) {
	f := variants.Of(fuzz)
	for _, s := range []string{
		"a + b", "sel(a < b, a, b)", "x := a\nx", "vec(a, b)", "sum(i, v[i] * v[i])", "a.x", "v.x << 3", "1 << (1 << 70)",
		"asfloat(a)", "float16(a)", "a / 0", "1 / 0", "f(", "}\nfunc x() {", "func() {}", "a[1e9]", "v[99999999999999999999]", "1e999999999", "-inf", "bits % 0.5",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		i32 := Type{Int, 32}
		params := []Param{{Name: "a", Type: i32}, {Name: "b", Type: i32}, {Name: "v", Type: i32, Comps: 4}}
		fn, err := Compile(text, params, Param{Type: i32, Comps: 1}, 32)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		dst := make([]uint64, fn.Comps())
		fn.Run([][]uint64{{1 << 31}, {0}, {1, 2, 3, 4}}, dst)
		fn.Go("truth")
		if _, err := fn.SMT([][]string{{"a"}, {"b"}, {"v0", "v1", "v2", "v3"}}); err != nil {
			var none *NoFormula
			if !errors.As(err, &none) {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkRun(b *testing.B) {
	f, err := Compile("a << (b & (bits-1))", int32s, Param{Type: Type{Int, 32}}, 32)
	if err != nil {
		b.Fatal(err)
	}
	src, dst := [][]uint64{{1}, {33}}, make([]uint64, 1)
	b.ReportAllocs()
	for b.Loop() {
		f.Run(src, dst)
	}
}
