// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"testing"

	"jacquard.example"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

// TestSpilledLines: each message to the part of scratch memory for spills names the value for which it is, one value
// for each place there; and a value has as many messages as its costs state.
func TestSpilledLines(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	p, err := jacquard.Compile(t.Context(), spilling(t), jacquard.Options{SIMD: 16, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	v := &p.Variants[0]
	at, messages := map[uint32]int{}, map[int]int{}
	for _, line := range v.Lines {
		in, err := isa.Decode(isa.TGL, v.Code[line.Offset:])
		if err != nil {
			t.Fatal(err)
		}
		m, ok := isa.DecodeMessage(isa.TGL, in.SFID, in.Desc, in.ExDesc)
		if !ok || isa.Ops[in.Op].Format != isa.FormatSend || m.Kind != isa.MsgScratchBlock {
			continue
		}
		if line.Spilled == 0 || line.IR != "" {
			t.Fatalf("offset %#x: spilled %d, IR %q", line.Offset, line.Spilled, line.IR)
		}
		if old := at[m.ScratchOffset]; old != 0 && old != line.Spilled {
			t.Errorf("offset %#x: register %d of scratch memory is of values %d and %d", line.Offset, m.ScratchOffset, old, line.Spilled)
		}
		at[m.ScratchOffset] = line.Spilled
		messages[line.Spilled]++
	}
	if len(at) < 2 || len(messages) < 2 {
		t.Fatalf("%d places, %d values", len(at), len(messages))
	}
	for i, x := range v.Cost.Spilled {
		if n := messages[i+1]; x.How == jacquard.InScratch && n != x.Stores+x.Fills {
			t.Errorf("%s: %d messages, of %d stores and %d fills", x.IR, n, x.Stores, x.Fills)
		}
	}
}
