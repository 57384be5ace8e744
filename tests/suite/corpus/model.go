// SPDX-License-Identifier: MIT

package corpus

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/ir"
	"jacquard.example/core/texture"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/op"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/oracle/unspecified"
	"jacquard.example/tests/support/mathunit"
)

// comparison holds a shader and its inputs: the shader as read, and as it reaches instruction selection.
type comparison struct {
	entry       string
	module      []byte
	in          *inputs
	read, lower *ir.Shader
	pair        Pair
}

// onModel runs the code on the model of the execution units, and the lowered shader on the interpreter with subgroups
// of the same width and the model's math functions. Both must leave the same bytes, except bytes that SPIR-V leaves
// undefined or that depend on the order of invocations. It runs two workgroups, or one if nothing is defined otherwise.
// words is the number of compared doublewords that the shader writes; leftOut is the reason if there are none.
func (c *comparison) onModel(ctx context.Context) (words int, leftOut string, err error) {
	if byAddress(c.lower) {
		return 0, "it accesses memory at addresses, which cannot be generated", nil
	}
	for _, groups := range []uint32{2, 1} {
		words, leftOut, err = c.dispatch(ctx, groups)
		if words > 0 || err != nil {
			break
		}
	}
	return words, leftOut, err
}

func (c *comparison) dispatch(ctx context.Context, groups uint32) (words int, leftOut string, err error) {
	usual := variant{groups: groups, width: c.pair.SIMD, math: true}
	seeded, backwards := usual, usual
	seeded.seed, backwards.backwards = 0x1234567, true
	var want []*inputs
	for _, v := range []variant{usual, seeded, backwards} {
		out, _, err := c.in.runAs(ctx, c.lower, v)
		if err != nil {
			return 0, err.Error(), nil
		}
		want = append(want, out)
	}
	got := c.in.clone()
	if err = c.run(ctx, got, groups); err == nil {
		words, err = got.agree(c.in, want)
	}
	switch {
	case err != nil:
		if _, stats, _ := c.in.runAs(ctx, c.read, usual); stats.Outside > 0 {
			return 0, "it reads or writes outside of an array or a buffer", nil
		}
		return 0, "", err
	case words == 0:
		return 0, "it writes nothing that is defined", nil
	}
	return words, "", nil
}

// run runs the code on the model and leaves the results in the inputs.
func (c *comparison) run(ctx context.Context, in *inputs, groups uint32) error {
	m := &engine.EU{
		Module:    func(context.Context, *runner.Shader) ([]byte, error) { return c.module, nil },
		Options:   jacquard.Options{Target: jacquard.Target(c.pair.Target.Name), SIMD: c.pair.SIMD},
		Execution: eu.Options{Addresses: true, StepLimit: maxSteps},
	}
	err := guard(func() error { return m.Dispatch(ctx, in.call(c.entry, groups)) })
	if err != nil {
		return fmt.Errorf("the model: %w", err)
	}
	return nil
}

// agree compares all buffers and images of the model with the runs of the interpreter.
func (in *inputs) agree(before *inputs, runs []*inputs) (words int, err error) {
	compare := func(data func(*inputs) []byte) error {
		var want [][]byte
		for _, run := range runs {
			want = append(want, data(run))
		}
		n, err := agree(data(before), data(in), want...)
		words += n
		return err
	}
	for i, b := range in.buffers {
		if err := compare(func(x *inputs) []byte { return x.buffers[i].Data }); err != nil {
			return 0, fmt.Errorf("set %d binding %d: %w", b.Set, b.Binding, err)
		}
	}
	for i, m := range in.images {
		if err := compare(func(x *inputs) []byte { return x.images[i].Data }); err != nil {
			return 0, fmt.Errorf("the image at set %d binding %d: %w", m.Set, m.Binding, err)
		}
	}
	return words, nil
}

// agree compares a buffer of the model with runs of the interpreter, and returns the number of compared doublewords
// that the shader changed. Doublewords on which the runs differ are left out.
func agree(before, got []byte, runs ...[]byte) (words int, err error) {
next:
	for at := 0; at+4 <= len(got); at += 4 {
		want := runs[0][at : at+4]
		for _, run := range runs[1:] {
			if !bytes.Equal(want, run[at:at+4]) {
				continue next
			}
		}
		if !bytes.Equal(want, got[at:at+4]) {
			return 0, fmt.Errorf("byte %d: interpreter %#08x, model %#08x", at, binary.LittleEndian.Uint32(want),
				binary.LittleEndian.Uint32(got[at:]))
		}
		if !bytes.Equal(want, before[at:at+4]) {
			words++
		}
	}
	return words, nil
}

