// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/core/interp"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/synth"
)

// drawn is a script of draws to judge.
type drawn struct {
	name   string
	file   string // of a module in a folder
	module engine.Module
	run    func(context.Context, runner.Engine) error
	// step and share are the tolerances for rounding in its pictures: the difference that components may have in any
	// case, and the share of the texels that may differ by more.
	step, share float64
	made        func() *synth.Draw // the primitives, if the draw is synthetic
}

// stages are the judged stages of a draw.
var stages = [...]kind.Stage{kind.StageVertex, kind.StageFragment}

// stageIndex returns the index of a stage in stages, by its name.
func stageIndex(name string) int {
	for i, s := range stages {
		if s.String() == name {
			return i
		}
	}
	panic("a draw has no " + name + " shader")
}

// match runs the draws of one script, fragments at one width.
type match struct {
	*drawn
	interp  *engine.Interp
	seeded  *engine.Interp // an interpreter with other values for undefined results
	ours    []*engine.EU   // by table
	theirs  []*peer.Drawer // by table
	results [len(stages)]result
	changed int             // texels
	bounds  *picture.Bounds // bounds of the pictures, if one has differed
}

func newMatch(p *opponent, d *drawn) *match {
	limited := func(c *interp.Call) { c.MaxSteps = interpSteps }
	m := &match{drawn: d, interp: &engine.Interp{Module: d.module, Configure: limited},
		seeded: &engine.Interp{Module: d.module, Seed: 0x1234567, Configure: limited}}
	for k := range m.results {
		m.results[k] = result{ours: make([]eu.Account, len(tables)), theirs: make([]eu.Account, len(tables))}
	}
	for i := range tables {
		costs := costsUnder(p.Machine, i)
		m.ours = append(m.ours, &engine.EU{
			Module: d.module, Options: jacquard.Options{Target: jacquard.Target(p.Machine.Name), SIMD: p.simd}, Costs: costs,
			Execution: eu.Options{StepLimit: threadSteps},
			Observe: func(_ *runner.Call, p *jacquard.Program, cost *eu.Account) {
				r := &m.results[stageIndex(string(p.Stage))]
				s := &p.Variants[0].Stats
				r.estimate = s.Cycles
				r.code[0] = static{s.Instructions, s.Sends, s.Spills + s.Fills}
				r.ours[i].Add(cost)
			},
		})
		m.theirs = append(m.theirs, &peer.Drawer{
			Compiler: p.Compiler, Module: d.module, SIMD: p.simd, Costs: costs, StepLimit: threadSteps,
			Observe: func(stage kind.Stage, b *peer.Binary, cost *eu.Account) {
				r := &m.results[stageIndex(stage.String())]
				r.code[1] = static{b.Stats.Instructions, b.Stats.Sends, b.Stats.Spills + b.Stats.Fills}
				r.theirs[i].Add(cost)
			},
		})
	}
	return m
}

// Dispatch implements runner.Engine.
func (m *match) Dispatch(ctx context.Context, c *runner.Call) error {
	return m.interp.Dispatch(ctx, c)
}

// expect lets the interpreter draw on the call's attachments, and returns a copy of the call from before. A draw that cannot be
// judged is an error.
func (m *match) expect(ctx context.Context, c *runner.DrawCall) (before *runner.DrawCall, err error) {
	before, seeded := picture.Copy(c), picture.Copy(c)
	for _, run := range []struct {
		engine *engine.Interp
		call   *runner.DrawCall
	}{{m.interp, c}, {m.seeded, seeded}} {
		if err := run.engine.Draw(ctx, run.call); err != nil {
			return nil, fmt.Errorf("%w: the interpreter: %w", errUnfit, err)
		}
	}
	switch {
	case m.interp.Executed.Outside > 0:
		return nil, fmt.Errorf("%w: it reads or writes outside of an array, a buffer or an image", errUnfit)
	case m.made != nil && m.made().Samples:
		return nil, fmt.Errorf("%w: it interpolates at samples that the draw does not have", errUnfit)
	}
	if err := m.differ(c, seeded); err != nil {
		return nil, fmt.Errorf("%w: it depends on values that are undefined: %w", errUnfit, err)
	}
	for i := range c.State.Colors {
		m.changed += picture.Changed(&before.State.Colors[i].Attachment, &c.State.Colors[i].Attachment)
	}
	return before, nil
}

