// SPDX-License-Identifier: MIT

package report

import (
	"strings"

	"jacquard.example"
	"jacquard.example/generated/isa"
)

// load is a load of one component of a buffer, as the IR has it.
type load struct {
	memory string // the operation and the buffer
	base   string // the non-constant part of the address, or the address
	at     int64  // the constant, in bytes
}

// next reports whether x loads a component that one message could load together with y's.
func (x load) next(y load) bool {
	d := max(x.at-y.at, y.at-x.at)
	x.at, y.at = 0, 0
	return x == y && (d == 4 || d == 8 || d == 12)
}

// adjacent counts, for each line, the loads of one component per lane for which the line has another load at a
// distance of one to three components.
func adjacent(lines []jacquard.Line, code []decoded) map[place]int {
	sums := sumsOf(lines, code)
	loads := map[place][]load{}
	for i := range min(len(lines), len(code)) {
		m := &code[i].info
		if x, ok := loadOf(lines[i].IR); ok && m.Rlen > 0 && m.Comps == 1 && !m.Return {
			if s, ok := sums[x.base]; ok {
				x.base, x.at = s.base, s.at
			}
			at := place{lines[i].File, lines[i].Line}
			loads[at] = append(loads[at], x)
		}
	}
	counts := map[place]int{}
	for at, list := range loads {
		for _, x := range list {
			for _, y := range list {
				if x.next(y) {
					counts[at]++
					break
				}
			}
		}
	}
	return counts
}

// sumsOf returns the base and the constant of each value of the IR that adds a constant. The IR refers to the
// constant by its number; its value is an immediate of the instruction that was selected.
func sumsOf(lines []jacquard.Line, code []decoded) map[string]load {
	sums := map[string]load{}
	for i := range min(len(lines), len(code)) {
		value, what, _ := strings.Cut(lines[i].IR, " = ")
		name, operands, _ := strings.Cut(what, " ")
		c := &code[i].Src[1]
		constant := c.File == isa.FileImm && (c.Type == isa.TypeD || c.Type == isa.TypeUD)
		if name == "iadd.32" && code[i].Op == isa.OpAdd && constant {
			base, _, _ := strings.Cut(operands, ",")
			sums[value] = load{base: base, at: int64(int32(c.Imm))}
		}
	}
	return sums
}

// loadOf returns the memory and the address of an instruction of the IR that loads one component of a buffer, such as
// "%3 = load_ssbo.32 %1, %2 align_mul=4". It rejects vectors: the message for a vector that is the same for all lanes
// may have one component, with an element in each lane.
func loadOf(ir string) (x load, ok bool) {
	_, what, _ := strings.Cut(ir, " = ")
	words := strings.Fields(what)
	if len(words) < 2 {
		return x, false
	}
	name, size, _ := strings.Cut(words[0], ".")
	last := 1
	for strings.HasSuffix(words[last], ",") && last+1 < len(words) {
		last++
	}
	x.memory, x.base = strings.Join(words[:last], " "), words[last]
	return x, (name == "load_ssbo" || name == "load_ubo" || name == "load_global") && !strings.Contains(size, "x")
}
