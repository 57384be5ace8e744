// SPDX-License-Identifier: MIT

package report

import (
	"cmp"
	"slices"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// listed is the number of instructions to list, and of lines to show.
const listed = 3

// decoded is an instruction of the machine code.
type decoded struct {
	isa.Inst
	at      int    // its offset in bytes
	message string // the kind of a message, or the shared function if that is not known; empty for others
	info    isa.MsgInfo
}

// decode returns the instructions of code, up to the first word that cannot be decoded.
func decode(p isa.Platform, code []byte) (list []decoded) {
	for at := 0; at < len(code); {
		in, err := isa.Decode(p, code[at:])
		if err != nil {
			break
		}
		x := decoded{Inst: in, at: at}
		if f := isa.Ops[in.Op].Format; f == isa.FormatSend || f == isa.FormatSends {
			x.message = in.SFID.String()
			if m, ok := in.Message(p); ok {
				x.message, x.info = m.Kind.String(), m
			}
		}
		list = append(list, x)
		at += int(in.Size)
	}
	return list
}

// text returns an instruction as jacquard dis writes it, with single spaces.
func (x *decoded) text(p isa.Platform) string {
	return strings.Join(strings.Fields(string(isatext.Append(nil, p, &x.Inst, x.at))), " ")
}

// sum is the total for a line.
type sum struct {
	cycles  int
	divides int // cycles of integer division
}

// divisions are the operations of the IR that divide integers by a variable.
var divisions = []string{"udiv.", "idiv.", "umod.", "imod.", "irem."}

// costs sets Lines, and Instructions to the most expensive ones, both in order of cost, and computes what lineHints
// needs.
func (x *Report) costs(v *jacquard.Variant) {
	p := x.device.Platform
	code := decode(p, v.Code)
	x.sums = map[place]sum{}
	var lines []place // in the order of the code
	cost := func(i int) int { return (v.Lines[i].Wait + v.Lines[i].Issue) * v.Lines[i].Times }
	for i := range v.Lines {
		l := &v.Lines[i]
		at := place{l.File, l.Line}
		s, known := x.sums[at]
		if !known {
			lines = append(lines, at)
		}
		s.cycles += cost(i)
		if _, what, ok := strings.Cut(l.IR, " = "); ok && divides(what) {
			s.divides += cost(i)
		}
		x.sums[at] = s
	}
	x.adjacent = adjacent(v.Lines, code)
	costOf := func(at place, cycles int) LineCost {
		return LineCost{File: at.file, Line: at.line, Cycles: cycles, Share: float64(cycles) / float64(max(v.Stats.Cycles, 1))}
	}
	for _, i := range ranked(len(lines), func(i int) int { return x.sums[lines[i]].cycles }) {
		x.Lines = append(x.Lines, costOf(lines[i], x.sums[lines[i]].cycles))
	}
	first := ranked(min(len(v.Lines), len(code)), cost)
	for _, i := range first[:min(len(first), listed)] {
		l := &v.Lines[i]
		x.Instructions = append(x.Instructions, Instruction{code[i].text(p), l.IR, costOf(place{l.File, l.Line}, cost(i))})
	}
}

// divides reports whether an operation of the IR is an integer division by a variable.
func divides(what string) bool {
	return slices.ContainsFunc(divisions, func(d string) bool { return strings.HasPrefix(what, d) })
}

// ranked returns the numbers below n in order of decreasing cost, and in ascending order if the costs are equal.
func ranked(n int, cost func(int) int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(cost(b), cost(a)) })
	return list
}
