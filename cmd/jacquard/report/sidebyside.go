// SPDX-License-Identifier: MIT

package report

import (
	"fmt"
	"strconv"
)

// quantities are the rows of a comparison of targets.
var quantities = []struct {
	name string
	of   func(x *Report, v *Variant) string
}{
	{"device", func(x *Report, _ *Variant) string { return x.Device.Name }},
	{"lanes of a thread", func(_ *Report, v *Variant) string { return strconv.Itoa(v.SIMD) }},
	{"cycles of a thread", func(_ *Report, v *Variant) string { return strconv.Itoa(v.Cycles) }},
	{"cycles per lane", func(_ *Report, v *Variant) string { return fmt.Sprintf("%.1f", v.CyclesPerLane) }},
	{"instructions", func(_ *Report, v *Variant) string { return strconv.Itoa(v.Instructions) }},
	{"messages", func(_ *Report, v *Variant) string { return strconv.Itoa(v.Sends) }},
	{"registers", func(_ *Report, v *Variant) string { return strconv.Itoa(v.Registers) }},
	{"spills, fills", func(_ *Report, v *Variant) string { return fmt.Sprintf("%d, %d", v.Spills, v.Fills) }},
	{"scratch bytes of a thread", func(_ *Report, v *Variant) string { return strconv.Itoa(v.Scratch) }},
	{"threads of a subslice", func(_ *Report, v *Variant) string { return v.Threads.String() }},
	{"lanes of an execution unit", func(x *Report, v *Variant) string {
		return strconv.Itoa(v.Threads.Fit * v.SIMD * x.Device.Subslices / max(x.Device.EUs, 1))
	}},
	{"lanes of a subslice", func(_ *Report, v *Variant) string { return strconv.Itoa(v.Threads.Fit * v.SIMD) }},
	{"lanes of the device", func(x *Report, v *Variant) string { return strconv.Itoa(v.Threads.Fit * v.SIMD * x.Device.Subslices) }},
	{"most expensive line", func(x *Report, _ *Variant) string {
		if len(x.Lines) == 0 || x.Lines[0].Line == 0 {
			return "unknown"
		}
		return fmt.Sprintf("%d (%s)", x.Lines[0].Line, percentOf(x.Lines[0].Share))
	}},
}

// sideBySide returns a table of reports of the same entry point for several targets.
func sideBySide(list []*Report) *document {
	first := list[0]
	g := &grid{head: []string{""}}
	for _, x := range list {
		g.head = append(g.head, x.Target)
	}
	p := part{table: g}
	for _, x := range list {
		if x.Error != nil {
			p.notes = append(p.notes, x.Target+": "+*x.Error)
		}
	}
	for _, q := range quantities {
		row := []string{q.name}
		for _, x := range list {
			cell := "-"
			if x.Error == nil {
				cell = q.of(x, x.chosen())
			}
			row = append(row, cell)
		}
		g.add(row...)
	}
	return &document{title: fmt.Sprintf("%s: %s %s", first.File, first.Stage, first.Entry), parts: []part{p}}
}
