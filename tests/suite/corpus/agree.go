// SPDX-License-Identifier: MIT

package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/spv"
)

// Agreement records whether lavapipe and the interpreter agree about a compute
// shader.
type Agreement struct {
	Module *modules.Module
	Entry  string
	Why    string // why it is left out; "" if it is compared
	Before string // how lavapipe differs from the interpreter; "" if it does not
	After  string // how the shader after all passes differs from lavapipe, or is wrong; "" if it does not
	// Numbers is the number of compared results, Open the number of results that SPIR-V does not define.
	Numbers, Open int
	Aimed         bool // the shader compares a result with one close to it

	theirs []byte // the module that lavapipe runs
}

// Oracle compares modules with lavapipe.
type Oracle struct {
	device *lavapipe.Device
	child  lavapipe.Child
}

// Close ends the oracle's process.
func (o *Oracle) Close() { o.child.Stop() }

// Compare compares every compute entry point of a module, and returns an agreement for each.
func (o *Oracle) Compare(ctx context.Context, m *modules.Module) []*Agreement {
	return o.compareTwo(ctx, m, m.SPIRV)
}

// compareTwo compares the module for the interpreter with the module for lavapipe.
func (o *Oracle) compareTwo(ctx context.Context, m *modules.Module, theirs []byte) (out []*Agreement) {
	for _, e := range modules.Entries(m.SPIRV) {
		if modules.Models[e.Model] == "compute" {
			a := &Agreement{Module: m, Entry: e.Name, theirs: theirs}
			a.Why = o.compare(ctx, a)
			out = append(out, a)
		}
	}
	return out
}

// compare fills in an agreement, or returns why the shader is skipped.
func (o *Oracle) compare(ctx context.Context, a *Agreement) string {
	m := a.Module
	if c := m.Lacks(o.device.Has); c != "" {
		return c
	}
	if m.Declares("PhysicalStorageBufferAddresses") {
		return "cannot generate addresses of buffers"
	}
	s, err := a.read()
	if err != nil {
		return "it is not read"
	}
	styles := []style{bold, tame, unit}
	if uses(m, asin, acos) { // not defined beyond 1, but the reader's expansion does not show that
		styles = []style{unit}
	}
	if why := newInputs(s, tame, 0).unfit(); why != "" {
		return why
	}
	width, subgroups := o.device.Subgroup(), m.Declares("GroupNonUniform")
	for number := range uint64(aims) {
		for _, as := range styles {
			for _, in := range newInputs(s, as, number).aimedAt(ctx, m, s, width) {
				if d, why := define(ctx, s, in, 1, width, subgroups); why == "" && d.open == 0 {
					return o.judge(ctx, a, in, d)
				}
			}
		}
	}
	why := ""
	for _, as := range styles {
		in := newInputs(s, as, 0)
		for _, groups := range []uint32{2, 1} {
			var d *defined
			if d, why = define(ctx, s, in, groups, width, subgroups); why == "" {
				return o.judge(ctx, a, in, d)
			}
		}
	}
	return why
}

// aims is the number of inputs tried to find the operands of a shader's final comparison.
const aims = 4

func (a *Agreement) read() (s *ir.Shader, err error) {
	err = guard(func() error {
		s, err = spirv.Read(a.Module.SPIRV, spirv.Options{Stage: kind.StageCompute, Entry: a.Entry})
		return err
	})
	return s, err
}

// defined describes the results that a shader has to compute.
type defined struct {
	usual   variant
	numbers []number
	bounds  []bound
	written int // number of defined results that the shader writes
	open    int // number of undefined results
}

