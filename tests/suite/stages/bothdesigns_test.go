// SPDX-License-Identifier: MIT

package stages

import (
	"maps"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// lowered returns the shader of a text after all passes of the middle end.
func lowered(t *testing.T, m *target.Target, src string) *ir.Shader {
	t.Helper()
	s := parsed(t, src)
	pc := pass.New(s)
	pc.Options = pass.Options{Target: m}
	if err := pipeline.ForTarget(pc, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// outputsInFlow stores its outputs in control flow: one in both arms of an if, with one component overwritten later;
// another in every iteration of a loop, with one component in one arm only.
const outputsInFlow = `shader vertex "main"
var @1 "at" shader_out f32x4 builtin=0
var @2 "arms" shader_out u32x4 location=0
var @3 "loop" shader_out u32x2 location=2 component=1
fn 1 "main"() entry {
  b0:
    %0 = load_vertex_id.32
    %1 = load_const.32 value=(0x6)
    %2 = load_const.32 value=(0x3F800000)
    %3 = vec4.32x4 %2, %2, %2, %2
    %4 = deref_var.32 modes=shader_out type=f32x4 var=@1
    store_deref.x4 %4, %3 write_mask=15
    %5 = deref_var.32 modes=shader_out type=u32x4 var=@2
    %6 = deref_var.32 modes=shader_out type=u32x2 var=@3
    %7 = load_const.32 value=(0x1)
    %8 = ult.1 %0, %1
    %9 = vec4.32x4 %0, %1, %0, %7
    %10 = vec4.32x4 %1, %0, %7, %7
    %11 = vec2.32x2 %7, %7
    store_deref.x2 %6, %11 write_mask=3
  if %8 {
    b1:
      store_deref.x4 %5, %9 write_mask=15
      %12 = vec2.32x2 %0, %0
      store_deref.x2 %6, %12 write_mask=2
  } else {
    b2:
      store_deref.x4 %5, %10 write_mask=15
  }
  b3:
    %13 = vec4.32x4 %7, %7, %7, %7
    store_deref.x4 %5, %13 write_mask=4
    %14 = deref_var.32 modes=shader_out type=u32x2 var=@3
  loop {
    b4:
      %15 = load_deref.32x2 %14
      %16 = iadd.32 %15.x, %7
      %17 = vec2.32x2 %16, %16
      store_deref.x2 %14, %17 write_mask=1
      %18 = ult.1 %0, %16
    if %18 {
      b5:
        jump_break
    } else {
      b6:
    }
    b7:
  }
  b8:
}
`

// outputsAtTheEnd computes the same values and stores each output once, where the shader ends.
const outputsAtTheEnd = vertexHead + `
    %4 = load_vertex_id_zero_base.32
    %5 = load_base_vertex.32
    %6 = iadd.32 %4, %5
    %7 = load_const.32 value=(0x6)
    %8 = ult.1 %6, %7
    %9 = bcsel.32 %8, %6, %7
    %10 = bcsel.32 %8, %7, %6
    %11 = vec4.32x4 %9, %10, %1, %1
    store_output.x4 %11, %0 base=4 range=1 write_mask=15 value_base=uint location=0
    %12 = load_const.32 value=(0x2)
    %13 = iadd.32 %6, %1
    %14 = umax.32 %13, %12
    %15 = bcsel.32 %8, %6, %1
    %16 = vec2.32x2 %14, %15
    store_output.x2 %16, %0 base=5 range=1 write_mask=3 component=1 value_base=uint location=2
}
`

// TestO07BothDesigns checks that the two designs of outputs leave the same vertices in the URB: outputs
// that are stored in control flow and have a register until the end of the shader, and outputs that
// are stored once, directly. The interpreter runs the second one.
func TestO07BothDesigns(t *testing.T) {
	onEach(t, func(t *testing.T, m *target.Target) {
		flow, end := onModel(t, m, lowered(t, m, outputsInFlow)), onModel(t, m, parsed(t, outputsAtTheEnd))
		if !maps.Equal(flow, end) {
			t.Errorf("stored in control flow:\n%v\nstored at the end:\n%v", flow, end)
		}
		for at, want := range onInterpreter(t, parsed(t, outputsAtTheEnd)) {
			if x := flow[at]; x != want {
				t.Errorf("vertex %d, slot %d, component %d: %#x, the interpreter has %#x", at[0], at[1], at[2], x, want)
			}
		}
	})
}

// TestO08OutputsBeforeTheirRegisters checks that the type of an output is known before it has a value,
// and that it needs none: outputs of every type that are declared and never stored, whose elements are
// stored in part, or that are stored in unreachable code, neither fail nor move the others.
func TestO08OutputsBeforeTheirRegisters(t *testing.T) {
	const shader = `shader vertex "main"
var @1 "at" shader_out f32x4 builtin=0
var @2 "never" shader_out i32x3 location=0
var @3 "part" shader_out [3 x u32x2, 0] location=1 component=1
var @4 "half" shader_out f16x2 location=5
var @5 "nowhere" shader_out f32 location=6
var @6 "last" shader_out u32 location=7
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x3F800000)
    %1 = load_const.32 value=(0x1)
    %2 = load_const.1 value=(0x0)
    %3 = deref_var.32 modes=shader_out type=[3 x u32x2, 0] var=@3
    %4 = deref_array.32 %3, %1 modes=shader_out type=u32x2
    %5 = vec2.32x2 %1, %0
    store_deref.x2 %4, %5 write_mask=2
    %6 = deref_var.32 modes=shader_out type=i32x3 var=@2
  if %2 {
    b1:
      %7 = deref_var.32 modes=shader_out type=f32 var=@5
      store_deref.x1 %7, %0 write_mask=1
  } else {
    b2:
  }
  b3:
    %8 = deref_var.32 modes=shader_out type=u32 var=@6
    store_deref.x1 %8, %1 write_mask=1
    %9 = vec4.32x4 %0, %0, %0, %0
    %10 = deref_var.32 modes=shader_out type=f32x4 var=@1
    store_deref.x4 %10, %9 write_mask=15
}
`
	onEach(t, func(t *testing.T, m *target.Target) {
		s := lowered(t, m, shader)
		slots := map[uint32]int{} // by location
		for _, x := range compiled(t, m, s).ABI.Outputs {
			if x.Name == "location" {
				slots[x.Number] = int(x.Index)
			}
		}
		for _, never := range []uint32{0, 5} {
			if at, ok := slots[never]; ok {
				t.Errorf("the output at location %d, which is never stored, has slot %d", never, at)
			}
		}
		got := onModel(t, m, s)
		for l := range 8 {
			if x := got[[3]int{l, slots[2], 2}]; x != 0x3F800000 {
				t.Errorf("vertex %d: element 1 of the array has %#x", l, x)
			}
			if x := got[[3]int{l, slots[7], 0}]; x != 1 {
				t.Errorf("vertex %d: the last output has %#x", l, x)
			}
		}
	})
}

// TestO04BaseIsTheSlot: after all passes, the base of a store and its offset are the slot of the entry to which the code
// writes, whatever the location, and the description of the code names the slot.
func TestO04BaseIsTheSlot(t *testing.T) {
	const shader = `shader vertex "main"
var @1 "at" shader_out f32x4 builtin=0
var @2 "a" shader_out [2 x u32x4, 0] location=9
var @3 "b" shader_out u32x4 location=3
fn 1 "main"() entry {
  b0:
    %0 = load_vertex_id.32
    %1 = load_const.32 value=(0x1)
    %2 = vec4.32x4 %0, %1, %1, %0
    %3 = deref_var.32 modes=shader_out type=[2 x u32x4, 0] var=@2
    %4 = deref_array.32 %3, %1 modes=shader_out type=u32x4
    store_deref.x4 %4, %2 write_mask=15
    %5 = vec4.32x4 %1, %0, %0, %0
    %6 = deref_var.32 modes=shader_out type=u32x4 var=@3
    store_deref.x4 %6, %5 write_mask=15
    %7 = deref_var.32 modes=shader_out type=f32x4 var=@1
    store_deref.x4 %7, %2 write_mask=15
}
`
	onEach(t, func(t *testing.T, m *target.Target) {
		s := lowered(t, m, shader)
		described := map[uint32]uint32{} // slots by location
		for _, x := range compiled(t, m, s).ABI.Outputs {
			if x.Name == "location" {
				described[x.Number] = x.Index
			}
		}
		got := onModel(t, m, s)
		stores := 0
		for v := range s.Instrs(s.FirstBlock(s.Entry())) {
			id := s.At(v).Intrinsic()
			if id != intrinsic.StoreOutput || kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin)) != kind.BuiltinNone {
				continue
			}
			stores++
			offset, _ := s.ConstOf(s.Src(v, id.Source(intrinsic.RoleOffset)))
			slot, location := s.Index(v, intrinsic.IxBase)+uint32(offset), s.Index(v, intrinsic.IxLocation)
			if at, ok := described[location]; !ok || at != slot {
				t.Errorf("location %d is stored to slot %d, and described at %d", location, slot, at)
			}
			for l := range uint32(8) {
				want := map[uint32][2]uint32{10: {2 * l, 1}, 3: {1, 2 * l}}[location]
				for c := range 2 {
					if x := got[[3]int{int(l), int(slot), c}]; x != want[c] {
						t.Errorf("vertex %d: slot %d has %#x, want %#x", l, slot, x, want[c])
					}
				}
			}
		}
		if stores != 2 {
			t.Errorf("%d stores", stores)
		}
	})
}
