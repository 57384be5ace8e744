// SPDX-License-Identifier: MIT

package interp

import (
	"math"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// plain is a Fixed whose inputs encode where they come from.
type plain struct {
	out map[[3]int]uint32 // by invocation, slot and component
}

func (p *plain) Input(l, slot, component, vertex int) uint32 {
	return math.Float32bits(float32(1000*slot + 100*component + 10*vertex))
}
func (p *plain) Output(l, slot, component int, x uint32) { p.out[[3]int{l, slot, component}] = x }
func (p *plain) System(l int, id intrinsic.ID, component int) (uint64, bool) {
	if id == intrinsic.LoadFragCoord { // positions of two quads side by side
		return uint64(math.Float32bits(float32([]int{l%2 + l/4*2, l / 2 % 2, 7, 1}[component]))), true
	}
	return 1, id != intrinsic.LoadPointCoord
}
func (p *plain) Barycentric(l int, at Place, mode kind.InterpMode) [2]float32 {
	return [2]float32{0.5, 0.25 + at.Offset[0]}
}

// runStage runs a shader for eight invocations.
func runStage(t *testing.T, src string, helpers uint64, call *Call) (uint64, *plain, *Stage, error) {
	t.Helper()
	s, err := text.Parse([]byte(src))
	if err == nil {
		err = validate.Shader(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	call.Width = 8
	st, err := NewStage(t.Context(), s, call)
	if err != nil {
		t.Fatal(err)
	}
	f := &plain{out: map[[3]int]uint32{}}
	live, err := st.Run(0xff, helpers, f)
	return live, f, st, err
}

const fragmentHead = `shader fragment "main"
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_frag_coord.32x4
`

func (p *plain) number(l, slot, component int) float32 {
	return math.Float32frombits(p.out[[3]int{l, slot, component}])
}

// TestStageInterpolates: inputs with three vertices at barycentric coordinates, and flat inputs.
func TestStageInterpolates(t *testing.T) {
	_, f, _, err := runStage(t, fragmentHead+`
    %2 = load_barycentric_pixel.32x2
    %3 = load_interpolated_input.32x2 %2, %0 base=3 range=1 component=1
    %4 = load_input.32 %0 base=4 range=1 component=3
    %5 = load_const.32 value=(0x2)
    %6 = load_input_vertex.32 %5, %0 base=4 range=1
    store_output.x2 %3, %0 base=1 range=1 write_mask=3 component=1
    store_output.x1 %4, %5 base=1 range=1 write_mask=1
    store_output.x1 %6, %5 base=2 range=1 write_mask=1
}
`, 0, &Call{})
	if err != nil {
		t.Fatal(err)
	}
	for l := range 8 {
		// 0.5 of vertex 1 and 0.25 of vertex 2 are 10 more than vertex 0.
		if got := [4]float32{f.number(l, 1, 1), f.number(l, 1, 2), f.number(l, 3, 0), f.number(l, 4, 0)}; got != [4]float32{3110, 3210, 4300, 4020} {
			t.Errorf("invocation %d: %v", l, got)
		}
	}
}

// TestStageInterpolationOrder: the product with the first coordinate is added to the value at the first vertex, then
// the other product to the sum, each rounded once. Every other order has a different result here.
func TestStageInterpolationOrder(t *testing.T) {
	_, f, _, err := runStage(t, fragmentHead+`
    %2 = load_const.32 value=(0x3e4c3000)
    %3 = load_const.32 value=(0x3f572b9a)
    %4 = vec2.32x2 %2, %3
    %5 = load_interpolated_input.32 %4, %0 base=3 range=1 component=1
    store_output.x1 %5, %0 base=1 range=1 write_mask=1
}
`, 0, &Call{})
	if err != nil {
		t.Fatal(err)
	}
	// The products are exact in 64 bits, and so are the sums.
	i, j := float64(math.Float32frombits(0x3e4c3000)), float64(math.Float32frombits(0x3f572b9a))
	sum := float32(3100 + i*10)
	want := float32(float64(sum) + j*20)
	for _, other := range []float32{
		float32(3100+float32(i*10)) + float32(j*20),                   // nothing is fused
		float32(float64(float32(3100+j*20)) + i*10),                   // the other coordinate first
		float32(3100 + float64(float32(float64(float32(j*20))+i*10))), // the value at the vertex last
		float32(3100 + i*10 + j*20),                                   // one rounding
	} {
		if other == want {
			t.Fatal("the test tells nothing apart")
		}
	}
	if got := f.number(0, 1, 0); got != want {
		t.Errorf("%g, want %g", got, want)
	}
}

// TestStageDerivatives: fine derivatives are taken in the invocation's own row or column, coarse ones in the first.
func TestStageDerivatives(t *testing.T) {
	_, f, _, err := runStage(t, fragmentHead+`
    %2 = fmul.32 %1.x, %1.y
    %3 = fddx_fine.32 %2
    %4 = fddx_coarse.32 %2
    %5 = fddy_fine.32 %2
    %6 = fddy_coarse.32 %2
    %7 = vec4.32x4 %3, %4, %5, %6
    store_output.x4 %7, %0 range=1 write_mask=15
}
`, 0, &Call{})
	if err != nil {
		t.Fatal(err)
	}
	for l := range 8 {
		x, y := float32(l%2+l/4*2), float32(l/2%2)
		want := [4]float32{y, 0, x, float32(l / 4 * 2)}
		if got := [4]float32{f.number(l, 0, 0), f.number(l, 0, 1), f.number(l, 0, 2), f.number(l, 0, 3)}; got != want {
			t.Errorf("invocation %d: %v, want %v", l, got, want)
		}
	}
}

// TestStageHelpers: helpers and demoted invocations have no effect on memory but continue; a halt ends an invocation.
func TestStageHelpers(t *testing.T) {
	buffer := make([]byte, 4)
	live, f, _, err := runStage(t, `shader fragment "main"
binding 0 0 ssbo count=1 index=0 access=none
struct S1 "B" block {
  [0 x u32, 4] "a" offset=0
}
var @1 "b" ssbo S1
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_frag_coord.32x4
    %2 = load_const.32 value=(0x1)
    %3 = load_const.32 value=(0x3f800000)
    %4 = fge.1 %1.y, %3
    demote_if %4
    %5 = ssbo_atomic.32 %0, %0, %2 atomic_op=iadd
    %6 = is_helper_invocation.1
    %7 = load_helper_invocation.1
    %8 = b2i32.32 %6
    %9 = b2i32.32 %7
    %10 = load_const.32 value=(0x40400000)
    %11 = feq.1 %1.x, %10
  if %11 {
    b1:
      jump_halt
  } else {
    b2:
  }
  b3:
    store_output.x1 %8, %0 range=1 write_mask=1 value_base=int
    store_output.x1 %9, %0 base=1 range=1 write_mask=1 value_base=int
}
`, 1, &Call{Buffers: []Buffer{{Data: buffer}}})
	if err != nil {
		t.Fatal(err)
	}
	// Invocation 0 was a helper; 2, 3, 6 and 7 have y = 1; 5 and 7 halt.
	if live != 1<<1|1<<4 {
		t.Errorf("live %b", live)
	}
	if buffer[0] != 3 { // 1, 4 and 5
		t.Errorf("%d atomics", buffer[0])
	}
	for l := range 8 {
		now, first := uint32(0), uint32(0)
		if l == 0 || l&2 != 0 {
			now = 1
		}
		if l == 0 {
			first = 1
		}
		if l == 5 || l == 7 {
			if _, written := f.out[[3]int{l, 0, 0}]; written {
				t.Errorf("invocation %d continues after its end", l)
			}
			continue
		}
		if f.out[[3]int{l, 0, 0}] != now || f.out[[3]int{l, 1, 0}] != first {
			t.Errorf("invocation %d: helper %d, first %d", l, f.out[[3]int{l, 0, 0}], f.out[[3]int{l, 1, 0}])
		}
	}
}

// stageLines are the intrinsics of fragment shaders with a result.
const stageLines = `
load_input.32x2 %0 range=1
load_input_vertex.32 %0, %0 range=1
load_interpolated_input.32 %1.xy, %0 range=1
load_barycentric_pixel.32x2
load_barycentric_centroid.32x2
load_barycentric_sample.32x2
load_barycentric_at_sample.32x2 %0
load_barycentric_at_offset.32x2 %1.xy
is_helper_invocation.1
load_helper_invocation.1
load_view_index.32
load_primitive_id.32
load_front_face.1
load_sample_id.32
load_sample_pos.32x2
load_sample_mask_in.32
load_layer_id.32
load_viewport_index.32
fddx.32 %1.x
`

// TestStageInactiveLanes is TestInactiveLanes for the intrinsics of fragment shaders.
func TestStageInactiveLanes(t *testing.T) {
	body := ""
	for i, line := range strings.Split(strings.TrimSpace(stageLines), "\n") {
		body += "      %" + string(rune('0'+(i+4)/10)) + string(rune('0'+(i+4)%10)) + " = " + line + "\n"
	}
	body = strings.NewReplacer(" %04 ", " %4 ", " %05 ", " %5 ", " %06 ", " %6 ", " %07 ", " %7 ", " %08 ", " %8 ", " %09 ",
		" %9 ").Replace(body)
	seen := 0
	call := &Call{Seed: 5}
	_, _, st, err := runStage(t, fragmentHead+`
    %2 = load_const.32 value=(0x3f800000)
    %3 = fge.1 %1.y, %2
  if %3 {
    b1:
`+body+`  } else {
    b2:
  }
  b3:
}
`, 0, call)
	if err != nil {
		t.Fatal(err)
	}
	g := st.m.newSubgroup([3]uint32{}, 0, nil)
	g.stage = &stage{fixed: &plain{out: map[[3]int]uint32{}}}
	g.function(st.m.s.Entry(), 0xff)
	for b := range g.s.Blocks(g.s.Entry()) {
		if g.s.NodeKind(g.s.Parent(b)) != ir.NodeIf {
			continue
		}
		for v := range g.s.Instrs(b) {
			seen++
			for i, x := range g.slot(v) {
				if l := i % 8; l&2 == 0 && x != g.arbitrary(uint32(v)+uint32(i)<<20, g.s.At(v).Bits) {
					t.Errorf("%s changes invocation %d", g.s.At(v).Intrinsic(), l)
				}
			}
		}
	}
	if want := strings.Count(stageLines, "\n") - 1; seen < want {
		t.Errorf("%d instructions ran, not %d", seen, want)
	}
}

// TestStageRefuses: a builtin that a draw does not supply, and an intrinsic of another stage in a dispatch, are errors
// that name it.
func TestStageRefuses(t *testing.T) {
	_, _, _, err := runStage(t, fragmentHead+"    %2 = load_point_coord.32x2\n}\n", 0, &Call{})
	if err == nil || !strings.Contains(err.Error(), "load_point_coord in main: draws do not supply this value yet") {
		t.Errorf("got %v", err)
	}
	s, err := text.Parse([]byte(strings.Replace(fragmentHead, "fragment", "compute", 1) + "}\n"))
	if err != nil {
		t.Fatal(err)
	}
	s.Info.WorkgroupSize = [3]uint32{1, 1, 1}
	if _, err := Run(t.Context(), s, &Call{Groups: [3]uint32{1, 1, 1}, Width: 8}); err == nil || !strings.Contains(err.Error(), "load_frag_coord in main: it belongs to a stage of a graphics pipeline") {
		t.Errorf("got %v", err)
	}
}
