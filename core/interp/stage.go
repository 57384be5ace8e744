// SPDX-License-Identifier: MIT

package interp

import (
	"context"
	"fmt"
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Fixed supplies the inputs of vertex or fragment invocations and takes their outputs, like the fixed functions of a
// graphics pipeline. Slots and components are numbered as in the intrinsics; a component has 32 bits.
type Fixed interface {
	// Input returns an input of an invocation. For a fragment, it is the value at a vertex of the primitive.
	Input(invocation, slot, component, vertex int) uint32
	// Output receives an output of an invocation.
	Output(invocation, slot, component int, x uint32)
	// System returns a component of the builtin that an intrinsic reads, and false if there is no such builtin.
	System(invocation int, id intrinsic.ID, component int) (uint64, bool)
	// Barycentric returns the barycentric coordinates of a place in a fragment, for the second and third vertex of its
	// primitive.
	Barycentric(invocation int, at Place, mode kind.InterpMode) [2]float32
}

// Place is a place at which inputs are interpolated.
type Place struct {
	ID     intrinsic.ID // the intrinsic that reads its barycentric coordinates
	Sample uint32       // operand of load_barycentric_at_sample
	Offset [2]float32   // operand of load_barycentric_at_offset, in pixels from the center
}

// Stage runs a vertex or fragment shader whose inputs and outputs are lowered to slots.
type Stage struct{ m *machine }

// NewStage prepares a shader. Groups and Only of the call are ignored.
func NewStage(ctx context.Context, s *ir.Shader, call *Call) (*Stage, error) {
	if err := supported(s, call); err != nil {
		return nil, err
	}
	if s.Info.Stage == kind.StageFragment && call.Width%4 != 0 {
		return nil, &Error{Msg: fmt.Sprintf("%d invocations are not a whole number of quads", call.Width)}
	}
	m, err := newMachine(ctx, s, call, uint32(call.Width))
	if err != nil {
		return nil, err
	}
	return &Stage{m}, nil
}

// stage is the state of a subgroup of a vertex or fragment shader.
type stage struct {
	fixed   Fixed
	first   uint64 // the invocations that were helpers when the subgroup started
	all     uint64 // the invocations that the subgroup started with
	helpers uint64 // the invocations that are helpers now
	killed  uint64 // the helpers that were killed by OpKill
}

// Run executes one subgroup: the invocations in mask. Invocations in helpers have no effects outside the shader. The
// invocations of a fragment shader are quads of four: the upper left pixel, its right neighbor, and the two below. Run
// returns the invocations that are live at the end.
func (st *Stage) Run(mask, helpers uint64, f Fixed) (live uint64, err error) {
	m := st.m
	defer func() { err = caught(recover()) }()
	m.held = 0
	m.spend(8)
	g := m.newSubgroup([3]uint32{}, 0, nil)
	g.stage = &stage{fixed: f, first: helpers, all: mask, helpers: helpers}
	g.function(m.s.Entry(), mask)
	return mask &^ (g.halted | g.stage.helpers), nil
}

// Stats returns the counts of all subgroups executed so far.
func (st *Stage) Stats() Stats { return st.m.stats }

// stageOps adds the handlers of the intrinsics of vertex and fragment shaders.
func stageOps(h *[intrinsic.Count]handler) {
	h[intrinsic.LoadInput] = loadInput(func(*subgroup, ir.Value, int) int { return 0 })
	h[intrinsic.LoadInputVertex] = loadInput(func(g *subgroup, v ir.Value,
		l int) int {
		return int(g.role(v, intrinsic.RoleVertex, 0, l)) % 3
	})
	h[intrinsic.LoadInterpolatedInput] = interpolate
	h[intrinsic.StoreOutput] = storeOutput
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		switch {
		case id.Is(intrinsic.TraitBarycentric):
			h[id] = barycentric
		case id.Is(intrinsic.TraitStageValue):
			h[id] = stageValue
		}
	}
	h[intrinsic.Demote], h[intrinsic.DemoteIf] = demote, demote
	killOps(h)
	// The fragments in a subgroup belong to different pixels: see draw.State.Interlock.
	none := func(*subgroup, ir.Value, *ir.Instr, uint64) {}
	h[intrinsic.BeginInvocationInterlock], h[intrinsic.EndInvocationInterlock] = none, none
	h[intrinsic.LoadHelperInvocation] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.fixed(v)
		g.each(v, mask, func(l int) uint64 { return g.stage.first >> l & 1 })
	}
	h[intrinsic.IsHelperInvocation] = func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		g.fixed(v)
		g.each(v, mask, func(l int) uint64 { return g.stage.helpers >> l & 1 })
	}
}

// acting returns the lanes in which an instruction takes effect: helper invocations do not write memory that others see
// (Vulkan specification, "Helper Invocations").
func (g *subgroup) acting(v ir.Value, mask uint64) uint64 {
	in := g.s.At(v)
	switch id := in.Intrinsic(); {
	case id.Is(intrinsic.TraitByHelpers) || id.Info().Flags&intrinsic.CanEliminate != 0:
		return mask
	case in.NSrc > 0 && g.s.At(g.s.Src(v, 0).Val).Kind == kind.Deref:
		const private = kind.ModeFunctionTemp | kind.ModeShaderTemp
		if ir.ModeMustBe(g.s.Modes(g.s.Src(v, 0).Val), private) {
			return mask
		}
	}
	return mask &^ g.stage.helpers
}

