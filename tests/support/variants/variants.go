// SPDX-License-Identifier: MIT

// Package variants gives fuzz targets more seeds: changed copies of the seeds that they add themselves. go test runs
// all seeds of a target in one process, without the instrumented build that go test -fuzz needs, so every run of the
// tests tries some inputs that were not written by hand. A target begins with f := variants.Of(f0) and is otherwise
// written as usual; [F] stands in for *testing.F. When the target is fuzzed, it gets only its own seeds.
package variants

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
)

// F is a fuzz target.
type F struct {
	*testing.F
	count int
	seed  uint64
	seeds [][]any
}

// Of returns a target that runs with variants: 100, or 1000 with CI=true. JACQUARD_VARIANTS overrides
// the number, and may add a seed: "5000 7".
func Of(f *testing.F) *F {
	out := &F{F: f, count: 100}
	if os.Getenv("CI") == "true" {
		out.count = 1000
	}
	if s := os.Getenv("JACQUARD_VARIANTS"); s != "" {
		if n, err := fmt.Sscan(s, &out.count, &out.seed); n == 0 {
			f.Fatalf("JACQUARD_VARIANTS=%q: %v", s, err)
		}
	}
	if fuzz := flag.Lookup("test.fuzz"); fuzz != nil && fuzz.Value.String() != "" ||
		flag.Lookup("test.fuzzworker").Value.String() == "true" {
		out.count = 0
	}
	return out
}

// Add adds a seed.
func (f *F) Add(args ...any) {
	f.Helper()
	f.seeds = append(f.seeds, args)
	f.F.Add(args...)
}

// Fuzz adds the variants and runs the target. An input for which the target fails is logged in the form of the files
// in testdata/fuzz.
func (f *F) Fuzz(target any) {
	f.Helper()
	if f.count == 0 {
		f.F.Fuzz(target)
		return
	}
	for _, v := range variants(f.seeds, f.count, f.Name(), f.seed) {
		f.F.Add(v...)
	}
	fn := reflect.ValueOf(target)
	f.F.Fuzz(reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		t := args[0].Interface().(*testing.T)
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(corpus(args[1:]))
			}
		})
		return fn.Call(args)
	}).Interface())
}

// corpus returns the text of a file in testdata/fuzz.
func corpus(args []reflect.Value) string {
	var b strings.Builder
	b.WriteString("go test fuzz v1\n")
	for _, a := range args {
		switch x := a.Interface().(type) {
		case []byte:
			fmt.Fprintf(&b, "[]byte(%q)\n", x)
		case string:
			fmt.Fprintf(&b, "string(%q)\n", x)
		default:
			fmt.Fprintf(&b, "%T(%v)\n", x, x)
		}
	}
	return b.String()
}

// variants returns count variants of seeds. Each argument that is text or bytes is changed in one to four places.
func variants(seeds [][]any, count int, name string, seed uint64) [][]any {
	if len(seeds) == 0 {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	r := rand.New(rand.NewPCG(h.Sum64(), seed))
	out := make([][]any, count)
	for i := range out {
		from, other := seeds[r.IntN(len(seeds))], seeds[r.IntN(len(seeds))]
		for j, arg := range from {
			switch x := arg.(type) {
			case []byte:
				arg = change(r, x, other[j].([]byte))
			case string:
				arg = string(change(r, []byte(x), []byte(other[j].(string))))
			}
			out[i] = append(out[i], arg)
		}
	}
	return out
}

// change returns data with random changes; some copy bytes from other.
func change(r *rand.Rand, data, other []byte) []byte {
	data = append([]byte(nil), data...)
	for range 1 + r.IntN(2)*r.IntN(4) {
		data = changes[r.IntN(len(changes))](r, data, other)
	}
	return data
}

// changes are ways to change an input.
var changes = []func(r *rand.Rand, data, other []byte) []byte{
	func(r *rand.Rand, data, _ []byte) []byte { // a bit
		if len(data) > 0 {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		}
		return data
	},
	func(r *rand.Rand, data, _ []byte) []byte { // a byte: an extreme value, a digit or a delimiter
		if len(data) > 0 {
			data[r.IntN(len(data))] = "\x00\xff\x7f\x8009-({\n"[r.IntN(10)]
		}
		return data
	},
	func(r *rand.Rand, data, _ []byte) []byte { // one of a word's bytes, so that numbers stay small
		if len(data) >= 4 {
			data[r.IntN(len(data)/4)*4] = byte(r.IntN(64))
		}
		return data
	},
	func(r *rand.Rand, data, _ []byte) []byte { // less
		at, n := piece(r, data)
		return append(data[:at], data[at+n:]...)
	},
	func(r *rand.Rand, data, _ []byte) []byte { // a piece again, elsewhere
		at, n := piece(r, data)
		return insert(data, r.IntN(len(data)+1), data[at:at+n])
	},
	func(r *rand.Rand, data, other []byte) []byte { // a piece of another
		at, n := piece(r, other)
		return insert(data, r.IntN(len(data)+1), other[at:at+n])
	},
	func(r *rand.Rand, data, other []byte) []byte { // the end of another
		return append(data[:r.IntN(len(data)+1)], other[r.IntN(len(other)+1):]...)
	},
}

// piece chooses a part of an input: words of four bytes, or any bytes.
func piece(r *rand.Rand, data []byte) (at, n int) {
	at = r.IntN(len(data) + 1)
	n = min(1+r.IntN(32), len(data)-at)
	if r.IntN(2) == 0 {
		at, n = at&^3, n&^3
	}
	return at, n
}

// insert returns data with a piece at an offset.
func insert(data []byte, at int, piece []byte) []byte {
	out := make([]byte, 0, len(data)+len(piece))
	out = append(out, data[:at]...)
	out = append(out, piece...)
	return append(out, data[at:]...)
}
