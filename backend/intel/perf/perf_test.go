package perf_test

import (
	"testing"

	"jacquard.example/backend/intel/perf"
	"jacquard.example/generated/isa"
)

func cycles(t *testing.T, text string) int {
	t.Helper()
	code, err := isa.Assemble(isa.TGL, text)
	if err != nil {
		t.Fatal(err)
	}
	return perf.Cycles(isa.TGL, code)
}

const add = "add (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d"

func TestCycles(t *testing.T) {
	one := cycles(t, add+"\n")
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
		if got := cycles(t, c.text); got != c.want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, c.want)
		}
	}
}

func TestDamagedCode(t *testing.T) {
	if n := perf.Cycles(isa.TGL, []byte{1, 2, 3}); n != 0 {
		t.Errorf("%d cycles for what is no code", n)
	}
}
