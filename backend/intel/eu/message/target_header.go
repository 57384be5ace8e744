// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/thread"
)

// The header of a render-target write, on machines whose extended descriptors have no number of the target: copies of the
// thread's first register and of the one with the positions of the message's pixels, which is the second or, for the upper
// half of 32 lanes, the third. Bits of the first doubleword tell which parts the payload has; the third is the number of the
// target; the last has the pixels to write (Sandy Bridge PRM vol. 4, "Render Target Write": Message Header, Dispatched Pixel
// Enables). Mesa (brw_lower_logical_sends.cpp) sets only the alpha and stencil bits; IGC (TranslateSend3D.cpp) also sets the
// sample-mask and depth bits, which the model ignores. Both write the pixels that remain after discards to the header.
const (
	headerAlpha   = 1 << 11
	headerStencil = 1 << 14

	headerLayers = 0x7FF << 16
	headerTarget = 4 * 2
	headerNumber = 7     // mask
	headerPixels = 4 * 7 // in the second register
)

// targetHeader reads the header of a render-target write into w, and returns the pixels that it enables.
func targetHeader(t *thread.Thread, o *thread.Op, m *thread.Message, w *thread.TargetMessage) (pixels uint32, err *thread.OpError) {
	parts := Payload32(t, o, m, 0)
	w.Alpha, w.Index = parts&headerAlpha != 0, uint8(Payload32(t, o, m, headerTarget)&headerNumber)
	place := 1 + int(w.First)/16 // the register of the payload that positions are copied from
	switch {
	case m.Mlen < thread.TargetHeaderRegs:
		return 0, thread.Operr(thread.FaultMessage, "the header of a render-target write has %d registers in the first payload",
			thread.TargetHeaderRegs)
	case (parts^start(t, 0, 0))&headerLayers != 0:
		return 0, thread.Operr(thread.FaultMessage, "the header does not have the layer of the thread's primitive")
	case parts&headerStencil != 0 != t.Stage().WritesStencil:
		return 0, thread.Operr(thread.FaultMessage, "the header is wrong about stencil references")
	}
	for k := 2; k < 6; k++ {
		if got, want := Payload32(t, o, m, m.GRF+4*k), start(t, place, k); got != want {
			return 0, thread.Operr(thread.FaultMessage,
				"doubleword %d of the header's second register is %#x; that of r%d was %#x", k, got, place, want)
		}
	}
	return Payload32(t, o, m, m.GRF+headerPixels) & 0xFFFF >> (w.First % 16), nil
}

// start returns a doubleword of the thread's payload.
func start(t *thread.Thread, reg, k int) uint32 {
	return binary.LittleEndian.Uint32(t.Start[reg*t.Prog.GRF+4*k:])
}
