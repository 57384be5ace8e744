package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/cmd/jacquard/entries"
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
	setup: func(fs *flagSet) func(*app, []string) error {
		o := &opt{command: "opt"}
		fs.target(&o.target, "the GPU to compile for")
		o.verify.bare = "validate"
		fs.optional(&o.passes, "passes", "A,B,C", "the passes to run, in order; none if the value is empty (default: those of compile)")
		o.selection.flags(fs)
		fs.text(&o.stopAfter, "stop-after", "N|PASS[:N]", "stop after N passes, or after the first or the Nth run of a pass; 0 runs all")
		fs.text(&o.printAfter, "print-after", "PASS", "also print the shader after this pass to standard error")
		fs.boolean(&o.timePasses, "time-passes", "print the time of each pass to standard error")
		fs.optional(&o.verify, "verify", "[=run]", "validate the shader after each pass; with =run, also execute it and compare")
		fs.boolean(&o.ruleStats, "rule-stats", "print to standard error how often each rewrite rule was applied")
		o.codegen.flags(fs)
		fs.text(&o.out, "o", "OUT", "the file to write; standard output if there is none")
		return o.run
	},
}

type opt struct {
	passes, verify        optional
	printAfter, stopAfter string
	command, target       string
	selection
	codegen
	out, simd             string
	without               []string // passes
	timePasses, ruleStats bool
}

