package main

import (
	"fmt"
	"io"
	"math"

	"jacquard.example/backend/intel/eu"
)

// columns are the ratios of a row, ours by theirs.
var columns = []struct {
	name string
	of   func(*eu.Account) uint64
}{
	{"instructions", func(a *eu.Account) uint64 { return a.Instructions }},
	{"messages", (*eu.Account).Messages},
	{"bytes", func(a *eu.Account) uint64 { return a.Bytes }},
	{"lines", func(a *eu.Account) uint64 { return a.Lines }},
}

// times are those of which there is a ratio for each table.
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

Machine code of both, run by the model of the execution units on the same inputs (%s, SIMD%d; package
[tests/judge](../judge/doc.go), which wrote this file: make judge). Below 1.00, ours needs less. Cycles: every thread alone on an execution unit; resident: an
execution unit full of threads; bound: a lower bound of that, which knows of no latency (eu.Account). ×½ and ×2: with the time until memory responds halved and doubled. Messages do not count
the ends of threads.
`, p.Machine.Name, p.simd)
}

// section writes a set: a row a shader if they are few, the means, where the cycles go, and
// what is left out.
func section(w io.Writer, name string, list []verdict) {
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
			row(w, &v)
		}
	}
	means(w, kept)
	waits(w, kept)
	exact, near := 0, 0
	for _, v := range kept {
		exact, near = exact+v.exact, near+v.close
	}
	fmt.Fprintf(w, "\nResults of both equal the interpreter's in %d doublewords and differ within the tolerance in %d. ", exact, near)
	if left := len(list) - len(kept); left > 0 {
		fmt.Fprintf(w, "Left out: %d of %d.\n\n", left, len(list))
		for _, v := range list {
			if v.why != "" {
				fmt.Fprintf(w, "- %s: %s\n", v.name, v.why)
			}
		}
		return
	}
	fmt.Fprintf(w, "Nothing of %d is left out.\n", len(list))
}

// row writes the ratios of a shader.
func row(w io.Writer, v *verdict) {
	fmt.Fprintf(w, "| %s |", v.name)
	for _, c := range columns {
		fmt.Fprintf(w, " %s |", text(c.of(&v.ours[0]), c.of(&v.theirs[0])))
	}
	for _, t := range times {
		for i := range tables {
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
func means(w io.Writer, list []verdict) {
	fmt.Fprintf(w, "| **geometric mean of %d** |", len(list))
	mean := func(of func(*verdict) (a, b uint64)) {
		sum, n := 0.0, 0
		for i := range list {
			if a, b := of(&list[i]); a != 0 && b != 0 {
				sum += math.Log(float64(a) / float64(b))
				n++
			}
		}
		if n == 0 {
			fmt.Fprint(w, " - |")
			return
		}
		fmt.Fprintf(w, " **%.2f** |", math.Exp(sum/float64(n)))
	}
	for _, c := range columns {
		mean(func(v *verdict) (uint64, uint64) { return c.of(&v.ours[0]), c.of(&v.theirs[0]) })
	}
	for _, t := range times {
		for i := range tables {
			mean(func(v *verdict) (uint64, uint64) { return t.of(&v.ours[i]).Cycles(), t.of(&v.theirs[i]).Cycles() })
		}
	}
	fmt.Fprintln(w)
}

// waits writes what the cycles of a set are spent on, of both.
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
