package isel

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
)

// stageOps are the emit functions of the intrinsics of vertex and fragment shaders; those that
// have none are read in place from the payload, or belong to the end of the thread.
var stageOps = [intrinsic.Count]func(*Ctx, ir.Value){
	intrinsic.LoadInterpolatedInput:    (*Ctx).interpolate,
	intrinsic.LoadVertexID:             func(c *Ctx, v ir.Value) { c.counted(v, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadBaseVertex) },
	intrinsic.LoadInstanceID:           func(c *Ctx, v ir.Value) { c.counted(v, intrinsic.LoadInstanceIDZeroBase, intrinsic.LoadBaseInstance) },
	intrinsic.LoadFragCoord:            (*Ctx).fragCoord,
	intrinsic.LoadFrontFace:            (*Ctx).frontFace,
	intrinsic.LoadLayerID:              (*Ctx).layer,
	intrinsic.LoadSampleID:             (*Ctx).sampleID,
	intrinsic.LoadSamplePos:            (*Ctx).samplePos,
	intrinsic.LoadBarycentricAtOffset:  (*Ctx).atOffset,
	intrinsic.LoadBarycentricAtSample:  (*Ctx).atSample,
	intrinsic.LoadHelperInvocation:     func(c *Ctx, v ir.Value) { c.helper(v, c.dispatched()) },
	intrinsic.IsHelperInvocation:       func(c *Ctx, v ir.Value) { c.helper(v, c.liveMask()) },
	intrinsic.Demote:                   (*Ctx).demote,
	intrinsic.DemoteIf:                 (*Ctx).demote,
	intrinsic.Kill:                     (*Ctx).killForQuad,
	intrinsic.IsKilled:                 func(c *Ctx, v ir.Value) { c.lanesIn(v, c.source(c.killedLanes())) },
	intrinsic.QuadIsGone:               (*Ctx).quadIsGone,
	intrinsic.IsAbandoned:              (*Ctx).isAbandoned,
	intrinsic.BeginInvocationInterlock: (*Ctx).interlock,
}

// Stage emits an intrinsic of a vertex or fragment shader.
func (c *Ctx) Stage(v ir.Value) {
	id := c.S.At(v).Intrinsic()
	if c.lowered(v) && stageOps[id] != nil {
		stageOps[id](c, v)
	}
}

// lowered refuses an access to an input or output that passes should have lowered.
func (c *Ctx) lowered(v ir.Value) bool {
	id := c.S.At(v).Intrinsic()
	switch id {
	case intrinsic.LoadInput, intrinsic.LoadInterpolatedInput, intrinsic.StoreOutput:
	default:
		return true
	}
	if _, known := constSrc(c.S, v, intrinsic.RoleOffset); !known {
		c.Fail(v, "%s at an index that is not constant must be lowered before selection", id)
		return false
	}
	if id != intrinsic.StoreOutput && c.S.At(v).Bits != 32 {
		c.Fail(v, "inputs of %d bits are not supported yet", c.S.At(v).Bits)
		return false
	}
	return true
}

