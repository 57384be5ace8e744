// SPDX-License-Identifier: MIT

package explain

import (
	"cmp"
	"strings"
	"unicode"

	"jacquard.example/backend/intel"
	"jacquard.example/core/ir"
	"jacquard.example/core/text"
)

// Lines returns the lines of the code of a shader.
func Lines(s *ir.Shader, out *intel.Binary, rules *Log) []Line {
	instr := text.Instrs(s)
	times := out.Times
	lines := make([]Line, len(out.Lines))
	for i, l := range out.Lines {
		x := &lines[i]
		*x = Line{Offset: l.Offset, Row: l.Row, Registers: l.Registers, Spilled: l.Spilled}
		if i < len(times) {
			x.Wait, x.Issue = times[i].Wait, times[i].Issue
			x.Times, x.Assumed = times[i].Times, times[i].Assumed
		}
		if l.Value == 0 {
			continue
		}
		v := ir.Value(l.Value)
		x.IR, x.Rule = instr(v), rules.Rule(v)
		if at := s.Locs.At(s.At(v).Loc); at.Line != 0 {
			x.File, x.Line, x.Column = FileName(s.Strs.Text(at.File)), int(at.Line), int(at.Column)
		}
	}
	return lines
}

// FileName returns a file name from debug information, shortened and without unprintable characters, since debug
// information may be damaged.
func FileName(file string) string {
	const most = 256
	if len(file) > most {
		file = "…" + file[len(file)-most:]
	}
	clean := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return unicode.ReplacementChar
		}
		return c
	}, file)
	return cmp.Or(clean, "(unnamed)")
}
