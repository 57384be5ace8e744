// SPDX-License-Identifier: MIT

package stageio_test

import (
	"fmt"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/pipeline"
)

// TestTooManyDistances: a vertex has room for eight distances; clip distances come first.
func TestTooManyDistances(t *testing.T) {
	for want, index := range map[string][2]int{
		"": {3, 3},
		"lower_stage_io: element 8 of the builtin clip_distance does not exist; there are 8": {8, 0},
		"compact_slots: 9 clip and cull distances; a vertex shader may have at most 8":       {3, 4},
	} {
		s := passtest.Parse(t, fmt.Sprintf(`shader vertex "main"
var @1 "d" shader_out [12 x f32, 0] builtin=3
var @2 "e" shader_out [12 x f32, 0] builtin=4
fn 1 "main"() entry {
  b0:
    %%1 = load_const.32 value=(%#x)
    %%2 = load_const.32 value=(%#x)
    %%3 = deref_var.32 modes=shader_out type=[12 x f32, 0] var=@1
    %%4 = deref_array.32 %%3, %%1 modes=shader_out type=f32
    store_deref.x1 %%4, %%1 write_mask=1
    %%5 = deref_var.32 modes=shader_out type=[12 x f32, 0] var=@2
    %%6 = deref_array.32 %%5, %%2 modes=shader_out type=f32
    store_deref.x1 %%6, %%1 write_mask=1
}
`, index[0], index[1]))
		got := ""
		passes := pass.Pipeline{pipeline.Known.Find("lower_stage_io"), pipeline.Known.Find("compact_slots")}
		if err := pass.New(s).Run(passes, nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%v: %q, want %q", index, got, want)
		}
	}
}
