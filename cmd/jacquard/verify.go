package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"jacquard.example"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
)

// verifier checks after every pass that a shader is well formed and, for
// --verify=run, that it still computes what it did before the first pass.
type verifier struct {
	ctx  context.Context
	s    *ir.Shader
	name string
	want *outcome // nil if the shader is not run
	// second is want with another seed: where the two differ, the shader's result is
	// undefined.
	second *outcome
}

// newVerifier checks the input shader. A violation is an input error if the input
// was text, and a defect of the reader otherwise.
func newVerifier(ctx context.Context, name string, s *ir.Shader, isText, run bool) (*verifier, error) {
	v := &verifier{ctx: ctx, s: s, name: name}
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
		return nil, &jacquard.Error{File: name, Msg: fmt.Sprintf("--verify=run executes only compute shaders; this shader's stage is %s", s.Info.Stage)}
	}
	var err error
	if v.want, err = newOutcome(s); err != nil {
		return nil, &jacquard.Error{File: name, Msg: err.Error()}
	}
	v.second = v.want.again()
	v.second.seed = 1
	for _, o := range [...]*outcome{v.want, v.second} {
		if err := o.run(ctx, s); err != nil {
			return nil, &jacquard.Error{File: name, Msg: "--verify=run cannot execute the shader: " + err.Error()}
		}
	}
	return v, nil
}

// validate checks that the shader is well formed after a pass.
func (v *verifier) validate(pass string) *jacquard.InternalError {
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

// after checks the result of a pass. A violation is the pass's fault.
func (v *verifier) after(pass string) error {
	if err := v.validate(pass); err != nil {
		return err
	}
	if v.want == nil {
		return nil
	}
	got := v.want.again()
	err := got.run(v.ctx, v.s)
	if err == nil {
		err = got.differs(v.want, v.second)
	}
	if err != nil {
		return &jacquard.InternalError{Pass: pass, Cause: "after it " + err.Error()}
	}
	return nil
}

// outcome is a run of a shader on generated data: the buffers it wrote.
type outcome struct {
	buffers []interp.Buffer
	first   [][]byte // the initial contents of the buffers
	push    []byte
	seed    uint64 // of undefined values
}

const (
	verifyBytes = 4096    // per buffer
	verifySteps = 1 << 22 // instructions per run
	maxPush     = 256     // bytes of push constants
	maxElements = 16      // per array of descriptors
)

// newOutcome generates data for the buffers that the shader declares: small
// integers and floats of ordinary magnitude, the same every time. Push constants,
// which are often loop bounds, are integers only.
func newOutcome(s *ir.Shader) (*outcome, error) {
	o := &outcome{push: verifyData(maxPush, 0, 1)}
	add := func(set, binding, element uint32) {
		b := interp.Buffer{Set: set, Binding: binding, Element: element}
		for _, x := range o.buffers {
			if x.Set == set && x.Binding == binding && x.Element == element {
				return
			}
		}
		o.buffers = append(o.buffers, b)
		o.first = append(o.first, verifyData(verifyBytes, uint64(len(o.first))+1, 2))
	}
	for x := range s.Vars(kind.ModeUBO | kind.ModeSSBO) {
		v := s.Var(x)
		add(v.Set, v.Binding, 0)
		n, _ := s.Types.Descriptors(v.Type)
		for e := uint32(1); e < min(n, maxElements); e++ {
			add(v.Set, v.Binding, e)
		}
	}
	for _, b := range s.Info.Bindings { // for a shader with explicit memory accesses
		for e := range min(b.Count, maxElements) {
			add(b.Set, b.Binding, e)
		}
	}
	if len(o.buffers) == 0 {
		return nil, errors.New("--verify=run needs a shader with buffers, and this one has none")
	}
	return o, nil
}

// verifyData returns n bytes of words: integers if kinds is 1, otherwise floats as
// well.
func verifyData(n int, seed uint64, kinds uint32) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	var data []byte
	for len(data) < n {
		w := rng.Uint32N(64)
		if rng.Uint32N(kinds) == 1 {
			w = math.Float32bits(rng.Float32()*8 - 4)
		}
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return data
}

// again returns an outcome with the same initial data.
func (o *outcome) again() *outcome {
	return &outcome{buffers: append([]interp.Buffer(nil), o.buffers...), first: o.first, push: o.push}
}

func (o *outcome) run(ctx context.Context, s *ir.Shader) error {
	for i := range o.buffers {
		o.buffers[i].Data = append([]byte(nil), o.first[i]...)
	}
	_, err := interp.Run(ctx, s, &interp.Call{Groups: [3]uint32{2, 1, 1}, Width: 16, Buffers: o.buffers, Push: o.push, MaxSteps: verifySteps, Seed: o.seed})
	return err
}

// differs returns an error if an outcome differs from want; second is the same as
// want but with another seed. Floats may differ in their last bits: passes fuse and
// reorder operations where the shader allows it.
func (o *outcome) differs(want, second *outcome) error {
	for i, b := range o.buffers {
		for at := 0; at+4 <= len(b.Data); at += 4 {
			g, w := binary.LittleEndian.Uint32(b.Data[at:]), binary.LittleEndian.Uint32(want.buffers[i].Data[at:])
			if x := binary.LittleEndian.Uint32(second.buffers[i].Data[at:]); x != w {
				continue
			}
			if g != w && !closeFloats(g, w) {
				return fmt.Errorf("the shader writes %#08x instead of %#08x to set %d binding %d, byte %d", g, w, b.Set, b.Binding, at)
			}
		}
	}
	return nil
}

// closeFloats reports whether two words are floats of ordinary magnitude that differ
// little, or both NaN.
func closeFloats(a, b uint32) bool {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	const ordinary = 1e-30 // below it a word is more likely an integer
	return math.Abs(x) > ordinary && math.Abs(y) > ordinary && math.Abs(x-y) <= 1e-4*math.Abs(y)
}