// Draw implements runner.Drawer: both programs draw on copies of the attachments, and the interpreter on the call's
// own.
func (m *match) Draw(ctx context.Context, c *runner.DrawCall) error {
	before, err := m.expect(ctx, c)
	if err != nil {
		return err
	}
	for i := range tables {
		ours, theirs := picture.Copy(before), picture.Copy(before)
		if err := m.ours[i].Draw(ctx, ours); err != nil {
			return fmt.Errorf("%w: ours: %w", errUnfit, err)
		}
		if err := m.theirs[i].Draw(ctx, theirs); err != nil {
			return fmt.Errorf("theirs: %w", err)
		}
		if i > 0 {
			continue
		}
		if err := m.agree(ctx, before, c, ours); err != nil {
			return fmt.Errorf("ours: %w", err)
		}
		if err := m.agree(ctx, before, c, theirs); err != nil {
			return fmt.Errorf("theirs: %w", err)
		}
	}
	return nil
}

// drawVerdicts holds the verdicts on draws by stage, and the draws that have none, by reason.
type drawVerdicts struct {
	of       [len(stages)][]verdict
	unjudged unjudged
}

// judgeDraws runs draws and returns a verdict for each of their stages. It skips draws that the interpreter or this
// compiler cannot run and draws that change nothing, and stops after limit draws (0 means no limit). Draws that the peer
// does not compile do not count toward the limit.
func judgeDraws(ctx context.Context, p *opponent, list []drawn, limit int) (out drawVerdicts, err error) {
	counted := 0
	out.unjudged = unjudged{}
	for i := range list {
		if limit > 0 && counted == limit {
			break
		}
		m := newMatch(p, &list[i])
		err := guard(func() error { return list[i].run(ctx, m) })
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		why := ""
		switch {
		case err != nil:
			why = strings.Join(strings.Fields(err.Error()), " ")
		case m.changed == 0:
			why, err = "no draw changes a texel", errUnfit
		}
		if limit > 0 && unfit(err) {
			out.unjudged.add(list[i].name, why)
			continue
		}
		absent := errors.Is(err, peer.ErrNoCode)
		for k := range stages {
			out.of[k] = append(out.of[k], verdict{name: list[i].name, file: list[i].file, result: m.results[k], why: why, absent: absent})
		}
		if !absent {
			counted++
		}
	}
	return out, nil
}

// agree returns an error if the attachments and buffers after a draw differ from the interpreter's. A synthetic draw
// may also differ wherever variants of its shaders differ.
func (m *match) agree(ctx context.Context, before, want, got *runner.DrawCall) error {
	err := m.differ(want, got)
	if err == nil || m.made == nil {
		return err
	}
	if m.bounds == nil {
		b, wrong := m.allowed(ctx, before, want)
		if wrong != nil {
			return wrong
		}
		m.bounds = b
	}
	if n, _ := m.bounds.Differ(picture.Take(got)); float64(n) > m.share*float64(want.State.Width*want.State.Height) {
		return err
	}
	return nil
}

const (
	variants     = 20      // number of variants that show what SPIR-V and Vulkan leave open
	variantSteps = 1 << 24 // instructions of a shader
)

// allowed returns the bounds of a synthetic draw's results, or errUnfit if a variant fails or most texels are open.
func (m *match) allowed(ctx context.Context, before, usual *runner.DrawCall) (*picture.Bounds, error) {
	b, made := picture.BoundsOf(picture.Take(usual)), m.made()
	for seed := range uint64(variants) {
		c := picture.Copy(before)
		if made.Levels {
			picture.ShiftLevels(c, picture.LevelErrors(c, seed+1))
		}
		if err := picture.Variant(m.module, seed+1, variantSteps).Draw(ctx, c); err != nil {
			return nil, fmt.Errorf("%w: a variant: %w", errUnfit, err)
		}
		b.Vary(picture.Take(c))
	}
	b.Settle(made.Filters || made.Offsets)
	if texels, open := b.Covered(before); 2*open >= texels {
		return nil, fmt.Errorf("%w: most of its texels depend on rounding, or are undefined", errUnfit)
	}
	return b, nil
}

// differ returns an error if attachments differ from the interpreter's by more than the tolerances, or written
// buffers at all.
func (m *match) differ(want, got *runner.DrawCall) error {
	compare := func(what string, a, b *draw.Attachment) error {
		if d := picture.Compare(a, b, m.step); float64(d.Texels) > m.share*float64(b.Width*b.Height) {
			return fmt.Errorf("%s: %d of %d texels differ%s", what, d.Texels, b.Width*b.Height, d.First)
		}
		return nil
	}
	for i := range want.State.Colors {
		if err := compare(fmt.Sprintf("color %d", i), &want.State.Colors[i].Attachment, &got.State.Colors[i].Attachment); err != nil {
			return err
		}
	}
	if err := compare("depth", &want.State.Depth.Attachment, &got.State.Depth.Attachment); err != nil {
		return err
	}
	for i := range want.Bindings {
		if a, b := &want.Bindings[i], &got.Bindings[i]; a.Kind.Writes() && !bytes.Equal(a.Data, b.Data) {
			return fmt.Errorf("set %d binding %d differs", a.Set, a.Binding)
		}
	}
	return nil
}
