// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// Lowered fails for an access to an input or output that passes should have lowered.
func (c *Context) Lowered(v ir.Value) bool {
	in := c.S.At(v)
	if _, known := ConstSrc(c.S, v, intrinsic.RoleOffset); !known {
		c.Fail(v, "%s at a non-constant index must be lowered before selection", in.Intrinsic())
		return false
	}
	if in.HasResult() && in.Bits != 32 {
		c.Fail(v, "%d-bit inputs are not supported yet", in.Bits)
		return false
	}
	return true
}

// stageInPlace returns a payload value of a vertex or fragment shader that can be read in place.
func (c *Context) stageInPlace(v ir.Value, comp int, t isa.Type) (mir.Operand, bool) {
	s := c.S
	id := s.At(v).Intrinsic()
	switch at := &sel.Places[id]; at.Kind {
	case selector.InSlot:
		return c.VertexValue(at, t), true
	case selector.InPart:
		return c.barycentric(partOf(s, v, at), comp, t), true
	}
	switch id {
	case intrinsic.LoadInput:
		if !c.Lowered(v) {
			return byteImm(0, t), true
		}
		slot := SlotOf(s, v, 1)
		at := s.Index(v, intrinsic.IxComponent) + uint32(comp)
		if s.Info.Stage == kind.StageVertex {
			return c.attribute(slot.Index, at, t), true
		}
		return c.Plane(slot.Index, at, PlaneOrigin, t), true
	case intrinsic.LoadFragCoord:
		if comp == fragDepth {
			return c.PixelPart(abi.Depth, t).WithStride(uint8(4 / t.Size())), true
		}
	case intrinsic.LoadSampleMaskIn:
		return c.PixelPart(abi.Coverage, t).WithStride(uint8(4 / t.Size())), true
	}
	return mir.Operand{}, false
}

// attribute returns a component of an input slot of a vertex shader.
func (c *Context) attribute(slot, comp uint32, t isa.Type) mir.Operand {
	per := c.F.GRF.Count(uint32(c.Width) * 4)
	return mir.Fixed(c.Layout.At(abi.Attributes)+per*int(4*slot+comp), t).WithStride(uint8(4 / t.Size()))
}

// VertexValue returns a system value, which is fetched after the attributes.
func (c *Context) VertexValue(at *selector.Place, t isa.Type) mir.Operand {
	for i := range c.Interface.Inputs {
		if in := &c.Interface.Inputs[i]; in.Name == at.Slot {
			return c.attribute(in.Index, uint32(at.Comp), t)
		}
	}
	return byteImm(0, t)
}

// PlanePart returns the part of the payload that holds the barycentric coordinates v if an instruction of the machine
// evaluates planes at coordinates as the payload has them.
func (c *Context) PlanePart(v ir.Value) (p abi.Part, ok bool) {
	at := &sel.Places[c.S.At(v).Intrinsic()]
	if at.Kind != selector.InPart || !c.Target.Can(target.Planes) {
		return 0, false
	}
	return partOf(c.S, v, at), true
}

// barycentric returns a component of barycentric coordinates. In the payload they alternate for the lanes of every register,
// so wider shaders copy them first.
func (c *Context) barycentric(p abi.Part, comp int, t isa.Type) mir.Operand {
	if c.Width == int(c.F.GRF.Dwords()) {
		return mir.Fixed(c.Layout.At(p)+comp, t)
	}
	if c.Places[p] == 0 {
		c.Places[p] = c.F.NewReg(2, 4)
	}
	return mir.V(c.Places[p], t).At(uint32(comp) * c.F.Pitch(4))
}

// PixelPart returns a payload part with one doubleword per lane. At SIMD32 both halves are copied to one
// register first.
func (c *Context) PixelPart(p abi.Part, t isa.Type) mir.Operand {
	if c.Width <= HalfLanes {
		return mir.Fixed(c.Layout.At(p), t)
	}
	if c.Places[p] == 0 {
		c.Places[p] = c.F.NewReg(1, 4)
	}
	return mir.V(c.Places[p], t)
}
