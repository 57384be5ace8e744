// SPDX-License-Identifier: MIT

package opcodes

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/eval"
)

// meaning compiles eval at every execution size and runs the test vectors.
func (c *checker) meaning(o *Op) {
	if o.Eval == "" {
		if !o.Has("derivative") {
			c.errorf("eval", "missing; only a derivative has no eval")
		}
		if len(o.Tests) != 0 {
			c.errorf("test", "there is no eval to test")
		}
		return
	}
	if o.Has("derivative") {
		c.errorf("eval", "a derivative cannot have eval")
		return
	}
	o.Meaning = map[int]*eval.Func{}
	for _, size := range o.execSizes() {
		params := make([]eval.Param, len(o.Srcs))
		for i, s := range o.Srcs {
			params[i] = s.param(size)
		}
		fn, err := eval.Compile(o.Eval, params, o.Out.param(size), size)
		if err != nil {
			c.evalError(o, size, err)
			return
		}
		o.Meaning[size] = fn
	}
	if len(o.Tests) == 0 {
		c.errorf("test", "missing; at least one vector such as \"(%s%s) = …\"", o.Name, strings.Repeat(" 1", len(o.Srcs)))
	}
	for _, text := range o.Tests {
		c.vector(o, text)
	}
	if !c.bad {
		c.claims(o)
	}
}

// evalError reports an error in eval at its line.
func (c *checker) evalError(o *Op, size int, err error) {
	c.bad = true
	pos := c.r.At("eval")
	msg := err.Error()
	var e *eval.Error
	if errors.As(err, &e) {
		msg = e.Msg
		if strings.Contains(c.r.Val.Eval, "\n") { // """ and the text on separate lines
			pos.Line, pos.Col = pos.Line+1+e.Line, max(e.Col, 1)
		} else {
			pos = c.r.In("eval", e.Col)
		}
	}
	at := ""
	if size != 0 && size != o.execSizes()[0] {
		at = fmt.Sprintf("at %d bits: ", size)
	}
	c.errs.Addf(pos, c.r.Full, "eval: %s%s", at, msg)
}

// param returns the operand at an execution size.
func (a Operand) param(size int) eval.Param {
	return eval.Param{Name: a.Name, Type: a.Type(size), Comps: a.Comps}
}

// Type returns the operand's type at an execution size.
func (a Operand) Type(size int) eval.Type {
	if a.Bits != 0 {
		size = a.Bits
	}
	return eval.Type{Base: a.Base, Bits: size}
}

// execSizes lists the keys of Meaning.
func (o *Op) execSizes() []int {
	if o.Unsized() {
		return o.Sizes
	}
	return []int{0}
}

// Eval evaluates the opcode's meaning at an execution size (ignored if every
// operand has its own width). args[s] holds the components of source s: a single one
// if the source is per component (its Comps is 0). Eval returns the components of the
// result.
func (t *Table) Eval(name string, size int, args [][]uint64) ([]uint64, error) {
	o := t.ByName(name)
	if o == nil {
		return nil, fmt.Errorf("unknown opcode %q", name)
	}
	return o.Run(size, args)
}

// Run is like Eval, for a given opcode.
func (o *Op) Run(size int, args [][]uint64) ([]uint64, error) {
	dst := make([]uint64, max(o.Out.Comps, 1))
	return dst, o.RunTo(dst, size, args)
}

// RunTo is like Run, but stores the result in dst, which has as many components as the result.
func (o *Op) RunTo(dst []uint64, size int, args [][]uint64) error {
	return o.RunNoting(dst, size, args, nil)
}

// RunNoting is like RunTo, but calls note, unless it is nil, with every intermediate float and its size.
func (o *Op) RunNoting(dst []uint64, size int, args [][]uint64, note func(bits uint64, size int)) error {
	if !o.Unsized() {
		size = 0
	}
	fn := o.Meaning[size]
	if fn == nil {
		if o.Meaning == nil {
			return fmt.Errorf("%s cannot be evaluated alone", o.Name)
		}
		return fmt.Errorf("%s has no form at %d bits", o.Name, size)
	}
	if len(args) != len(o.Srcs) {
		return fmt.Errorf("%s takes %d sources, not %d", o.Name, len(o.Srcs), len(args))
	}
	for i, s := range o.Srcs {
		if len(args[i]) != max(s.Comps, 1) {
			return fmt.Errorf("%s: source %s has %d components, not %d", o.Name, s.Name, max(s.Comps, 1), len(args[i]))
		}
	}
	if len(dst) != fn.Comps() {
		return fmt.Errorf("%s returns %d components, not %d", o.Name, fn.Comps(), len(dst))
	}
	fn.RunNoting(args, dst, note)
	return nil
}

// SizeAllowed reports whether the opcode has a form at an execution size.
func (o *Op) SizeAllowed(size int) bool { return slices.Contains(o.Sizes, size) }
