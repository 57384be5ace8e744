// SPDX-License-Identifier: MIT

package stageio

import (
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// The slots of a vertex shader's outputs as fixed-function hardware reads them: the vertex header (with the layer, the
// viewport and the point size), the position, the clip and cull distances, and the user's outputs (TGL PRM vol. 7,
// "Vertex URB Entry").
const (
	headerSlot   = 0
	positionSlot = 1
	clipSlot     = 2
	userSlot     = 4

	layerComponent     = 1
	viewportComponent  = 2
	pointSizeComponent = 3
)

// CompactSlots renumbers the slots of inputs without gaps, keeping their order, and gives a vertex shader's outputs the
// slots from which fixed-function hardware reads them. A fragment shader's output slots are render targets, which the API
// numbers.
func CompactSlots(pc *pass.Context) bool {
	c := context{pc}
	if !graphics(c.S.Info.Stage) {
		return false
	}
	changed := c.within(false)
	changed = c.within(true) || changed
	changed = c.inputs() || changed
	if c.S.Info.Stage == kind.StageVertex {
		changed = c.vertexOutputs() || changed
	}
	return changed
}

// eachAccess visits the accesses to outputs if outputs is set, or else to inputs.
func (c context) eachAccess(outputs bool, f func(v ir.Value)) {
	s := c.S
	for fn := range s.Funcs() {
		for b := range s.Blocks(fn) {
			for v := range s.Instrs(b) {
				id := s.At(v).Intrinsic()
				if outputs && id == intrinsic.StoreOutput || !outputs && id.Is(intrinsic.TraitInput) {
					f(v)
				}
			}
		}
	}
}

// within clamps constant offsets to the range of their access, since there are no other slots.
func (c context) within(outputs bool) (changed bool) {
	s := c.S
	c.eachAccess(outputs, func(v ir.Value) {
		i := s.At(v).Intrinsic().Source(intrinsic.RoleOffset)
		if at, known := s.ConstOf(s.Src(v, i)); known && at >= uint64(s.Index(v, intrinsic.IxRange)) {
			last, _ := Offset(s, v)
			c.B.Before(v)
			s.SetSrc(v, i, c.B.Imm(last))
			changed = true
		}
	})
	return changed
}

// slots is a list of the slots that accesses may touch, in increasing order.
type slots []int32

func (l *slots) add(s *ir.Shader, v ir.Value) {
	base := int32(s.Index(v, intrinsic.IxBase))
	for i := range int32(s.Index(v, intrinsic.IxRange)) {
		*l = append(*l, base+i)
	}
}

func (l *slots) sort() {
	slices.Sort(*l)
	*l = slices.Compact(*l)
}

// rank returns the number of slots below slot.
func (l slots) rank(slot int32) int32 {
	i, _ := slices.BinarySearch(l, slot)
	return int32(i)
}

// setBase sets the slot of an access and reports whether it changed.
func (c context) setBase(v ir.Value, slot int32) bool {
	if int32(c.S.Index(v, intrinsic.IxBase)) == slot {
		return false
	}
	c.S.SetIndex(v, intrinsic.IxBase, uint32(slot))
	return true
}

// inputs renumbers the inputs.
func (c context) inputs() bool {
	var used slots
	c.eachAccess(false, func(v ir.Value) { used.add(c.S, v) })
	used.sort()
	changed := false
	c.eachAccess(false, func(v ir.Value) {
		changed = c.setBase(v, used.rank(int32(c.S.Index(v, intrinsic.IxBase)))) || changed
	})
	return changed
}

// vertexOutputs renumbers the outputs of a vertex shader.
func (c context) vertexOutputs() bool {
	s := c.S
	var used slots
	clips := uint32(0) // number of clip distances; cull distances follow them
	c.eachAccess(true, func(v ir.Value) {
		switch builtin(s, v) {
		case kind.BuiltinNone:
			used.add(s, v)
		case kind.BuiltinClipDistance:
			clips = max(clips, distance(s, v)+1)
		}
	})
	used.sort()
	changed := false
	c.eachAccess(true, func(v ir.Value) {
		if builtin(s, v) != kind.BuiltinNone && int32(s.Index(v, intrinsic.IxBase)) < userSlot {
			return // renumbered already
		}
		slot, component := int32(headerSlot), uint32(0)
		switch b := builtin(s, v); b {
		case kind.BuiltinNone:
			slot, component = userSlot+used.rank(int32(s.Index(v, intrinsic.IxBase))), s.Index(v, intrinsic.IxComponent)
		case kind.BuiltinPosition:
			slot, component = positionSlot, s.Index(v, intrinsic.IxComponent)
		case kind.BuiltinPointSize:
			component = pointSizeComponent
		case kind.BuiltinLayer:
			component = layerComponent
		case kind.BuiltinViewportIndex:
			component = viewportComponent
		case kind.BuiltinClipDistance:
			slot, component = clipSlot+int32(distance(s, v)/4), distance(s, v)%4
		case kind.BuiltinCullDistance:
			n := clips + distance(s, v)
			if n >= distances {
				c.FailAt(s.At(v).Loc, "%d clip and cull distances; a vertex shader may have at most %d", n+1, distances)
			}
			slot, component = clipSlot+int32(n/4), n%4
		default:
			c.FailAt(s.At(v).Loc, "the output %v of a vertex shader is not supported", b)
		}
		changed = c.setBase(v, slot) || changed
		if s.Index(v, intrinsic.IxComponent) != component {
			s.SetIndex(v, intrinsic.IxComponent, component)
			changed = true
		}
	})
	return changed
}

func builtin(s *ir.Shader, v ir.Value) kind.IOBuiltin {
	return kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin))
}

// distance returns the index of a clip or cull distance.
func distance(s *ir.Shader, v ir.Value) uint32 {
	slot := int32(s.Index(v, intrinsic.IxBase)) - Slot(builtin(s, v), 0, 0)
	return 4*uint32(max(slot, 0)) + s.Index(v, intrinsic.IxComponent)
}
