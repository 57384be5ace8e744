package stageio_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/kind"
)

// lowered runs both passes.
func lowered(pc *pass.Context) bool {
	changed := stageio.OutputsToTemporaries(pc)
	return stageio.LowerStageIO(pc) || changed
}

// vertex writes its outputs in control flow, at an index that is not constant, and reads one.
const vertex = `shader vertex "main"
struct S1 "gl_PerVertex" block {
  f32x4 "gl_Position" builtin=0
  f32 "gl_PointSize" builtin=1
  [2 x f32, 0] "gl_ClipDistance" builtin=3
}
var @1 "" shader_out S1
var @2 "in" shader_in f32x4 location=3
var @3 "list" shader_out [2 x f32x2, 0] location=5 component=1
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_in type=f32x4 var=@2
    %1 = load_deref.32x4 %0
    %2 = load_vertex_id.32
    %3 = deref_var.32 modes=shader_out type=[2 x f32x2, 0] var=@3
    %4 = deref_array.32 %3, %2 modes=shader_out type=f32x2
    store_deref.x2 %4, %1.xy write_mask=3
    %5 = load_const.32 value=(0x0)
    %6 = flt.1 %1.x, %5
    %7 = deref_var.32 modes=shader_out type=S1 var=@1
    %8 = deref_struct.32 %7 modes=shader_out type=f32x4
  if %6 {
    b1:
      store_deref.x4 %8, %1 write_mask=15
      jump_return
  } else {
    b2:
      %9 = load_deref.32x2 %4
      %10 = vec4.32x4 %9.x, %9.y, %9.x, %9.y
      store_deref.x4 %8, %10 write_mask=15
  }
  b3:
}
`

// TestO07OutputsAreWrittenOnce: each output is written once wherever the shader ends, with constant
// offsets, and nothing else accesses it; a member that the shader does not refer to is not written.
func TestO07OutputsAreWrittenOnce(t *testing.T) {
	got := passtest.Run(t, lowered, vertex)
	for _, b := range []string{"b1:", "b3:"} {
		_, part, _ := strings.Cut(got, b)
		part, _, _ = strings.Cut(part, "  b2:")
		for _, want := range []string{"base=5 range=1 write_mask=3 component=1 location=5", "base=6 range=1 write_mask=3 component=1 location=6", "io_builtin=position"} {
			if n := strings.Count(strings.Split(part, "else")[0], want); n != 1 {
				t.Errorf("%s writes %q %d times", b, want, n)
			}
		}
	}
	if n := strings.Count(got, "store_output"); n != 6 {
		t.Errorf("%d outputs are written", n)
	}
	for _, never := range []string{"modes=shader_out type=f32x2", "io_builtin=point_size", "io_builtin=clip_distance"} {
		for line := range strings.Lines(got) {
			if strings.Contains(line, never) && !strings.Contains(line, "deref") {
				t.Errorf("unexpected: %s", line)
			}
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// TestO07SettledOutputsStay: outputs that are only stored to where the shader ends need no
// temporaries, and running the pass again changes nothing.
func TestO07SettledOutputsStay(t *testing.T) {
	s := passtest.Parse(t, vertex)
	pc := pass.New(s)
	if !stageio.OutputsToTemporaries(pc) {
		t.Error("nothing changed")
	}
	simple := passtest.Parse(t, `shader fragment "main"
var @1 "o" shader_out f32x4 location=0
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_out type=f32x4 var=@1
    %1 = load_frag_coord.32x4
    store_deref.x4 %0, %1 write_mask=15
}
`)
	if stageio.OutputsToTemporaries(pass.New(simple)) {
		t.Error("an output that is stored to at the end got a temporary")
	}
}

// TestO04BaseIsTheSlot: base of every access is what Slot says of its location or builtin, plus the
// slots that constant indices select; an index that is no constant is the offset.
func TestO04BaseIsTheSlot(t *testing.T) {
	got := passtest.Run(t, lowered, vertex)
	position := stageio.Slot(kind.BuiltinPosition, 0, 0)
	for _, want := range []string{"load_input.32x4 %", "base=3 range=1 location=3", fmt.Sprintf("base=%d range=1 write_mask=15 io_builtin=position", position)} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	got = passtest.Run(t, lowered, `shader fragment "main"
var @1 "m" shader_in [3 x matrix(f32x3, 2, 0, column), 0] location=4
var @2 "o" shader_out f32x3 location=1
var @3 "i" shader_in i32 location=2 qualifier=flat
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_in type=i32 var=@3
    %1 = load_deref.32 %0
    %2 = load_const.32 value=(0x1)
    %3 = deref_var.32 modes=shader_in type=[3 x matrix(f32x3, 2, 0, column), 0] var=@1
    %4 = deref_array.32 %3, %1 modes=shader_in type=matrix(f32x3, 2, 0, column)
    %5 = deref_array.32 %4, %2 modes=shader_in type=f32x3
    %6 = load_deref.32x3 %5
    %7 = deref_var.32 modes=shader_out type=f32x3 var=@2
    store_deref.x3 %7, %6 write_mask=7
}
`)
	for _, want := range []string{"load_input.32 ", "value_base=int location=2", "imul.32 ", "load_interpolated_input.32x3 ", "base=5 range=6 location=5", "store_output.x3"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestSlotsAreApart: no two inputs or outputs share a slot.
func TestSlotsAreApart(t *testing.T) {
	seen := map[int32]string{}
	claim := func(what string, from, n int32) {
		for s := from; s < from+n; s++ {
			if seen[s] != "" {
				t.Errorf("%s and %s share slot %d", what, seen[s], s)
			}
			seen[s] = what
		}
	}
	for l := range uint32(2048) {
		claim(fmt.Sprint("location ", l), stageio.Slot(kind.BuiltinNone, l, 0), 1)
	}
	for l := range uint32(8) {
		claim(fmt.Sprint("second color ", l), stageio.Slot(kind.BuiltinNone, l, kind.IODualSource), 1)
	}
	for b := kind.BuiltinPosition; b <= kind.BuiltinSampleMask; b++ {
		claim(b.String(), stageio.Slot(b, 0, 0), 2)
	}
}

// TestStageIORefuses: what cannot be lowered is an error that says what.
func TestStageIORefuses(t *testing.T) {
	for _, test := range []struct{ want, decl, typ string }{
		{"the builtin TessLevelOuter is not supported as an input or output of a vertex shader", "f32 builtin=11", "f32"},
		{"location 70000 of an input or output; there are 2048", "f32 location=70000", "f32"},
	} {
		s := passtest.Parse(t, `shader vertex "main"
var @1 "o" shader_out `+test.decl+`
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=shader_out type=f32 var=@1
    %1 = load_const.32 value=(0x0)
    store_deref.x1 %0, %1 write_mask=1
}
`)
		err := pass.New(s).Run([]pass.Pass{{Name: "lower_stage_io", Run: stageio.LowerStageIO}}, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got %v, want %q", err, test.want)
		}
	}
}
