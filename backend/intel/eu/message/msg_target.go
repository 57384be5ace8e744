// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// Render-target writes (TGL PRM vol. 9, "Render Target Write"): types of message, subtypes,
// and fields of the descriptors.
const (
	rcTypeWrite = 0xC
	rcTypeRead  = 0xD

	rcSIMD16     = 0
	rcReplicated = 1
	rcDualLow    = 2
	rcDualHigh   = 3
	rcSIMD8      = 4

	rcHalfData = 1 << 30
	rcCoarse   = 1 << 18

	rcExAlpha = 1 << 15 // bit of the extended descriptor
	rcExNull  = 1 << 20
	rcExOther = 1<<11 | 0xF<<16 | 0x7FF<<21
)

// DecodeTarget decodes a message to the render cache.
func DecodeTarget(m *thread.Message, _ *target.Target, desc, ex uint32) *thread.OpError {
	w := thread.TargetMessage{
		Index: uint8(ex >> 12 & 7), Alpha: ex&rcExAlpha != 0, Null: ex&rcExNull != 0,
		Last: desc>>12&1 != 0, Sample: desc>>13&1 != 0, First: uint8(desc >> 11 & 1 * 16),
	}
	switch desc >> 14 & 15 {
	case rcTypeWrite:
	case rcTypeRead:
		return thread.Operr(thread.FaultUnsupported, "reads of render targets are not supported yet (descriptor 0x%08x)", desc)
	default:
		return thread.Operr(thread.FaultMessage, "unknown render cache message 0x%08x", desc)
	}
	switch subtype := desc >> 8 & 7; subtype {
	case rcSIMD16:
		m.SIMD = 16
	case rcReplicated:
		m.SIMD, w.Replicated = 16, true
	case rcDualLow, rcDualHigh:
		w.Dual, w.UpperMasks = true, subtype == rcDualHigh
		w.First += 8 * uint8(subtype-rcDualLow)
	case rcSIMD8:
	default:
		return thread.Operr(thread.FaultMessage, "unknown form %d of a render-target write (descriptor 0x%08x)", subtype, desc)
	}
	m.PerLane = true
	switch {
	case m.Header:
		return thread.Operr(thread.FaultUnsupported, "render-target writes with a header are not supported yet (descriptor 0x%08x)", desc)
	case desc&rcHalfData != 0:
		return thread.Operr(thread.FaultUnsupported,
			"render-target writes of 16-bit floats are not supported yet (descriptor 0x%08x)", desc)
	case desc&rcCoarse != 0:
		return thread.Operr(thread.FaultUnsupported,
			"render-target writes at the coarse rate are not supported yet (descriptor 0x%08x)", desc)
	case desc>>29 != 0:
		return thread.Operr(thread.FaultMessage, "the descriptor 0x%08x has undefined bits for a render-target write", desc)
	case ex&rcExOther != 0:
		return thread.Operr(thread.FaultMessage, "the extended descriptor 0x%08x has undefined bits for a render-target write", ex)
	}
	m.ToTarget, m.Target = true, w
	m.Run = runTargetWrite
	return nil
}

// layOut sets the positions of the parts of the payload in w, and checks the payload's length. The parts that the
// descriptor requests and the parts that the stage always writes come in this order: alpha, mask, colors, depth, stencil.
func layOut(w *thread.TargetMessage, m *thread.Message, s *thread.Stage) *thread.OpError {
	lane := uint8(m.LaneRegs())
	n := uint8(0)
	take := func(present bool, regs uint8) uint8 {
		at := n
		if present {
			n += regs
		}
		return at
	}
	take(w.Alpha, lane)
	w.MaskAt = take(s.WritesMask, 1)
	colors := 4 * lane
	if w.Replicated {
		colors = 1
	}
	w.ColorAt = take(true, colors)
	take(w.Dual, colors)
	w.DepthAt = take(s.WritesDepth, lane)
	w.StencilAt = take(s.WritesStencil, 1)
	switch {
	case w.Replicated && (w.Alpha || s.WritesMask || s.WritesDepth || s.WritesStencil):
		return thread.Operr(thread.FaultMessage, "a render-target write of one color for all lanes must have no other parts")
	case s.WritesStencil && m.SIMD > 8:
		return thread.Operr(thread.FaultMessage, "a render-target write with stencil references must have 8 lanes")
	}
	return want(m, int(n), 0)
}

func runTargetWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	s, w := t.Stage(), m.Target // a copy: programs are shared
	if s == nil || s.Kind != thread.FragmentStage {
		return thread.Operr(thread.FaultMessage, "the thread has no render targets")
	}
	if err := layOut(&w, m, s); err != nil {
		return err
	}
	all := uint32(1)<<m.SIMD - 1
	lanes := all << w.First
	switch {
	case o.N != m.SIMD || o.Choff != w.First:
		return thread.Operr(thread.FaultMessage,
			"the message writes lanes %d to %d, but the instruction has M%d to M%d", w.First,
			w.First+m.SIMD-1, o.Choff, o.Choff+o.N-1)
	case lanes&^groupsOfPixels(t) != 0:
		return thread.Operr(thread.FaultMessage,
			"the message writes lanes %d to %d, but the thread has %d lanes", w.First, w.First+m.SIMD-1, t.Simd)
	case t.Written&lanes != 0:
		return thread.Operr(thread.FaultMessage, "the last render target of lanes %d to %d has been written already", w.First,
			w.First+m.SIMD-1)
	case !w.Null && (int(m.Bti) < s.FirstTarget || int(m.Bti) >= s.FirstTarget+s.Targets):
		return thread.Operr(thread.FaultMemory, "entry %d of the binding table is not a render target", m.Bti)
	case !t.Ordered:
		return thread.Operr(thread.FaultMessage,
			"no message has waited for earlier threads: the first write of a render target must be a sendc")
	}
	if w.Last {
		t.Written |= lanes
	}
	// Hardware writes only pixels that are live, even if helper lanes are enabled.
	for mask &= t.Live >> w.First & all; mask != 0; mask &= mask - 1 {
		lane := thread.Trailing(mask)
		p := targetPixel(t, o, m, &w, lane)
		if s.Write != nil {
			s.Write(int(t.Group.Id[0]), int(w.First)+lane, &p)
		}
	}
	return nil
}

// targetPixel returns the data that a render-target write carries for a lane.
func targetPixel(t *thread.Thread, o *thread.Op, m *thread.Message, w *thread.TargetMessage, lane int) thread.TargetWrite {
	s := t.Stage()
	regs := m.LaneRegs()
	dword := func(at, k int) uint32 { return Payload32(t, o, m, (at+k*regs)*thread.GRFSize+4*lane) }
	p := thread.TargetWrite{Surface: int(m.Bti), Target: int(w.Index), Null: w.Null, Dual: w.Dual, HasAlpha: w.Alpha,
		PerSample: w.Sample, Last: w.Last, Mask: 0xFFFF}
	if w.Alpha {
		p.Alpha = dword(0, 0)
	}
	if s.WritesMask {
		at := int(w.MaskAt)*thread.GRFSize + 2*lane
		if w.UpperMasks {
			at += thread.GRFSize / 2
		}
		p.Mask = binary.LittleEndian.Uint16(t.Reg[o.Payload(m, at):])
	}
	for c := range p.Color {
		if w.Replicated {
			p.Color[c] = Payload32(t, o, m, int(w.ColorAt)*thread.GRFSize+4*c)
			continue
		}
		p.Color[c] = dword(int(w.ColorAt), c)
		if w.Dual {
			p.Second[c] = dword(int(w.ColorAt), 4+c)
		}
	}
	if s.WritesDepth {
		p.Depth = dword(int(w.DepthAt), 0)
	}
	if s.WritesStencil {
		p.Stencil = t.Reg[o.Payload(m, int(w.StencilAt)*thread.GRFSize+lane)]
	}
	return p
}
