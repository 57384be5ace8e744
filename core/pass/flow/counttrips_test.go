package flow_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
)

// TestCountTrips checks the counts of loops with different exits.
func TestCountTrips(t *testing.T) {
	const head = `shader compute "main"
workgroup_size 1 1 1
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_const.32 value=(0x1)
    %%2 = load_const.32 value=(0x%x)
    %%3 = load_local_invocation_index.32
    %%4 = ieq.1 %%3, %%1
  loop {
    b1:
      %%5 = phi.32 b0: %%0, b%d: %%6
      %%6 = iadd.32 %%5, %%1
      %%7 = ige.1 %%6, %%2
%s  }
  b9:
}
`
	const leave = `    if %7 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
`
	arm := func(cond, jump string) string {
		return "    if " + cond + " {\n      b5:\n        " + jump + "\n    } else {\n      b6:\n    }\n    b7:\n"
	}
	for _, c := range []struct {
		name, body string
		limit, end int
		want       string
	}{
		{"one exit", leave, 12, 4, " trips=12"},
		{"far more iterations than the analysis executes", leave, 1000000, 4, " trips=1000000"},
		{"another exit that depends on the lane", leave + arm("%4", "jump_break"), 12, 7, " max_trips=12"},
		{"one before", strings.Replace(arm("%4", "jump_break"), "    b7:\n", "    b8:\n", 1) + leave, 12, 4, " max_trips=12"},
		{"invocations that end", leave + arm("%4", "jump_halt"), 12, 7, " max_trips=12"},
		{"only an exit that depends on the lane", arm("%4", "jump_break"), 12, 7, ""},
		{"no exit", "", 12, 1, ""},
	} {
		got := passtest.Run(t, flow.CountTrips, fmt.Sprintf(head, c.limit, c.end, c.body))
		if m := regexp.MustCompile(`(?m)^  loop(.*) \{$`).FindStringSubmatch(got); m == nil || m[1] != c.want {
			t.Errorf("%s: %q, want %q\n%s", c.name, m, c.want, got)
		}
	}
	const once = `shader compute "main"
workgroup_size 1 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = ieq.1 %0, %0
  loop {
    b1:
    if %1 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
      jump_break
  }
  b5:
}
`
	if got := passtest.Run(t, flow.CountTrips, once); !strings.Contains(got, "loop trips=1 {") {
		t.Errorf("a loop that never repeats:\n%s", got)
	}
}

// TestSharesOfCopies checks the trip count of a loop that is left by partial unrolling.
func TestSharesOfCopies(t *testing.T) {
	const bottom = `shader compute "main"
workgroup_size 1 1 1
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x3e8)
    %3 = load_local_invocation_index.32
  loop {
    b1:
      %5 = phi.32 b0: %0, b4: %6
      %8 = phi.32 b0: %3, b4: %9
      %9 = imul.32 %8, %3
      %6 = iadd.32 %5, %1
      %7 = ige.1 %6, %2
    if %7 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b9:
    store_ssbo.x1 %9, %0, %0 write_mask=1 align_mul=4
}
`
	top := strings.Replace(strings.Replace(bottom, "      %9 = imul.32 %8, %3\n", "", 1), "    b4:\n", "    b4:\n      %9 = imul.32 %8, %3\n", 1)
	top = strings.Replace(top, "ige.1 %6", "ige.1 %5", 1)
	top = strings.Replace(top, "store_ssbo.x1 %9", "store_ssbo.x1 %8", 1)
	for _, c := range []struct{ name, text, want string }{
		{"left at the end", bottom, "loop dont_unroll trips=125 {"}, // 1000 iterations, 8 in each copy
		{"left at the start", top, "loop dont_unroll trips=126 {"},
	} {
		if got := passtest.Run(t, flow.UnrollLoops, c.text); !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q\n%s", c.name, c.want, got)
		}
	}
}
