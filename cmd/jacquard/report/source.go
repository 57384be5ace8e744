// SPDX-License-Identifier: MIT

package report

import (
	"os"
	"strings"

	"jacquard.example"
	"jacquard.example/core/outline"
)

// SourceLine is a line of a source file.
type SourceLine struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"` // without space at its ends
}

// sources are the lines of source files, by their names. The entry of a file that cannot be read is nil.
type sources map[string][]string

// sourcesOf returns the texts that come with a shader: its own, or what debug information has.
func sourcesOf(in *Input) sources {
	s := sources{}
	if in.Text != nil {
		s[in.Options.File] = strings.Split(string(in.Text), "\n")
		return s
	}
	for name, text := range outline.Sources(in.Module) {
		s[name] = strings.Split(text, "\n")
	}
	return s
}

// maxSource is the size of the largest source file that is read.
const maxSource = 16 << 20

// line returns the text of a line. If debug information names a file without its text, the file is read from disk. Since a
// module may name any file, files of size 0 are not opened: a read of some files in /proc never ends.
func (s sources) line(file string, n int) string {
	lines, known := s[file]
	if !known && s != nil {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() > 0 && info.Size() <= maxSource {
			if text, err := os.ReadFile(file); err == nil {
				lines = strings.Split(string(text), "\n")
			}
		}
		s[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

// quote adds the text of the lines that the report names.
func (x *Report) quote() {
	known := map[place]bool{}
	add := func(file string, line int) {
		if line == 0 || known[place{file, line}] {
			return
		}
		known[place{file, line}] = true
		if text := x.text.line(file, line); text != "" {
			x.Source = append(x.Source, SourceLine{file, line, text})
		}
	}
	for i := range x.Lines {
		l := &x.Lines[i]
		add(l.File, l.Line)
		l.Source = x.text.line(l.File, l.Line)
	}
	for i := range x.Instructions {
		x.Instructions[i].Source = x.text.line(x.Instructions[i].File, x.Instructions[i].Line)
	}
	c := jacquard.Cost{Peak: x.Peak, Spilled: x.Spilled, Arrays: x.Arrays, Loops: x.Loops, Remarks: x.Remarks}
	positions(&c, func(p *jacquard.Position) { add(p.File, p.Line) })
}