// call returns the dispatch that a script would request.
func (in *inputs) call(entry string, groups uint32) *runner.Call {
	c := &runner.Call{Shader: &runner.Shader{}, Entry: entry, Groups: [3]uint32{groups, 1, 1}, PushConstants: in.push}
	for i, b := range in.buffers {
		kind := runner.Uniform
		if in.bufferKinds[i] == lavapipe.Storage {
			kind = runner.Storage
		}
		c.Bindings = append(c.Bindings, runner.Binding{Set: b.Set, Binding: b.Binding, Element: b.Element, Kind: kind, Data: b.Data})
	}
	for i := range in.images {
		c.Bindings = append(c.Bindings, in.imageOfCall(i))
	}
	return c
}

// kindsOfCall maps kinds of image descriptors to the kinds in scripts.
var kindsOfCall = map[lavapipe.Kind]runner.BindKind{
	lavapipe.Sampler: runner.SamplerAlone, lavapipe.StorageTexelBuffer: runner.StorageTexelBuffer, lavapipe.StorageImage: runner.StorageImage,
	lavapipe.UniformTexelBuffer: runner.UniformTexelBuffer, lavapipe.CombinedImageSampler: runner.CombinedImageSampler, lavapipe.SampledImage: runner.SampledImage,
}

// imageOfCall returns an image, a sampler or both in the form that a call binds.
func (in *inputs) imageOfCall(i int) runner.Binding {
	m, b := &in.images[i], in.imageBinding(i)
	out := runner.Binding{Set: m.Set, Binding: m.Binding, Element: m.Element, Kind: kindsOfCall[b.Kind], Sampler: b.Sampler}
	if m.Data != nil {
		out.Texture = &texture.Image{
			Dim: m.Dim, Format: texture.Of(m.Format), Layers: max(m.Layers, 1), Samples: max(m.Samples, 1),
			Levels: []texture.Level{{Width: m.Width, Height: max(m.Height, 1), Depth: max(m.Depth, 1), Data: m.Data}},
		}
	}
	return out
}

// byAddress reports whether a shader accesses memory at addresses.
func byAddress(s *ir.Shader) bool {
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				switch s.At(v).Intrinsic() {
				case intrinsic.LoadGlobal, intrinsic.StoreGlobal, intrinsic.GlobalAtomic, intrinsic.GlobalAtomicSwap,
					intrinsic.GlobalAtomic2x32, intrinsic.GlobalAtomicSwap2x32:
					return true
				}
			}
		}
	}
	return false
}

// override replaces functions of the folder for comparisons with the model: math functions are the model's, and the
// undefined result of an integer division by zero depends on the seed.
func override(seed uint64) unspecified.Override {
	return func(o op.Op, bits uint8, src *[op.MaxSrc][fold.MaxComps]uint64, dst *[fold.MaxComps]uint64, mode fold.Mode) bool {
		switch o {
		case op.UDiv, op.UMod, op.IDiv, op.IRem, op.IMod:
			if seed != 0 && src[1][0] == 0 {
				dst[0] = (src[0][0] ^ seed) & (^uint64(0) >> (64 - bits))
				return true
			}
		}
		return mathunit.Override(o, bits, src, dst, mode)
	}
}

// lacking lists, for each machine, the operations that it lacks and others have.
var lacking = map[string][]string{
	"skl": {"atomics on images of floats"},
}

// refusal returns the reason why a machine cannot run a module at a width: the width is too narrow or too wide, which
// the compiler's error must state, or the machine lacks an operation. It returns "" if err is of another kind.
func refusal(err error, pair Pair) string {
	var e *jacquard.Error
	if !errors.As(err, &e) {
		return ""
	}
	for _, what := range lacking[pair.Target.Name] {
		if strings.HasSuffix(e.Msg, ": "+pair.Target.Name+" has no "+what) {
			return e.Msg
		}
	}
	if why := fmt.Sprintf("SIMD%d: ", pair.SIMD); len(e.Msg) > len(why) && e.Msg[:len(why)] == why {
		return e.Msg
	}
	return ""
}
