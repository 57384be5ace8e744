// SPDX-License-Identifier: MIT

package message

import (
	"jacquard.example/backend/intel/eu/thread"
)

// Render-target writes of Xe2 write 16 or 32 lanes of one color, or 16 lanes of two colors (IGC, TranslateSend3D.cpp,
// EU_XE2_DATA_PORT_RENDER_TARGET_WRITE_SUBTYPE). The extended descriptor has the number of the target and says which parts the
// payload has, in the order of other machines (Mesa, lower_fb_write_logical_send). Sample masks are words of the thread's 32
// lanes in one register, and stencil references are bytes of 16 lanes.
const (
	wideSIMD16 = 0
	wideSIMD32 = 1
	wideDual   = 2

	wideMask    = 1 << 12 // bits of the extended descriptor
	wideDepth   = 1 << 13
	wideStencil = 1 << 14
	wideTarget  = 21
	wideOther   = 1<<11 | 0xF<<16 | ^uint32(1<<24-1)
)

// decodeWideTarget decodes a render-target write whose extended descriptor names the parts of the payload.
func decodeWideTarget(m *thread.Message, desc, ex uint32) *thread.OpError {
	w := thread.TargetMessage{
		Index: uint8(ex >> wideTarget & 7), Alpha: ex&rcExAlpha != 0, Null: ex&rcExNull != 0, Wide: true,
		Says: thread.TargetParts{Mask: ex&wideMask != 0, Depth: ex&wideDepth != 0, Stencil: ex&wideStencil != 0},
		Last: desc>>12&1 != 0, Sample: desc>>13&1 != 0, First: uint8(desc >> 11 & 1 * 16),
	}
	m.SIMD = 16
	switch subtype := desc >> 8 & 7; subtype {
	case wideSIMD16:
	case wideSIMD32:
		m.SIMD = 32
	case wideDual:
		w.Dual = true
	default:
		return thread.Operr(thread.FaultMessage, "unknown form %d of a render-target write (descriptor 0x%08x)", subtype, desc)
	}
	switch {
	case m.SIMD == 32 && w.First != 0:
		return thread.Operr(thread.FaultMessage, "a render-target write of 32 lanes starts at the first (descriptor 0x%08x)", desc)
	case ex&wideOther != 0:
		return thread.Operr(thread.FaultMessage, "the extended descriptor 0x%08x has undefined bits for a render-target write", ex)
	}
	m.Target = w
	return nil
}

// says checks that a message's extended descriptor names the parts that the stage writes.
func says(w *thread.TargetMessage, s *thread.Stage) *thread.OpError {
	if want := (thread.TargetParts{Mask: s.WritesMask, Depth: s.WritesDepth, Stencil: s.WritesStencil}); w.Wide && w.Says != want {
		return thread.Operr(thread.FaultMessage,
			"the extended descriptor is wrong about the parts of the payload: %+v, want %+v", w.Says, want)
	}
	return nil
}