// define runs one or two workgroups of a shader in all variants. It returns the bounds of the results, or why none
// that the shader writes is defined.
func define(ctx context.Context, s *ir.Shader, in *inputs, groups uint32, width int, subgroups bool) (*defined, string) {
	d := &defined{usual: variant{groups: groups, width: width}}
	first, stats, err := in.runAs(ctx, s, d.usual)
	var refused *interp.Error
	switch {
	case errors.As(err, &refused):
		return nil, "interpreter: " + Reason(refused.Msg)
	case err != nil:
		return nil, err.Error()
	case stats.Outside > 0:
		return nil, "it reads or writes outside of an array or a buffer"
	}
	_, start := in.results()
	numbers, usual := first.results()
	if groups == 2 && !in.apart(ctx, s, d.usual, start, usual) {
		return nil, "workgroups have to do with each other"
	}
	values := make([][]uint64, len(usual))
	for i, x := range usual {
		values[i] = []uint64{x}
	}
	blame := ""
	for i := range values {
		if boundOf(numbers[i], values[i]).open {
			blame = "it computes an infinity or no number"
			break
		}
	}
	for _, c := range causes(groups, width, subgroups) {
		for _, v := range c.runs {
			out, _, err := in.runAs(ctx, s, v)
			if err != nil {
				return nil, c.why
			}
			_, xs := out.results()
			for i, x := range xs {
				if !slices.Contains(values[i], x) {
					values[i] = append(values[i], x)
				}
			}
		}
		if blame == "" {
			for i := range values {
				if b := boundOf(numbers[i], values[i]); b.open {
					blame = c.why
					break
				}
			}
		}
	}
	d.numbers = numbers
	for i := range values {
		b := boundOf(numbers[i], values[i])
		d.bounds = append(d.bounds, b)
		switch {
		case b.open:
			d.open++
		case len(values[i]) > 1 || values[i][0] != start[i]:
			d.written++
		}
	}
	switch {
	case d.written > 0:
		return d, ""
	case d.open > 0:
		return nil, blame
	}
	return nil, "it writes nothing"
}

// judge runs the shader on lavapipe, records in a how its results and the ones after all passes differ, and returns
// why they cannot be compared, or "".
func (o *Oracle) judge(ctx context.Context, a *Agreement, in *inputs, d *defined) string {
	theirs := in.clone()
	call, err := theirs.dispatch(a, d.usual.groups)
	if err != nil {
		return err.Error()
	}
	err = o.child.Run(call)
	switch {
	case err != nil && strings.Contains(err.Error(), "vkCreateComputePipelines"):
		return "lavapipe makes no pipeline of it"
	case err != nil:
		return err.Error()
	}
	_, got := theirs.results()
	a.Numbers, a.Open, a.Aimed = d.written, d.open, in.aimed
	a.Before = d.differ(d.bounds, got)
	a.After = o.afterPasses(ctx, a, in, d, got)
	return ""
}

// differ describes the first wrong result and counts the others. It returns "" if there is none.
func (d *defined) differ(bounds []bound, got []uint64) string {
	n, first := 0, ""
	for i := range bounds {
		if b := &bounds[i]; !b.holds(d.numbers[i], got[i]) {
			if n++; n == 1 {
				first = fmt.Sprintf("result %d: interpreter %s, lavapipe %s", i, d.numbers[i].text(b.only), d.numbers[i].text(got[i]))
			}
		}
	}
	if n > 1 {
		first += fmt.Sprintf(", and %d more", n-1)
	}
	return first
}

func (n number) text(x uint64) string {
	if n.float {
		return fmt.Sprint(floatOf(x, n.bits))
	}
	return fmt.Sprintf("%#x", x)
}

// afterPasses describes the first wrong result of the shader after all passes, or the first difference between it and
// lavapipe. It returns "" if there is none.
func (o *Oracle) afterPasses(ctx context.Context, a *Agreement, in *inputs, d *defined, theirs []uint64) string {
	s, err := a.read()
	if err == nil {
		err = guard(func() error { return pass.New(s).Run(pipeline.Optimize, nil) })
	}
	if err != nil {
		return err.Error()
	}
	out, _, err := in.runAs(ctx, s, d.usual)
	if err != nil {
		return err.Error()
	}
	_, ours := out.results()
	if why := d.differ(d.bounds, ours); why != "" {
		return "passes: " + why
	}
	bounds := slices.Clone(d.bounds)
	for i := range bounds {
		b := &bounds[i]
		b.only = ours[i]
		if b.float {
			f := floatOf(ours[i], d.numbers[i].bits)
			b.lo, b.hi = min(b.lo, f), max(b.hi, f)
		}
	}
	return d.differ(bounds, theirs)
}

// dispatch returns the dispatch for lavapipe: buffers first, then images.
func (in *inputs) dispatch(a *Agreement, groups uint32) (*lavapipe.Dispatch, error) {
	words, err := spv.Words(a.theirs)
	if err != nil {
		return nil, err
	}
	d := &lavapipe.Dispatch{Words: words, Entry: a.Entry, Push: in.push, Groups: [3]uint32{groups, 1, 1}}
	for i, b := range in.buffers {
		d.Bindings = append(d.Bindings, lavapipe.Binding{Set: b.Set, Binding: b.Binding, Element: b.Element, Kind: in.bufferKinds[i],
			Data: b.Data})
	}
	for i := range in.images {
		d.Bindings = append(d.Bindings, in.imageBinding(i))
	}
	return d, nil
}
