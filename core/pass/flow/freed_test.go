// SPDX-License-Identifier: MIT

package flow_test

import (
	"bytes"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/pass/vars"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
)

// tile is a loop over the elements of a private array.
type tile struct {
	elements uint32 // of the array
	trips    uint32
	times    int // two instructions each in an iteration
	// What keeps the array in memory: an element at an index that is not constant, a long loop that also indexes it, or
	// a copy of the array.
	lane, long, copied bool
	nested             bool // the iterations contain a loop whose number of iterations is not known
	aside              bool // the counter of a loop around this one indexes the array
	requested          bool // the source requests unrolling
	structs            bool // the elements are structs of one member
}

// element returns a pointer to an element of the array, or to the first member of an element that is a struct.
func (b *builder) element(array ir.Var, i ir.Src) ir.Src {
	d := b.DerefArray(b.DerefVar(array), i)
	if b.S.Types.At(b.S.DerefType(d)).Kind == ir.TypeStruct {
		d = b.DerefStruct(d, 0)
	}
	return b.S.All(d)
}

// build builds the loop.
func (c *tile) build() *ir.Shader {
	b := newBuilder(64)
	s := b.S
	u32 := s.Types.Scalar(ir.TypeUint, 32)
	element := u32
	if c.structs {
		element = s.Types.Struct(ir.TypeInfo{}, []ir.Member{{Type: u32}})
	}
	info := ir.VarInfo{Mode: kind.ModeFunctionTemp, Func: s.Entry(), Location: -1, Type: s.Types.Array(element, c.elements, 0)}
	array := s.NewVar(info)
	for i := range c.elements {
		b.StoreDeref(b.element(array, b.Imm(i)), b.IAdd(b.index, b.Imm(i)), 1, 0)
	}
	if c.copied {
		other := s.NewVar(info)
		b.CopyDeref(s.All(b.DerefVar(other)), s.All(b.DerefVar(array)), 0, 0)
	}
	b.set(0, b.index)
	var after ir.Node
	if c.aside {
		b.set(3, b.Imm(0))
		after = loopTo(b, 3, b.Imm(2)).after
	}
	b.set(1, b.Imm(0))
	outer := loopTo(b, 1, b.Imm(c.trips))
	if !c.aside {
		after = outer.after
	}
	if c.requested {
		s.Node(s.Parent(outer.body)).Hints |= ir.HintUnroll
	}
	if c.nested {
		b.set(2, b.Imm(0))
		inner := loopTo(b, 2, b.IAnd(b.index, b.Imm(3)))
		b.set(0, b.IMul(b.get(0), b.Imm(5)))
		b.AtEnd(inner.after)
	}
	i := b.ISub(b.get(1), b.Imm(1))
	if c.aside {
		i = b.ISub(b.get(3), b.Imm(1))
	}
	x := b.LoadDeref(1, 32, b.element(array, i), 0)
	for range c.times {
		x = b.IAdd(b.IMul(x, b.Imm(3)), b.get(0))
	}
	b.StoreDeref(b.element(array, b.IAnd(b.Imm(7), b.IAdd(i, b.Imm(1)))), x, 1, 0)
	b.set(0, x)
	b.AtEnd(after)
	if c.lane {
		b.set(0, b.LoadDeref(1, 32, b.element(array, b.IAnd(b.index, b.Imm(7))), 0))
	}
	if c.long {
		b.set(1, b.Imm(0))
		inner := loopTo(b, 1, b.Imm(71))
		b.StoreDeref(b.element(array, b.IAnd(b.get(1), b.Imm(7))), b.get(0), 1, 0)
		b.AtEnd(inner.after)
		after = inner.after
	}
	b.AtEnd(after)
	b.result(b.IAdd(b.get(0), b.LoadDeref(1, 32, b.element(array, b.Imm(3)), 0)))
	return s
}

