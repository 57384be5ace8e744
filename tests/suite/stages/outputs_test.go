// SPDX-License-Identifier: MIT

package stages

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// entry holds the outputs of vertices: by invocation, slot and component.
type entry map[[3]int]uint32

func (e entry) Input(l, slot, component, _ int) uint32 {
	return 0x7F800001 + uint32(256*l+16*slot+component) // a float that arithmetic would change
}
func (e entry) Output(l, slot, component int, x uint32)                   { e[[3]int{l, slot, component}] = x }
func (e entry) System(l int, _ intrinsic.ID, _ int) (uint64, bool)        { return uint64(l), true }
func (e entry) Barycentric(int, interp.Place, kind.InterpMode) [2]float32 { return [2]float32{} }

// parsed returns the shader of a text.
func parsed(t *testing.T, src string) *ir.Shader {
	t.Helper()
	s, err := text.Parse([]byte(src))
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// onEach runs a test for each machine that vertex shaders are compiled for: those with a lane for each vertex, and those
// with a lane for each component.
func onEach(t *testing.T, test func(t *testing.T, m *target.Target)) {
	vectors := 0
	for _, m := range slices.Concat(target.All, target.Partial) {
		if m.Vertex == nil {
			continue
		}
		if m.Can(target.Vectors) {
			vectors++
		}
		t.Run(m.Name, func(t *testing.T) { test(t, m) })
	}
	if vectors == 0 {
		t.Error("no machine has vectors")
	}
}

// compiled returns the machine code of a shader.
func compiled(t *testing.T, m *target.Target, s *ir.Shader, without ...string) *intel.Binary {
	t.Helper()
	b, err := intel.Compile(s, intel.Options{Target: m, SIMD: m.Widths[0], Verify: true, Disable: without})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// undefined is what registers contain that nothing has written.
const undefined = 0x01010101 * thread.PoisonByte

// onModel returns the doublewords that eight vertices write to the URB, by slot and component.
func onModel(t *testing.T, m *target.Target, s *ir.Shader) entry {
	t.Helper()
	b := compiled(t, m, s)
	p := &graphics.Program{Code: eu.Load(m, b.Code), SIMD: m.Widths[0], ABI: m.Vertex, Slots: 16, Options: eu.Options{Poison: true}}
	for _, x := range b.ABI.Payload {
		for part := range abi.Part(abi.NumParts) {
			if part.String() == x.Name {
				p.Uses |= graphics.PartsOf(part)
			}
		}
	}
	for _, in := range b.ABI.Inputs {
		for len(p.Inputs) <= int(in.Index) {
			p.Inputs = append(p.Inputs, graphics.Input{Slot: -1})
		}
		if in.Name == "location" {
			p.Inputs[in.Index].Slot = int(in.Index)
		} else {
			p.Inputs[in.Index].Values = [4]intrinsic.ID{intrinsic.LoadBaseVertex, intrinsic.LoadBaseInstance, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadInstanceIDZeroBase}
		}
	}
	for at := range 4 * p.Slots {
		p.Outputs = append(p.Outputs, graphics.Output{At: at, Slot: at / 4, Component: at % 4})
	}
	e := entry{}
	if err := p.Vertices(t.Context(), 8, e); err != nil {
		t.Fatal(err)
	}
	return e
}

// onInterpreter returns the same doublewords from the interpreter.
func onInterpreter(t *testing.T, s *ir.Shader) entry {
	t.Helper()
	st, err := interp.NewStage(t.Context(), s, &interp.Call{Width: 8})
	if err != nil {
		t.Fatal(err)
	}
	e := entry{}
	if _, err := st.Run(0xFF, 0, e); err != nil {
		t.Fatal(err)
	}
	return e
}

const vertexHead = `shader vertex "main"
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32 value=(0x1)
    %2 = load_const.32 value=(0x3F800000)
    %3 = vec4.32x4 %2, %2, %2, %2
    store_output.x4 %3, %0 base=1 range=1 write_mask=15 io_builtin=position
`

// TestO01OutputsByBaseAndMask: an output goes to the slot given by the sum of base and the constant offset, and there to
// the components in the mask, counted from the first one; stores to a slot complement each other.
func TestO01OutputsByBaseAndMask(t *testing.T) {
	const shader = vertexHead + `
    %4 = load_const.32 value=(0x10)
    %5 = load_const.32 value=(0x11)
    %6 = load_const.32 value=(0x12)
    %7 = vec3.32x3 %4, %5, %6
    store_output.x3 %7, %1 base=4 range=2 write_mask=5 component=1 location=1
    store_output.x1 %4, %0 base=5 range=1 write_mask=1 location=1
    store_output.x1 %5, %0 base=7 range=1 write_mask=1 component=2 location=3
}
`
	onEach(t, func(t *testing.T, m *target.Target) {
		s := parsed(t, shader)
		got := onModel(t, m, s)
		for at, want := range map[[2]int]uint32{{5, 0}: 0x10, {5, 1}: 0x10, {5, 3}: 0x12, {7, 2}: 0x11} {
			for l := range 8 {
				if x := got[[3]int{l, at[0], at[1]}]; x != want {
					t.Errorf("vertex %d: slot %d has %#x in component %d, want %#x", l, at[0], x, at[1], want)
				}
			}
		}
		for at := range got {
			between := (at[1] == 4 || at[1] == 6) && !m.Can(target.Vectors) // vectors are written with the slots between them
			if between || at[1] > 7 {
				t.Errorf("slot %d is written", at[1])
			}
		}
	})
}

// TestO02IndexedOutputs: a store to an output array at a dynamic index writes the indexed element after passes have
// lowered it; without them, selection refuses it by name.
func TestO02IndexedOutputs(t *testing.T) {
	const indexed = `shader vertex "main"
var @1 "at" shader_out f32x4 builtin=0
var @2 "list" shader_out [4 x f32x2, 0] location=5 component=1
fn 1 "main"() entry {
  b0:
    %0 = load_vertex_id.32
    %1 = load_const.32 value=(0x3)
    %2 = iand.32 %0, %1
    %3 = load_const.32 value=(0x3F800000)
    %4 = vec2.32x2 %3, %0
    %5 = deref_var.32 modes=shader_out type=[4 x f32x2, 0] var=@2
    %6 = deref_array.32 %5, %2 modes=shader_out type=f32x2
    store_deref.x2 %6, %4 write_mask=3
    %7 = vec4.32x4 %3, %3, %3, %3
    %8 = deref_var.32 modes=shader_out type=f32x4 var=@1
    store_deref.x4 %8, %7 write_mask=15
}
`
	onEach(t, func(t *testing.T, m *target.Target) {
		s := parsed(t, indexed)
		pc := pass.New(s)
		pc.Options = pass.Options{Target: m}
		if err := pipeline.ForTarget(pc, nil); err != nil {
			t.Fatal(err)
		}
		got := onModel(t, m, s)
		for l := range 8 {
			vertex := uint32(2 * l) // the vertex's number and the first vertex's
			if x := got[[3]int{l, 4 + int(vertex)&3, 2}]; x != vertex {
				t.Errorf("vertex %d: %d, want %d", l, x, vertex)
			}
		}
		left := parsed(t, vertexHead+`
    %4 = load_vertex_id_zero_base.32
    store_output.x1 %4, %4 base=4 range=4 write_mask=1
}
`)
		if _, err := intel.Compile(left, intel.Options{Target: m, SIMD: m.Widths[0]}); err == nil ||
			!strings.Contains(err.Error(), "an output at a non-constant index") {
			t.Errorf("left as it is: %v", err)
		}
	})
}

// TestO05BaseMeansTheSameEverywhere: interpreter and machine code find inputs and outputs by base alone: they leave the
// same values in the same slots for any location and builtin.
func TestO05BaseMeansTheSameEverywhere(t *testing.T) {
	const shader = vertexHead + `
    %4 = load_input.32x2 %0 base=1 range=1 component=1 location=9
    %5 = load_input.32 %1 base=0 range=2 component=3 location=2
    store_output.x2 %4, %1 base=3 range=2 write_mask=3 component=2 location=30
    store_output.x1 %5, %0 base=6 range=1 write_mask=1 location=1
}
`
	onEach(t, func(t *testing.T, m *target.Target) {
		s := parsed(t, shader)
		got, want := onModel(t, m, s), onInterpreter(t, s)
		for at, x := range want {
			if got[at] != x {
				t.Errorf("vertex %d, slot %d, component %d: %#x, the interpreter has %#x", at[0], at[1], at[2], got[at], x)
			}
			delete(got, at)
		}
		maps.DeleteFunc(got, func(_ [3]int, x uint32) bool { return x == 0 || x == undefined }) // the rest of slots that are written
		if len(got) > 0 || len(want) == 0 {
			t.Errorf("the model has %v besides", got)
		}
	})
}

// TestO06OutputsAreBits: outputs are written bit for bit, whatever the type: NaNs, denormal numbers and integers.
func TestO06OutputsAreBits(t *testing.T) {
	const shader = vertexHead + `
    %4 = load_input.32x4 %0 base=0 range=1 value_base=float
    %5 = load_const.32x4 value=(0x1, 0x80000001, 0xFFFFFFFF, 0x7F800001)
    store_output.x4 %4, %0 base=4 range=1 write_mask=15 value_base=int
    store_output.x4 %5, %0 base=5 range=1 write_mask=15 value_base=float location=1
}
`
	onEach(t, func(t *testing.T, m *target.Target) {
		s := parsed(t, shader)
		got := onModel(t, m, s)
		for l := range 8 {
			for c, want := range []uint32{1, 0x80000001, 0xFFFFFFFF, 0x7F800001} {
				if x := got[[3]int{l, 5, c}]; x != want {
					t.Errorf("vertex %d: %#x, want %#x", l, x, want)
				}
				if x, want := got[[3]int{l, 4, c}], got.Input(l, 0, c, 0); x != want {
					t.Errorf("vertex %d: %#x, want %#x", l, x, want)
				}
			}
		}
	})
}

// TestO08OutputsWithoutValues: an output that the shader does not write has no register and is not an error: a vertex's
// header is zero and its position is written anyway, and a fragment sends a message without a target.
func TestO08OutputsWithoutValues(t *testing.T) {
	onEach(t, func(t *testing.T, m *target.Target) {
		got := onModel(t, m, parsed(t, "shader vertex \"main\"\nfn 1 \"main\"() entry {\n  b0:\n}\n"))
		for l := range 8 {
			for at := range 8 {
				if x, ok := got[[3]int{l, at / 4, at % 4}]; !ok || x != 0 && at/4 == 0 {
					t.Errorf("vertex %d: doubleword %d is %#x, written: %v", l, at, x, ok)
				}
			}
		}
	})
	s := parsed(t, "shader fragment \"main\"\nfn 1 \"main\"() entry {\n  b0:\n}\n")
	b, err := intel.Compile(s, intel.Options{Target: target.TGL, SIMD: 8})
	if err != nil {
		t.Fatal(err)
	}
	p := &graphics.Program{Code: eu.Load(target.TGL, b.Code), SIMD: 8, ABI: target.TGL.Fragment}
	alive, e := 0, entry{}
	if err := p.Fragments(t.Context(), []graphics.Quad{{Live: 15}}, e, func(int) { alive++ }); err != nil || alive != 4 || len(e) > 0 {
		t.Errorf("%v; %d pixels are alive, and %d values written", err, alive, len(e))
	}
}

// TestO09StagesAreLowered: selection refuses by name the intrinsics that passes must have lowered.
func TestO09StagesAreLowered(t *testing.T) {
	const head = "shader fragment \"main\"\nfn 1 \"main\"() entry {\n  b0:\n    %0 = load_const.32 value=(0x0)\n" +
		"    %1 = load_sample_id.32\n    %2 = load_barycentric_pixel.32x2\n"
	for code, want := range map[string]string{
		"%3 = load_input.32 %1 range=2":                  "load_input at a non-constant index",
		"%3 = load_interpolated_input.32 %2, %1 range=2": "load_interpolated_input at a non-constant index",
		"%3 = load_input.16 %0 range=1":                  "16-bit inputs",
		"%3 = load_primitive_id.32":                      "no row of the selector covers the intrinsic load_primitive_id",
		"%3 = load_point_coord.32x2":                     "no row of the selector covers the intrinsic load_point_coord",
		"%3 = load_viewport_index.32":                    "no row of the selector covers the intrinsic load_viewport_index",
		"%3 = load_barycentric_at_sample.32x2 %1":        "a sample that differs between the lanes",
	} {
		size := "1"
		if strings.Contains(code, "32x2") {
			size = "2"
		}
		value := "%3"
		if strings.Contains(code, ".16") {
			value, code = "%4", code+"\n    %4 = u2u32.32 %3"
		}
		mask := map[string]string{"1": "1", "2": "3"}[size]
		s := parsed(t, head+"    "+code+"\n    store_output.x"+size+" "+value+", %0 range=1 write_mask="+mask+"\n}\n")
		if _, err := intel.Compile(s, intel.Options{Target: target.TGL, SIMD: 8}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", code, err, want)
		}
	}
}

// TestUnwrittenComponents: a fragment's code leaves components of a color undefined that the shader does not write. The
// model reports them as undefined if the shader claims to write them, and otherwise passes on only the others.
func TestUnwrittenComponents(t *testing.T) {
	s := parsed(t, `shader fragment "main"
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32x2 value=(0x3f800000, 0x40000000)
    store_output.x2 %1, %0 range=1 write_mask=3 component=1
}
`)
	b := compiled(t, target.TGL, s)
	for written, want := range map[uint8]int{0x6: 2, 0x4: 1, 0xe: -1, 0x16: 2} {
		p := &graphics.Program{Code: eu.Load(target.TGL, b.Code), SIMD: 8, ABI: target.TGL.Fragment, Targets: 1, Colors: []uint8{written},
			Options: eu.Options{Undefined: true, Poison: true}}
		e := entry{}
		err := p.Fragments(t.Context(), []graphics.Quad{{Live: 1}}, e, func(int) {})
		if want < 0 {
			if err == nil || !strings.Contains(err.Error(), "never written") {
				t.Errorf("components %#x: %v", written, err)
			}
			continue
		}
		if err != nil || len(e) != want || e[[3]int{0, 0, 2}] != 0x40000000 {
			t.Errorf("components %#x: %v; %#x", written, err, e)
		}
	}
}
