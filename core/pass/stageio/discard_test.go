// SPDX-License-Identifier: MIT

package stageio_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/stageio"
)

func demotes(t *testing.T, name, src string, want bool) {
	t.Helper()
	got := passtest.Run(t, stageio.DiscardToDemote, src)
	ends := strings.Contains(got, "jump_halt") || strings.Contains(got, "jump_terminate")
	if strings.Contains(got, "demote") != want || ends == want {
		t.Errorf("%s:\n%s", name, got)
	}
}

// TestDiscardBeforeLoops: discarded invocations continue as helpers into loops that certainly end, if derivatives are
// taken in or after the loop.
func TestDiscardBeforeLoops(t *testing.T) {
	const arm = "  if %0 {\n    b1:\n      jump_halt\n  } else {\n    b2:\n  }\n  b3:\n"
	// A loop over a counter %20 that starts at FIRST and becomes %21 in each iteration. COND computes the condition
	// %23.
	const shader = `shader fragment "main"
struct S1 "U" block {
  i32 "count" offset=0
}
var @1 "u" ubo S1 access=non_writeable
var @2 "b" ssbo S1
fn 1 "main"() entry {
  b0:
    %0 = load_front_face.1
    %1 = load_frag_coord.32x4
    %2 = f2i32.32 %1.x
    %3 = load_const.32 value=(0x0)
    %4 = load_const.32 value=(0x1)
    %5 = load_const.32 value=(0xffffffff)
    %6 = load_const.32 value=(0x2)
    %7 = load_const.32 value=(0x40)
    %8 = load_const.32 value=(0x3e000000)
    %9 = load_const.32 value=(0x41000000)
    %10 = deref_var.32 modes=ubo type=S1 var=@1
    %11 = deref_struct.32 %10 modes=ubo type=i32
    %12 = deref_var.32 modes=ssbo type=S1 var=@2
    %13 = deref_struct.32 %12 modes=ssbo type=i32
` + arm + `  loop {
    b4:
      %20 = phi.32 b3: FIRST, b7: %21
      COND
    if %23 {
      b5:
        THEN
    } else {
      b6:
        ELSE
    }
    b7:
      %21 = STEP
  }
  b8:
    %30 = fddx.32 %1.x
}
`
	const uniform = "%22 = load_deref.32 %11 access=non_writeable\n      "
	const stays, leaves = false, true // fates of invocations for which the condition is true
	for name, c := range map[string]struct {
		first, cond, step string
		leaves            bool
		want              bool
	}{
		"constant":            {"%3", "%23 = ilt.1 %20, %7", "iadd.32 %20, %6", stays, true},
		"constant_down":       {"%7", "%23 = ige.1 %3, %20", "iadd.32 %20, %5", leaves, true},
		"constant_float":      {"%3", "%23 = flt.1 %20, %4", "fadd.32 %20, %8", stays, true},
		"float_that_sticks":   {"%3", "%23 = flt.1 %20, %9", "fadd.32 %20, %3", stays, false},
		"constant_not_left":   {"%3", "%23 = ilt.1 %20, %7", "iadd.32 %20, %3", stays, false},
		"uniform":             {"%3", uniform + "%23 = ilt.1 %20, %22", "iadd.32 %20, %4", stays, true},
		"uniform_unsigned":    {"%3", uniform + "%23 = ult.1 %20, %22", "iadd.32 %4, %20", stays, true},
		"uniform_down":        {"%7", uniform + "%23 = ilt.1 %22, %20", "iadd.32 %20, %5", stays, true},
		"uniform_left_at":     {"%3", uniform + "%23 = ige.1 %20, %22", "iadd.32 %20, %4", leaves, true},
		"uniform_first":       {"%7", "%22 = load_deref.32 %11 access=non_writeable\n      %23 = uge.1 %20, %22", "iadd.32 %20, %4", leaves, true},
		"uniform_away":        {"%3", uniform + "%23 = ilt.1 %20, %22", "iadd.32 %20, %5", stays, false},
		"uniform_by_two":      {"%3", uniform + "%23 = ilt.1 %20, %22", "iadd.32 %20, %6", stays, false},
		"uniform_and_equal":   {"%3", uniform + "%23 = ige.1 %22, %20", "iadd.32 %20, %4", stays, false},
		"uniform_other_arm":   {"%3", uniform + "%23 = ilt.1 %20, %22", "iadd.32 %20, %4", leaves, false},
		"bound_of_lanes":      {"%3", "%23 = ilt.1 %20, %2", "iadd.32 %20, %4", stays, false},
		"first_of_lanes":      {"%2", uniform + "%23 = ilt.1 %20, %22", "iadd.32 %20, %4", stays, false},
		"step_of_lanes":       {"%3", uniform + "%23 = ilt.1 %20, %22", "iadd.32 %20, %2", stays, false},
		"writeable":           {"%3", "%22 = load_deref.32 %13\n      %23 = ilt.1 %20, %22", "iadd.32 %20, %4", stays, false},
		"bound_moves":         {"%3", "%22 = iadd.32 %20, %4\n      %23 = ilt.1 %20, %22", "iadd.32 %20, %4", stays, false},
		"no_counter":          {"%3", uniform + "%23 = ilt.1 %3, %22", "iadd.32 %20, %4", stays, false},
		"another_computation": {"%3", uniform + "%23 = ilt.1 %20, %22", "imul.32 %20, %4", stays, false},
	} {
		then, els := "%24 = mov.32 %3", "jump_break"
		if c.leaves {
			then, els = els, then
		}
		src := strings.NewReplacer("FIRST", c.first, "COND", c.cond, "STEP", c.step, "THEN", then, "ELSE", els).Replace(shader)
		demotes(t, name, src, c.want)
		if c.want {
			inside := strings.Replace(strings.Replace(src, arm, "", 1), "    b7:\n", "    b7:\n"+arm, 1)
			inside = strings.NewReplacer("phi.32 b3:", "phi.32 b0:", "b7: %21", "b3: %21").Replace(inside)
			demotes(t, name+" inside", inside, true)
			endless := strings.Replace(inside, arm,
				"  loop {\n  b20:\n  if %0 {\n    b21:\n      jump_break\n  } else {\n    b22:\n  }\n  b23:\n  }\n  b24:\n"+arm, 1)
			demotes(t, name+" after a loop inside", endless, false)
			demotes(t, name+" without derivatives", strings.Replace(src, "fddx", "fsin", 1), false)
		}
	}
}
