// SPDX-License-Identifier: MIT

package value

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
)

// setup describes the setup data of the inputs: planes of components one after the other.
type setup struct {
	components int    // in a register
	bytes      uint32 // of a component
	places     [numPlanes]uint32
}

// The values of a component's setup data.
const (
	PlaneSecond = iota // a(1) - a(0)
	PlaneThird         // a(2) - a(0)
	PlaneOrigin        // a(0)
	numPlanes
)

// The forms of setup data: two components in a register of 32 bytes, the origin last after a doubleword that is not used
// (TGL PRM vol. 7, "PS Thread Payload"), or five in one of 64, the origin first (Mesa 25.0.7's code for lnl).
var (
	pairs = setup{2, 16, [numPlanes]uint32{PlaneSecond: 0, PlaneThird: 4, PlaneOrigin: 12}}
	fives = setup{5, 12, [numPlanes]uint32{PlaneOrigin: 0, PlaneSecond: 4, PlaneThird: 8}}
)

// slotComponents is the number of components of an input slot.
const slotComponents = 4

// setup returns the form of the machine's setup data.
func (l *Layout) setup() *setup {
	if l.GRF.Bytes() >= uint32(fives.components)*fives.bytes {
		return &fives
	}
	return &pairs
}

// registers returns the number of registers for the planes of some slots.
func (s *setup) registers(slots int) int {
	return (slotComponents*slots + s.components - 1) / s.components
}

// Plane returns one of the values of a component's setup data.
func (c *Context) Plane(slot, comp uint32, plane int, t isa.Type) mir.Operand {
	s, n := c.Layout.setup(), slotComponents*int(slot)+int(comp)
	return mir.FixedScalar(c.Layout.At(abi.Setup)+n/s.components, uint32(n%s.components)*s.bytes+s.places[plane], t)
}
