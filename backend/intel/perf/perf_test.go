// SPDX-License-Identifier: MIT

package perf_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/core/trips"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/target"
)

func cycles(t *testing.T, machine *target.Target, text string) int {
	t.Helper()
	code, err := isatext.Assemble(machine.Platform, text)
	if err != nil {
		t.Fatal(err)
	}
	return perf.Cycles(machine, code)
}

const add = "add (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d"

func TestCycles(t *testing.T) {
	one := cycles(t, target.TGL, add+"\n")
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"one add writes one register", add + "\n", 2},
		{"two that do not wait", add + "\n" + add + "\n", 2 * one},
		{"the second waits for the first's result", add + "\n" + add + " {@1}\n", 10 + one},
		{"two registers take twice as long", "add (16|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d\n", 4},
		{"a load is waited for", "send.dc1 (8|M0) r14 r12 null 0x0 0x02106E00 {$0}\nmov (8|M0) r16.0<1>:d r14.0<8;8,1>:d {$0.dst}\n", 110},
		{"a load that nobody waits for", "send.dc1 (8|M0) r14 r12 null 0x0 0x02106E00 {$0}\n", 2},
		{"a loop counts ten times", "L0:\n" + add + "\n(f0.0) while (8|M0) L0\n", 10 * (2 + 8)},
	} {
		if got := cycles(t, target.TGL, c.text); got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
	}
}

// TestHardwareScoreboard checks that with a hardware scoreboard, an instruction waits for the registers that it
// reads and writes.
func TestHardwareScoreboard(t *testing.T) {
	const (
		load  = "send (8|M0) r14 r12 0xC 0x02106E00\n"
		store = "sends (8|M0) null:ud r12 r14 0x4C 0x02026E00\n"
	)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"two that do not wait", add + "\nadd (8|M0) r20.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d\n", 4},
		{"the second reads the first's result", add + "\nadd (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n", 12},
		{"the second half of a result", "add (16|M0) r10.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d\nadd (8|M0) r20.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d\n", 12},
		{"a predicate waits for the condition", "cmp (8|M0) (eq)f0.0 null<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n(f0.0) add (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d\n", 16},
		{"a load is waited for", load + "mov (8|M0) r16.0<1>:d r14.0<8;8,1>:d\n", 110},
		{"a load that nobody waits for", load, 2},
		{"a load that is written over", load + "mov (8|M0) r14.0<1>:d r16.0<8;8,1>:d\n", 110},
		{"a store that is not read yet", store + "mov (8|M0) r14.0<1>:d r16.0<8;8,1>:d\n", 12},
		{"a store of the loaded value", load + store, 110},
	} {
		if got := cycles(t, target.ICL, c.text); got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
	}
}

// TestCostsOfTheTarget checks that the estimate uses the target's costs.
func TestCostsOfTheTarget(t *testing.T) {
	const chain = add + "\nadd (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
	machine := *target.ICL
	machine.Costs = latency.Of(isa.SKL)
	if icl, skl := cycles(t, target.ICL, chain), cycles(t, &machine, chain); icl != 12 || skl != 10 {
		t.Errorf("%d cycles on Gen11 and %d on Gen9, want 12 and 10", icl, skl)
	}
}

// program adds the instructions of a program to an estimator. A line "loop N" starts a loop of N iterations,
// "loop <N" a loop of at most N, "loop" a loop with an unknown count.
func program(t *testing.T, lines ...string) *perf.Estimator {
	t.Helper()
	var counts []trips.Count
	var text strings.Builder
	labels := 0
	for _, l := range lines {
		if n, ok := strings.CutPrefix(l, "loop"); ok {
			c := trips.Unknown
			if most, ok := strings.CutPrefix(n, " <"); ok {
				c = trips.AtMost(number(t, most))
			} else if n != "" {
				c = trips.Exactly(number(t, n[1:]))
			}
			counts = append(counts, c)
			fmt.Fprintf(&text, "L%d:\n", labels)
			labels++
			continue
		}
		text.WriteString(l + "\n")
	}
	code, err := isatext.Assemble(target.TGL.Platform, text.String())
	if err != nil {
		t.Fatal(err)
	}
	e := new(perf.Estimator)
	e.Begin(target.TGL, 0)
	at, loops := 0, 0
	for _, l := range lines {
		if strings.HasPrefix(l, "loop") {
			e.Loop(at, counts[loops])
			loops++
			continue
		}
		if strings.HasPrefix(l, "L") {
			continue
		}
		in, err := isa.Decode(target.TGL.Platform, code[at:])
		if err != nil {
			t.Fatal(err)
		}
		e.Add(&in, at)
		at += int(in.Size)
	}
	return e
}

