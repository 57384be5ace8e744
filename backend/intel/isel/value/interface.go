// SPDX-License-Identifier: MIT

package value

import (
	"cmp"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// Interface is the data that a vertex or fragment shader exchanges with the fixed functions, besides the parts
// of its payload.
type Interface struct {
	Inputs, Outputs []mir.Slot
	Discards        bool // lanes may be discarded
	PerSample       bool // lanes are samples of pixels
}

// secondColor is the name of the slot of a fragment's second color for blending, which has neither a location
// nor a builtin.
const secondColor = "second_color"

// partOf returns the payload part that v reads, according to its interpolation mode.
func partOf(s *ir.Shader, v ir.Value, at *selector.Place) abi.Part {
	if IsLinear(s, v) {
		return at.Linear
	}
	return at.Smooth
}

// IsLinear reports whether v is a coordinate that is linear in window space.
func IsLinear(s *ir.Shader, v ir.Value) bool {
	return kind.InterpMode(s.Index(v, intrinsic.IxInterpMode)) == kind.InterpNoperspective
}

// PlanesOf returns the payload part with the planes of barycentric coordinates of v's interpolation mode.
func PlanesOf(s *ir.Shader, v ir.Value) abi.Part {
	if IsLinear(s, v) {
		return abi.LinearPlanes
	}
	return abi.PerspPlanes
}

// Coordinates of a fragment besides x and y.
const (
	fragDepth = 2
	FragW     = 3
)

// stage finds the payload parts and the slots that a shader uses.
func (l *Layout) stage(s *ir.Shader, x *Interface) {
	coords := false // whether x and y of fragments are used
	x.PerSample = s.Info.Modes&kind.StageModeSampleShading != 0
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			if EndsInvocation(s, b) {
				x.Discards = true
			}
			for v := range s.Instrs(b) {
				if s.At(v).Kind == kind.Intrinsic {
					l.uses(s, v, x)
					coords = coords || s.At(v).Intrinsic() == intrinsic.LoadFragCoord && analysis.UsedComps(s, v)&3 != 0
				}
			}
		}
	}
	if coords && x.PerSample {
		l.use(abi.SampleOffsets)
	}
	for i := range x.Inputs {
		if in := &x.Inputs[i]; !slices.Contains(sel.Slots, in.Name) {
			l.Slots = max(l.Slots, int(in.Index)+1)
		}
	}
	for _, name := range sel.Slots { // these slots follow the attributes
		for i := range x.Inputs {
			if in := &x.Inputs[i]; in.Name == name {
				in.Index = uint32(l.Slots)
				l.Slots++
			}
		}
	}
	if s.Info.Stage == kind.StageVertex {
		l.use(abi.URBHandles)
	}
	if l.Slots > 0 && s.Info.Stage == kind.StageVertex {
		l.use(abi.Attributes)
		l.use(abi.AttributeVectors)
	}
	if l.Slots > 0 && s.Info.Stage == kind.StageFragment {
		l.use(abi.Setup)
	}
	if l.Table(abi.NumTables) > 0 {
		l.use(abi.User)
	}
	order := func(a, b mir.Slot) int { return cmp.Compare(a.Index, b.Index) }
	slices.SortStableFunc(x.Inputs, order)
	slices.SortStableFunc(x.Outputs, order)
}

// use adds a part to the payload, if threads of the ABI can have it.
func (l *Layout) use(p abi.Part) {
	if slices.Contains(l.ABI.Parts, p) {
		l.Used |= 1 << p
	}
}

