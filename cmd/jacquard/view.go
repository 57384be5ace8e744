// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
)

var viewCommand = cli.Command{
	Name:  "view",
	Args:  "FILE",
	Brief: "write a page that shows every pass side by side",
	Text: `
Writes a local HTML page that shows the input shader and the shader after every pass that changed it, side by side.
Lines that are new in a column are marked. The IR passes are followed by the back-end passes, with machine IR, and by
the machine code as assembly with what each instruction was selected for and costs, unless --passes is given. FILE may
also be machine IR (.mir), or in an archive, as for compile. If a shader cannot be compiled, the page ends with what its passes have left.

Example:
  jacquard view shader.spv -o shader.html`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		o := &opt{command: "view --passes", simd: "auto"}
		fs.Target(&o.target, "the GPU to compile for")
		fs.Optional(&o.passes, "passes", "A,B,C", "the passes to run, in order; none if the value is empty (default: compile's passes)")
		o.Selection.Flags(fs)
		o.Codegen.Flags(fs)
		fs.Choice(&o.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width of the machine code")
		fs.Text(&o.out, "o", "OUT", "the file to write; standard output if there is none")
		return o.view
	},
}

// step is a column of the page.
type step struct {
	Title string
	Took  time.Duration
	Lines []stepLine
}

type stepLine struct {
	Text string
	New  bool // not in the previous column
}

func (o *opt) view(a *cli.App, args []string) error {
	file, err := cli.OneFile(args)
	if err != nil {
		return err
	}
	rows, err := o.known()
	if err != nil {
		return err
	}
	in, err := a.Load(file)
	if err != nil {
		return err
	}
	v := &viewer{left: cli.MaxPage}
	if in.Kind != cli.MirInput {
		s, _, _, err := a.ShaderOf(in, &o.Selection)
		if err != nil {
			return err
		}
		all, compiled := rows == nil, slices.Contains(jacquard.Stages(), jacquard.Stage(s.Info.Stage.String()))
		switch {
		case !all:
		case compiled:
			rows = pipeline.Compute
		default:
			rows = pipeline.Optimize
		}
		var options jacquard.Options
		o.Codegen.Apply(&options)
		disabled, err := driver.Disable(in.Name, options.Disable)
		if err != nil {
			return err
		}
		o.without = disabled.IR
		if err := v.passes(o.context(a, s), in.Name, rows); err != nil {
			return err
		}
		if !all || !compiled {
			return v.write(a, o.out, in.Name)
		}
	}
	err = v.machine(a, in, o)
	if len(v.steps) > 1 {
		err = errors.Join(v.write(a, o.out, in.Name), err)
	}
	return err
}

// viewer collects the columns.
type viewer struct {
	steps []step
	left  int // the remainder of cli.MaxPage
}

// add adds a column. Its lines are compared with the lines of the previous column unless fresh is true.
func (v *viewer) add(name, title string, took time.Duration, text []byte, fresh bool) error {
	if v.left -= len(text); v.left < 0 {
		return errPage(name)
	}
	var before []stepLine
	if !fresh {
		before = v.steps[len(v.steps)-1].Lines
	}
	v.steps = append(v.steps, step{Title: title, Took: took, Lines: stepLines(before, text)})
	return nil
}

func (v *viewer) write(a *cli.App, out, name string) error {
	return a.Write(out, viewPage(name, v.steps))
}

// passes runs the pipeline and records the text after every pass that changed
// something.
func (v *viewer) passes(c *pass.Context, name string, rows pass.Pipeline) error {
	s := c.S
	if err := v.add(name, "input", 0, text.Print(s), true); err != nil {
		return err
	}
	err := c.Run(rows, &pass.Trace{After: func(title string, changed bool, took time.Duration) error {
		if changed {
			return v.add(name, title, took, text.Print(s), false)
		}
		return nil
	}})
	if err != nil {
		return cli.PassError(name, err)
	}
	return nil
}

// machine compiles the shader, and adds the back-end passes and the machine code at
// the width that compile chooses.
func (v *viewer) machine(a *cli.App, in *cli.Input, o *opt) error {
	module, err := a.Module(in)
	if err != nil {
		return err
	}
	c := &compile{target: o.target, simd: o.simd, Selection: o.Selection, Codegen: o.Codegen}
	opts := c.options(in)
	if err := o.Selection.Apply(a, in, module, &opts); err != nil {
		return err
	}
	opts.Explain = in.Kind != cli.MirInput
	if opts.Specialize, err = c.Specialize.Of(in, module); err != nil {
		return err
	}
	if in.Kind == cli.MirInput {
		v.steps = append(v.steps, step{Title: "input", Lines: stepLines(nil, in.Data)})
		v.left -= len(in.Data)
	}
	type column struct {
		title string
		took  time.Duration
		text  []byte
	}
	columns := map[int][]column{} // by width
	left, simd := v.left, 0
	opts.Trace = func(s *jacquard.Step) {
		if s.SIMD != 0 && s.Changed && left >= 0 {
			text := s.Text()
			left -= len(text) // keep no more than fits on a page
			simd = s.SIMD
			columns[simd] = append(columns[simd], column{s.Pass, s.Took, text})
		}
	}
	p, err := jacquard.Compile(a.Ctx, module, opts)
	if err == nil {
		simd = p.Variants[0].SIMD
	}
	for i, c := range columns[simd] {
		if err := v.add(in.Name, c.title, c.took, c.text, i == 0 && in.Kind != cli.MirInput); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	var asm bytes.Buffer
	if err := writeListing(&asm, p, &p.Variants[0], false); err != nil {
		return err
	}
	return v.add(in.Name, fmt.Sprintf("machine code, SIMD%d", simd), 0, asm.Bytes(), true)
}

func errPage(name string) error {
	return &jacquard.Error{File: name, Msg: fmt.Sprintf("the page would have more than %d MiB of text; use --passes to run "+
		"fewer passes", cli.MaxPage>>20)}
}

// stepLines marks the lines of a text that are not in the previous column. A
// nil column marks none.
func stepLines(before []stepLine, text []byte) []stepLine {
	known := map[string]bool{}
	for _, l := range before {
		known[l.Text] = true
	}
	var lines []stepLine
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		lines = append(lines, stepLine{line, before != nil && !known[line]})
	}
	return lines
}

//go:embed view.html
var viewHTML string

// viewPage returns the page with its title and columns filled in. It does not use a template package, since the
// linker keeps every exported method of a program that contains one, which would add 1.3 MB to this one.
func viewPage(title string, steps []step) []byte {
	var columns strings.Builder
	for _, s := range steps {
		took := ""
		if s.Took != 0 {
			took = fmt.Sprintf(" <small>%v</small>", s.Took)
		}
		fmt.Fprintf(&columns, "<section><h2>%s%s</h2><pre>", html.EscapeString(s.Title), took)
		for _, l := range s.Lines {
			text := html.EscapeString(l.Text)
			if l.New {
				text = "<ins>" + text + "</ins>"
			}
			columns.WriteString(text + "\n")
		}
		columns.WriteString("</pre></section>\n")
	}
	return []byte(strings.NewReplacer("{{title}}", html.EscapeString(title), "{{columns}}\n", columns.String()).Replace(viewHTML))
}
