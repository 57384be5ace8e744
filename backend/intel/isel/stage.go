package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// InPlace emits nothing: the value is read in place.
func (c *Ctx) InPlace(ir.Value) {}

// Input emits nothing: an input is read in place.
func (c *Ctx) Input(v ir.Value) { c.lowered(v) }

// Output emits nothing: outputs are written at the end of the thread.
func (c *Ctx) Output(v ir.Value) { c.lowered(v) }

// lowered fails for an access to an input or output that passes should have lowered.
func (c *Ctx) lowered(v ir.Value) bool {
	in := c.S.At(v)
	if _, known := constSrc(c.S, v, intrinsic.RoleOffset); !known {
		c.Fail(v, "%s at an index that is not constant must be lowered before selection", in.Intrinsic())
		return false
	}
	if in.HasResult() && in.Bits != 32 {
		c.Fail(v, "inputs of %d bits are not supported yet", in.Bits)
		return false
	}
	return true
}

// stageInPlace returns a payload value of a vertex or fragment shader that can be read in place.
func (c *Ctx) stageInPlace(v ir.Value, comp int, t isa.Type) (mir.Operand, bool) {
	s := c.S
	id := s.At(v).Intrinsic()
	switch at := &sel.Places[id]; at.Kind {
	case selector.InSlot:
		return c.vertexValue(at, t), true
	case selector.InPart:
		return c.barycentric(partOf(s, v, at), comp, t), true
	}
	switch id {
	case intrinsic.LoadViewIndex:
		return c.entry(abi.ViewIndex, 0, 0, t), true
	case intrinsic.LoadInput:
		if !c.lowered(v) {
			return byteImm(0, t), true
		}
		slot := slotOf(s, v, 1)
		at := s.Index(v, intrinsic.IxComponent) + uint32(comp)
		if s.Info.Stage == kind.StageVertex {
			return c.attribute(slot.Index, at, t), true
		}
		return c.plane(slot.Index, at, planeOrigin, t), true
	case intrinsic.LoadFragCoord:
		if comp == fragDepth {
			return c.pixelPart(abi.Depth, t).WithStride(uint8(4 / t.Size())), true
		}
	case intrinsic.LoadSampleMaskIn:
		return c.pixelPart(abi.Coverage, t).WithStride(uint8(4 / t.Size())), true
	}
	return mir.Operand{}, false
}

// attribute returns a component of an input slot of a vertex shader.
func (c *Ctx) attribute(slot, comp uint32, t isa.Type) mir.Operand {
	per := c.Width * 4 / mir.GRFBytes
	return mir.Fixed(c.Layout.At(abi.Attributes)+per*int(4*slot+comp), t).WithStride(uint8(4 / t.Size()))
}

// vertexValue returns a system value, which is fetched after the attributes.
func (c *Ctx) vertexValue(at *selector.Place, t isa.Type) mir.Operand {
	for i := range c.Interface.Inputs {
		if in := &c.Interface.Inputs[i]; in.Name == at.Slot {
			return c.attribute(in.Index, uint32(at.Comp), t)
		}
	}
	return byteImm(0, t)
}

// VertexID adds the first vertex to the zero-based vertex ID.
func (c *Ctx) VertexID(v ir.Value) {
	c.counted(v, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadBaseVertex)
}

// InstanceID adds the first instance to the zero-based instance ID.
func (c *Ctx) InstanceID(v ir.Value) {
	c.counted(v, intrinsic.LoadInstanceIDZeroBase, intrinsic.LoadBaseInstance)
}

func (c *Ctx) counted(v ir.Value, zero, first intrinsic.ID) {
	c.B.Emit(isa.OpAdd, c.dst(v, isa.TypeUD), c.vertexValue(&sel.Places[zero], isa.TypeUD), c.vertexValue(&sel.Places[first], isa.TypeUD))
}

