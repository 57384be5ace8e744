package main

import (
	"bytes"
	"context"
	"fmt"

	"jacquard.example/tests/support/peer"
)

// fragmentWidths are the numbers of lanes of fragment threads that are judged. Vertex threads have eight.
var fragmentWidths = []int{8, 16}

// drawCosts writes what both compilers' code for the stages of draws costs.
func drawCosts(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string) error {
	fmt.Fprintf(out, `# Draws on one judge: ours ÷ Mesa's

Vertex and fragment code of both, run by the model of the execution units for the same draws with the same fixed functions (%s; package
[tests/judge](../judge/doc.go), which wrote this file: make judge). Each stage is compiled alone, by both. Static figures are those that the compilers state of their code,
without nop and sync.nop; spills are messages that spill or fill registers. The other columns are those of [dispatches](judge.md).
`, c.Machine.Name)
	set, err := drawnSampleSet(ctx, root)
	if err != nil {
		return err
	}
	var all []verdict
	for i, simd := range fragmentWidths {
		judged, err := judgeDraws(ctx, &opponent{c, simd}, set)
		if err != nil {
			return err
		}
		for k, stage := range stages {
			if k == 0 && i > 0 {
				continue // vertices have been judged
			}
			if k == 0 {
				simd = 8
			} else {
				simd = fragmentWidths[i]
			}
			title := fmt.Sprintf("%s, SIMD%d", stage, simd)
			section(out, "samples: "+title, drawColumns, judged[k], pictures)
			for _, v := range judged[k] {
				v.name += " " + title
				all = append(all, v)
			}
		}
	}
	reasons, err := readReasons(reasonText)
	if err != nil {
		return err
	}
	slower(out, all, reasons)
	return nil
}

// pictures says how close to the interpreter's the pictures are.
func pictures([]verdict) string {
	return "Pictures of both equal the interpreter's up to rounding (package tests/support/picture)."
}
