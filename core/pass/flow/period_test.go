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
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// ring is a loop in which indices of an array repeat.
type ring struct {
	trips  uint32
	bottom bool // the exit is at the end of the body
	times  int  // two instructions each in an iteration
	// The index is the counter modulo the elements, or counts up to them and starts again. step is added to the counter
	// in each iteration.
	count    bool
	elements uint32
	step     uint32
	square   bool // the index is the square of the counter modulo the elements
	late     bool // the loads precede the exit
}

func (c *ring) build() *ir.Shader {
	b := newBuilder(64)
	s := b.S
	array := s.NewVar(ir.VarInfo{
		Mode: kind.ModeFunctionTemp, Func: s.Entry(), Location: -1, Type: s.Types.Array(s.Types.Scalar(ir.TypeUint, 32), c.elements, 0),
	})
	for i := range c.elements {
		b.StoreDeref(b.element(array, b.Imm(i)), b.IAdd(b.index, b.Imm(i)), 1, 0)
	}
	b.set(0, b.index)
	b.set(1, b.Imm(0))
	b.set(2, b.Imm(0))
	n := s.InsertLoop(b.Block())
	at := s.Body(n)
	leave := func() {
		b.AtEnd(at)
		x := s.InsertIf(at, b.UGe(b.get(1), b.Imm(c.trips*c.step)))
		b.AtEnd(s.Then(x))
		b.Jump(kind.JumpBreak)
		at = s.NextNode(x)
		b.AtEnd(at)
	}
	if !c.bottom && !c.late {
		leave()
	}
	b.AtEnd(at)
	wrap := func(x ir.Src) ir.Src {
		if c.count {
			return b.BCsel(b.UGe(x, b.Imm(c.elements)), b.ISub(x, b.Imm(c.elements)), x)
		}
		return b.UMod(x, b.Imm(c.elements))
	}
	i := wrap(b.get(1))
	if c.square {
		i = wrap(b.IMul(b.get(1), b.get(1)))
	}
	if c.count {
		i = b.get(2)
		b.set(2, wrap(b.IAdd(i, b.Imm(1))))
	}
	x := b.IAdd(b.LoadDeref(1, 32, b.element(array, i), 0), b.LoadDeref(1, 32, b.element(array, wrap(b.IAdd(i, b.Imm(2)))), 0))
	if c.late {
		leave()
	}
	for range c.times {
		x = b.IAdd(b.IMul(x, b.Imm(3)), b.get(0))
	}
	b.StoreDeref(b.element(array, i), x, 1, 0)
	b.set(0, x)
	b.set(1, b.IAdd(b.get(1), b.Imm(c.step)))
	if c.bottom {
		leave()
	}
	b.AtEnd(s.NextNode(n))
	b.result(b.IAdd(b.get(0), b.LoadDeref(1, 32, b.element(array, b.Imm(3)), 0)))
	return s
}

// TestUnrollByPeriod: a loop with many iterations gets as many copies of its body as there are iterations until the indices
// of an array repeat. Then all indices are constant.
func TestUnrollByPeriod(t *testing.T) {
	for _, c := range []struct {
		ring
		copies int // if the array is freed
	}{
		{ring{trips: 64, times: 20, elements: 16, step: 1}, 16},
		{ring{trips: 64, times: 20, elements: 16, step: 1, bottom: true}, 16},
		{ring{trips: 512, times: 20, elements: 8, step: 1}, 8},
		{ring{trips: 60, times: 20, elements: 5, step: 1, count: true}, 5},
		{ring{trips: 70, times: 20, elements: 7, step: 1, count: true, bottom: true}, 7},
		{ring{trips: 96, times: 20, elements: 8, step: 2}, 4},
		{ring{trips: 96, times: 20, elements: 6, step: 4, bottom: true}, 3},
		{ring{trips: 64, times: 20, elements: 16, step: 1, square: true}, 8}, // 0, 1, 4, 9, 0, 9, 4, 1
		{ring{trips: 66, times: 20, elements: 16, step: 1}, 0},               // no multiple of the period
		{ring{trips: 64, times: 20, elements: 16, step: 1, late: true}, 16},
		{ring{trips: 96, times: 20, elements: 48, step: 1}, 0},  // too many copies
		{ring{trips: 64, times: 110, elements: 16, step: 1}, 0}, // too long
		{ring{trips: 2000, times: 20, elements: 8, step: 1}, 0}, // too many iterations
	} {
		s := c.build()
		want := execute(t, s)
		p := pass.New(s)
		vars.VarsToSSA(p)
		flow.UnrollLoops(p)
		if err := validate.Shader(s); err != nil {
			t.Fatalf("%+v: %v\n%s", c, err, text.Print(s))
		}
		for flow.DeadControlFlow(p) || flow.OneTripLoops(p) || values.ConstantFold(p) || values.CopyProp(p) {
		}
		vars.SplitVars(p)
		vars.VarsToSSA(p)
		values.DeadCode(p)
		after := string(text.Print(s))
		left := strings.Contains(after, "modes=function_temp")
		if n := strings.Count(after, "imul"); left != (c.copies == 0) || !left && n != c.copies*c.times {
			t.Errorf("%+v: %d multiplications, array in memory: %v", c, n, left)
		}
		if got := execute(t, s); !bytes.Equal(got, want) {
			t.Errorf("%+v: it computes\n%x, want\n%x\n%s", c, got, want, after)
		}
	}
}