// The doublewords of the setup data of a component.
const (
	planeSecond = 0 // a(1) - a(0)
	planeThird  = 1 // a(2) - a(0)
	planeOrigin = 3 // a(0)
)

// plane returns a doubleword of a component's setup data; a register holds two components.
func (c *Ctx) plane(slot, comp, dword uint32, t isa.Type) mir.Operand {
	return mir.FixedScalar(c.Layout.At(abi.Setup)+int(4*slot+comp)/2, (4*slot+comp)%2*16+4*dword, t)
}

// barycentric returns a component of barycentric coordinates. In the payload they alternate for every eight
// lanes, so wider shaders copy them first.
func (c *Ctx) barycentric(p abi.Part, comp int, t isa.Type) mir.Operand {
	if c.Width == 8 {
		return mir.Fixed(c.Layout.At(p)+comp, t)
	}
	if c.places[p] == 0 {
		c.places[p] = c.F.NewReg(2, 4)
	}
	return mir.V(c.places[p], t).At(uint32(comp) * c.F.Pitch(4))
}

// pixelPart returns a payload part with one doubleword per lane. At SIMD32 both halves are copied to one
// register first.
func (c *Ctx) pixelPart(p abi.Part, t isa.Type) mir.Operand {
	if c.Width <= halfLanes {
		return mir.Fixed(c.Layout.At(p), t)
	}
	if c.places[p] == 0 {
		c.places[p] = c.F.NewReg(1, 4)
	}
	return mir.V(c.places[p], t)
}

// emitPixels copies the payload parts that are used but cannot be read in place.
func (c *Ctx) emitPixels() {
	for p, r := range c.places {
		if r == 0 {
			continue
		}
		// Copy eight lanes at a time: the source may overlap the destination.
		comps := abi.Part(p).PartRegs(8, 0)
		c.apart(mir.V(r, isa.TypeUD), comps, func(group, comp int) mir.Operand {
			return mir.Fixed(c.Layout.AtHalf(abi.Part(p), 8*group/halfLanes)+group%2*comps+comp, isa.TypeUD)
		})
	}
}

// Interpolate evaluates the planes of an input, a(0) + i·(a(1) − a(0)) + j·(a(2) − a(0)), in this order and
// with fused operations.
func (c *Ctx) Interpolate(v ir.Value) {
	if !c.lowered(v) {
		return
	}
	s := c.S
	slot, first := slotOf(s, v, 1), s.Index(v, intrinsic.IxComponent)
	at := c.src(v, intrinsic.RoleBarycentric)
	i, j := c.Use(at.Comp(0), isa.TypeF), c.Use(at.Comp(1), isa.TypeF)
	used := analysis.UsedComps(s, v)
	for k := range uint32(s.At(v).Comps) {
		if used>>k&1 == 0 {
			continue
		}
		t := c.temp(isa.TypeF)
		c.B.Emit(isa.OpMad, t, c.plane(slot.Index, first+k, planeOrigin, isa.TypeF), i, c.plane(slot.Index, first+k, planeSecond, isa.TypeF))
		c.B.Emit(isa.OpMad, c.component(c.dst(v, isa.TypeF), int(k)), c.source(t), j, c.plane(slot.Index, first+k, planeThird, isa.TypeF))
	}
}

// BeginInterlock waits for earlier fragments of the same pixels. Later fragments wait until the thread ends,
// when its writes are visible.
func (c *Ctx) BeginInterlock(ir.Value) {
	c.awaitMessages()
	c.B.Exec, c.B.NoMask = 1, true
	done := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	orders := mir.SpacesOf(message.Buffer, message.Image)
	c.B.Message(mir.Message{Msg: mir.Msg{Name: message.Interlock, Space: message.Buffer}, Orders: orders, Dst: done, DstLen: 1})
	c.await(done, orders)
}

// EndInterlock emits nothing: the end of the thread ends the interlock.
func (c *Ctx) EndInterlock(ir.Value) {}
