// SPDX-License-Identifier: MIT

package stageio_test

import (
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/pass/vars"
)

// kept runs the passes that turn discarded invocations into helpers.
func kept(pc *pass.Context) bool {
	stageio.KeepQuads(pc)
	vars.VarsToSSA(pc)
	changed := stageio.DiscardToDemote(pc)
	values.ConstantFold(pc)
	flow.DeadControlFlow(pc)
	values.DeadCode(pc)
	return changed
}

// TestKeepQuads: where quad operations follow a discard, discarded invocations continue. They are tracked only in loops
// that need not end for them and before operations that would notice them, and they end after the last quad operation.
func TestKeepQuads(t *testing.T) {
	const head = `shader fragment "main"
struct S1 "U" block {
  i32 "count" offset=0
}
var @1 "u" ubo S1 access=non_writeable
var @2 "list" shader_temp [16 x f32, 0]
fn 1 "main"() entry {
  b0:
    %0 = load_front_face.1
    %1 = load_frag_coord.32x4
    %2 = f2i32.32 %1.x
    %3 = load_const.32 value=(0x0)
    %4 = load_const.32 value=(0x1)
    %5 = load_const.32 value=(0x40)
    %7 = deref_var.32 modes=shader_temp type=[16 x f32, 0] var=@2
    %10 = deref_var.32 modes=ubo type=S1 var=@1
    %11 = deref_struct.32 %10 modes=ubo type=i32
    %12 = load_deref.32 %11 access=non_writeable
`
	const arm = "  if %0 {\n    b1:\n      jump_halt\n  } else {\n    b2:\n  }\n  b3:\n"
	const loop = `  loop {
    b4:
      %20 = phi.32 b3: %3, b10: %21
      %22 = ilt.1 %20, LIMIT
    if %22 {
      b5:
    } else {
      b6:
        jump_break
    }
    b7:
      %23 = ilt.1 %20, %2
    if %23 {
      b8:
        OTHER
    } else {
      b9:
    }
    b10:
      %21 = iadd.32 %20, %4
  }
  b11:
`
	const quads = "    %30 = fddx.32 %1.x\n"
	const vote = "    %31 = vote_any.1 %0\n"
	const quadVote = "    %36 = quad_vote_any.1 %0\n    %37 = quad_vote_all.1 %0\n    %38 = iand.1 %36, %37\n    demote_if.x1 %38\n"
	const store = "    %32 = deref_array.32 %7, %2 modes=shader_temp type=f32\n    store_deref.x1 %32, %1.x write_mask=1\n"
	of := func(limit, other string) string {
		return strings.NewReplacer("LIMIT", limit, "OTHER", other).Replace(loop)
	}
	nothing := "%24 = mov.32 %3"
	for name, c := range map[string]struct {
		body string
		want string // the remaining instructions among kill, demote, abandoned, killed, gone, terminate, halt and umin
	}{
		"nothing after":              {arm, "demote"},
		"derivative":                 {arm + quads, "demote"},
		"loop":                       {arm + of("%2", nothing), "halt"},
		"loop and derivative":        {arm + of("%2", nothing) + quads, "kill abandoned gone terminate"},
		"loop that continues":        {arm + strings.Replace(of("%2", "jump_continue"), "b10: %21", "b8: %20, b10: %21", 1) + quads, "kill abandoned gone terminate"},
		"constant bound":             {arm + of("%5", nothing) + quads, "demote"},
		"uniform bound":              {arm + of("%12", nothing) + quads, "demote"},
		"constant and other exit":    {arm + of("%5", "jump_break") + quads, "kill abandoned gone terminate"},
		"uniform and other exit":     {arm + of("%12", "jump_break") + quads, "kill abandoned gone terminate"},
		"derivative, then loop":      {arm + quads + of("%2", nothing), "kill killed terminate"},
		"vote":                       {arm + vote, "halt"},
		"vote and derivative":        {arm + vote + quads, "kill killed gone terminate"},
		"derivative, then vote":      {arm + quads + vote, "kill killed gone terminate"},
		"quad vote":                  {arm + quadVote, "demote halt"},
		"quad vote and derivative":   {arm + quadVote + quads, "kill demote killed gone terminate"},
		"derivative, then quad vote": {arm + quads + quadVote, "kill demote killed gone terminate"},
		"store and derivative":       {arm + store + quads, "demote umin"},
		"other arm":                  {strings.Replace(arm, "b2:\n", "b2:\n      %25 = fsin.32 %1.x\n", 1) + quads, "demote"},
		"discard within a loop":      {"  loop {\n    b20:\n  if %0 {\n    b1:\n      jump_halt\n  } else {\n    b2:\n  }\n  b3:\n  " + quads + "    if %0 {\n      b21:\n        jump_break\n    } else {\n      b22:\n    }\n    b23:\n  }\n  b24:\n", "kill abandoned gone terminate"},
		"discard at a loop's start":  {"  loop {\n    b20:\n  " + quads + "  if %0 {\n    b1:\n      jump_halt\n  } else {\n    b2:\n  }\n  b3:\n      if %0 {\n      b21:\n        jump_break\n    } else {\n      b22:\n    }\n    b23:\n  }\n  b24:\n", "kill abandoned gone terminate"},
	} {
		got := passtest.Run(t, kept, head+c.body+"}\n")
		var left []string
		for _, x := range [...][2]string{{"kill.x1", "kill"}, {"demote", ""}, {"is_abandoned", "abandoned"}, {"is_killed", "killed"}, {"quad_is_gone", "gone"}, {"jump_terminate", "terminate"}, {"jump_halt", "halt"}, {"umin", ""}} {
			if strings.Contains(got, x[0]) {
				if x[1] == "" {
					x[1] = x[0]
				}
				left = append(left, x[1])
			}
		}
		if strings.Join(left, " ") != c.want {
			t.Errorf("%s: %q, want %q\n%s", name, strings.Join(left, " "), c.want, got)
		}
	}
}