func number(t *testing.T, text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLoops checks the estimated numbers of executions.
func TestLoops(t *testing.T) {
	const back0, back1 = "(f0.0) while (8|M0) L0", "(f0.0) while (8|M0) L1"
	for _, c := range []struct {
		name    string
		lines   []string
		want    []int // executions of each instruction
		assumed int
	}{
		{"known", []string{add, "loop 5000", add, back0, add}, []int{1, 5000, 5000, 1}, 0},
		{"unknown", []string{"loop", add, back0}, []int{10, 10}, 1},
		{"bound above the assumed count", []string{"loop <64", add, back0}, []int{10, 10}, 1},
		{"bound below it", []string{"loop <3", add, back0}, []int{3, 3}, 1},
		{"one trip", []string{"loop 1", add, back0}, []int{1, 1}, 0},
		{"nested", []string{"loop 7", add, "loop 5", add, back1, add, back0}, []int{7, 35, 35, 7, 7}, 0},
		{"unknown inside known", []string{"loop 7", add, "loop", add, back1, add, back0}, []int{7, 70, 70, 7, 7}, 1},
		{"two with the same start", []string{"loop 7", "loop 5", add, back1, back0}, []int{35, 35, 7}, 0},
		{"one after another", []string{"loop 7", add, back0, "loop 5", add, back1}, []int{7, 7, 5, 5}, 0},
		{"left at the start", []string{"loop 7", add, "(f0.0) break (8|M0) L1 L1", add, "L1:", "while (8|M0) L0"}, []int{7, 7, 6, 7}, 0},
		{"left at two places", []string{"loop 7", add, "(f0.0) break (8|M0) L1 L1", "(f0.0) break (8|M0) L1 L1", "L1:", "while (8|M0) L0"}, []int{7, 7, 7, 7}, 0},
	} {
		e := program(t, c.lines...)
		var got []int
		sum := 0
		for _, x := range e.Times() {
			got = append(got, x.Times)
			sum += (x.Wait + x.Issue) * x.Times
		}
		if !slices.Equal(got, c.want) || e.Assumed() != c.assumed || sum != e.Cycles() {
			t.Errorf("%s: %v, %d assumed; want %v, %d; %d cycles, %d in parts", c.name, got, e.Assumed(), c.want, c.assumed,
				e.Cycles(), sum)
		}
	}
}

// TestLaterIterations checks that an iteration waits for results of the previous one.
func TestLaterIterations(t *testing.T) {
	const load = "send.dc1 (8|M0) r14 r12 null 0x0 0x02106E00 {$0}"
	once := program(t, "mov (8|M0) r16.0<1>:d r14.0<8;8,1>:d {$0.dst}", load).Cycles()
	loop := program(t, "loop 100", "mov (8|M0) r16.0<1>:d r14.0<8;8,1>:d {$0.dst}", load, "(f0.0) while (8|M0) L0").Cycles()
	if once > 10 || loop < 100*100 {
		t.Errorf("%d cycles without the loop, %d for 100 iterations, each of which waits for a load", once, loop)
	}
}

// TestHugeCounts checks that counts of nested loops do not overflow.
func TestHugeCounts(t *testing.T) {
	var lines []string
	for range 6 {
		lines = append(lines, "loop 1000000000")
	}
	lines = append(lines, add)
	for i := range 6 {
		lines = append(lines, fmt.Sprintf("(f0.0) while (8|M0) L%d", 5-i))
	}
	if n := int64(program(t, lines...).Cycles()); n < 1<<40 || n > 1<<53 {
		t.Errorf("%d cycles", n)
	}
}

func TestDamagedCode(t *testing.T) {
	if n := perf.Cycles(target.TGL, []byte{1, 2, 3}); n != 0 {
		t.Errorf("%d cycles for data that is not code", n)
	}
}