// stageInPlace returns values of the payload of vertex and fragment shaders that are read in
// place.
func (c *Ctx) stageInPlace(v ir.Value, comp int, t isa.Type) (mir.Operand, bool) {
	s := c.S
	id := s.At(v).Intrinsic()
	if at := &vertexComponents[id]; at.name != "" {
		return c.vertexValue(at.name, at.comp, t), true
	}
	if p, ok := barycentricPart(s, v); ok {
		return c.barycentric(p, comp, t), true
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

// vertexValue returns a component of the system values behind the attributes.
func (c *Ctx) vertexValue(name string, comp uint32, t isa.Type) mir.Operand {
	for i := range c.Interface.Inputs {
		if in := &c.Interface.Inputs[i]; in.Name == name {
			return c.attribute(in.Index, comp, t)
		}
	}
	return byteImm(0, t)
}

// counted is an index of a vertex or instance: the one from zero plus the first one.
func (c *Ctx) counted(v ir.Value, zero, first intrinsic.ID) {
	a, b := &vertexComponents[zero], &vertexComponents[first]
	c.B.Emit(isa.OpAdd, c.dst(v, isa.TypeUD), c.vertexValue(a.name, a.comp, isa.TypeUD), c.vertexValue(b.name, b.comp, isa.TypeUD))
}

// The doublewords of a component of setup data.
const (
	planeSecond = 0 // a(1) - a(0)
	planeThird  = 1 // a(2) - a(0)
	planeOrigin = 3 // a(0)
)

// plane returns a doubleword of the setup data of a component, two of which are in a register.
func (c *Ctx) plane(slot, comp, dword uint32, t isa.Type) mir.Operand {
	return mir.FixedScalar(c.Layout.At(abi.Setup)+int(4*slot+comp)/2, (4*slot+comp)%2*16+4*dword, t)
}

// barycentric returns a component of barycentric coordinates. They alternate for each eight
// lanes, so that those of more are copied first.
func (c *Ctx) barycentric(p abi.Part, comp int, t isa.Type) mir.Operand {
	if c.Width == 8 {
		return mir.Fixed(c.Layout.At(p)+comp, t)
	}
	if c.places[p] == 0 {
		c.places[p] = c.F.NewReg(2, 4)
	}
	return mir.V(c.places[p], t).At(uint32(comp) * c.F.Pitch(4))
}

// pixelPart returns a part of the payload that has a doubleword for each lane. Both halves of 32 lanes
// are copied to one register first.
func (c *Ctx) pixelPart(p abi.Part, t isa.Type) mir.Operand {
	if c.Width <= halfLanes {
		return mir.Fixed(c.Layout.At(p), t)
	}
	if c.places[p] == 0 {
		c.places[p] = c.F.NewReg(1, 4)
	}
	return mir.V(c.places[p], t)
}

// emitPixels copies the parts of the payload that are used and are not in place.
func (c *Ctx) emitPixels() {
	for p, r := range c.places {
		if r == 0 {
			continue
		}
		// A register of eight lanes at a time: what is read may lie across what is written.
		comps := abi.Part(p).PartRegs(8, 0)
		c.apart(mir.V(r, isa.TypeUD), comps, func(group, comp int) mir.Operand {
			return mir.Fixed(c.Layout.AtHalf(abi.Part(p), 8*group/halfLanes)+group%2*comps+comp, isa.TypeUD)
		})
	}
}

// interpolate evaluates the planes of an input: a(0) + i·(a(1) − a(0)) + j·(a(2) − a(0)), fused
// and in this order.
func (c *Ctx) interpolate(v ir.Value) {
	s := c.S
	slot, first := slotOf(s, v, 1), s.Index(v, intrinsic.IxComponent)
	at := c.src(v, intrinsic.RoleBarycentric)
	i, j := c.Use(at.Comp(0), isa.TypeF), c.Use(at.Comp(1), isa.TypeF)
	used := s.UsedComps(v)
	for k := range uint32(s.At(v).Comps) {
		if used>>k&1 == 0 {
			continue
		}
		t := c.temp(isa.TypeF)
		c.B.Emit(isa.OpMad, t, c.plane(slot.Index, first+k, planeOrigin, isa.TypeF), i, c.plane(slot.Index, first+k, planeSecond, isa.TypeF))
		c.B.Emit(isa.OpMad, c.component(c.dst(v, isa.TypeF), int(k)), c.source(t), j, c.plane(slot.Index, first+k, planeThird, isa.TypeF))
	}
}

// interlock waits for the fragments of the same pixels that come before. They may go on when the
// thread ends, and its writes are visible by then.
func (c *Ctx) interlock(ir.Value) {
	c.awaitMessages()
	c.B.Exec, c.B.NoMask = 1, true
	done := mir.V(c.F.NewGRFs(1), isa.TypeUD)
	orders := mir.SpacesOf(message.Buffer, message.Image)
	c.B.Message(mir.Message{Msg: mir.Msg{Name: message.Interlock, Space: message.Buffer}, Orders: orders, Dst: done, DstLen: 1})
	c.await(done, orders)
}
