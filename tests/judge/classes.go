// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"io"
	"math"

	"jacquard.example/backend/intel/eu"
)

// class is a group of shaders, by the messages or the loops of the peer's code.
type class struct {
	name  string
	holds func(*verdict) bool
	busy  bool // whether it counts for the figure of merit
}

// mostRepeats is the maximum average number of times that the peer's threads execute an instruction if loops do not
// dominate.
const mostRepeats = 3

// perThread returns a figure of the peer's account per thread.
func perThread(v *verdict, n uint64) float64 {
	return float64(n) / float64(max(v.theirs[0].Threads, 1))
}

// between returns a class of shaders by messages per thread, from least to less than most.
func between(name string, least, most float64) class {
	return class{name, func(v *verdict) bool {
		n := perThread(v, v.theirs[0].Messages())
		return n >= least && n < most
	}, least >= 4}
}

// classes are the classes of the report. A thread that sends less than one message has left at a bounds check. Loops
// dominate if the instructions of the peer's code are executed several times on average.
var classes = []class{
	between("under 1 message a thread", 0, 1),
	between("1 to 4", 1, 4),
	between("4 to 32", 4, 32),
	between("32 and more", 32, math.Inf(1)),
	{"loops dominate", func(v *verdict) bool {
		return v.size > 0 && perThread(v, v.theirs[0].Instructions) > mostRepeats*float64(v.size)
	}, false},
}

// byClass writes the geometric means of the ratios for each class, the mean of the busy classes with equal weight, and
// the ratio of the sums of resident cycles.
func byClass(w io.Writer, list []verdict) {
	fmt.Fprintf(w, "\n## classes\n\n| the peer's threads | shaders | instructions | messages | cycles | resident | sum of resident |\n")
	fmt.Fprintf(w, "|---|---|---|---|---|---|---|\n")
	var busy []figures
	for _, c := range classes {
		var kept []verdict
		for i := range list {
			if v := &list[i]; v.why == "" && c.holds(v) {
				kept = append(kept, *v)
			}
		}
		if len(kept) == 0 {
			fmt.Fprintf(w, "| %s | - | - | - | - | - | - |\n", c.name)
			continue
		}
		m := figuresOf(kept)
		m.write(w, c.name, len(kept))
		if c.busy {
			busy = append(busy, m)
		}
	}
	var merit figures
	for k := range merit {
		for _, m := range busy {
			merit[k] += math.Log(m[k]) / float64(len(busy))
		}
		merit[k] = math.Exp(merit[k])
	}
	if len(busy) > 0 {
		merit.write(w, "**4 and more, each class with equal weight**", 0)
	}
}

// figures are our figures ÷ the peer's: geometric means of instructions, messages, cycles and resident cycles, and the
// ratio of the sums of resident cycles.
type figures [5]float64

func figuresOf(list []verdict) (m figures) {
	for k, f := range [...]func(*eu.Account) uint64{
		func(a *eu.Account) uint64 { return a.Instructions },
		(*eu.Account).Messages,
		func(a *eu.Account) uint64 { return a.Alone.Cycles() },
		func(a *eu.Account) uint64 { return a.Resident.Cycles() },
	} {
		m[k], _ = geometricMean(list, func(v *verdict) (uint64, uint64) { return f(&v.ours[0]), f(&v.theirs[0]) })
	}
	var ours, theirs uint64
	for i := range list {
		ours, theirs = ours+list[i].ours[0].Resident.Cycles(), theirs+list[i].theirs[0].Resident.Cycles()
	}
	m[4] = float64(ours) / float64(max(theirs, 1))
	return m
}

// write writes a row; n is the number of shaders, or 0 if it is a mean of classes.
func (m figures) write(w io.Writer, name string, n int) {
	count := "-"
	if n > 0 {
		count = fmt.Sprint(n)
	}
	fmt.Fprintf(w, "| %s | %s |", name, count)
	for _, x := range m {
		fmt.Fprintf(w, " %.2f |", x)
	}
	fmt.Fprintln(w)
}
