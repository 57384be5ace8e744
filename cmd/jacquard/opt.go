// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/rulebook"
	"jacquard.example/cmd/jacquard/verify"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
)

var optCommand = cli.Command{
	Name:  "opt",
	Args:  "FILE",
	Brief: "run passes over a shader and show the result",
	Text: `
Reads a SPIR-V module or Jacquard's text format (.jir) or its binary form (.jirb), runs passes over it and writes the
result as .jir, or in binary form if OUT is named .jirb. If a module has no compute shader, another stage is read;
unless --passes is given, the target-independent passes run over it. The back-end passes, which follow these, belong
to compile: see its --print-after, --time-passes and --emit mir.

--verify=run executes a compute shader on generated data before the first pass and after each, and compares what it
writes. Words that are undefined, or depend on the order of invocations, are not compared. Words that depend on what
float instructions leave open (rounding, signs of zeros, NaN, denormals) may differ as much as they do among variants
of the shader; if any do, the passes also run over the shader with every instruction exact.

Examples:
  jacquard opt shader.spv
  jacquard opt shader.jir --passes= --verify
  jacquard opt shader.spv --passes vars_to_ssa,dead_code --print-after dead_code`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		o := &opt{command: "opt"}
		fs.Target(&o.target, "the GPU to compile for")
		o.verify.Bare = "validate"
		fs.Optional(&o.passes, "passes", "A,B,C", "the passes to run, in order; none if the value is empty (default: compile's passes)")
		o.Selection.Flags(fs)
		fs.Text(&o.stopAfter, "stop-after", "N|PASS[:N]", "stop after N passes, or after the first or the Nth run of a pass; 0 runs all")
		fs.Text(&o.printAfter, "print-after", "PASS", "also print the shader after this pass to standard error")
		fs.Boolean(&o.timePasses, "time-passes", "print the time of each pass to standard error")
		fs.Optional(&o.verify, "verify", "[=run]", "validate the shader after each pass; with =run, also execute it and compare")
		fs.Boolean(&o.ruleStats, "rule-stats", "print to standard error how often each rewrite rule was applied")
		o.Codegen.Flags(fs)
		fs.Text(&o.out, "o", "OUT", "the file to write; standard output if there is none")
		return o.run
	},
}

type opt struct {
	passes, verify        cli.Optional
	printAfter, stopAfter string
	command, target       string
	cli.Selection
	cli.Codegen
	out, simd             string
	without               []string // passes
	timePasses, ruleStats bool
}

func (o *opt) run(a *cli.App, args []string) error {
	file, err := cli.OneFile(args)
	if err != nil {
		return err
	}
	if o.verify.IsSet && o.verify.Value != "run" && o.verify.Value != o.verify.Bare {
		return cli.Usagef("use --verify or --verify=run, not --verify=%s", o.verify.Value)
	}
	s, name, isText, rows, err := o.read(a, file)
	if err != nil {
		return err
	}
	if err := o.transform(a, name, s, isText, rows); err != nil {
		return err
	}
	return a.WriteShader(o.out, s)
}

// known returns the passes that --passes names, or nil if the flag is absent.
func (o *opt) known() (pass.Pipeline, error) {
	if !o.passes.IsSet {
		return nil, nil
	}
	rows := pass.Pipeline{}
	names := strings.Split(o.passes.Value, ",")
	if o.passes.Value == "" {
		names = nil
	}
	for _, name := range names {
		name = strings.TrimSpace(name)
		p := pipeline.Known.Find(name)
		if p == nil {
			return nil, cli.Usagef("unknown pass %q; 'jacquard info passes' lists them%s", name, cli.NoIRPass(name))
		}
		rows = append(rows, p)
	}
	if err := pass.CheckOrder(rows, false); err != nil {
		return nil, cli.Usagef("--passes: %v", err)
	}
	return rows, nil
}

// read reads the shader and determines the passes to run over it.
func (o *opt) read(a *cli.App, file string) (s *ir.Shader, name string, isText bool, rows pass.Pipeline, err error) {
	if rows, err = o.known(); err != nil {
		return
	}
	if rows != nil { // usage errors precede reading the file
		if err = o.checkPrintAfter(rows); err != nil {
			return
		}
	}
	if s, name, isText, err = a.Shader(file, &o.Selection); err != nil {
		return
	}
	if rows == nil {
		rows = cli.DefaultPasses(s.Info.Stage)
		err = o.checkPrintAfter(rows)
	}
	return
}

// checkPrintAfter rejects a pass that is not among rows.
func (o *opt) checkPrintAfter(rows pass.Pipeline) error {
	if o.printAfter != "" && !slices.Contains(rows.Names(), o.printAfter) {
		return cli.Usagef("--print-after %s: this pass does not run", o.printAfter)
	}
	return nil
}

