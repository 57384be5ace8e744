// SPDX-License-Identifier: MIT

package listing

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// Style selects the contents of a listing besides the instructions. Messages are always described in words.
type Style struct {
	Lines []jacquard.Line // origins and costs of instructions; nil if not shown
	Cost  *jacquard.Cost  // cost of the same variant
	Bytes bool            // offsets and bytes
}

// The columns in which the comments after most instructions begin.
const (
	column      = 72
	columnCosts = 88
)

// Write writes a listing of code. name is the name of the code in errors, which have the position of the word. names
// may be nil.
func Write(w io.Writer, name string, p isa.Platform, code []byte, names isatext.Names, s Style) error {
	last, i := "", 0
	return each(name, p, code, names, func(in *Instruction) error {
		text := ""
		if in.Label != "" {
			text = in.Label + ":\n"
		}
		if in.Text != "" {
			var line *jacquard.Line
			if i < len(s.Lines) {
				line = &s.Lines[i]
				if from := Origin(in, line, s.Cost); from != last {
					text += "// " + from + "\n"
					last = from
				}
			}
			text += in.line(line, s.Bytes)
			i++
		}
		_, err := io.WriteString(w, text)
		return err
	})
}

// line returns an instruction with its comment. line may be nil.
func (in *Instruction) line(line *jacquard.Line, bytes bool) string {
	var comments []string
	at := column
	if line != nil {
		comments, at = append(comments, costOf(line)), columnCosts
	}
	if in.Message != "" {
		comments = append(comments, in.Message)
	}
	if bytes {
		comments = append(comments, fmt.Sprintf("0x%04x: %s", in.Offset, hex(in.Bytes)))
	}
	text := isatext.Indent + in.Text
	if comments == nil {
		return text + "\n"
	}
	return fmt.Sprintf("%-*s // %s\n", at, text, strings.Join(comments, "; "))
}

// roles describes instructions that belong to no instruction of the shader.
var roles = map[Role]string{
	Computes:    "set-up for the whole thread",
	Waits:       "waits for earlier instructions",
	ControlFlow: "control flow",
	Ends:        "ends the thread",
}

// Origin describes the origin of an instruction. cost may be nil.
func Origin(in *Instruction, x *jacquard.Line, cost *jacquard.Cost) string {
	s := roles[in.Role]
	switch {
	case x.IR != "":
		s = placed(x.File, x.Line, x.IR)
		if x.Rule != "" {
			s += "; made by rule " + x.Rule
		}
		if x.Row != "" {
			s += "; selected by " + x.Row
		}
	case x.Spilled > 0 && cost != nil:
		of := &cost.Spilled[x.Spilled-1]
		return "spilled: " + placed(of.File, of.Line, cmp.Or(of.IR, roles[Computes]))
	}
	if x.Spilled > 0 {
		s += "; added for a spilled value"
	}
	return s
}

// placed prefixes the text of an instruction with its position in the source, if known.
func placed(file string, line int, text string) string {
	if line == 0 {
		return text
	}
	return fmt.Sprintf("%s:%d: %s", file, line, text)
}

// costOf describes the cost of an instruction.
func costOf(x *jacquard.Line) string {
	s := fmt.Sprintf("%d cycles", x.Issue)
	if x.Wait > 0 {
		s += fmt.Sprintf(", waits for %d", x.Wait)
	}
	if x.Times != 1 {
		s += fmt.Sprintf(", runs %d times", x.Times)
	}
	if x.Assumed {
		s += " (assumed)"
	}
	if x.Registers == 1 {
		return s + "; 1 register"
	}
	return s + fmt.Sprintf("; %d registers", x.Registers)
}
