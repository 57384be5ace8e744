// SPDX-License-Identifier: MIT

package intel_test

import (
	"os"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/work"
	"jacquard.example/generated/target"
)

// TestUnchecked checks that a check that exceeds its budget is listed, and that the code is the same as without
// checks.
func TestUnchecked(t *testing.T) {
	source, err := os.ReadFile("filetests/testdata/coalesce/loop.mir")
	if err != nil {
		t.Fatal(err)
	}
	compile := func(verify bool, steps int64) *intel.Binary {
		source, _, _ := strings.Cut(string(source), "// becomes")
		u, err := mirtext.Parse([]byte(source), func(*mir.Unit) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		machine, _ := target.ByName(u.Target)
		b, err := new(intel.Compiler).Resume(u,
			intel.Options{Target: machine, Verify: verify, CheckSteps: steps, Work: work.NewMeter(t.Context(), work.MaxSteps)})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	plain, checked, few := compile(false, 0), compile(true, 0), compile(true, 10)
	if len(plain.Unchecked) > 0 || len(checked.Unchecked) > 0 {
		t.Errorf("not checked: %q, %q", plain.Unchecked, checked.Unchecked)
	}
	text := strings.Join(few.Unchecked, "\n")
	for _, want := range []string{"which register holds what after coalesce", "which register holds what after allocate", "what threads without lanes do after guard", "what instructions wait for after encode"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not among the abandoned checks:\n%s", want, text)
		}
	}
	if string(few.Code) != string(plain.Code) || string(checked.Code) != string(plain.Code) {
		t.Error("the checks change the code")
	}
}
