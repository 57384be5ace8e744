// SPDX-License-Identifier: MIT

package synth

import (
	"bytes"
	"context"
	"errors"
	"maps"

	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/outline"
	"jacquard.example/tests/oracle/unspecified"
	"jacquard.example/tests/support/picture"
)

// Work is the work of a shader in a dispatch.
type Work struct {
	PerInvocation float64 // instructions that an invocation executes on average
	Outside       float64 // accesses of an invocation outside of arrays, buffers and images
	Defined       bool    // most results depend neither on undefined values nor on the order of invocations
}

// Limits bound a search, in instructions of subgroups.
type Limits struct {
	Run, Total uint64
}

// Busy finds a dispatch in which the shader's invocations have the most to do without accessing anything outside of
// its buffers: most of them pass the bounds check, and loops run. It tries numbers for the shader's push constants,
// uniform buffers and specialization constants, and sizes of its buffers. The result depends only on the module, the
// entry point and the limits. Busy prefers dispatches with defined results and, among these, those with fewer
// accesses outside.
func Busy(ctx context.Context, module []byte, entry string, l Limits) (*Dispatch, Work, error) {
	s := search{ctx: ctx, module: module, entry: entry, limits: l}
	list, err := specials(ctx, module)
	if err != nil {
		return nil, Work{}, err
	}
	for _, x := range wholes {
		s.try(Choice{Bytes: bytesOf[0], Whole: x, Below: belows[0]})
	}
	s.resize()
	for _, c := range list {
		old := s.choice.Specialize
		for i, bits := range c.bits {
			s.preferred = c.preferred && i == 0
			s.vary(func(o *Choice) {
				o.Specialize = append(old[:len(old):len(old)], runner.Spec{ID: c.id, Bits: bits, Size: c.size})
			})
			s.preferred = false
		}
	}
	for _, below := range belows[1:] {
		s.vary(func(o *Choice) { o.Below = below })
	}
	if s.best != nil {
		for _, at := range s.best.Whole {
			for _, x := range wholes {
				s.vary(func(o *Choice) {
					o.Numbers = maps.Clone(o.Numbers)
					if o.Numbers == nil {
						o.Numbers = map[Place]uint64{}
					}
					o.Numbers[at] = x
				})
			}
		}
	}
	s.resize()
	if ctx.Err() != nil {
		return nil, Work{}, ctx.Err()
	}
	if s.best == nil {
		return nil, Work{}, s.err
	}
	best, err := NewDispatch(module, entry, &s.choice) // running it has changed the buffers of s.best
	return best, s.work, err
}

// The numbers to try, in the order of preference.
var (
	wholes  = []uint64{16, 3, 64, 5, 2, 33, 8, 256, 1000, 1, 1 << 16}
	belows  = []uint64{16, 2, 64, 1 << 10, 1 << 63}
	bytesOf = []int{1 << 16, 1 << 20, 1 << 22}
)

// enough is a sufficient number of instructions for an invocation: more are not better.
const enough = 2000

// search is the state of a search.
type search struct {
	ctx       context.Context
	module    []byte
	entry     string
	limits    Limits
	steps     uint64 // executed so far
	best      *Dispatch
	choice    Choice
	work      Work
	preferred bool  // a choice replaces the best one unless it is worse
	err       error // error of the first choice, if none works
}

// resize tries larger buffers while the best dispatch accesses something outside.
func (s *search) resize() {
	for _, n := range bytesOf[1:] {
		if s.best != nil && s.work.Outside > 0 && n > s.choice.Bytes {
			s.vary(func(o *Choice) { o.Bytes = n })
			for _, x := range wholes {
				if s.work.Outside > 0 {
					s.vary(func(o *Choice) { o.Bytes, o.Whole = n, x })
				}
			}
		}
	}
}

// vary tries the best choice with a change.
func (s *search) vary(change func(*Choice)) {
	if s.best != nil {
		o := s.choice
		change(&o)
		s.try(o)
	}
}

// try keeps a choice if it is better than the best.
func (s *search) try(o Choice) {
	if s.steps >= s.limits.Total || s.ctx.Err() != nil {
		return
	}
	d, before, w, err := s.run(&o)
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return
	}
	w.Defined = true // at best
	if s.best != nil && !s.takes(&w) {
		return
	}
	w.Defined = s.defined(before, &d.Call)
	if s.best == nil || s.takes(&w) {
		s.best, s.choice, s.work = d, o, w
	}
}

// takes reports whether a dispatch with some work replaces the best.
func (s *search) takes(w *Work) bool { return w.better(&s.work) || s.preferred && !s.work.better(w) }

