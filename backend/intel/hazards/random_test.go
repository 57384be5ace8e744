// SPDX-License-Identifier: MIT

package hazards_test

import (
	"testing"

	"jacquard.example/backend/intel/emit"
	"jacquard.example/backend/intel/hazards"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/backend/intel/swsb"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/mirgen"
)

// TestRandom checks the scoreboard that the compiler fills in for random functions.
func TestRandom(t *testing.T) {
	var (
		a ra.Allocator
		x swsb.Inserter
		e emit.Emitter
	)
	checked := 0
	const count = 300
	for seed := range uint64(count) {
		f := mirgen.Random(seed)
		lower.Legalize(f, false)
		if _, err := a.Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}}); err != nil {
			continue
		}
		lower.Indirect(f)
		x.Insert(f, swsb.Machine{Pipes: swsb.OnePipe})
		code, _, err := e.Code(isa.TGL, f, nil)
		if err != nil {
			continue // not every region has an encoding
		}
		checked++
		if err := hazards.Check(isa.TGL, code, hazards.Options{}); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	t.Logf("%d of %d programs checked", checked, count)
	if checked < count/2 {
		t.Errorf("only %d of %d programs have an encoding", checked, count)
	}
}
