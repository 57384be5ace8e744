// SPDX-License-Identifier: MIT

package precision

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/sample"
)

// count returns the number of inputs on which to try a function: all, where they are few.
func (f *format) count(fn *function) int {
	switch {
	case f.bits == 16 && fn.args == 1:
		return 1 << 16
	case f.bits == 16:
		return 1 << 14
	}
	return 1 << 13
}

// TestFunctions interprets the IR of every function as it reaches instruction selection, with a math unit whose errors
// are as large as the machine's may be. Where infinities and such are kept, it takes one function in three.
func TestFunctions(t *testing.T) {
	for _, f := range []format{half, single, kept(half), kept(single)} {
		for i := range functions {
			fn := &functions[i]
			if f.keep && !sample.One(3, f.title(fn)) {
				continue
			}
			t.Run(f.title(fn), func(t *testing.T) {
				t.Parallel()
				fn.check(t, f, func(mod engine.Module) runner.Engine {
					return &engine.Interp{Module: mod, Pipeline: pipeline.Compute, Options: pass.Options{Target: target.TGL},
						Configure: func(c *interp.Call) { c.Override = sloppy }}
				})
			})
		}
	}
}

// TestModel runs every function on 16-bit floats on the model of the execution
// units.
func TestModel(t *testing.T) {
	for _, f := range []format{half, kept(half)} {
		for i := range functions {
			fn := &functions[i]
			if f.keep && !sample.One(3, f.title(fn)) {
				continue
			}
			t.Run(f.title(fn), func(t *testing.T) {
				t.Parallel()
				fn.check(t, f, func(mod engine.Module) runner.Engine {
					return &engine.EU{Module: mod, Options: jacquard.Options{SIMD: 16}}
				})
			})
		}
	}
}

func kept(f format) format {
	f.keep = true
	return f
}

func (f *format) title(fn *function) string {
	s := fmt.Sprintf("%s/%d", fn.name, f.bits)
	if f.keep {
		s += "kept"
	}
	return s
}

// check runs a function and compares its results with the allowed ones.
func (fn *function) check(t *testing.T, f format, open func(engine.Module) runner.Engine) {
	n := f.count(fn)
	module := f.module(t)
	args := fn.arguments(&f, n)
	which := runner.Spec{Size: 4}
	for functions[which.Bits].name != fn.name {
		which.Bits++
	}
	call := &runner.Call{Shader: &runner.Shader{Name: fn.name}, Entry: "main", Groups: [3]uint32{uint32(n / local), 1, 1}, Specialize: []runner.Spec{which}}
	for i := range 5 {
		data := make([]byte, n*f.bits/8)
		if i < 3 {
			data = f.pack(args[i])
		}
		call.Bindings = append(call.Bindings, runner.Binding{Binding: uint32(i), Kind: runner.Storage, Data: data})
	}
	e := open(func(context.Context, *runner.Shader) ([]byte, error) { return module, nil })
	if err := e.Dispatch(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	got := [2][]uint32{f.unpack(call.Bindings[3].Data), f.unpack(call.Bindings[4].Data)}
	wrong, judged := 0, 0
	for i := range n {
		var x [3]float64
		bad := false
		for k := range fn.args {
			x[k] = f.value(args[k][i])
			bad = bad || math.IsNaN(x[k]) || math.IsInf(x[k], 0) && !fn.infinities
		}
		if bad {
			continue
		}
		r := []uint32{got[0][i], got[1][i]}[:max(fn.results, 1)]
		ok, anything := fn.right(&f, x, r)
		if !anything {
			judged++
		}
		if ok {
			continue
		}
		if wrong++; wrong <= 8 {
			var text []string
			for k := range r {
				text = append(text, fmt.Sprintf("%v (%#x)", f.value(r[k]), r[k]))
			}
			t.Errorf("%s(%v) = %s, want one of %v", fn.name, x[:fn.args], strings.Join(text, ", "), fn.spans(&f, x))
		}
	}
	if wrong > 8 {
		t.Errorf("%d of %d results are wrong", wrong, judged)
	}
	t.Logf("%d results were judged", judged)
	if judged < n/50 {
		t.Errorf("only %d of %d results were judged", judged, n)
	}
}

var modules sync.Map // by format: a func that compiles it once

// module returns the SPIR-V of a format.
func (f format) module(t *testing.T) []byte {
	compile, _ := modules.LoadOrStore(f, sync.OnceValue(func() []byte {
		m, err := oracle.GLSL(t, "comp", []byte(f.source()))
		if err != nil {
			t.Errorf("%v\n%s", err, f.source())
		}
		return m
	}))
	m := compile.(func() []byte)()
	if m == nil {
		t.Fatal("no module")
	}
	return m
}

// spans returns the allowed results of numbers.
func (fn *function) spans(f *format, x [3]float64) []span {
	g := *f
	g.unbounded = fn.whole == wholeBoth || fn.whole == whole16 && f.bits == 16
	return fn.allowed(&g, x[0], x[1], x[2])
}

// right reports whether the results are allowed, and whether all results would be. Zeros may have either sign, and where
// denormals may be flushed, denormal arguments may be zeros.
func (fn *function) right(f *format, x [3]float64, got []uint32) (ok, any bool) {
	var small []int
	for k, v := range x[:fn.args] {
		if v == 0 || math.Abs(v) < f.normal() && !f.keep {
			small = append(small, k)
		}
	}
	variants := 1
	for range small {
		variants *= 3
	}
	for n := range variants {
		y := x
		for _, k := range small {
			switch n % 3 {
			case 1:
				y[k] = 0
			case 2:
				y[k] = math.Copysign(0, -1)
			}
			n /= 3
		}
		fits := true
		for k, s := range fn.spans(f, y) {
			fits = fits && f.allows(s, f.value(got[k]))
			any = any || s.any
		}
		ok = ok || fits
	}
	return ok, any
}

func (f *format) pack(list []uint32) []byte {
	var out []byte
	for _, x := range list {
		if f.bits == 16 {
			out = binary.LittleEndian.AppendUint16(out, uint16(x))
		} else {
			out = binary.LittleEndian.AppendUint32(out, x)
		}
	}
	return out
}

func (f *format) unpack(data []byte) []uint32 {
	var out []uint32
	for len(data) > 0 {
		if f.bits == 16 {
			out, data = append(out, uint32(binary.LittleEndian.Uint16(data))), data[2:]
		} else {
			out, data = append(out, binary.LittleEndian.Uint32(data)), data[4:]
		}
	}
	return out
}