// TestUnrollFreesArrays: a loop is unrolled up to a larger size if that makes all indices of an array constant.
func TestUnrollFreesArrays(t *testing.T) {
	for _, c := range []struct {
		tile
		left int // loops after unrolling
	}{
		{tile{elements: 8, trips: 8, times: 100}, 0},
		{tile{elements: 8, trips: 8, times: 188}, 0},
		{tile{elements: 8, trips: 8, times: 189}, 1}, // too long
		{tile{elements: 8, trips: 8, times: 60, aside: true}, 2},
		{tile{elements: 8, trips: 8, times: 100, lane: true}, 1},
		{tile{elements: 8, trips: 8, times: 100, copied: true}, 1},
		{tile{elements: 8, trips: 8, times: 100, long: true}, 2},
		{tile{elements: 64, trips: 8, times: 100}, 0},
		{tile{elements: 65, trips: 8, times: 100}, 1},
		{tile{elements: 48, trips: 8, times: 100, structs: true}, 0},
		{tile{elements: 49, trips: 8, times: 100, structs: true}, 1},
		{tile{elements: 65, trips: 8, times: 100, requested: true}, 0}, // although it frees nothing
		{tile{elements: 65, trips: 8, times: 300, requested: true}, 1},
		{tile{elements: 65, trips: 64, times: 10, requested: true}, 0},
		{tile{elements: 65, trips: 65, times: 10, requested: true}, 1},
		{tile{elements: 8, trips: 8, times: 20, nested: true}, 8},
		{tile{elements: 8, trips: 8, times: 20, nested: true, lane: true}, 2},
	} {
		s := c.build()
		want := execute(t, s)
		p := pass.New(s)
		vars.VarsToSSA(p)
		flow.UnrollLoops(p)
		for flow.DeadControlFlow(p) || flow.OneTripLoops(p) {
		}
		after := string(text.Print(s))
		if n := strings.Count(after, "loop"); n != c.left {
			t.Errorf("%+v: %d loops are left", c, n)
		}
		if got := execute(t, s); !bytes.Equal(got, want) {
			t.Errorf("%+v: it computes\n%x, want\n%x\n%s", c, got, want, after)
		}
	}
}

// TestUnrollSorts: an array is freed that nested loops sort, the inner one of which ends at the counter of the outer one.
// It is not freed if the inner loop ends at a number that differs between invocations.
func TestUnrollSorts(t *testing.T) {
	for _, own := range []bool{false, true} {
		b := newBuilder(64)
		s := b.S
		u32 := s.Types.Scalar(ir.TypeUint, 32)
		array := s.NewVar(ir.VarInfo{Mode: kind.ModeFunctionTemp, Func: s.Entry(), Location: -1, Type: s.Types.Array(u32, 8, 0)})
		for i := range uint32(8) {
			b.StoreDeref(b.element(array, b.Imm(i)), b.IAnd(b.IMul(b.index, b.Imm(7*i+3)), b.Imm(31)), 1, 0)
		}
		b.set(0, b.Imm(0))
		outer := loopTo(b, 0, b.Imm(7))
		b.set(1, b.Imm(0))
		end := b.ISub(b.Imm(8), b.get(0)) // the counter has been incremented
		if own {
			end = b.IAnd(b.index, b.Imm(7))
		}
		inner := loopTo(b, 1, end)
		j := b.ISub(b.get(1), b.Imm(1))
		x, y := b.LoadDeref(1, 32, b.element(array, j), 0), b.LoadDeref(1, 32, b.element(array, b.get(1)), 0)
		b.StoreDeref(b.element(array, j), b.UMin(x, y), 1, 0)
		b.StoreDeref(b.element(array, b.get(1)), b.UMax(x, y), 1, 0)
		b.AtEnd(inner.after)
		b.AtEnd(outer.after)
		sum := b.Imm(0)
		for i := range uint32(8) {
			sum = b.IAdd(b.IMul(sum, b.Imm(32)), b.LoadDeref(1, 32, b.element(array, b.Imm(i)), 0))
		}
		b.result(sum)
		want := execute(t, s)
		p := pass.New(s)
		vars.VarsToSSA(p)
		for flow.UnrollLoops(p) {
			for flow.DeadControlFlow(p) || flow.OneTripLoops(p) {
			}
			values.ConstantFold(p)
			values.CopyProp(p)
			vars.RemovePhis(p)
		}
		after := string(text.Print(s))
		left := 0
		if own {
			left = 2
		}
		if n := strings.Count(after, "loop"); n != left {
			t.Errorf("own %v: %d loops are left, want %d\n%s", own, n, left, after)
		}
		if got := execute(t, s); !bytes.Equal(got, want) {
			t.Errorf("own %v: it computes\n%x, want\n%x\n%s", own, got, want, after)
		}
	}
}
