// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"slices"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/core/pass/pipeline"
)

// checkPasses rejects unknown passes, and flags that have no effect on what --emit selects.
func (c *compile) checkPasses() error {
	back := jacquard.Passes()
	for _, f := range []struct {
		name string
		set  bool
	}{{"explain", c.explain}, {"bytes", c.bytes}} {
		if f.set && c.emit != "asm" {
			return cli.Usagef("--%s requires --emit asm", f.name)
		}
	}
	if c.instructions && c.emit != "json" {
		return cli.Usagef("--instructions requires --emit json")
	}
	if c.emit == "ir" && c.simd != "auto" {
		return cli.Usagef("--simd has no effect with --emit ir: the IR is the same at every width")
	}
	if c.emit == "ir" {
		_, err := cli.NewStopPoint(c.stopAfter, pipeline.Compute)
		if err != nil && slices.Contains(back, c.stopAfter) {
			return cli.Usagef("--stop-after %s: this is a back-end pass; use --emit mir to stop after it", c.stopAfter)
		}
		return err // emitIR checks the rest
	}
	if c.stopAfter != "" {
		switch {
		case c.emit != "mir":
			return cli.Usagef("--stop-after requires --emit ir or --emit mir")
		case slices.Contains(back, c.stopAfter):
		case slices.Contains(pipeline.Compute.Names(), c.stopAfter):
			return cli.Usagef("--stop-after %s: this is an IR pass; use --emit ir to stop after it", c.stopAfter)
		default:
			return cli.Usagef("--stop-after %s: unknown pass; 'jacquard info passes' lists the passes%s", c.stopAfter,
				cli.Guess(c.stopAfter, passNames()))
		}
	}
	if c.printAfter != "" && !slices.Contains(back, c.printAfter) && !slices.Contains(pipeline.Compute.Names(), c.printAfter) {
		return cli.Usagef("--print-after %s: this pass does not run%s", c.printAfter, cli.Guess(c.printAfter, passNames()))
	}
	return nil
}

// explaining returns the name of the flag that requests explained code.
func (c *compile) explaining() string {
	if c.instructions {
		return "instructions"
	}
	return "explain"
}

// lastPass returns the pass after which compile stops, or "" if all run.
func (c *compile) lastPass() string {
	if c.emit == "mir" && c.stopAfter == "" {
		return jacquard.Passes()[0]
	}
	return c.stopAfter
}

// passWatch observes the passes of compile.
type passWatch struct {
	c       *compile
	a       *cli.App
	times   *passTimes
	mir     map[int][]byte // by width: the output of --emit mir
	printed bool
}

func (w *passWatch) step(s *jacquard.Step) {
	name := s.Pass
	if s.SIMD != 0 {
		name = fmt.Sprintf("%s SIMD%d", name, s.SIMD)
	}
	w.times.add(name, s.Changed, s.Took)
	if s.SIMD != 0 && w.c.emit == "mir" && s.Pass == w.c.lastPass() {
		w.mir[s.SIMD] = s.Text()
	}
	if s.Pass != w.c.printAfter {
		return
	}
	w.printed = true
	fmt.Fprintf(w.a.Stderr, "// after %s\n%s", name, s.Text())
}

// done prints the times, and reports an error if the pass to print after never ran.
func (w *passWatch) done() error {
	if w.c.timePasses {
		w.times.print(w.a.Stderr)
	}
	if w.c.printAfter != "" && !w.printed {
		return cli.Usagef("--print-after %s: this pass does not run", w.c.printAfter)
	}
	return nil
}