func (o *opt) run(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	if o.verify.set && o.verify.value != "run" && o.verify.value != o.verify.bare {
		return usagef("use --verify or --verify=run, not --verify=%s", o.verify.value)
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

// selection selects an entry point of a SPIR-V module. If it leaves several, the command reports an error and the
// user must narrow it.
type selection struct {
	entry      string // "": any entry point
	stage      string // "": any stage
	specialize specialization
}

// flags declares the flags for a selection.
func (x *selection) flags(fs *flagSet) {
	fs.text(&x.entry, "entry", "NAME", "the entry point of a SPIR-V module (default: the only one)")
	fs.choice(&x.stage, "stage", stageFlag(), "the stage of the entry point (default: that of the only one)")
	fs.specialize(&x.specialize)
	fs.source(&x.stage, &x.entry)
}

// stageFlag returns the values of flags for a stage.
func stageFlag() (names []string) {
	for _, s := range jacquard.Stages() {
		names = append(names, string(s))
	}
	return names
}

// entryPoint returns the name and stage of the selected entry point. If the compiler would reject the module, both
// are as in the selection, and the compiler reports the error.
func (x *selection) entryPoint(a *app, in *input, module []byte) (entry, stage string, err error) {
	if !in.isModule() {
		return x.entry, x.stage, nil
	}
	list, err := jacquard.EntryPoints(a.ctx, module)
	if err != nil {
		return x.entry, x.stage, nil
	}
	p, ok, err := entries.Choose(in.name, list, x.entry, x.stage)
	if !ok {
		return x.entry, x.stage, err
	}
	return p.Name, string(p.Stage), nil
}

// entryPoints returns all selected entry points of a file. If the compiler would reject the module or the selection, it
// returns what was asked for, and the compiler reports the error.
func (x *selection) entryPoints(a *app, in *input, module []byte) []jacquard.EntryPoint {
	if in.isModule() {
		if list, err := jacquard.EntryPoints(a.ctx, module); err == nil && len(list) > 1 {
			if list = entries.Matching(list, x.entry, x.stage); len(list) > 0 {
				return list
			}
		}
	}
	return []jacquard.EntryPoint{{Name: x.entry, Stage: jacquard.Stage(x.stage)}}
}

// apply sets the entry point and its stage in the options.
func (x *selection) apply(a *app, in *input, module []byte, o *jacquard.Options) error {
	entry, stage, err := x.entryPoint(a, in, module)
	o.Entry, o.Stage = entry, jacquard.Stage(stage)
	return err
}

// shader reads a file as IR. isText reports whether the file is .jir, in text or binary
// form.
func (a *app) shader(file string, x *selection) (s *ir.Shader, name string, isText bool, err error) {
	in, err := a.load(file)
	if err != nil {
		return nil, "", false, err
	}
	return a.shaderOf(in, x)
}

// shaderOf is like shader, for a file that has already been read.
func (a *app) shaderOf(in *input, x *selection) (s *ir.Shader, name string, isText bool, err error) {
	if !in.isModule() && in.kind != mirInput {
		if _, err = x.specialize.of(in, nil); err != nil {
			return nil, in.name, true, err
		}
	}
	switch in.kind {
	case jirInput:
		if s, err = text.Parse(in.data); err != nil {
			return nil, in.name, true, textError(in.name, err)
		}
		return s, in.name, true, x.checked(in.name, s)
	case mirInput:
		return nil, in.name, true, &jacquard.Error{File: in.name, Msg: "this is machine IR, which follows all IR passes; compile and view accept it"}
	case jirbInput:
		if s, err = wire.Unmarshal(in.data); err != nil {
			return nil, in.name, true, &jacquard.Error{File: in.name, Msg: err.Error()}
		}
		return s, in.name, true, x.checked(in.name, s)
	}
	module, err := a.module(in)
	if err != nil {
		return nil, in.name, false, err
	}
	specs, err := x.specialize.of(in, module)
	if err != nil {
		return nil, in.name, false, err
	}
	one := selection{}
	if one.entry, one.stage, err = x.entryPoint(a, in, module); err != nil {
		return nil, in.name, false, err
	}
	if s, err = a.readModule(module, &one, specs); err != nil {
		return nil, in.name, false, moduleError(in.name, err)
	}
	return s, in.name, false, nil
}

// readModule reads the shader of the requested stage. Without a request it reads the compute shader
// or, if the module has none, the shader of another stage.
func (a *app) readModule(module []byte, x *selection, specs []jacquard.Specialization) (*ir.Shader, error) {
	asked, _ := kind.EnumStage.Value(cmp.Or(x.stage, kind.StageCompute.String()))
	o := spirv.Options{Entry: x.entry, Stage: kind.Stage(asked), Work: work.NewMeter(a.ctx, work.MaxSteps)}
	for _, s := range specs {
		o.Specialize = append(o.Specialize, spirv.Spec{ID: s.ID, Bits: s.Bits})
	}
	s, err := spirv.Read(module, o)
	var e *spirv.Error
	if errors.As(err, &e) {
		stage, ok := kind.EnumStage.Value(e.Stage)
		switch {
		case ok && x.stage != "":
			return nil, &spirv.Error{Word: e.Word, Msg: fmt.Sprintf("the module has a %s shader, not a %s shader", e.Stage, x.stage)}
		case ok:
			o.Stage = kind.Stage(stage)
			return spirv.Read(module, o)
		}
	}
	return s, err
}

// checked rejects a hand-written shader that is not well formed or does not match the selection.
func (x *selection) checked(name string, s *ir.Shader) error {
	fail := func(format string, args ...any) error {
		return &jacquard.Error{File: name, Msg: fmt.Sprintf(format, args...)}
	}
	stage, entry := s.Info.Stage.String(), s.Strs.Text(s.Info.Entry)
	if err := validate.Shader(s); err != nil {
		return fail("%v", err)
	}
	switch {
	case x.stage != "" && x.stage != stage:
		return fail("this is a %s shader, not a %s shader", stage, x.stage)
	case x.entry != "" && x.entry != entry:
		return fail("the shader's entry point is %q, not %q", entry, x.entry)
	}
	return nil
}

// moduleError adds the file's name to an error of the SPIR-V reader.
func moduleError(name string, err error) error {
	var e *spirv.Error
	switch {
	case !errors.As(err, &e):
		return &jacquard.Error{File: name, Msg: err.Error()}
	case e.Op != "":
		return driver.WordError(name, e.Word, "%s: %s", e.Op, e.Msg)
	}
	return driver.WordError(name, e.Word, "%s", e.Msg)
}

// textError adds the file's name to an error of the text format.
func textError(name string, err error) error {
	var e *text.Error
	if errors.As(err, &e) {
		return &jacquard.Error{File: name, Line: e.Line, Column: e.Col, Msg: e.Msg}
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}

// defaultPasses returns the passes of compile; for other stages than compute, only the
// target-independent ones.
func defaultPasses(stage kind.Stage) pass.Pipeline {
	if stage == kind.StageCompute {
		return pipeline.Compute
	}
	return pipeline.Optimize
}

// known returns the passes that --passes names, or nil if the flag is absent.
func (o *opt) known() (pass.Pipeline, error) {
	if !o.passes.set {
		return nil, nil
	}
	rows := pass.Pipeline{}
	names := strings.Split(o.passes.value, ",")
	if o.passes.value == "" {
		names = nil
	}
	for _, name := range names {
		name = strings.TrimSpace(name)
		p := pipeline.Known.Find(name)
		if p == nil {
			return nil, usagef("unknown pass %q; 'jacquard info passes' lists them%s", name, noIRPass(name))
		}
		rows = append(rows, p)
	}
	if err := pass.CheckOrder(rows, false); err != nil {
		return nil, usagef("--passes: %v", err)
	}
	return rows, nil
}

// read reads the shader and determines the passes to run over it.
func (o *opt) read(a *app, file string) (s *ir.Shader, name string, isText bool, rows pass.Pipeline, err error) {
	if rows, err = o.known(); err != nil {
		return
	}
	if rows != nil { // usage errors precede reading the file
		if err = o.checkPrintAfter(rows); err != nil {
			return
		}
	}
	if s, name, isText, err = a.shader(file, &o.selection); err != nil {
		return
	}
	if rows == nil {
		rows = defaultPasses(s.Info.Stage)
		err = o.checkPrintAfter(rows)
	}
	return
}

// checkPrintAfter rejects a pass that is not among rows.
func (o *opt) checkPrintAfter(rows pass.Pipeline) error {
	if o.printAfter != "" && !slices.Contains(rows.Names(), o.printAfter) {
		return usagef("--print-after %s: this pass does not run", o.printAfter)
	}
	return nil
}

// transform runs rows and prints the requested intermediate results.
func (o *opt) transform(a *app, name string, s *ir.Shader, isText bool, rows pass.Pipeline) error {
	times := newPassTimes()
	var err error
	if o.without, err = o.codegen.shared(name, o.command); err != nil {
		return err
	}
	stop, err := newStopPoint(o.stopAfter, rows)
	if err != nil {
		return err
	}
	var checker *verifier
	if o.verify.set {
		if checker, err = newVerifier(a.ctx, name, s, isText, o.verify.value == "run"); err != nil {
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
			if checker != nil && changed {
				return checker.after(name)
			}
			return nil
		}
	}
	c := o.context(a, s)
	if o.verify.set {
		tr.Unsettled = func(l pass.Loop) error { return a.unsettled(name, c, l) }
	}
	var rules match.Stats
	if o.ruleStats {
		c.Options.RuleStats = &rules
	}
	if err := c.Run(rows, tr); err != nil {
		return passError(name, err)
	}
	if o.robust {
		fmt.Fprintf(a.stderr, "robust: bounds of %d accesses are checked in code\n", c.Bounded)
	}
	if o.ruleStats {
		printRuleStats(a.stderr, &rules)
	}
	if o.timePasses {
		times.print(a.stderr)
	}
	if err := stop.reached(); err != nil || checker == nil {
		return err
	}
	return o.verifyExact(a, checker, rows)
}

// unsettled examines a loop of passes that did not reach a fixed point. Passes that undo each other are a defect; if
// the passes merely need more rounds, it prints a warning.
func (a *app) unsettled(file string, c *pass.Context, l pass.Loop) error {
	changing, err := pipeline.Rest(c, l)
	var unrest *pipeline.Unrest
	switch {
	case errors.As(err, &unrest):
		last := unrest.Passes[len(unrest.Passes)-1]
		return &jacquard.InternalError{Pass: last, Function: c.S.Strs.Text(c.S.Func(c.S.Entry()).Name), Cause: unrest}
	case len(changing) > 0:
		fmt.Fprintf(a.stderr, "%s: warning: --verify did not check whether %s come to rest: they still change the shader after many rounds\n", file, strings.Join(changing, ", "))
	}
	return err
}

// context returns the context for passes over s.
func (o *opt) context(a *app, s *ir.Shader) *pass.Context {
	c := a.newContext(s, o.target)
	c.Options.Robust, c.Options.Descriptors = o.robust, uint32(min(o.descriptors, math.MaxInt32))
	c.Options.Buffers, _ = pass.BufferFormat(o.buffers)
	c.Options.Disable = o.without
	return c
}

// verifyExact runs the passes again over the shader with every instruction exact, if checker could not compare all of
// the shader's results.
func (o *opt) verifyExact(a *app, checker *verifier, rows pass.Pipeline) error {
	s, exact, err := checker.exactly()
	if s == nil || err != nil {
		return err
	}
	stop, err := newStopPoint(o.stopAfter, rows)
	if err != nil {
		return err
	}
	tr := &pass.Trace{Stop: stop.stop, After: func(name string, changed bool, _ time.Duration) error {
		if changed {
			return exact.after(name)
		}
		return nil
	}}
	if err := o.context(a, s).Run(rows, tr); err != nil {
		return passError(checker.name, err)
	}
	return nil
}

// newContext returns the context for passes, for the given target, or for the default
// one of compile if machine is empty.
func (a *app) newContext(s *ir.Shader, machine string) *pass.Context {
	c := pass.New(s)
	c.Work = work.NewMeter(a.ctx, work.MaxSteps)
	c.Options.Target, _ = target.ByName(string(cmp.Or(jacquard.Target(machine), jacquard.DefaultTarget)))
	return c
}

// passError distinguishes a shader that cannot be compiled from a pass that failed.
func passError(name string, err error) error {
	var internal *jacquard.InternalError
	var named *jacquard.Error // with the file's name already
	switch {
	case errors.As(err, &internal):
		return internal
	case errors.Is(err, context.Canceled), errors.As(err, &named):
		return err
	}
	return driver.InputError(name, err)
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
