package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"
	"time"

	"jacquard.example"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/text"
)

var viewCommand = command{
	name:  "view",
	args:  "FILE",
	brief: "write a page that shows every pass side by side",
	text: `
Writes a local HTML page with the shader as it came and after every pass that changed it, side by side. Lines that
the pass before did not have are marked.

Example:
  jacquard view shader.spv -o shader.html`,
	setup: func(fs *flagSet) func(*app, []string) error {
		o := &opt{}
		fs.optional(&o.passes, "passes", "A,B,C", "the passes to run, in order; none if the value is empty (default: those of compile)")
		fs.text(&o.entry, "entry", "NAME", "the entry point of a SPIR-V module (default: the only one)")
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
	New  bool // the column before has no such line
}

func (o *opt) view(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	s, name, _, rows, err := o.read(a, file)
	if err != nil {
		return err
	}
	steps, err := a.stepsOf(name, s, rows)
	if err != nil {
		return err
	}
	page, err := viewPage(name, steps)
	if err != nil {
		return err
	}
	return a.write(o.out, page)
}

// stepsOf runs the pipeline and keeps the text after every pass that changed
// something.
func (a *app) stepsOf(name string, s *ir.Shader, pipeline []pass.Pass) ([]step, error) {
	input := text.Print(s)
	left := maxPage - len(input)
	if left < 0 {
		return nil, errPage(name)
	}
	steps := []step{{Title: "input", Lines: stepLines(nil, input)}}
	err := a.newContext(s).Run(pipeline, &pass.Trace{After: func(title string, changed bool, took time.Duration) error {
		if changed {
			before := steps[len(steps)-1].Lines
			after := text.Print(s)
			if left -= len(after); left < 0 {
				return errPage(name)
			}
			steps = append(steps, step{Title: title, Took: took, Lines: stepLines(before, after)})
		}
		return nil
	}})
	if err != nil {
		return nil, passError(name, err)
	}
	return steps, nil
}

// maxPage bounds the text of all columns of a page: no browser shows much more.
const maxPage = 32 << 20

func errPage(name string) error {
	return &jacquard.Error{File: name, Msg: fmt.Sprintf("the page would have more than %d MiB of text; --passes runs fewer passes", maxPage>>20)}
}

// stepLines marks the lines of a text that are not in the column before. A
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

var viewTemplate = template.Must(template.New("view").Parse(viewHTML))

// viewPage writes the page.
func viewPage(title string, steps []step) ([]byte, error) {
	var b bytes.Buffer
	err := viewTemplate.Execute(&b, map[string]any{"Title": title, "Steps": steps})
	return b.Bytes(), err
}
