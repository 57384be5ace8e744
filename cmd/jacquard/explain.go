package main

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard.example"
)

// emitExplained is emitAsm with comments: before instructions, what they were selected for;
// after each, what it is estimated to cost.
func emitExplained(p *jacquard.Program) ([]byte, error) {
	var b bytes.Buffer
	for i := range p.Variants {
		if i > 0 {
			b.WriteString("\n")
		}
		v := &p.Variants[i]
		writeStats(&b, p, v)
		text, err := explainedText(p, v)
		if err != nil {
			return nil, err
		}
		b.Write(text)
	}
	return b.Bytes(), nil
}

// costColumn is where the costs of most instructions begin.
const costColumn = 88

// explainedText returns the assembly of a variant with the comments; without them if it is
// not explained.
func explainedText(p *jacquard.Program, v *jacquard.Variant) ([]byte, error) {
	text, err := disassemble(p.Entry, p.Target, v.Code)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	next, last := 0, ""
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, " ") || next >= len(v.Lines) { // a label
			b.WriteString(line)
			continue
		}
		x := &v.Lines[next]
		next++
		if from := origin(x); from != last {
			fmt.Fprintf(&b, "// %s\n", from)
			last = from
		}
		fmt.Fprintf(&b, "%-*s // %s\n", costColumn, strings.TrimSuffix(line, "\n"), costOf(x))
	}
	return b.Bytes(), nil
}

// origin describes where an instruction comes from.
func origin(x *jacquard.Line) string {
	if x.IR == "" {
		return "for the whole shader, or its control flow"
	}
	s := x.IR
	if x.Line != 0 {
		s = fmt.Sprintf("%s:%d: %s", x.File, x.Line, s)
	}
	if x.Rule != "" {
		s += "; made by rule " + x.Rule
	}
	if x.Row != "" {
		s += "; selected by " + x.Row
	}
	return s
}

// costOf describes what an instruction costs.
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

// instructionTexts returns the assembly of each instruction of a variant, without labels.
func instructionTexts(p *jacquard.Program, v *jacquard.Variant) ([]string, error) {
	text, err := disassemble(p.Entry, p.Target, v.Code)
	if err != nil {
		return nil, err
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, " ") { // not a label
			list = append(list, oneLine(line))
		}
	}
	return list, nil
}
