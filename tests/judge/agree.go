// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"fmt"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/draw"
	"jacquard.example/tests/support/picture"
)

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
