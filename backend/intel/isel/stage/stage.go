// SPDX-License-Identifier: MIT

package stage

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// InPlace emits nothing: the value is read in place.
func InPlace(c *value.Context, _ ir.Value) {}

// Input emits nothing: an input is read in place.
func Input(c *value.Context, v ir.Value) { c.Lowered(v) }

// Output emits nothing: outputs are written at the end of the thread.
func Output(c *value.Context, v ir.Value) { c.Lowered(v) }

// VertexID adds the first vertex to the zero-based vertex ID.
func VertexID(c *value.Context, v ir.Value) {
	counted(c, v, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadBaseVertex)
}

// InstanceID adds the first instance to the zero-based instance ID.
func InstanceID(c *value.Context, v ir.Value) {
	counted(c, v, intrinsic.LoadInstanceIDZeroBase, intrinsic.LoadBaseInstance)
}

func counted(c *value.Context, v ir.Value, zero, first intrinsic.ID) {
	c.B.Emit(isa.OpAdd, c.Result(v, isa.TypeUD), c.VertexValue(&sel.Places[zero], isa.TypeUD),
		c.VertexValue(&sel.Places[first], isa.TypeUD))
}

// EmitPixels copies the payload parts that are used but cannot be read in place.
func EmitPixels(c *value.Context) {
	for p, r := range c.Places {
		if r == 0 {
			continue
		}
		// Copy a register at a time: the source may overlap the destination.
		comps := abi.Part(p).PartRegs(1, 0)
		apart(c, mir.V(r, isa.TypeUD), comps, func(half, group, comp int) mir.Operand {
			return mir.Fixed(c.Layout.AtHalf(abi.Part(p), half)+group*comps+comp, isa.TypeUD)
		})
	}
}

// Interpolate evaluates the planes of an input, a(0) + i·(a(1) − a(0)) + j·(a(2) − a(0)), in this order and
// with fused operations.
func Interpolate(c *value.Context, v ir.Value) {
	if !c.Lowered(v) {
		return
	}
	s := c.S
	slot, first := value.SlotOf(s, v, 1), s.Index(v, intrinsic.IxComponent)
	at := c.Operand(v, intrinsic.RoleBarycentric)
	used := analysis.UsedComps(s, v)
	if part, ok := c.PlanePart(at.Val); ok {
		for k := range uint32(s.At(v).Comps) {
			if used>>k&1 != 0 {
				evaluatePlane(c, c.Component(c.Result(v, isa.TypeF), int(k)), c.Plane(slot.Index, first+k, 0, isa.TypeF), part)
			}
		}
		return
	}
	i, j := c.Use(at.Comp(0), isa.TypeF), c.Use(at.Comp(1), isa.TypeF)
	for k := range uint32(s.At(v).Comps) {
		if used>>k&1 == 0 {
			continue
		}
		t := c.NewTemp(isa.TypeF)
		c.B.Emit(isa.OpMad, t, c.Plane(slot.Index, first+k, value.PlaneOrigin, isa.TypeF), i,
			c.Plane(slot.Index, first+k, value.PlaneSecond, isa.TypeF))
		c.B.Emit(isa.OpMad, c.Component(c.Result(v, isa.TypeF), int(k)), c.Source(t), j,
			c.Plane(slot.Index, first+k, value.PlaneThird, isa.TypeF))
	}
}

// evaluatePlane evaluates a plane at the coordinates in a part of the payload, which pln reads in place.
func evaluatePlane(c *value.Context, to, plane mir.Operand, part abi.Part) {
	lanes := min(c.Width, value.HalfLanes)
	for at := 0; at < c.Width; at += lanes {
		c.B.Exec, c.B.Chan, c.B.NoMask = uint8(lanes), uint8(at), false
		dst := to
		dst.Slice(uint32(at), lanes)
		c.B.Emit(isa.OpPln, dst, plane, mir.Fixed(c.Layout.AtHalf(part, at/value.HalfLanes), isa.TypeF))
	}
	c.B.Vector()
}

// BeginInterlock waits for earlier fragments of the same pixels. Later fragments wait until the thread ends,
// when its writes are visible.
func BeginInterlock(c *value.Context, _ ir.Value) {
	c.AwaitMessages()
	c.B.Exec, c.B.NoMask = 1, true
	done := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	orders := mir.SpacesOf(message.Buffer, message.Image)
	c.B.Message(mir.Message{Msg: mir.Msg{Name: message.Interlock, Space: message.Buffer}, Orders: orders, Dst: done, DstLen: 1})
	c.Await(done, orders)
}

// EndInterlock emits nothing: the end of the thread ends the interlock.
func EndInterlock(c *value.Context, _ ir.Value) {}
