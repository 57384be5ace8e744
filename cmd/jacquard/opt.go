package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"jacquard.example"
	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

var optCommand = command{
	name:  "opt",
	args:  "FILE",
	brief: "run passes over a shader and show the result",
	text: `
Reads a SPIR-V module or Jacquard's text (.jir) or its binary form (.jirb), runs passes over it and writes the result
as .jir; in binary form if OUT is named .jirb. Of a module without compute shader another stage is read; unless
--passes says otherwise, the passes that know no target are run over it. The passes of the back end, behind these, are
compile's: see its --print-after, --time-passes and --emit mir.

Examples:
  jacquard opt shader.spv
  jacquard opt shader.jir --passes= --verify
  jacquard opt shader.spv --passes vars_to_ssa,dead_code --print-after dead_code`,
	setup: func(fs *flagSet) func(*app, []string) error {
		o := &opt{}
		o.verify.bare = "validate"
		fs.optional(&o.passes, "passes", "A,B,C", "the passes to run, in order; none if the value is empty (default: those of compile)")
		fs.text(&o.entry, "entry", "NAME", "the entry point of a SPIR-V module (default: the only one)")
		fs.text(&o.stopAfter, "stop-after", "N|PASS[:N]", "stop after N passes, or after the first run of a pass, or its Nth; 0 runs all")
		fs.text(&o.printAfter, "print-after", "PASS", "also print the shader after this pass, to standard error")
		fs.boolean(&o.timePasses, "time-passes", "print what each pass took, to standard error")
		fs.optional(&o.verify, "verify", "[=run]", "validate the shader after each pass; with =run, also execute it and compare")
		fs.boolean(&o.ruleStats, "rule-stats", "print how often each rewrite rule was applied, to standard error")
		fs.text(&o.buffers, "buffers", "FORMAT", "how accesses name a place in a buffer: index-offset (what compile does) or bounded64, by address with a check of bounds")
		fs.text(&o.out, "o", "OUT", "the file to write; standard output if there is none")
		return o.run
	},
}

type opt struct {
	passes, verify        optional
	printAfter, stopAfter string
	entry, target         string
	out, buffers, simd    string
	timePasses, ruleStats bool
}

func (o *opt) run(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	if o.verify.set && o.verify.value != "run" && o.verify.value != o.verify.bare {
		return usagef("--verify is --verify or --verify=run, not --verify=%s", o.verify.value)
	}
	if o.buffers != "" && !slices.Contains(pass.AddressFormats, o.buffers) {
		return usagef("--buffers is %s, not %q", strings.Join(pass.AddressFormats, " or "), o.buffers)
	}
	s, name, isText, rows, err := o.read(a, file)
	if err != nil {
		return err
	}
	if err := o.transform(a, name, s, isText, rows); err != nil {
		return err
	}
	return a.writeShader(o.out, s)
}

// shader reads a file as IR. entry is the entry point of a module, or
// empty; isText says that the file is .jir, in text or binary.
func (a *app) shader(file, entry string) (s *ir.Shader, name string, isText bool, err error) {
	in, err := a.load(file)
	if err != nil {
		return nil, "", false, err
	}
	return a.shaderOf(in, entry)
}

// shaderOf is shader for a file that has been read.
func (a *app) shaderOf(in *input, entry string) (s *ir.Shader, name string, isText bool, err error) {
	switch in.kind {
	case jirInput:
		if s, err = text.Parse(in.data); err != nil {
			return nil, in.name, true, textError(in.name, err)
		}
		return s, in.name, true, checked(in.name, s)
	case mirInput:
		return nil, in.name, true, &jacquard.Error{File: in.name, Msg: "this is machine IR, behind all passes of the IR; compile and view go on from it"}
	case jirbInput:
		if s, err = wire.Unmarshal(in.data); err != nil {
			return nil, in.name, true, &jacquard.Error{File: in.name, Msg: err.Error()}
		}
		return s, in.name, true, checked(in.name, s)
	}
	module, err := a.module(in)
	if err != nil {
		return nil, in.name, false, err
	}
	if s, err = a.readModule(module, entry); err != nil {
		return nil, in.name, false, moduleError(in.name, err)
	}
	return s, in.name, false, nil
}

// readModule reads the compute shader of a module or, if it has none, the shader
// that it has.
func (a *app) readModule(module []byte, entry string) (*ir.Shader, error) {
	o := spirv.Options{Entry: entry, Stage: kind.StageCompute, Work: work.NewMeter(a.ctx, work.MaxSteps)}
	s, err := spirv.Read(module, o)
	var e *spirv.Error
	if errors.As(err, &e) {
		if stage, ok := kind.EnumStage.Value(e.Stage); ok {
			o.Stage = kind.Stage(stage)
			return spirv.Read(module, o)
		}
	}
	return s, err
}

