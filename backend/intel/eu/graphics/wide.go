// SPDX-License-Identifier: MIT

package graphics

import (
	"math"

	"jacquard.example/generated/abi"
)

// Payloads in registers of 64 bytes, Xe2 (XE.md, from Mesa's code for lnl). The first register of a fragment thread has what
// other machines have in two; the second, with 32 lanes, has the quads and live lanes of the upper half. Setup data are three
// doublewords for each component, for five components in a register: the value at the first vertex, and the differences of
// the values at the second and third vertex from it. URB handles are addresses in bytes.

const (
	planes    = 5 // components of setup data in a register
	upperPart = 8 // doublewords from here on are those of the second register of other machines
	primitive = 9 // a word for each two quads describes their primitive
)

// wide reports whether a register has a doubleword for each lane of a half, and thus 64 bytes.
func (w *payload) wide() bool { return w.grf.Size/4 == half }

// repeats reports whether a header field has a value for each half of 32 lanes.
func (w *payload) repeats(f abi.Field) bool {
	if w.wide() {
		return f.Dword >= upperPart
	}
	return f.Reg == 1
}

// repeatPrimitive copies the description of the primitive of the first two quads of half k to that of the others.
func (w *payload) repeatPrimitive(k int) {
	x := w.grf.Dword(k, primitive) & 0xFFFF
	w.grf.SetDword(k, primitive, x|x<<16)
}

// handle returns the handle of a URB entry.
func (w *payload) handle(entry int) uint32 {
	if w.wide() {
		return w.urb.Address(entry)
	}
	return w.urb.Handle(entry)
}

// partRegs returns the number of registers of a part for some lanes.
func (w *payload) partRegs(p abi.Part, lanes int) int {
	n := len(w.p.Inputs)
	if w.wide() && p == abi.Setup {
		return (4*n + planes - 1) / planes
	}
	return p.PartRegs((4*lanes+w.grf.Size-1)/w.grf.Size, n)
}

// widePlane writes a component of an input of a primitive.
func (w *payload) widePlane(reg, dword, slot, c int) {
	var x [3]uint32
	for v := range x {
		x[v] = w.f.Input(w.first, slot, c, v)
	}
	first := math.Float32frombits(x[0])
	w.grf.SetDword(reg, dword, x[0])
	for v := range 2 {
		w.grf.SetDword(reg, dword+1+v, math.Float32bits(math.Float32frombits(x[1+v])-first))
	}
}