// defined reports whether at least half of the results of a dispatch stay the same with other undefined values and with
// invocations in the opposite order. after is the call with its results.
func (s *search) defined(before, after *runner.Call) bool {
	runs := []*runner.Call{after}
	for _, backwards := range []bool{false, true} {
		call := picture.CopyDispatch(before)
		e := s.interpreter()
		shader, err := e.Read(s.ctx, call)
		if err != nil {
			return false
		}
		const seed = 0x1234567
		e.Configure = func(c *interp.Call) {
			c.MaxSteps, c.Backwards = s.limits.Run, backwards
			c.Seed, c.Override = seed, unspecified.Undefined(shader, seed)
		}
		err = e.Dispatch(s.ctx, call)
		s.steps += e.Executed.Steps
		if err != nil {
			return false
		}
		runs = append(runs, call)
	}
	same, all := agreement(before, runs)
	return all > 0 && 2*same >= all
}

// agreement returns the number of doublewords of buffers and images that some run changes, and how many of these are
// the same in all runs.
func agreement(before *runner.Call, runs []*runner.Call) (same, all int) {
	const size = 4
	for i, b := range before.Bindings {
		for at := 0; at+size <= len(b.Data); at += size {
			first := runs[0].Bindings[i].Data[at : at+size]
			changed, equal := false, true
			for _, r := range runs {
				x := r.Bindings[i].Data[at : at+size]
				changed = changed || !bytes.Equal(x, b.Data[at:at+size])
				equal = equal && bytes.Equal(x, first)
			}
			if changed {
				all++
			}
			if changed && equal {
				same++
			}
		}
	}
	return same, all
}

// better reports whether a dispatch is clearly better than another.
func (w *Work) better(than *Work) bool {
	if w.Defined != than.Defined {
		return w.Defined
	}
	const clearly = 1.05
	less, more := min(w.Outside, than.Outside), max(w.Outside, than.Outside)
	if less < more && (less == 0 || less*clearly < more) {
		return w.Outside < than.Outside
	}
	return min(w.PerInvocation, enough) > clearly*min(than.PerInvocation, enough)
}

// width is the number of invocations of a subgroup.
const width = 16

// run runs a shader with a choice. before is the call without the results.
func (s *search) run(o *Choice) (d *Dispatch, before *runner.Call, w Work, err error) {
	d, err = NewDispatch(s.module, s.entry, o)
	if err != nil {
		return nil, nil, w, err
	}
	before = picture.CopyDispatch(&d.Call)
	if d.ByAddress {
		return nil, nil, w, unsupported("it accesses memory at addresses, which cannot be generated")
	}
	e := s.interpreter()
	e.Configure = func(c *interp.Call) { c.MaxSteps = s.limits.Run }
	err = e.Dispatch(s.ctx, &d.Call)
	s.steps += e.Executed.Steps
	if err != nil {
		var failed *interp.Error
		if errors.As(err, &failed) && e.Executed.Steps == 0 {
			s.steps = s.limits.Total // it doesn't run, whatever the numbers are
		}
		return nil, nil, w, err
	}
	n := float64(d.Invocations)
	w.PerInvocation, w.Outside = float64(e.Executed.Lanes)/n, float64(e.Executed.Outside)/n
	return d, before, w, nil
}

// interpreter returns an interpreter of the module.
func (s *search) interpreter() *engine.Interp {
	return &engine.Interp{Module: func(context.Context, *runner.Shader) ([]byte, error) { return s.module, nil }, Width: width}
}

// special is a specialization constant, with the values to try in place of the module's. The first is preferred if the
// module's is 0 or 1, which flatters a compiler that folds constants.
type special struct {
	id        uint32
	size      int
	bits      []uint64
	preferred bool
}

// specials returns the specialization constants of a module that are integers with the value 0 or 1, or booleans.
func specials(ctx context.Context, module []byte) (out []special, err error) {
	m, err := outline.Read(ctx, module)
	if err != nil {
		return nil, err
	}
	for _, c := range m.Constants {
		x := special{id: c.ID, size: max(int(c.Size)/8, 1)}
		switch {
		case c.Base == ir.TypeBool:
			x.size, x.bits = 4, []uint64{1 - c.Default&1}
		case c.Base != ir.TypeFloat && c.Default <= 1:
			x.bits, x.preferred = []uint64{16, 4, 64, 2, 1 - c.Default}, true
		default:
			continue
		}
		out = append(out, x)
	}
	return out, nil
}
