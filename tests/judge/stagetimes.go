// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"jacquard.example/generated/kind"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/peer"
)

// stageTimes writes the CPU time of compiling the vertex and fragment shaders of the samples and n shaders of each
// stage of the corpus, at all widths that are judged.
func stageTimes(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string, n int) error {
	var list []modules.Module
	var err error
	if n > 0 {
		if list, err = corpusModules(ctx); err != nil {
			return err
		}
	}
	for _, stage := range stages {
		samples, err := stageSamples(ctx, root, stage)
		if err != nil {
			return err
		}
		names, sets := []string{"samples"}, [][]entry{samples}
		if n > 0 {
			names, sets = append(names, "corpus"), append(sets, stageCorpus(list, stage, n))
		}
		for _, simd := range stageWidths(c.Machine, stage) {
			fmt.Fprintf(out, "\n## %s, SIMD%d\n\n", stage, simd)
			if err := compileTimes(ctx, out, &opponent{c, simd}, stage, names, sets); err != nil {
				return err
			}
		}
	}
	return nil
}

// stageSamples returns the shaders of a stage of the samples that draw.
func stageSamples(ctx context.Context, root string, stage kind.Stage) (set []entry, err error) {
	for _, d := range drawnSamples {
		script, translate, err := readScript(ctx, filepath.Join(root, "tests", "suite", "draw", "testdata"), d.name)
		if err != nil {
			return nil, err
		}
		for _, s := range script.Shaders {
			if s.Stage != stage {
				continue
			}
			module, err := translate(ctx, s)
			if err != nil {
				return nil, err
			}
			set = append(set, entry{name: d.name, module: module})
		}
	}
	return set, nil
}

// stageCorpus returns n modules of the corpus, or all if there are fewer, whose entry point of a stage is called
// main: the peer takes no other name for several modules at once. They are spread evenly over all such modules.
func stageCorpus(list []modules.Module, stage kind.Stage, n int) (set []entry) {
	var all []entry
	for _, e := range modules.StagedIn(list, stage) {
		if e.Entry == "main" {
			all = append(all, entry{name: e.ID, module: e.Module.SPIRV})
		}
	}
	n = min(n, len(all))
	for i := range n {
		set = append(set, all[i*len(all)/n])
	}
	return set
}

// vertexTimes writes the CPU time of compiling the vertex shaders of sets, at most n of the corpus.
func vertexTimes(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string, names []string, n int) error {
	var titles []string
	var sets [][]entry
	for _, name := range names {
		var set []entry
		var list []modules.Module
		var err error
		limit := n
		switch name {
		case "renderer":
			continue
		case "samples":
			set, err = stageSamples(ctx, root, kind.StageVertex)
		case "corpus":
			list, err = corpusModules(ctx)
		default:
			list, err = folderModules(name)
			limit = len(list)
		}
		if err != nil {
			return err
		}
		titles, sets = append(titles, name), append(sets, append(set, stageCorpus(list, kind.StageVertex, limit)...))
	}
	return compileTimes(ctx, out, &opponent{c, vertexWidth}, kind.StageVertex, titles, sets)
}
