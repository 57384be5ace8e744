// SPDX-License-Identifier: MIT

package runner

import (
	"context"
	"errors"
	"fmt"
	"math"

	"jacquard.example/core/draw"
	"jacquard.example/core/texture"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
)

// Engine runs compute shaders.
type Engine interface {
	// Dispatch runs one RUN command to completion. It changes the data of the bindings in place.
	// Its error stops the script; an *Error is passed on unchanged, any other gets the position
	// of the RUN command.
	Dispatch(ctx context.Context, c *Call) error
}

// EngineFunc is a function that implements Engine.
type EngineFunc func(ctx context.Context, c *Call) error

// Dispatch calls f.
func (f EngineFunc) Dispatch(ctx context.Context, c *Call) error { return f(ctx, c) }

// Call is one dispatch.
type Call struct {
	Shader        *Shader
	Entry         string
	Specialize    []Spec
	Groups        [3]uint32
	Bindings      []Binding
	PushConstants []byte // a multiple of 4 bytes; nil if the pipeline has none
	Subgroup      Subgroup
	Clock         uint64 // the time at which the dispatch starts
}

// Between is the time between the starts of two dispatches, in cycles of the clock.
const Between = 1 << 40

// Binding is the resource that a shader accesses through a descriptor. Two bindings of one buffer share their Data.
type Binding struct {
	Set, Binding uint32
	Kind         BindKind
	Data         []byte // nil for a sampler alone

	Element   uint32           // index in an array of descriptors
	Image     *Image           // contents of images and texel buffers
	Texture   *texture.Image   // replaces Image for shapes that scripts do not have
	BaseLevel int              // first accessible level of an image
	Sampler   *texture.Sampler // sampler of samplers and combined_image_sampler
	IntBorder bool             // the sampler's border color is an integer color
	Compare   bool             // the sampler is for comparing

	// The script's buffer, and the offset of Data in it; nil if the call does not
	// come from a script.
	Buffer *Buffer
	Offset int
}

// Check is one expectation that was checked.
type Check struct {
	Pos
	Text    string // the command without its values, for a listing
	Times   int    // more than 1 in a REPEAT block
	Failed  int    // the number of failures among Times
	Failure string // the first failure, or empty if it always held
}

// Report summarizes a run.
type Report struct {
	Script     *Script
	Dispatches int
	Draws      int
	Picture    *draw.Attachment // the first color attachment of the last draw, or nil if there was none
	Checks     []Check          // in the order in which they were first checked
}

// Failed returns the number of failed expectations.
func (r *Report) Failed() int {
	n := 0
	for _, c := range r.Checks {
		if c.Failed > 0 {
			n++
		}
	}
	return n
}

// Errors returns the failed expectations as positioned errors, in order.
func (r *Report) Errors() []error {
	var errs []error
	for _, c := range r.Checks {
		if c.Failed == 0 {
			continue
		}
		msg := c.Failure
		if c.Times > 1 {
			msg = fmt.Sprintf("%s (in %d of %d repetitions)", msg, c.Failed, c.Times)
		}
		errs = append(errs, &Error{File: r.Script.Name, Pos: c.Pos, Msg: msg})
	}
	return errs
}

// Run executes the script's commands in order. A failed expectation does not stop it: the report lists all of them.
// After an error, the report covers the commands executed so far. Run stops soon after ctx is done, with the
// context's cause and the position of the command.
func (s *Script) Run(ctx context.Context, e Engine) (*Report, error) {
	r := &run{
		ctx: ctx, engine: e, meter: work.NewMeter(ctx, math.MaxInt),
		data: make(map[*Buffer][]byte, len(s.Buffers)), report: &Report{Script: s}, checks: map[Command]int{},
		clears: map[*Pipeline]*clearValue{},
	}
	err := r.all()
	if err != nil && ctx.Err() != nil {
		err = Stopped(ctx, s.Name, r.at)
	}
	return r.report, err
}

// Stopped returns the error for a context that is done.
func Stopped(ctx context.Context, file string, at Pos) error {
	cause := context.Cause(ctx)
	return &Error{File: file, Pos: at, Msg: "stopped: " + cause.Error(), Err: cause}
}

type run struct {
	ctx    context.Context
	engine Engine
	meter  *work.Meter // polls ctx
	at     Pos         // position of the running command
	data   map[*Buffer][]byte
	report *Report
	checks map[Command]int // by expectation: its index in the report
	clears map[*Pipeline]*clearValue
}

// Steps of a Meter.
const (
	commandSteps = 1 << 8
	valueSteps   = 1 << 5 // to store or compare one number
	texelSteps   = 1 << 7
	byteSteps    = 1 // to store or compare a byte
)

// all creates the buffers and runs the commands.
func (r *run) all() (err error) {
	defer work.Catch(&err)
	for _, b := range r.report.Script.Buffers {
		r.at = b.Pos
		r.data[b] = b.Contents(r.meter)
	}
	return r.commands(r.report.Script.Commands)
}