// checked refuses a shader that somebody wrote and that passes could not work on.
func checked(name string, s *ir.Shader) error {
	if err := validate.Shader(s); err != nil {
		return &jacquard.Error{File: name, Msg: err.Error()}
	}
	return nil
}

// moduleError gives an error of the reader the file's name.
func moduleError(name string, err error) error {
	var e *spirv.Error
	switch {
	case !errors.As(err, &e):
		return &jacquard.Error{File: name, Msg: err.Error()}
	case e.Op != "":
		return jacquard.WordError(name, e.Word, "%s: %s", e.Op, e.Msg)
	}
	return jacquard.WordError(name, e.Word, "%s", e.Msg)
}

// textError gives an error of the text format the file's name.
func textError(name string, err error) error {
	var e *text.Error
	if errors.As(err, &e) {
		return &jacquard.Error{File: name, Line: e.Line, Col: e.Col, Msg: e.Msg}
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}

// defaultPasses are those of compile, and of stages that are not compiled yet
// those of them that know no target.
func defaultPasses(stage kind.Stage) []pass.Pass {
	if stage == kind.StageCompute {
		return pipeline.Compute
	}
	return pipeline.Optimize
}

// known makes what --passes says, or nil if it is not there.
func (o *opt) known() ([]pass.Pass, error) {
	if !o.passes.set {
		return nil, nil
	}
	rows := []pass.Pass{}
	names := strings.Split(o.passes.value, ",")
	if o.passes.value == "" {
		names = nil
	}
	for _, name := range names {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(pipeline.Known, func(p pass.Pass) bool { return p.Name == name })
		if i < 0 {
			return nil, usagef("unknown pass %q; 'jacquard info passes' lists them", name)
		}
		rows = append(rows, pipeline.Known[i])
	}
	if err := pass.CheckOrder(rows, false); err != nil {
		return nil, usagef("--passes: %v", err)
	}
	return rows, nil
}

// read reads the shader and says what to run over it.
func (o *opt) read(a *app, file string) (s *ir.Shader, name string, isText bool, rows []pass.Pass, err error) {
	if rows, err = o.known(); err != nil {
		return
	}
	if rows != nil { // wrong usage is told before the file is read
		if err = o.checkPrintAfter(rows); err != nil {
			return
		}
	}
	if s, name, isText, err = a.shader(file, o.entry); err != nil {
		return
	}
	if rows == nil {
		rows = defaultPasses(s.Info.Stage)
		err = o.checkPrintAfter(rows)
	}
	return
}

// checkPrintAfter refuses a pass that rows do not have.
func (o *opt) checkPrintAfter(rows []pass.Pass) error {
	if o.printAfter != "" && !slices.Contains(pass.Names(rows), o.printAfter) {
		return usagef("--print-after %s: this pass is not run", o.printAfter)
	}
	return nil
}

// transform runs rows and prints what was asked for on the way.
func (o *opt) transform(a *app, name string, s *ir.Shader, isText bool, rows []pass.Pass) error {
	times := newPassTimes()
	stop, err := newStopPoint(o.stopAfter, rows)
	if err != nil {
		return err
	}
	var verify *verifier
	if o.verify.set {
		if verify, err = newVerifier(a.ctx, name, s, isText, o.verify.value == "run"); err != nil {
			return err
		}
	}
	tr := &pass.Trace{Stop: stop.stop}
	if o.timePasses || o.printAfter != "" || o.verify.set {
		tr.After = func(name string, changed bool, took time.Duration) error {
			times.add(name, changed, took)
			if name == o.printAfter {
				fmt.Fprintf(a.stderr, "// after %s\n%s", name, text.Print(s))
			}
			if verify != nil && changed {
				return verify.after(name)
			}
			return nil
		}
	}
	c := a.newContext(s, o.target)
	c.Options.Buffers = pass.AddressFormat(max(0, slices.Index(pass.AddressFormats, o.buffers)))
	var rules match.Stats
	if o.ruleStats {
		c.Options.RuleStats = &rules
	}
	if err := c.Run(rows, tr); err != nil {
		return passError(name, err)
	}
	if o.ruleStats {
		printRuleStats(a.stderr, &rules)
	}
	if o.timePasses {
		times.print(a.stderr)
	}
	return stop.reached()
}

// newContext makes what passes work on, for a target; that which compile has if it is
// empty.
func (a *app) newContext(s *ir.Shader, machine string) *pass.Context {
	c := pass.New(s)
	c.Work = work.NewMeter(a.ctx, work.MaxSteps)
	c.Options.Target, _ = target.ByName(cmp.Or(machine, jacquard.DefaultTarget))
	return c
}

// passError tells a shader that cannot be compiled from a pass that went wrong.
func passError(name string, err error) error {
	var internal *jacquard.InternalError
	var named *jacquard.Error // with the file's name already
	switch {
	case errors.As(err, &internal):
		return internal
	case errors.Is(err, context.Canceled), errors.As(err, &named):
		return err
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}

// passTimes adds up what passes took, in the order in which they first ran.
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
