package report

import (
	"cmp"
	"slices"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// listed is how many instructions are listed, and how many lines are shown.
const listed = 3

// decoded is an instruction of the machine code.
type decoded struct {
	text    string
	message string // the kind of a message, or the shared function if that is not known; empty for others
	info    isa.MsgInfo
}

// decode returns the instructions of code, up to the first word that is none.
func decode(p isa.Platform, code []byte) (list []decoded) {
	for at := 0; at < len(code); {
		in, err := isa.Decode(p, code[at:])
		if err != nil {
			break
		}
		x := decoded{text: strings.Join(strings.Fields(string(isatext.Append(nil, p, &in, at))), " ")}
		if f := isa.Ops[in.Op].Format; f == isa.FormatSend || f == isa.FormatSends {
			x.message = in.SFID.String()
			if m, ok := isa.DecodeMessage(p, in.SFID, in.Desc, in.ExDesc); ok && !in.DescReg {
				x.message, x.info = m.Kind.String(), m
			}
		}
		list = append(list, x)
		at += int(in.Size)
	}
	return list
}

// sum is what belongs to a line.
type sum struct {
	cycles  int
	divides int // cycles of integer division
	single  int // messages that load one component of each lane from a buffer
}

// divisions are the operations of the IR that divide integers by a variable.
var divisions = []string{"udiv.", "idiv.", "umod.", "imod.", "irem."}

// costs finds the lines and instructions with the highest costs.
func (x *Report) costs(p isa.Platform, v *jacquard.Variant) {
	total := max(v.Stats.Cycles, 1)
	code := decode(p, v.Code)
	byLine := map[place]sum{}
	var lines []place // in the order of the code
	var instructions []Instruction
	for i := range v.Lines {
		l := &v.Lines[i]
		cycles := (l.Wait + l.Issue) * l.Times
		s, known := byLine[place{l.File, l.Line}]
		if !known {
			lines = append(lines, place{l.File, l.Line})
		}
		s.cycles += cycles
		if _, what, ok := strings.Cut(l.IR, " = "); ok && slices.ContainsFunc(divisions, func(d string) bool { return strings.HasPrefix(what, d) }) {
			s.divides += cycles
		}
		if i < len(code) {
			if m := &code[i].info; m.Rlen > 0 && m.Comps == 1 && !m.Return && loadsMemory(l.IR) && !loadsVector(l.IR) {
				s.single++
			}
			at := LineCost{File: l.File, Line: l.Line, Cycles: cycles, Share: float64(cycles) / float64(total)}
			instructions = append(instructions, Instruction{code[i].text, l.IR, at})
		}
		byLine[place{l.File, l.Line}] = s
	}
	for _, i := range ranked(len(lines), func(i int) int { return byLine[lines[i]].cycles }) {
		at := lines[i]
		cycles := byLine[at].cycles
		x.Lines = append(x.Lines, LineCost{File: at.file, Line: at.line, Cycles: cycles, Share: float64(cycles) / float64(total)})
	}
	first := ranked(len(instructions), func(i int) int { return instructions[i].Cycles })
	for _, i := range first[:min(len(first), listed)] {
		x.Instructions = append(x.Instructions, instructions[i])
	}
	x.sums = byLine
}

// ranked returns the numbers below n, those with the highest costs first, and otherwise in order.
func ranked(n int, cost func(int) int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(cost(b), cost(a)) })
	return list
}

// loadsVector reports whether an instruction loads several components. A load that is the same for all lanes can have a
// component in each lane of its message.
func loadsVector(ir string) bool {
	_, load, _ := strings.Cut(ir, " = ")
	name, _, _ := strings.Cut(load, " ")
	_, size, _ := strings.Cut(name, ".")
	return strings.Contains(size, "x")
}

// loadsMemory reports whether an instruction of the IR loads from a buffer.
func loadsMemory(ir string) bool {
	_, what, _ := strings.Cut(ir, " = ")
	return strings.HasPrefix(what, "load_ssbo.") || strings.HasPrefix(what, "load_ubo.") || strings.HasPrefix(what, "load_global.")
}
