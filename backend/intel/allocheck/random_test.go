// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/opt"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/mirgen"
)

// TestRandom allocates registers for random machine IR and checks the result. SEEDS="20000 7" runs 20000 functions
// starting at seed 7.
func TestRandom(t *testing.T) {
	count, first := 400, 0
	if words := strings.Fields(os.Getenv("SEEDS")); len(words) > 0 {
		count, _ = strconv.Atoi(words[0])
		if len(words) > 1 {
			first, _ = strconv.Atoi(words[1])
		}
	}
	var a ra.Allocator
	fits, spilled := 0, 0
	for seed := first; seed < first+count; seed++ {
		f := mirgen.Random(uint64(seed))
		if err := validate.Func(f); err != nil {
			t.Fatalf("the generator: %v\n%s", err, f)
		}
		old := f.Clone()
		st, err := a.Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}})
		if err != nil {
			continue // too many registers are live at once
		}
		fits++
		if st.Spills+st.Fills > 0 {
			spilled++
		}
		if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			if count == 1 {
				t.Logf("== before\n%s== after\n%s", old, f)
			}
		}
	}
	t.Logf("%d of %d fit, %d of them with spills", fits, count, spilled)
	if fits < count/2 || spilled < count/20 {
		t.Errorf("%d of %d fit, %d of them with spills: too few to show anything", fits, count, spilled)
	}
}

// TestCoalesce checks coalescing on the same functions. Registers become parts of others there.
func TestCoalesce(t *testing.T) {
	merged := 0
	const count = 400
	for seed := range uint64(count) {
		f := mirgen.Random(seed)
		old := f.Clone()
		new(opt.Workspace).Coalesce(f)
		if f.String() != old.String() {
			merged++
		}
		if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	t.Logf("%d of %d functions have changed", merged, count)
	if merged < count/4 {
		t.Errorf("only %d of %d functions have changed", merged, count)
	}
}
