package perf_test

import (
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/perf"
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
		{"a load is waited for", "send.dc1 (8|M0) r14 r12 null 0x0 0x02106E00 {$0}\nmov (8|M0) r16.0<1>:d r14.0<8;8,1>:d {$0.dst}\n", 102},
		{"a load that nobody waits for", "send.dc1 (8|M0) r14 r12 null 0x0 0x02106E00 {$0}\n", 2},
		{"a loop counts ten times", "L0:\n" + add + "\n(f0.0) while (8|M0) L0\n", 10 * (2 + 8)},
	} {
		if got := cycles(t, target.TGL, c.text); got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
	}
}

// TestTracked checks that with a hardware scoreboard, an instruction waits for what it
// reads and writes.
func TestTracked(t *testing.T) {
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
		{"a predicate waits for the condition", "cmp (8|M0) (eq)f0.0 null<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d\n(f0.0) add (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d\n", 12},
		{"a load is waited for", load + "mov (8|M0) r16.0<1>:d r14.0<8;8,1>:d\n", 102},
		{"a load that nobody waits for", load, 2},
		{"a load that is written over", load + "mov (8|M0) r14.0<1>:d r16.0<8;8,1>:d\n", 102},
		{"a store that is not read yet", store + "mov (8|M0) r14.0<1>:d r16.0<8;8,1>:d\n", 12},
		{"a store of what was loaded", load + store, 102},
	} {
		if got := cycles(t, target.ICL, c.text); got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
	}
}

// TestCostsOfTheTarget checks that the costs are the target's.
func TestCostsOfTheTarget(t *testing.T) {
	const chain = add + "\nadd (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
	machine := *target.ICL
	machine.Costs = latency.Of(isa.SKL)
	if icl, skl := cycles(t, target.ICL, chain), cycles(t, &machine, chain); icl != 12 || skl != 10 {
		t.Errorf("%d cycles on Gen11 and %d on Gen9, want 12 and 10", icl, skl)
	}
}

func TestDamagedCode(t *testing.T) {
	if n := perf.Cycles(target.TGL, []byte{1, 2, 3}); n != 0 {
		t.Errorf("%d cycles for what is no code", n)
	}
}