// uses records the parts and slots that an intrinsic uses.
func (l *Layout) uses(s *ir.Shader, v ir.Value, x *Interface) {
	id := s.At(v).Intrinsic()
	x.PerSample = x.PerSample || id.Is(intrinsic.TraitPerSample)
	x.Discards = x.Discards || id.Is(intrinsic.TraitDiscard)
	if id.Is(intrinsic.TraitInput) {
		slot := SlotOf(s, v, analysis.UsedComps(s, v))
		slot.Flat = s.Info.Stage == kind.StageFragment && id != intrinsic.LoadInterpolatedInput
		x.Inputs = addSlot(x.Inputs, slot)
	}
	switch at := &sel.Places[id]; at.Kind {
	case selector.InPart:
		l.use(partOf(s, v, at))
	case selector.InSlot:
		x.useSlot(at)
	}
	switch id {
	case intrinsic.LoadViewIndex:
		l.Entries[abi.ViewIndex] = 1
	case intrinsic.LoadVertexID:
		x.useSlot(&sel.Places[intrinsic.LoadVertexIDZeroBase])
		x.useSlot(&sel.Places[intrinsic.LoadBaseVertex])
	case intrinsic.LoadInstanceID:
		x.useSlot(&sel.Places[intrinsic.LoadInstanceIDZeroBase])
		x.useSlot(&sel.Places[intrinsic.LoadBaseInstance])
	case intrinsic.StoreOutput:
		x.Outputs = addSlot(x.Outputs, SlotOf(s, v, s.Index(v, intrinsic.IxWriteMask)))
	case intrinsic.LoadFragCoord:
		if analysis.UsedComps(s, v)>>fragDepth&1 != 0 {
			l.use(abi.Depth)
		}
		if analysis.UsedComps(s, v)>>FragW&1 != 0 {
			l.use(abi.W)
		}
	case intrinsic.LoadSampleMaskIn:
		l.use(abi.Coverage)
	case intrinsic.LoadSamplePos:
		l.use(abi.SampleOffsets)
	case intrinsic.LoadBarycentricAtOffset:
		l.use(PlanesOf(s, v))
	case intrinsic.LoadBarycentricAtSample:
		l.use(PlanesOf(s, v))
		l.use(abi.SamplePlaces)
	}
}

// useSlot records that a component of a slot without a location is read.
func (x *Interface) useSlot(at *selector.Place) {
	x.Inputs = addSlot(x.Inputs, mir.Slot{Mask: 1 << at.Comp, Name: at.Slot})
}

// SlotOf returns the slot that an access at a constant offset refers to.
func SlotOf(s *ir.Shader, v ir.Value, comps uint32) mir.Slot {
	off, _ := ConstSrc(s, v, intrinsic.RoleOffset)
	slot := mir.Slot{
		Index: s.Index(v, intrinsic.IxBase) + uint32(off),
		Mask:  comps << s.Index(v, intrinsic.IxComponent) & 15,
		Name:  mir.LocationName, Number: s.Index(v, intrinsic.IxLocation) + uint32(off),
	}
	if kind.IOFlags(s.Index(v, intrinsic.IxIOFlags))&kind.IODualSource != 0 {
		slot.Name, slot.Index = secondColor, 0
	}
	if b := kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin)); b != kind.BuiltinNone {
		slot.Name = b.String()
		if s.Info.Stage == kind.StageFragment && s.At(v).Intrinsic() == intrinsic.StoreOutput {
			slot.Index = 0 // not a render target
		}
	}
	return slot
}

// addSlot adds a slot to a list, or its components to an equal slot.
func addSlot(list []mir.Slot, x mir.Slot) []mir.Slot {
	for i := range list {
		y := &list[i]
		if y.Index == x.Index && y.Name == x.Name && y.Number == x.Number && y.Flat == x.Flat {
			y.Mask |= x.Mask
			return list
		}
	}
	return append(list, x)
}

// EndsInvocation reports whether a block ends in a jump that ends the invocation.
func EndsInvocation(s *ir.Shader, b ir.Node) bool {
	j := s.Jump(b)
	return j != 0 && (kind.JumpKind(s.At(j).Op) == kind.JumpHalt || kind.JumpKind(s.At(j).Op) == kind.JumpTerminate)
}
