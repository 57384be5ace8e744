// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/peer"
)

// stageWidths returns the numbers of lanes of threads that are judged: the fewest of vertices, and the two fewest of pixels.
func stageWidths(m *target.Target, stage kind.Stage) []int {
	if stage == kind.StageVertex {
		return m.Widths[:1]
	}
	return m.Widths[:2]
}

// drawCosts writes the costs of both compilers' vertex and fragment code for the draws of sets: the samples, n
// shaders per stage of the corpus, or all of a folder. If only is not empty, it leaves out the samples, and all
// shaders whose hashes start with none of its comma-separated prefixes.
func drawCosts(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string, names []string, n int, only string) error {
	var sections bytes.Buffer
	if err := drawSections(ctx, &sections, c, root, names, n, only); err != nil {
		return err
	}
	fmt.Fprintf(out, `# Draws on one judge: ours ÷ Mesa's

Vertex and fragment code of both, run by the model of the execution units for the same draws with the same fixed functions (%s; the peer is %s; package
[tests/judge](../judge/doc.go), which wrote this file: make judge). Each stage is compiled alone, by both. Static figures are the statistics that the compilers print for their code,
without nop and sync.nop; spills are messages that spill or fill registers. The other columns are those of [dispatches](judge.md).
`, c.Machine.Name, versionOf(c))
	out.Write(sections.Bytes())
	return nil
}

// drawSections writes the sections of drawCosts.
func drawSections(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string, names []string, n int, only string) error {
	sets, err := drawSets(ctx, root, names, n, only)
	if err != nil {
		return err
	}
	var all []verdict
	ofSamples := map[int]drawVerdicts{} // by width: a draw has all stages
	for i, stage := range stages {
		for _, simd := range stageWidths(c.Machine, stage) {
			p, title := &opponent{c, simd}, fmt.Sprintf("%s, SIMD%d", stage, simd)
			for _, set := range sets {
				judged, known := ofSamples[simd]
				if !known || set.samples == nil {
					list := set.samples
					if list == nil {
						list = selected(drawnCorpusSet(set.list, stage, set.variants, false), only)
					}
					if judged, err = judgeDraws(ctx, p, list, set.limit); err != nil {
						return err
					}
				}
				if set.samples != nil {
					ofSamples[simd] = judged
				}
				section(out, set.name+": "+title, drawColumns, judged.of[i], pictures)
				notJudged(out, judged.unjudged)
				all = append(all, titled(judged.of[i], title)...)
			}
		}
	}
	reasons, err := readReasons(reasonText)
	if err != nil {
		return err
	}
	ranges(out, c.Machine, all, true)
	slower(out, all, reasons)
	return nil
}

// drawSet is a set of draws: either samples, which have both stages, or modules, of which at most limit are judged,
// with at most variants variants of each source. 0 means no limit.
type drawSet struct {
	name            string
	samples         []drawn
	list            []modules.Module
	limit, variants int
}

// drawSets loads sets by their names. The renderer has none.
func drawSets(ctx context.Context, root string, names []string, n int, only string) (sets []drawSet, err error) {
	for _, name := range names {
		set := drawSet{name: name}
		switch name {
		case "renderer":
			continue
		case "samples":
			if only != "" {
				continue
			}
			set.samples, err = drawnSampleSet(ctx, root)
		case "corpus":
			if n == 0 {
				continue
			}
			set.limit, set.variants = n, mostVariants
			set.list, err = corpusModules(ctx)
		default:
			set.list, err = folderModules(name)
		}
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// selected returns the draws whose names start with one of the comma-separated prefixes in only, or all if only is
// empty.
func selected(list []drawn, only string) []drawn {
	if only == "" {
		return list
	}
	names := strings.Split(only, ",")
	return slices.DeleteFunc(list, func(d drawn) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(d.name, name) })
	})
}

// titled returns verdicts whose names include the stage and the width.
func titled(list []verdict, title string) (out []verdict) {
	for _, v := range list {
		v.name += " " + title
		out = append(out, v)
	}
	return out
}

// pictures describes the agreement of the pictures with the interpreter's.
func pictures([]verdict) string {
	return "Pictures of both equal the interpreter's up to rounding (package tests/support/picture)."
}