func (r *run) commands(list []Command) error {
	for _, c := range list {
		r.at = c.position()
		r.meter.Spend(commandSteps)
		switch c := c.(type) {
		case *RunCommand:
			execute := r.dispatch
			if c.Draw != nil {
				execute = r.draw
			}
			if err := execute(c); err != nil {
				return err
			}
		case *ClearCommand:
			r.clear(c)
		case *ClearValue:
			r.setClear(c)
		case *CopyCommand:
			r.meter.Spend(byteSteps * len(r.data[c.From]))
			copy(r.data[c.To], r.data[c.From])
		case *RepeatCommand:
			for range c.Count {
				if err := r.commands(c.Commands); err != nil {
					return err
				}
			}
		case *WriteCommand:
			r.meter.Spend(byteSteps * len(c.Data))
			copy(r.data[c.Buffer][c.Offset:], c.Data)
		case *ExpectTexels:
			r.check(c, c.String(), c.check(r.meter, r.data[c.Buffer]))
		case *Expect:
			r.check(c, c.String(), c.check(r.meter, r.data[c.Buffer]))
		case *ExpectBuffer:
			r.check(c, c.String(), c.check(r.meter, r.data[c.Left], r.data[c.Right]))
		}
	}
	return nil
}

func (r *run) check(c Command, text, failure string) {
	i, seen := r.checks[c]
	if !seen {
		i = len(r.report.Checks)
		r.checks[c] = i
		r.report.Checks = append(r.report.Checks, Check{Pos: c.position(), Text: text})
	}
	ck := &r.report.Checks[i]
	ck.Times++
	if failure != "" {
		if ck.Failed++; ck.Failed == 1 {
			ck.Failure = text + ": " + failure
		}
	}
}

func (r *run) dispatch(c *RunCommand) error {
	r.meter.Look()
	p := c.Pipeline
	call := &Call{Shader: p.Shader, Entry: p.Entry, Specialize: p.Specialize, Groups: c.Groups, Subgroup: p.Subgroup}
	call.Clock = uint64(r.report.Dispatches) * Between
	for i := range p.Binds {
		call.Bindings = append(call.Bindings, r.binding(&p.Binds[i]))
	}
	call.PushConstants = r.pushConstants(p)
	if err := r.engine.Dispatch(r.ctx, call); err != nil {
		if inner := (*Error)(nil); errors.As(err, &inner) {
			return inner // it has its own position, in the shader's source
		}
		return &Error{File: r.report.Script.Name, Pos: c.Pos, Msg: fmt.Sprintf("RUN %s: %s", p.Name, err), Err: err}
	}
	r.report.Dispatches++
	return nil
}

// pushConstants returns the push constants of a pipeline, in words of 4 bytes as in Vulkan.
func (r *run) pushConstants(p *Pipeline) []byte {
	if p.PushConstants == nil {
		return nil
	}
	b := make([]byte, RoundUp(p.PushConstants.Bytes(), 4))
	copy(b, r.data[p.PushConstants])
	return b
}

// binding returns the current binding of a BIND command.
func (r *run) binding(b *Bind) Binding {
	out := Binding{Set: b.Set, Binding: b.Binding, Kind: b.Kind, Element: b.Element, BaseLevel: b.BaseLevel, Buffer: b.Buffer,
		Offset: b.Offset}
	if s := b.Sampler; s != nil {
		out.Sampler, out.IntBorder, out.Compare = &s.State, s.IntBorder, s.Compare
	}
	if b.Buffer == nil {
		return out
	}
	end := b.Offset + b.Size
	out.Data = r.data[b.Buffer][b.Offset:end:end]
	switch {
	case b.Kind.IsImage():
		out.Image = b.Buffer.Image
	case b.Kind == UniformTexelBuffer || b.Kind == StorageTexelBuffer:
		f, err := b.Buffer.Format()
		if err == nil { // checked by the parser
			out.Image = &Image{Format: f, Dim: kind.DimBuf, Width: uint32(b.Size / f.Bytes), Height: 1, Depth: 1, Levels: 1, Samples: 1}
		}
	}
	return out
}

// Contents returns the buffer's initial contents.
func (b *Buffer) Contents(m *work.Meter) []byte {
	m.Spend(byteSteps * b.Memory())
	data := make([]byte, b.Memory())
	if b.Image != nil && b.Image.Samples > 1 {
		return data
	}
	if b.Init.Raw != nil {
		copy(data, b.Init.Raw)
		return data
	}
	segs := b.Layout.Segments
	value := b.Init.From
	for i := range b.Count {
		m.Spend(valueSteps * len(segs))
		for k, seg := range segs {
			if len(b.Init.Values) > 0 {
				if value = (Number{}); i*len(segs)+k < len(b.Init.Values) {
					value = b.Init.Values[i*len(segs)+k]
				}
			}
			value.Store(data[i*b.Layout.Size+seg.Offset:], seg.Scalar)
		}
		if b.Init.Series {
			value.F += b.Init.By.F
			value.Bits += b.Init.By.Bits
		}
	}
	return data
}