// fixed returns the Fixed of a vertex or fragment shader; a compute shader that needs one fails.
func (g *subgroup) fixed(v ir.Value) Fixed {
	if g.stage == nil {
		g.fail(v, "it belongs to a stage of a graphics pipeline and cannot be interpreted in a dispatch")
	}
	return g.stage.fixed
}

// slots returns the slot and the first component that an intrinsic accesses for a lane.
func (g *subgroup) slots(v ir.Value, l int) (slot, component int) {
	offset := int32(g.role(v, intrinsic.RoleOffset, 0, l))
	return int(int32(g.s.Index(v, intrinsic.IxBase)) + offset), int(g.s.Index(v, intrinsic.IxComponent))
}

// parts calls fn for each 32-bit part of component c of a value of the given size, with the part's slot and component
// and the bit at which it starts.
func parts(slot, component, c int, size uint8, fn func(slot, component int, shift uint)) {
	n := max(int(size)/32, 1)
	for i := range n {
		k := component + c*n + i
		fn(slot+k/4, k%4, uint(32*i))
	}
}

// loadInput returns the handler of a load of an input at a vertex, which the lane may choose.
func loadInput(vertex func(g *subgroup, v ir.Value, l int) int) handler {
	return func(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
		f, out := g.fixed(v), g.slot(v)
		m := ^uint64(0) >> (64 - in.Bits)
		for l := range g.width {
			if mask>>l&1 == 0 {
				continue
			}
			slot, component := g.slots(v, l)
			for c := range int(in.Comps) {
				x := uint64(0)
				parts(slot, component, c, in.Bits, func(slot, component int, shift uint) {
					x |= uint64(f.Input(l, slot, component, vertex(g, v, l))) << shift
				})
				out[c*g.width+l] = x & m
			}
		}
	}
}

// interpolate evaluates an input at barycentric coordinates i, j: a + i·(b − a) + j·(c − a), where a, b and c are its
// values at the vertices. The fixed functions compute the differences, which are rounded and keep denormals. The shader
// does the rest as two fused multiply-adds: first i·(b − a) + a, then j·(c − a) is added to the sum.
func interpolate(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	f, out := g.fixed(v), g.slot(v)
	if in.Bits != 32 {
		g.fail(v, "an interpolated input of %d bits cannot be interpreted yet", in.Bits)
	}
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		slot, component := g.slots(v, l)
		i, j := g.role(v, intrinsic.RoleBarycentric, 0, l), g.role(v, intrinsic.RoleBarycentric, 1, l)
		for c := range int(in.Comps) {
			var x [3]uint32
			for k := range x {
				x[k] = f.Input(l, slot, component+c, k)
			}
			sum := g.fused(i, less(x[1], x[0]), uint64(x[0]))
			out[c*g.width+l] = g.fused(j, less(x[2], x[0]), sum)
		}
	}
}

// less returns the difference of two floats.
func less(a, b uint32) uint64 {
	return uint64(math.Float32bits(math.Float32frombits(a) - math.Float32frombits(b)))
}

// fused returns a·b + c, rounded once, for floats given by their bits.
func (g *subgroup) fused(a, b, c uint64) uint64 {
	return num.Store32(num.Fma32(num.Load32(a, g.mode), num.Load32(b, g.mode), num.Load32(c, g.mode), g.mode), g.mode)
}

// barycentric reads the barycentric coordinates of a place.
func barycentric(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	f, out := g.fixed(v), g.slot(v)
	mode := kind.InterpMode(g.s.Index(v, intrinsic.IxInterpMode))
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		at := Place{ID: in.Intrinsic()}
		switch at.ID {
		case intrinsic.LoadBarycentricAtSample:
			at.Sample = uint32(g.lane(v, 0, 0, l))
		case intrinsic.LoadBarycentricAtOffset:
			for c := range at.Offset {
				at.Offset[c] = math.Float32frombits(uint32(g.lane(v, 0, c, l)))
			}
		}
		for c, x := range f.Barycentric(l, at, mode) {
			out[c*g.width+l] = uint64(math.Float32bits(x))
		}
	}
}

// storeOutput writes an output.
func storeOutput(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	f := g.fixed(v)
	r := g.source(v, intrinsic.RoleValue)
	x, size := g.read(r.Val), g.s.At(r.Val).Bits
	wm := g.s.Index(v, intrinsic.IxWriteMask)
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		slot, component := g.slots(v, l)
		for c := range int(r.N) {
			if wm>>c&1 == 0 {
				continue
			}
			bits := x[int(r.Swz.Comp(c))*g.width+l]
			parts(slot, component, c, size, func(slot, component int, shift uint) {
				f.Output(l, slot, component, uint32(bits>>shift))
			})
		}
	}
}

// stageValue reads a builtin of a vertex or fragment shader.
func stageValue(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	f, out := g.fixed(v), g.slot(v)
	for l := range g.width {
		if mask>>l&1 == 0 {
			continue
		}
		for c := range int(in.Comps) {
			x, ok := f.System(l, in.Intrinsic(), c)
			if !ok {
				g.fail(v, "draws do not supply this value yet")
			}
			out[c*g.width+l] = x & (^uint64(0) >> (64 - in.Bits))
		}
	}
}

// demote turns the lanes that meet the condition into helpers; without a condition, all active lanes.
func demote(g *subgroup, v ir.Value, in *ir.Instr, mask uint64) {
	g.fixed(v)
	if in.NSrc > 0 {
		mask = g.laneMask(g.s.Src(v, 0), mask)
	}
	g.stage.helpers |= mask
}
