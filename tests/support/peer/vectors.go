// SPDX-License-Identifier: MIT

package peer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/spv"
)

// Vertices runs the peer's vertex programs on the model where it makes fragment programs that the model does not run: the
// interpreter runs the draw, and every vertex a second time as a program.
type Vertices struct {
	Compiler *Compiler
	Binary   *Binary // the program, if it has been compiled already
	// Program, if not nil, makes the program of a call in place of the compiler, whose draws have copies of the bindings.
	Program   func(context.Context, *runner.DrawCall) (*graphics.Program, error)
	Module    engine.Module
	StepLimit uint64 // instructions of a thread, as eu.Options has it
	// Check is called with the vertices of the interpreter and of the model; nil means that they must be close.
	Check func(want, got []draw.Vertex) error
	// Compared is the number of values that have been compared.
	Compared int
	// Observe, if not nil, is called after each draw with its vertex program, whose options have the costs and a profile.
	Observe func(b *Binary, program *graphics.Program)
}

// Dispatch implements runner.Engine. The interpreter runs compute shaders.
func (d *Vertices) Dispatch(ctx context.Context, c *runner.Call) error {
	return (&engine.Interp{Module: d.Module}).Dispatch(ctx, c)
}

// Draw implements runner.Drawer.
func (d *Vertices) Draw(ctx context.Context, c *runner.DrawCall) error {
	copied := *c
	copied.Bindings = slices.Clone(c.Bindings)
	for i := range copied.Bindings {
		copied.Bindings[i].Data = slices.Clone(c.Bindings[i].Data)
	}
	program, b, err := d.program(ctx, &copied)
	if err != nil {
		return err
	}
	if d.Observe != nil {
		program.Options.Profile = new(eu.Profile)
	}
	interp := &engine.Interp{Module: d.Module}
	first, err := interp.Shaders(ctx, c)
	if err != nil {
		return err
	}
	state := c.State
	check := d.Check
	if check == nil {
		check = func(want, got []draw.Vertex) error {
			n, err := Close(program.Outputs, want, got)
			d.Compared += n
			return err
		}
	}
	seeded, err := (&engine.Interp{Module: d.Module, Seed: 0x1234567}).Shaders(ctx, &copied)
	if err != nil {
		return err
	}
	twice := &twice{first: first, second: &engine.Programs{Vertex: program}, seeded: seeded, check: check,
		same: func(want, got []draw.Vertex) bool {
			_, err := Close(program.Outputs, want, got)
			return err == nil
		}}
	if err := draw.Run(ctx, &state, &c.Draw, twice); err != nil {
		return err
	}
	if d.Observe != nil {
		d.Observe(b, program)
	}
	return nil
}

// program returns the vertex program of a call.
func (d *Vertices) program(ctx context.Context, c *runner.DrawCall) (program *graphics.Program, b *Binary, err error) {
	if d.Program != nil {
		program, err = d.Program(ctx, c)
		return program, nil, err
	}
	by := &Drawer{Compiler: d.Compiler, Module: d.Module, StepLimit: d.StepLimit}
	if d.Observe != nil {
		by.Observe = func(kind.Stage, *Binary, *eu.Account) {}
	}
	if b = d.Binary; b == nil {
		if b, err = by.compile(ctx, &c.Vertex, kind.StageVertex, 0); err != nil {
			return nil, nil, err
		}
	}
	if program, err = by.program(c, b, kind.StageVertex); err != nil {
		return nil, nil, err
	}
	describeVertex(program, b.IR)
	return program, b, nil
}

// ErrUndefined is the error for vertices that depend on undefined values.
var ErrUndefined = errors.New("the vertices depend on undefined values")

// twice runs vertices on two engines, and fragments on the first. If the vertices differ, the interpreter runs them
// again, with other values for undefined results.
type twice struct {
	first, second, seeded draw.Shaders
	check                 func(want, got []draw.Vertex) error
	same                  func(want, got []draw.Vertex) bool
}

// Vertices implements draw.Shaders.
func (t *twice) Vertices(ctx context.Context, in []draw.Input, out []draw.Vertex) error {
	got := slices.Clone(out)
	if err := t.second.Vertices(ctx, in, got); err != nil {
		return err
	}
	if err := t.first.Vertices(ctx, in, out); err != nil {
		return err
	}
	err := t.check(out, got)
	if err == nil {
		return nil
	}
	other := make([]draw.Vertex, len(out))
	if t.seeded.Vertices(ctx, in, other) == nil && !t.same(out, other) {
		return fmt.Errorf("%w: %w", ErrUndefined, err)
	}
	return err
}

// Fragments implements draw.Shaders.
func (t *twice) Fragments(ctx context.Context, quads []draw.Quad) error {
	return t.first.Fragments(ctx, quads)
}

// The rows of a final IR without descriptors that access entries of the binding table or of the table of samplers.
var (
	bufferUse  = regexp.MustCompile(`@(?:load_(ubo)|(?:load|store|get)_(ssbo)(?:_size)?|(ssbo)_atomic\w*) \((?:%\d+, )?%\d+ \(0x([0-9a-f]+)\)`)
	textureUse = regexp.MustCompile(`, (\d+) \((texture|sampler)\)`)
)

// bindByKind fills the tables of a program whose final IR names entries without their descriptors. The entries of a kind
// are taken in the order of the descriptors of that kind.
func (b *Binary) bindByKind(g *Tables, c []runner.Binding) error {
	of := map[string][]*runner.Binding{}
	for i := range c {
		x := &c[i]
		if !slices.ContainsFunc(b.layout, func(d spv.Descriptors) bool { return d.Set == x.Set && d.Binding == x.Binding }) {
			continue
		}
		switch {
		case x.Kind == runner.Uniform:
			of["ubo"] = append(of["ubo"], x)
		case x.Kind == runner.Storage:
			of["ssbo"] = append(of["ssbo"], x)
		case x.Sampler != nil && (x.Image != nil || x.Texture != nil):
			of["texture"], of["sampler"] = append(of["texture"], x), append(of["sampler"], x)
		case x.Sampler != nil:
			of["sampler"] = append(of["sampler"], x)
		default:
			of["texture"] = append(of["texture"], x)
		}
	}
	uses := map[string][]int{}
	add := func(k string, at int) {
		if !slices.Contains(uses[k], at) {
			uses[k] = append(uses[k], at)
		}
	}
	for _, m := range bufferUse.FindAllStringSubmatch(b.IR, -1) {
		add(m[1]+m[2]+m[3], hex(m[4]))
	}
	for _, m := range textureUse.FindAllStringSubmatch(b.IR, -1) {
		add(m[2], number(m[1]))
	}
	for k, entries := range uses {
		slices.Sort(entries)
		slices.SortStableFunc(of[k], func(x, y *runner.Binding) int {
			return cmp.Or(cmp.Compare(x.Set, y.Set), cmp.Compare(x.Binding, y.Binding))
		})
		if len(of[k]) < len(entries) {
			return fmt.Errorf("its code accesses %d entries of kind %s, but the draw has %d", len(entries), k, len(of[k]))
		}
		for i, at := range entries {
			g.put(at, of[k][i], k == "sampler")
		}
	}
	return nil
}

// hasDescriptors reports whether a final IR names descriptors.
func (b *Binary) hasDescriptors() bool { return strings.Contains(b.IR, "@resource_intel") }
