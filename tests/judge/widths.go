// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/engine"
	"jacquard.example/backend/run/runner"
)

// laneCounts are the widths of threads that are compared.
var laneCounts = [...]int{8, 16, 32}

// choice has the resident cycles of a shader's dispatches at each width, and by default.
type choice struct {
	name     string
	at       [len(laneCounts)]uint64 // ours, by width; 0 if the width is impossible
	chosen   int                     // the lanes that our compiler chooses
	ours     uint64                  // with the chosen width
	theirs   uint64                  // the peer's, with the width that it chooses
	peerSIMD int
	busy     bool // whether the peer's threads send at least four messages
}

// best returns the fewest cycles of all widths.
func (c *choice) best() uint64 {
	least := c.ours
	for _, n := range c.at {
		if n != 0 {
			least = min(least, n)
		}
	}
	return least
}

// widthCosts writes what the width that is chosen by default costs in resident cycles, compared with the best of all
// widths and with the peer's program of the width that it chooses. Results are not compared here.
func widthCosts(ctx context.Context, out *bytes.Buffer, p *opponent, names []string, lists [][]entry, n int) error {
	var all []choice
	for i, name := range names {
		limit := len(lists[i])
		if name == "corpus" {
			limit = n
		}
		for k := range lists[i] {
			e := &lists[i][k]
			if limit == 0 {
				break
			}
			if e.prepare != nil && e.prepare(ctx, e) != "" {
				continue
			}
			c, err := chooseWidths(ctx, p, e)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				all = append(all, c)
				limit--
			}
		}
	}
	writeWidths(out, all)
	return nil
}

// chooseWidths measures a shader.
func chooseWidths(ctx context.Context, p *opponent, e *entry) (c choice, err error) {
	c.name = e.name
	free := newContest(&opponent{p.Compiler, 0}, e)
	var ours eu.Account
	own := &engine.EU{
		Module: free.source, Execution: eu.Options{StepLimit: threadSteps},
		Options: jacquard.Options{Target: jacquard.Target(p.Machine.Name)},
		Observe: func(_ *runner.Call, program *jacquard.Program, a *eu.Account) {
			free.ourProgram, c.chosen = program, program.Variants[0].SIMD
			ours.Add(a)
		},
	}
	if err := guard(func() error { return e.run(ctx, own) }); err != nil {
		return c, err
	}
	if err := guard(func() error { return e.run(ctx, peerOnly{free}) }); err != nil {
		return c, err
	}
	theirs := &free.result.theirs[0]
	c.ours, c.theirs, c.peerSIMD = ours.Resident.Cycles(), theirs.Resident.Cycles(), free.theirProgram.SIMD
	c.busy = theirs.Messages() >= 4*theirs.Threads
	for i, simd := range laneCounts {
		if simd == c.chosen {
			c.at[i] = c.ours
		} else if a, err := cost(ctx, e, simd); err == nil {
			c.at[i] = a.Resident.Cycles()
		}
	}
	return c, nil
}

// peerOnly runs dispatches with the peer's program alone.
type peerOnly struct{ *contest }

// Dispatch implements runner.Engine.
func (p peerOnly) Dispatch(ctx context.Context, call *runner.Call) error {
	return p.theirs(ctx, 0, call)
}

// writeWidths writes the table.
func writeWidths(out *bytes.Buffer, all []choice) {
	fmt.Fprintln(out, "| shader | chosen | cycles ÷ the best | ÷ Mesa's | Mesa's width | at 8 | at 16 | at 32 |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|")
	var loss, ratio float64
	busy := 0
	count := map[int]int{}
	for i := range all {
		c := &all[i]
		x, y := float64(c.ours)/float64(max(c.best(), 1)), float64(c.ours)/float64(max(c.theirs, 1))
		fmt.Fprintf(out, "| %s | %d | %.2f | %.2f | %d |", c.name, c.chosen, x, y, c.peerSIMD)
		for _, n := range c.at {
			if n == 0 {
				fmt.Fprint(out, " - |")
			} else {
				fmt.Fprintf(out, " %.2f |", float64(n)/1000)
			}
		}
		fmt.Fprintln(out)
		if c.busy {
			loss, ratio, busy = loss+math.Log(x), ratio+math.Log(y), busy+1
		}
		count[c.chosen]++
	}
	fmt.Fprintf(out, "\nOf %d shaders, %d have 8 lanes, %d 16, %d 32. Means of the %d whose threads send at least 4 messages "+
		"with Mesa's code: %.3f of the best width, %.3f of Mesa's.\n", len(all), count[8], count[16], count[32], busy,
		math.Exp(loss/float64(max(busy, 1))), math.Exp(ratio/float64(max(busy, 1))))
}
