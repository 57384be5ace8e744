// SPDX-License-Identifier: MIT

package verify

import (
	"context"
	"errors"
	"fmt"

	"jacquard.example"
	"jacquard.example/core/interp/vary"
	"jacquard.example/core/ir"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/generated/kind"
)

// Verifier checks after every pass that a shader is well formed and, for --verify=run, that its results are the same
// as before the first pass.
type Verifier struct {
	ctx  context.Context
	s    *ir.Shader
	Name string
	want *outcome // nil if the shader is not run
	// second is want with another seed and another order of accesses: where the two differ, the
	// shader's result is undefined, or due to a race.
	second *outcome

	source   []byte     // the shader before the first pass
	variants []*outcome // runs of variants of the shader, once a word has differed
	loose    bool       // words differed within the freedom of relaxed float instructions
	exact    string     // added to messages about shaders with every instruction exact
}

// While a word that differed is not shown to be open, more variants of the shader are executed, twice as many each
// time. Each variant decides at random. A result that takes several particular decisions at once, such as a zero
// whose sign depends on both the operands and the result, appears only in one of many variants.
const (
	fewVariants  = 8
	manyVariants = 64
)

// NewVerifier validates the input shader and, if run is set, executes it. If the shader is invalid, the error is
// about the input if that was text, and otherwise about a defect of the reader.
func NewVerifier(ctx context.Context, name string, s *ir.Shader, isText, run bool) (*Verifier, error) {
	v := &Verifier{ctx: ctx, s: s, Name: name}
	if err := v.validate("read"); err != nil {
		if isText {
			return nil, &jacquard.Error{File: name, Msg: fmt.Sprint(err.Cause)}
		}
		return nil, err
	}
	if !run {
		return v, nil
	}
	if s.Info.Stage != kind.StageCompute {
		return nil, &jacquard.Error{File: name,
			Msg: fmt.Sprintf("--verify=run executes only compute shaders; this shader's stage is %s", s.Info.Stage)}
	}
	if err := v.execute(); err != nil {
		return nil, &jacquard.Error{File: name, Msg: err.Error()}
	}
	return v, nil
}

// inputs lists the data and workgroup counts to run a shader with. They are tried in turn until no index is out of
// bounds, since otherwise the results are undefined. Some have one workgroup only, since an invocation's number may
// be an index.
var inputs = [...]struct {
	data   uint64
	groups uint32
}{{0, 2}, {1, 2}, {2, 2}, {0, 1}, {1, 1}, {2, 1}}

// execute executes the shader before the first pass, with the first of the inputs that keeps it in bounds, or the
// first of all if none does, and then again with another seed and order of accesses.
func (v *Verifier) execute() error {
	v.source = wire.Marshal(v.s)
	for _, in := range inputs {
		o, err := newOutcome(v.s, in.data, in.groups)
		if err != nil {
			return err
		}
		if err := v.first(o); err != nil {
			return err
		}
		if v.want == nil || o.outside == 0 {
			v.want = o
		}
		if o.outside == 0 {
			break
		}
	}
	v.second = v.want.again()
	v.second.seed, v.second.backwards = 1, true
	return v.first(v.second)
}

// first executes the shader before the first pass.
func (v *Verifier) first(o *outcome) error {
	if err := o.run(v.ctx, v.s); err != nil {
		return fmt.Errorf("--verify=run cannot execute the shader: %w", err)
	}
	return nil
}

// validate checks that the shader is well formed after a pass.
func (v *Verifier) validate(pass string) *jacquard.InternalError {
	err := validate.Shader(v.s)
	if err == nil {
		return nil
	}
	function := ""
	var e *validate.Error
	if errors.As(err, &e) {
		function = e.Func
	}
	return &jacquard.InternalError{Pass: pass, Function: function, Cause: err}
}

// After checks the result of a pass. A violation is the pass's fault.
func (v *Verifier) After(pass string) error {
	if err := v.validate(pass); err != nil {
		return err
	}
	if v.want == nil {
		return nil
	}
	got := v.want.again()
	err := got.run(v.ctx, v.s)
	if err == nil {
		err = v.compare(got)
		if err != nil && v.want.outside > 0 {
			return &jacquard.Error{File: v.Name, Msg: "--verify=run cannot compare what the shader computes: indices are out of bounds"}
		}
	}
	if err != nil {
		return &jacquard.InternalError{Pass: pass, Cause: "after it " + err.Error() + v.exact}
	}
	return nil
}

// compare returns an error if an outcome has a word that the shader cannot write.
func (v *Verifier) compare(got *outcome) error {
	for i, b := range got.buffers {
		for at := 0; at+4 <= len(b.Data); at += 4 {
			g, w := got.word(i, at), v.want.word(i, at)
			if g == w || v.second.word(i, at) != w {
				continue
			}
			if ok, err := v.leftOpen(i, at, g); err != nil {
				return err
			} else if !ok {
				return fmt.Errorf("the shader writes %#08x instead of %#08x to set %d binding %d, byte %d", g, w, b.Set, b.Binding, at)
			}
			v.loose = true
		}
	}
	return nil
}

// leftOpen reports whether the shader may write g in place of the word that it wrote before the first pass. It may if
// both are NaN, if the word depends on relaxed float instructions and g is nearly the same, or if a variant shows
// that the word may be anything.
func (v *Verifier) leftOpen(buffer, at int, g uint32) (bool, error) {
	w := v.want.word(buffer, at)
	if isNaN(g) && isNaN(w) {
		return true, nil
	}
	for n := fewVariants; ; n *= 2 {
		if err := v.vary(n); err != nil {
			return false, err
		}
		depends, anything := false, false
		for _, o := range v.variants {
			x := o.word(buffer, at)
			depends = depends || x != w
			anything = anything || !CloseFloats(x, w)
		}
		open := depends && (anything || CloseFloats(g, w))
		if open || n >= manyVariants {
			return open, nil
		}
	}
}

// vary executes variants of the shader until there are n.
func (v *Verifier) vary(n int) error {
	for seed := uint64(len(v.variants)); seed < uint64(n); seed++ {
		s, err := wire.Unmarshal(v.source)
		if err != nil {
			return err
		}
		vary.Shader(s, seed)
		o := v.want.again()
		if err := o.run(v.ctx, s); err != nil {
			return fmt.Errorf("a variant of the shader cannot be executed: %w", err)
		}
		v.variants = append(v.variants, o)
	}
	return nil
}

// Exactly returns the shader before the first pass with every instruction exact, and a verifier for it. Both are nil
// if no word differed within the freedom of relaxed float instructions, or if no instruction is relaxed.
func (v *Verifier) Exactly() (*ir.Shader, *Verifier, error) {
	if !v.loose {
		return nil, nil, nil
	}
	s, err := wire.Unmarshal(v.source)
	if err != nil || !vary.Exact(s) {
		return nil, nil, err
	}
	x, err := NewVerifier(v.ctx, v.Name, s, false, true)
	if err == nil {
		x.exact = ", with every operation exact"
	}
	return s, x, err
}
