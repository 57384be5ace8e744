// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"
	"math"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/tests/support/peer"
)

// column is a ratio in a row, ours to theirs.
type column struct {
	name string
	of   func(*result) (ours, theirs uint64)
}

// measured returns a column with a figure of the accounts.
func measured(name string, of func(*eu.Account) uint64) column {
	return column{name, func(r *result) (uint64, uint64) { return of(&r.ours[0]), of(&r.theirs[0]) }}
}

// counted returns a column with a count of static instructions.
func counted(name string, of func(*static) int) column {
	return column{name, func(r *result) (uint64, uint64) { return uint64(of(&r.code[0])), uint64(of(&r.code[1])) }}
}

// columns are the columns of the report on dispatches.
var columns = []column{
	measured("instructions", func(a *eu.Account) uint64 { return a.Instructions }),
	measured("messages", (*eu.Account).Messages),
	measured("bytes", func(a *eu.Account) uint64 { return a.Bytes }),
	measured("lines", func(a *eu.Account) uint64 { return a.Lines }),
}

// drawColumns are the columns of the report on stages of draws.
var drawColumns = append([]column{
	counted("static", func(s *static) int { return s.instructions }),
	counted("static messages", func(s *static) int { return s.sends }),
	counted("spills", func(s *static) int { return s.spills }),
}, columns[:len(columns):len(columns)]...)

// times are the accounts' times: the report has a ratio for each of them and each latency table.
var times = []struct {
	name string
	of   func(*eu.Account) *eu.Time
}{
	{"cycles", func(a *eu.Account) *eu.Time { return &a.Alone }},
	{"resident", func(a *eu.Account) *eu.Time { return &a.Resident }},
	{"bound", func(a *eu.Account) *eu.Time { return &a.Bound }},
}

func head(w io.Writer, p *opponent) {
	fmt.Fprintf(w, `# On one judge: ours ÷ Mesa's

Machine code of both, run by the model of the execution units on the same inputs (%s, SIMD%d; the peer is %s; package
[tests/judge](../judge/doc.go), which wrote this file: make judge). Below 1.00, ours needs less. Cycles: every thread alone on an execution unit; resident: an
execution unit full of threads; bound: a lower bound of that, which ignores latencies (eu.Account). ×½ and ×2: with the time until memory responds halved and doubled. Messages do not count
the ends of threads.
`, p.Machine.Name, p.simd, versionOf(p.Compiler))
}

// versionOf returns the peer's name and version.
func versionOf(c *peer.Compiler) string {
	if v := c.Version(); v != "" {
		return v
	}
	return "a peer that has made no code"
}

// section writes the report on one set: a row per shader, the means, the distribution of cycles, the summary that
// results returns for the shaders that are kept, and the list of shaders left out.
func section(w io.Writer, name string, columns []column, list []verdict, results func(kept []verdict) string) {
	fmt.Fprintf(w, "\n## %s\n\n| shader |", name)
	line := "|---|"
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", c.name)
		line += "---|"
	}
	for _, t := range times {
		fmt.Fprintf(w, " %s (thousands) | ×½ | ×2 |", t.name)
		line += "---|---|---|"
	}
	fmt.Fprintf(w, "\n%s\n", line)
	var kept []verdict
	for _, v := range list {
		if v.why == "" {
			kept = append(kept, v)
			row(w, columns, &v)
		}
	}
	means(w, columns, kept)
	waits(w, kept)
	fmt.Fprintf(w, "\n%s ", results(kept))
	leftOut(w, list)
}

// leftOut writes the shaders of a set that are left out with the reasons, and the shaders that the peer does not
// compile.
func leftOut(w io.Writer, list []verdict) {
	var out, absent []*verdict
	for i := range list {
		switch v := &list[i]; {
		case v.absent:
			absent = append(absent, v)
		case v.why != "":
			out = append(out, v)
		}
	}
	n := len(list) - len(absent)
	if len(out) == 0 {
		fmt.Fprintf(w, "None of %d are left out.\n", n)
	} else {
		fmt.Fprintf(w, "Left out: %d of %d.\n\n", len(out), n)
		listed(w, out)
	}
	if len(absent) > 0 {
		fmt.Fprintf(w, "\nMesa makes no code for %d more:\n\n", len(absent))
		listed(w, absent)
	}
}

