package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/tests/support/modules"
	"jacquard.example/tests/support/peer"
)

// stageWidths are the numbers of lanes of threads that are judged, by stage.
var stageWidths = [len(stages)][]int{{8}, {8, 16}}

// drawCosts writes the costs of both compilers' vertex and fragment code: for the samples and for n shaders per stage
// of the corpus. If only is not empty, it takes instead the corpus shaders whose hashes start with one of its names.
func drawCosts(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string, n int, only string) error {
	var sections bytes.Buffer
	if err := drawSections(ctx, &sections, c, root, n, only); err != nil {
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
func drawSections(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string, n int, only string) error {
	var samples []drawn
	var err error
	if only == "" {
		if samples, err = drawnSampleSet(ctx, root); err != nil {
			return err
		}
	}
	var list []modules.Module
	if n > 0 {
		if list, err = corpusModules(ctx); err != nil {
			return err
		}
	}
	var all []verdict
	ofSamples := map[int][len(stages)][]verdict{} // by width: a draw has all stages
	for i, stage := range stages {
		made := selected(drawnCorpusSet(list, stage), only)
		for _, simd := range stageWidths[i] {
			p, title := &opponent{c, simd}, fmt.Sprintf("%s, SIMD%d", stage, simd)
			judged, known := ofSamples[simd]
			if !known {
				if judged, err = judgeDraws(ctx, p, samples, 0); err != nil {
					return err
				}
				ofSamples[simd] = judged
			}
			if only == "" {
				section(out, "samples: "+title, drawColumns, judged[i], pictures)
				all = append(all, titled(judged[i], title)...)
			}
			if n == 0 {
				continue
			}
			if judged, err = judgeDraws(ctx, p, made, n); err != nil {
				return err
			}
			section(out, "corpus: "+title, drawColumns, judged[i], pictures)
			all = append(all, titled(judged[i], title)...)
		}
	}
	reasons, err := readReasons(reasonText)
	if err != nil {
		return err
	}
	slower(out, all, reasons)
	return nil
}

// selected returns the draws whose names start like one of only, all if there is none.
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
