package stageio_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/stageio"
)

// numbered lowers accesses and numbers their slots.
func numbered(pc *pass.Context) bool {
	changed := lowered(pc)
	return stageio.CompactSlots(pc) || changed
}

// TestO11VertexHeader: what a vertex shader writes goes where the fixed functions read it: layer, viewport and
// point size to the header, cull distances behind clip distances, the user's outputs behind them, in
// the order of their locations. Running the pass again changes nothing.
func TestO11VertexHeader(t *testing.T) {
	const shader = `shader vertex "main"
var @1 "c" shader_out f32 builtin=1
var @2 "p" shader_out f32x4 builtin=0
var @3 "l" shader_out i32 builtin=9
var @4 "v" shader_out i32 builtin=10
var @5 "d" shader_out [3 x f32, 0] builtin=3
var @6 "e" shader_out [2 x f32, 0] builtin=4
var @7 "b" shader_out f32x2 location=9 component=1
var @8 "a" shader_out f32x4 location=2
var @9 "x" shader_in f32x4 location=7
var @10 "y" shader_in f32x2 location=3
fn 1 "main"() entry {
  b0:
    %1 = deref_var.32 modes=shader_in type=f32x4 var=@9
    %2 = load_deref.32x4 %1
    %3 = deref_var.32 modes=shader_in type=f32x2 var=@10
    %4 = load_deref.32x2 %3
    %5 = load_const.32 value=(0x0)
    %6 = load_const.32 value=(0x1)
    %7 = load_const.32 value=(0x2)
    %11 = deref_var.32 modes=shader_out type=f32 var=@1
    store_deref.x1 %11, %2.x write_mask=1
    %12 = deref_var.32 modes=shader_out type=f32x4 var=@2
    store_deref.x4 %12, %2 write_mask=15
    %13 = deref_var.32 modes=shader_out type=i32 var=@3
    store_deref.x1 %13, %5 write_mask=1
    %14 = deref_var.32 modes=shader_out type=i32 var=@4
    store_deref.x1 %14, %6 write_mask=1
    %15 = deref_var.32 modes=shader_out type=[3 x f32, 0] var=@5
    %16 = deref_array.32 %15, %7 modes=shader_out type=f32
    store_deref.x1 %16, %2.y write_mask=1
    %17 = deref_var.32 modes=shader_out type=[2 x f32, 0] var=@6
    %18 = deref_array.32 %17, %6 modes=shader_out type=f32
    store_deref.x1 %18, %2.z write_mask=1
    %19 = deref_var.32 modes=shader_out type=f32x2 var=@7
    store_deref.x2 %19, %4 write_mask=3
    %20 = deref_var.32 modes=shader_out type=f32x4 var=@8
    store_deref.x4 %20, %2 write_mask=15
}
`
	got := passtest.Run(t, numbered, shader)
	for _, want := range []string{
		"component=3 io_builtin=point_size", "base=1 range=1 write_mask=15 io_builtin=position", "component=1 value_base=int io_builtin=layer",
		"component=2 value_base=int io_builtin=viewport_index", "base=2 range=1 write_mask=1 component=2 io_builtin=clip_distance",
		"base=3 range=1 write_mask=1 io_builtin=cull_distance", "base=5 range=1 write_mask=3 component=1 location=9", "base=4 range=1 write_mask=15 location=2",
		"load_input.32x4 %5 base=1 range=1 location=7", "load_input.32x2 %5 range=1 location=3",
	} {
		if !strings.Contains(strings.ReplaceAll(renumbered(got), "\n", " \n"), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
	if again := passtest.Run(t, stageio.CompactSlots, got); again != got {
		t.Errorf("a second run changes\n%s\nto\n%s", got, again)
	}
}

// TestTooManyDistances: the vertex has room for eight distances, of which the clip distances come
// first.
func TestTooManyDistances(t *testing.T) {
	for want, index := range map[string][2]int{
		"": {3, 3},
		"lower_stage_io: element 8 of the builtin clip_distance; there are 8":      {8, 0},
		"compact_slots: 9 clip and cull distances of a vertex shader; there are 8": {3, 4},
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
		if err := pass.New(s).Run([]pass.Pass{{Name: "lower_stage_io", Run: stageio.LowerStageIO}, {Name: "compact_slots", Run: stageio.CompactSlots}}, nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%v: %q, want %q", index, got, want)
		}
	}
}

// TestOffsetsStayInRange: a constant offset beyond the range selects no slot of another input.
func TestOffsetsStayInRange(t *testing.T) {
	const shader = `shader fragment "main"
fn 1 "main"() entry {
  b0:
    %%1 = load_const.32 value=(%s)
    %%2 = load_input.32 %%1 base=7 range=3 location=7
    %%3 = load_const.32 value=(0x0)
    store_output.x1 %%2, %%3 range=1 write_mask=1
}
`
	for _, offset := range []string{"0x3", "0xffffffff"} {
		got := passtest.Run(t, stageio.CompactSlots, fmt.Sprintf(shader, offset))
		if !strings.Contains(got, "load_input.32 %1 range=3") || !strings.Contains(got, "%1 = load_const.32 value=(0x2)") {
			t.Errorf("offset %s:\n%s", offset, got)
		}
	}
}

// renumbered gives the offsets of loads one name.
func renumbered(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if i := strings.Index(line, "load_input"); i >= 0 {
			head, rest, _ := strings.Cut(line[i:], " %")
			_, rest, _ = strings.Cut(rest, " ")
			line = fmt.Sprintf("%s %%5 %s", head, rest)
		}
		out.WriteString(line)
	}
	return out.String()
}