// transform runs rows and prints the requested intermediate results.
func (o *opt) transform(a *cli.App, name string, s *ir.Shader, isText bool, rows pass.Pipeline) error {
	times := newPassTimes()
	var err error
	if o.without, err = o.Codegen.Shared(name, o.command); err != nil {
		return err
	}
	stop, err := cli.NewStopPoint(o.stopAfter, rows)
	if err != nil {
		return err
	}
	var checker *verify.Verifier
	if o.verify.IsSet {
		if checker, err = verify.NewVerifier(a.Ctx, name, s, isText, o.verify.Value == "run"); err != nil {
			return err
		}
	}
	tr := &pass.Trace{Stop: stop.Stop}
	if o.timePasses || o.printAfter != "" || o.verify.IsSet {
		tr.After = func(name string, changed bool, took time.Duration) error {
			times.add(name, changed, took)
			if name == o.printAfter {
				fmt.Fprintf(a.Stderr, "// after %s\n%s", name, text.Print(s))
			}
			if checker != nil && changed {
				return checker.After(name)
			}
			return nil
		}
	}
	c := o.context(a, s)
	if o.verify.IsSet {
		tr.Unsettled = func(l pass.Loop) error { return unsettled(a, name, c, l) }
	}
	var rules match.Stats
	if o.ruleStats {
		c.Options.RuleStats = &rules
	}
	if err := c.Run(rows, tr); err != nil {
		return cli.PassError(name, err)
	}
	if o.Robust {
		fmt.Fprintf(a.Stderr, "robust: bounds of %d accesses are checked in code\n", c.Bounded)
	}
	if o.ruleStats {
		rulebook.PrintRuleStats(a.Stderr, &rules)
	}
	if o.timePasses {
		times.print(a.Stderr)
	}
	if err := stop.Reached(); err != nil || checker == nil {
		return err
	}
	return o.verifyExact(a, checker, rows)
}

// unsettled examines a loop of passes that did not reach a fixed point. Passes that undo each other are a defect; if
// the passes merely need more rounds, it prints a warning.
func unsettled(a *cli.App, file string, c *pass.Context, l pass.Loop) error {
	changing, err := pipeline.Rest(c, l)
	var unrest *pipeline.Unrest
	switch {
	case errors.As(err, &unrest):
		last := unrest.Passes[len(unrest.Passes)-1]
		return &jacquard.InternalError{Pass: last, Function: c.S.Strs.Text(c.S.Func(c.S.Entry()).Name), Cause: unrest}
	case len(changing) > 0:
		fmt.Fprintf(a.Stderr, "%s: warning: --verify did not check whether %s reach a fixed point: they still change the shader after "+
			"many rounds\n", file, strings.Join(changing, ", "))
	}
	return err
}

// context returns the context for passes over s.
func (o *opt) context(a *cli.App, s *ir.Shader) *pass.Context {
	c := a.NewContext(s, o.target)
	c.Options.Robust, c.Options.Descriptors = o.Robust, uint32(min(o.Descriptors, math.MaxInt32))
	c.Options.Buffers, _ = pass.BufferFormat(o.Buffers)
	c.Options.Disable = o.without
	return c
}

// verifyExact runs the passes again over the shader with every instruction exact, if checker could not compare all of
// the shader's results.
func (o *opt) verifyExact(a *cli.App, checker *verify.Verifier, rows pass.Pipeline) error {
	s, exact, err := checker.Exactly()
	if s == nil || err != nil {
		return err
	}
	stop, err := cli.NewStopPoint(o.stopAfter, rows)
	if err != nil {
		return err
	}
	tr := &pass.Trace{Stop: stop.Stop, After: func(name string, changed bool, _ time.Duration) error {
		if changed {
			return exact.After(name)
		}
		return nil
	}}
	if err := o.context(a, s).Run(rows, tr); err != nil {
		return cli.PassError(checker.Name, err)
	}
	return nil
}

// passTimes sums up the time of each pass, in the order in which they first ran.
type passTimes struct {
	rows  []passTime
	index map[string]int
}

type passTime struct {
	name          string
	runs, changed int
	took          time.Duration
}

func newPassTimes() *passTimes { return &passTimes{index: map[string]int{}} }

func (t *passTimes) add(name string, changed bool, took time.Duration) {
	i, ok := t.index[name]
	if !ok {
		i = len(t.rows)
		t.index[name] = i
		t.rows = append(t.rows, passTime{name: name})
	}
	r := &t.rows[i]
	r.runs++
	r.took += took
	if changed {
		r.changed++
	}
}

func (t *passTimes) print(w io.Writer) {
	var b bytes.Buffer
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "pass\truns\tchanged\tmicroseconds\t\n")
	total := time.Duration(0)
	for _, r := range t.rows {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.1f\t\n", r.name, r.runs, r.changed, float64(r.took.Nanoseconds())/1000)
		total += r.took
	}
	fmt.Fprintf(tw, "total\t\t\t%.1f\t\n", float64(total.Nanoseconds())/1000)
	tw.Flush()
	w.Write(b.Bytes())
}
