// SPDX-License-Identifier: MIT

package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard.example"
)

// document is the printed form of a report.
type document struct {
	title string
	parts []part
}

// part is a part of a document: lines of text and a table under a title, all optional.
type part struct {
	title string
	notes []string
	table *grid
}

// grid is a table. HTML highlights the rows whose first cell is a star.
type grid struct {
	head []string // nil if there is none
	rows [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// shown is the number of rows to show of long tables.
const shown = 5

// parts lists the functions that lay out the parts of a document, in order. A part may be empty.
var parts = []func(*Report) part{
	widthPart, threadsPart, linesPart, instructionsPart, peakPart, spilledPart, arraysPart, loopsPart, remarksPart, hintsPart,
}

// layout returns the printed form of the report.
func layout(x *Report) *document {
	d := &document{title: fmt.Sprintf("%s: %s %s on %s (%s)", x.File, x.Stage, x.Entry, x.Target,
		strings.Join(shortNames(x.Products), ", "))}
	for _, of := range parts {
		if p := of(x); p.notes != nil || p.table != nil && len(p.table.rows) > 0 {
			d.parts = append(d.parts, p)
		}
	}
	return d
}

// shortNames returns the names of products without the parts in parentheses.
func shortNames(products []string) (list []string) {
	for _, p := range products {
		name, _, _ := strings.Cut(p, " (")
		list = append(list, name)
	}
	return list
}

func widthPart(x *Report) part {
	g := &grid{head: []string{"", "lanes", "cycles", "per lane", "registers", "spills", "fills", "scratch", "shared",
		"threads of a subslice"}}
	p := part{table: g}
	for i := range x.Widths {
		v := &x.Widths[i]
		if v.Error != "" {
			p.notes = append(p.notes, v.Error)
			continue
		}
		mark := ""
		if v.Chosen {
			mark = "*"
		}
		g.add(mark, strconv.Itoa(v.SIMD), strconv.Itoa(v.Cycles), fmt.Sprintf("%.1f", v.CyclesPerLane), strconv.Itoa(v.Registers),
			strconv.Itoa(v.Spills), strconv.Itoa(v.Fills), strconv.Itoa(v.Scratch), strconv.Itoa(v.Shared), v.Threads.String())
	}
	p.notes = append(p.notes, x.Width.Text)
	return p
}

func threadsPart(x *Report) part {
	v := x.chosen()
	var limits, kinds []string
	for _, l := range v.Threads.Limits {
		limits = append(limits, fmt.Sprintf("%s %d", l.Name, l.Threads))
	}
	for _, k := range slices.Sorted(maps.Keys(v.Messages)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", v.Messages[k], k))
	}
	group := ""
	if x.Stage == string(jacquard.Compute) {
		group = fmt.Sprintf(", in workgroups of %s", count(v.Threads.Group, "thread"))
	}
	return part{notes: []string{
		fmt.Sprintf("device %s: %d subslices of %d threads; %d threads fit on each%s: %d lanes per subslice, %d on the device",
			x.Device.Name, x.Device.Subslices, v.Threads.Room, v.Threads.Fit, group, v.Threads.Fit*v.SIMD,
			x.Device.Subslices*v.Threads.Fit*v.SIMD),
		"threads by limit: " + strings.Join(limits, ", "),
		"messages: " + strings.Join(kinds, ", "),
	}}
}

func linesPart(x *Report) part {
	p := part{title: "highest costs", table: &grid{}}
	if len(x.Lines) == 1 && x.Lines[0].Line == 0 {
		p.notes = []string{"source lines are unknown: there is no debug information"}
		return p
	}
	for _, l := range x.Lines[:min(len(x.Lines), listed)] {
		p.table.add(percentOf(l.Share), where(l.File, l.Line), cut(l.Source))
	}
	return p
}

func instructionsPart(x *Report) part {
	p := part{title: "instructions", table: &grid{}}
	for i := range x.Instructions {
		in := &x.Instructions[i]
		p.table.add(percentOf(in.Share), in.Text, what(in.IR), where(in.File, in.Line))
	}
	return p
}

func peakPart(x *Report) part {
	p := part{title: "most live registers", table: &grid{}}
	p.notes = []string{fmt.Sprintf("%d, before %s  %s", x.Peak.Registers, x.before(x.Peak.Position), what(x.Peak.IR))}
	for i, l := range x.Peak.Live {
		if i == shown {
			rest := 0
			for _, l := range x.Peak.Live[i:] {
				rest += l.Registers
			}
			p.table.add(strconv.Itoa(rest), count(len(x.Peak.Live)-i, "other value"), "", "")
			break
		}
		name := what(l.IR)
		switch {
		case l.Payload:
			name = "thread payload"
		case l.IR == "":
			name = "constants and other set-up of the thread"
		}
		p.table.add(strconv.Itoa(l.Registers), name, where(l.File, l.Line), cut(x.text.line(l.File, l.Line)))
	}
	return p
}

// hows describes the ways of spilling a value.
var hows = map[string]string{
	jacquard.InScratch: "in scratch", jacquard.Recomputed: "computed again", jacquard.OneLane: "kept in one lane",
}

func spilledPart(x *Report) part {
	g := &grid{head: []string{"value", "from", "", "stores", "fills", "cycles", "peak registers when spilled"}}
	p := part{title: "spilled values", table: g}
	list := spilledByLine(x.Spilled)
	order := ranked(len(list), func(i int) int { return list[i].Cycles })
	for i, k := range order {
		s := &list[k]
		if i == shown {
			for _, o := range order[i+1:] {
				s.add(&list[o].Spilled, list[o].values)
			}
			p.table.add(count(s.values, "other value"), "", "",
				strconv.Itoa(s.Stores), strconv.Itoa(s.Fills), percent(s.Cycles, x.chosen().Cycles), "")
			break
		}
		value := what(s.IR)
		if s.values > 1 {
			value += fmt.Sprintf(" and %d more", s.values-1)
		}
		p.table.add(value, x.at(s.Position), hows[s.How], strconv.Itoa(s.Stores), strconv.Itoa(s.Fills),
			percent(s.Cycles, x.chosen().Cycles), fmt.Sprintf("%d, before %s", s.Live, x.before(s.Peak.Position)))
	}
	return p
}

// spilledValues are values of a line that were spilled in the same way and at the same peak of register pressure.
type spilledValues struct {
	jacquard.Spilled
	values int
}

func (s *spilledValues) add(o *jacquard.Spilled, values int) {
	s.values += values
	s.Stores, s.Fills, s.Cycles = s.Stores+o.Stores, s.Fills+o.Fills, s.Cycles+o.Cycles
}

// spilledByLine adds up the values of the same line, way of spilling and peak.
func spilledByLine(all []jacquard.Spilled) (list []spilledValues) {
	type key struct {
		at, peak jacquard.Position
		how      string
	}
	index := map[key]int{}
	for i := range all {
		s := &all[i]
		k, ok := index[key{s.Position, s.Peak.Position, s.How}]
		if !ok {
			index[key{s.Position, s.Peak.Position, s.How}] = len(list)
			list = append(list, spilledValues{*s, 1})
			continue
		}
		list[k].add(s, 1)
	}
	return list
}

func arraysPart(x *Report) part {
	p := part{title: "in scratch memory", table: &grid{}}
	for _, a := range x.Arrays {
		at := "all indices are constant"
		switch {
		case a.Varying > 0 && len(a.Indexed) == 0:
			at = "indexed by values that are not constant"
		case a.Varying > 0:
			at = fmt.Sprintf("indexed by non-constant values at %s of %s", lines(a.Indexed), a.Indexed[0].File)
		}
		if why := counted(&a); why != "" {
			at += ": " + why
		}
		p.table.add(cmp.Or(a.Name, "(unnamed)"), fmt.Sprintf("%d bytes per lane", a.Bytes), at)
	}
	return p
}

func loopsPart(x *Report) part {
	p := part{title: "loops", table: &grid{}}
	for i, k := range ranked(len(x.Loops), func(i int) int { return x.Loops[i].Cycles }) {
		l := &x.Loops[k]
		if i == shown {
			p.table.add("", count(len(x.Loops)-i, "other"), "", "")
			break
		}
		trips := fmt.Sprintf("unknown count, %d assumed", l.Assumed)
		switch {
		case l.Trips > 0:
			trips = count(l.Trips, "iteration")
		case l.AtMost > 0:
			trips = fmt.Sprintf("at most %d iterations, %d assumed", l.AtMost, l.Assumed)
		}
		if l.Copies > 1 {
			trips += fmt.Sprintf(" of %d copies", l.Copies)
		}
		p.table.add(percent(l.Cycles, x.chosen().Cycles), x.at(l.Position), trips, count(l.Length, "instruction"))
	}
	return p
}

// did describes what passes did, by the kind of a remark.
var did = map[string]func(*jacquard.Remark) string{
	"unrolled": func(r *jacquard.Remark) string {
		return fmt.Sprintf("loop fully unrolled: %s", count(r.N, "iteration")) + times(r)
	},
	"unrolled_partly": func(r *jacquard.Remark) string { return fmt.Sprintf("loop unrolled by %d", r.N) + times(r) },
	"peeled":          func(r *jacquard.Remark) string { return count(r.N, "iteration") + " copied before the loop" + times(r) },
	"hoisted":         func(r *jacquard.Remark) string { return count(r.N, "instruction") + " moved out of a loop" },
	"merged":          func(r *jacquard.Remark) string { return fmt.Sprintf("%d accesses to memory became %d", r.N, r.Times) },
	"pushed": func(r *jacquard.Remark) string {
		return count(r.N, "load") + " of uniform buffers replaced by push data"
	},
}

func times(r *jacquard.Remark) string {
	if r.Times > 1 {
		return fmt.Sprintf(", %d times", r.Times)
	}
	return ""
}

func remarksPart(x *Report) part {
	p := part{title: "what passes did", table: &grid{}}
	for i, k := range ranked(len(x.Remarks), func(i int) int { return x.Remarks[i].N }) {
		r := &x.Remarks[k]
		if i == shown {
			p.table.add(count(len(x.Remarks)-i, "other remark"), "")
			break
		}
		p.table.add(x.at(r.Position), did[r.Kind](r))
	}
	return p
}

func hintsPart(x *Report) part {
	p := part{title: "hints"}
	for _, h := range x.Hints {
		p.notes = append(p.notes, h.Text)
	}
	return p
}

func percentOf(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// what returns the text of an IR instruction without its float flags, or, if it is empty, what code without an IR
// instruction does.
func what(ir string) string {
	ir, _, _ = strings.Cut(ir, " float=")
	return cmp.Or(ir, "set-up for the whole thread, or control flow")
}

// where returns a position in the source, or "no source line".
func where(file string, line int) string {
	if line == 0 {
		return "no source line"
	}
	return file + ":" + strconv.Itoa(line)
}

// at returns a position without the file if it is the source.
func (x *Report) at(p jacquard.Position) string {
	if p.Line != 0 && p.File == x.name {
		return "line " + strconv.Itoa(p.Line)
	}
	return where(p.File, p.Line)
}

// before is like at, for the instruction named after the word "before".
func (x *Report) before(p jacquard.Position) string {
	if p.Line == 0 {
		return "an instruction without a source line"
	}
	return x.at(p)
}

// cut returns the beginning of a line of source text.
func cut(text string) string {
	const most = 64
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
