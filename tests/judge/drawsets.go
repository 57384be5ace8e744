// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
	"jacquard.example/backend/run/tools"
	"jacquard.example/core/interp"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/spv"
	"jacquard.example/tests/support/synth"
)

// drawnSamples are the judged scripts of tests/suite/draw/testdata, with tolerances for rounding in their pictures:
// compilers contract and reorder operations of floats.
var drawnSamples = []drawn{
	{name: "mvp"},
	{name: "skin"},
	{name: "lit"},
	{name: "noise", step: 0.1, share: 0.01}, // a hash takes the fraction of a product of large numbers
	{name: "branchy", share: 0.001},         // the edge of a fractal may take an iteration more or less
}

// drawnSampleSet reads the samples below the project's root.
func drawnSampleSet(ctx context.Context, root string) (set []drawn, err error) {
	for _, d := range drawnSamples {
		script, translate, err := readScript(ctx, filepath.Join(root, "tests", "suite", "draw", "testdata"), d.name)
		if err != nil {
			return nil, err
		}
		d.module, d.run = translate, running(script)
		set = append(set, d)
	}
	return set, nil
}

// Synthetic draws for shaders of the corpus are large enough for as many threads as an execution unit has. Their pictures
// are close to the interpreter's except for some texels, at which a shader jumps.
const (
	generatedWidth, generatedHeight = 32, 16
	generatedShare                  = 0.02
)

// drawnCorpusSet returns synthetic draws of the shaders of a stage, in the order of their hashes, with at most some
// variants of each source (0 means all). Unless writes is set, draws that write memory are not run.
func drawnCorpusSet(list []modules.Module, stage kind.Stage, most int, writes bool) (set []drawn) {
	var cache tools.Cache
	count := map[string]int{}
	for _, e := range modules.StagedIn(list, stage) {
		source := sourceOf(e.Module.Name)
		if count[source]++; most > 0 && count[source] > most {
			continue
		}
		d := drawn{name: e.ID, share: generatedShare}
		if most == 0 {
			d.file = strings.TrimSuffix(e.Module.Name, ".spv")
		}
		var made *synth.Draw
		d.made = func() *synth.Draw { return made }
		d.module = func(ctx context.Context, s *runner.Shader) ([]byte, error) { return made.Module(ctx, s) }
		d.run = func(ctx context.Context, on runner.Engine) (err error) {
			if usesSubgroups(e.Module.SPIRV) {
				return fmt.Errorf("%w: it depends on which pixels or vertices a subgroup contains", errUnfit)
			}
			if made == nil {
				made, err = busyDraw(ctx, &cache, &e, stage)
			}
			switch {
			case err != nil:
				return fmt.Errorf("%w: %w", errUnfit, err)
			case made.Writes && !writes:
				return fmt.Errorf("%w: it writes memory", errUnfit)
			}
			return on.(runner.Drawer).Draw(ctx, &made.DrawCall)
		}
		set = append(set, d)
	}
	return set
}

// drawnWholes are the whole numbers that are tried for the uniforms of a draw, in the order of preference; 0 stands for random
// small ones.
var drawnWholes = []uint64{0, 16, 5}

// busyDraw returns the draw in which the shaders have the most to do without leaving their buffers.
func busyDraw(ctx context.Context, cache *tools.Cache, e *modules.Staged, stage kind.Stage) (best *synth.Draw, err error) {
	const clearly = 1.05
	most := 0.0
	for _, whole := range drawnWholes {
		o := synth.Options{Width: generatedWidth, Height: generatedHeight, Whole: whole}
		d, wrong := synth.New(cache, e.Module.SPIRV, stage, e.Entry, o)
		if wrong != nil {
			return nil, wrong
		}
		in := &engine.Interp{Module: d.Module, Configure: func(c *interp.Call) { c.MaxSteps = variantSteps }}
		wrong = in.Draw(ctx, picture.Copy(&d.DrawCall))
		if best != nil && (wrong != nil || in.Executed.Outside > 0) {
			continue
		}
		if n := float64(in.Executed.Lanes); best == nil || n > clearly*most {
			best, most = d, n
		}
	}
	return best, nil
}

// usesSubgroups reports whether a module declares one of the capabilities of group operations (SPIR-V
// specification, "Capability").
func usesSubgroups(module []byte) bool {
	const opCapability, groupNonUniform, groupNonUniformQuad, ballot, vote = 17, 61, 68, 4423, 4431
	words, err := spv.Words(module)
	if err != nil {
		return false
	}
	for in := range spv.Insts(words) {
		if in.Op != opCapability || len(in.Operands) == 0 {
			continue
		}
		if c := in.Operands[0]; groupNonUniform <= c && c <= groupNonUniformQuad || c == ballot || c == vote {
			return true
		}
	}
	return false
}
