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
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
)

var viewCommand = command{
	name:  "view",
	args:  "FILE",
	brief: "write a page that shows every pass side by side",
	text: `
Writes a local HTML page that shows the input shader and the shader after every pass that changed it, side by side.
Lines that are new in a column are marked. The IR passes are followed by the back-end passes, with machine IR, and by
the machine code as assembly with what each instruction was selected for and costs, unless --passes is given. FILE may
also be machine IR (.mir). If a shader cannot be compiled, the page ends with what its passes have left.

Example:
  jacquard view shader.spv -o shader.html`,
	setup: func(fs *flagSet) func(*app, []string) error {
		o := &opt{command: "view --passes", simd: "auto"}
		fs.target(&o.target, "the GPU to compile for")
		fs.optional(&o.passes, "passes", "A,B,C", "the passes to run, in order; none if the value is empty (default: those of compile)")
		o.selection.flags(fs)
		o.codegen.flags(fs)
		fs.choice(&o.simd, "simd", []string{"auto", "8", "16", "32"}, "the SIMD width of the machine code")
		fs.text(&o.out, "o", "OUT", "the file to write; standard output if there is none")
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

func (o *opt) view(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	rows, err := o.known()
	if err != nil {
		return err
	}
	in, err := a.load(file)
	if err != nil {
		return err
	}
	v := &viewer{left: maxPage}
	if in.kind != mirInput {
		s, _, _, err := a.shaderOf(in, &o.selection)
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
		o.codegen.apply(&options)
		disabled, err := driver.Disable(in.name, options.Disable)
		if err != nil {
			return err
		}
		o.without = disabled.IR
		if err := v.passes(o.context(a, s), in.name, rows); err != nil {
			return err
		}
		if !all || !compiled {
			return v.write(a, o.out, in.name)
		}
	}
	err = v.machine(a, in, o)
	if len(v.steps) > 1 {
		err = errors.Join(v.write(a, o.out, in.name), err)
	}
	return err
}

// viewer collects the columns.
type viewer struct {
	steps []step
	left  int // the remainder of maxPage
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

func (v *viewer) write(a *app, out, name string) error {
	return a.write(out, viewPage(name, v.steps))
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
		return passError(name, err)
	}
	return nil
}

// machine compiles the shader, and adds the back-end passes and the machine code at
// the width that compile chooses.
func (v *viewer) machine(a *app, in *input, o *opt) error {
	module, err := a.module(in)
	if err != nil {
		return err
	}
	c := &compile{target: o.target, simd: o.simd, selection: o.selection, codegen: o.codegen}
	opts := c.options(in.name)
	if err := o.selection.apply(a, in, module, &opts); err != nil {
		return err
	}
	opts.Explain = in.kind != mirInput
	if opts.Specialize, err = c.specialize.of(in, module); err != nil {
		return err
	}
	if in.kind == mirInput {
		v.steps = append(v.steps, step{Title: "input", Lines: stepLines(nil, in.data)})
		v.left -= len(in.data)
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
	p, err := jacquard.Compile(a.ctx, module, opts)
	if err == nil {
		simd = p.Variants[0].SIMD
	}
	for i, c := range columns[simd] {
		if err := v.add(in.name, c.title, c.took, c.text, i == 0 && in.kind != mirInput); err != nil {
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
	return v.add(in.name, fmt.Sprintf("machine code, SIMD%d", simd), 0, asm.Bytes(), true)
}

// maxPage bounds the text of all columns of a page: browsers do not display much more.
const maxPage = 32 << 20

func errPage(name string) error {
	return &jacquard.Error{File: name, Msg: fmt.Sprintf("the page would have more than %d MiB of text; use --passes to run fewer passes", maxPage>>20)}
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

// viewPage fills in the page: its title, and its columns. It does not use a template package, since the linker keeps
// every exported method of a program that contains one, which would add 1.3 MB to this one.
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