func listed(w io.Writer, list []*verdict) {
	for _, v := range list {
		fmt.Fprintf(w, "- %s: %s\n", v.title(), v.why)
	}
}

// doublewords describes the agreement of the results of dispatches with the interpreter's.
func doublewords(kept []verdict) string {
	exact, near := 0, 0
	for _, v := range kept {
		exact, near = exact+v.exact, near+v.close
	}
	return fmt.Sprintf("Results of both equal the interpreter's in %d doublewords and differ within the tolerance in %d.", exact, near)
}

// row writes the ratios of a shader.
func row(w io.Writer, columns []column, v *verdict) {
	fmt.Fprintf(w, "| %s |", v.title())
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", text(c.of(&v.result)))
	}
	for _, t := range times {
		for i := range tables[:shownTables] {
			a, b := t.of(&v.ours[i]).Cycles(), t.of(&v.theirs[i]).Cycles()
			if i > 0 {
				fmt.Fprintf(w, " %s |", text(a, b))
				continue
			}
			fmt.Fprintf(w, " %s (%.4g : %.4g) |", text(a, b), float64(a)/1000, float64(b)/1000)
		}
	}
	fmt.Fprintln(w)
}

func text(a, b uint64) string {
	if a == 0 || b == 0 {
		return fmt.Sprintf("%d : %d", a, b)
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

// means writes the geometric means of the ratios.
func means(w io.Writer, columns []column, list []verdict) {
	fmt.Fprintf(w, "| **geometric mean of %d** |", len(list))
	mean := func(of func(*verdict) (a, b uint64)) {
		if x, n := geometricMean(list, of); n > 0 {
			fmt.Fprintf(w, " **%.2f** |", x)
		} else {
			fmt.Fprint(w, " - |")
		}
	}
	for _, c := range columns {
		mean(func(v *verdict) (uint64, uint64) { return c.of(&v.result) })
	}
	for _, t := range times {
		for i := range tables[:shownTables] {
			mean(func(v *verdict) (uint64, uint64) { return t.of(&v.ours[i]).Cycles(), t.of(&v.theirs[i]).Cycles() })
		}
	}
	fmt.Fprintln(w)
}

// geometricMean returns the mean of the ratios of two figures over the n shaders for which neither is 0.
func geometricMean[V any](list []V, of func(*V) (a, b uint64)) (mean float64, n int) {
	sum := 0.0
	for i := range list {
		if a, b := of(&list[i]); a != 0 && b != 0 {
			sum += math.Log(float64(a) / float64(b))
			n++
		}
	}
	return math.Exp(sum / float64(max(n, 1))), n
}

// waits writes the distribution of a set's cycles over the kinds of waits, for both compilers.
func waits(w io.Writer, list []verdict) {
	fmt.Fprint(w, "\n| what all of them spend cycles on, thousands |")
	line := "|---|"
	for k := eu.Wait(0); k < eu.NumWaits; k++ {
		fmt.Fprintf(w, " %v |", k)
		line += "---|"
	}
	fmt.Fprintf(w, "\n%s\n", line)
	for _, t := range times {
		var ours, theirs eu.Time
		for i := range list {
			for k := range ours {
				ours[k] += t.of(&list[i].ours[0])[k]
				theirs[k] += t.of(&list[i].theirs[0])[k]
			}
		}
		fmt.Fprintf(w, "| %s, ours : Mesa |", t.name)
		for k := range ours {
			fmt.Fprintf(w, " %.4g : %.4g |", float64(ours[k])/1000, float64(theirs[k])/1000)
		}
		fmt.Fprintln(w)
	}
}
