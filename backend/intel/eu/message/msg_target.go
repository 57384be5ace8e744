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
	rcExNone  = ^uint32(0x7FF) // all bits but the function and the length
)

// DecodeTarget decodes a message to the render cache.
func DecodeTarget(m *thread.Message, machine *target.Target, desc, ex uint32) *thread.OpError {
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
	if machine.Can(target.TargetParts) {
		if err := decodeWideTarget(m, desc, ex); err != nil {
			return err
		}
		w, ex = m.Target, 0
	} else if err := decodeForm(m, &w, desc); err != nil {
		return err
	}
	m.PerLane = true
	switch {
	case m.Header && machine.Can(target.TargetIndex):
		return thread.Operr(thread.FaultUnsupported, "render-target writes with a header are not supported yet (descriptor 0x%08x)", desc)
	case ex&rcExNone != 0 && !machine.Can(target.TargetIndex):
		return thread.Operr(thread.FaultMessage,
			"the extended descriptor 0x%08x of a render-target write has more than a length, which this machine lacks", ex)
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
	w.Header, m.Header = m.Header, false // its registers are counted with the other parts
	m.ToTarget, m.Target = true, w
	m.Run = runTargetWrite
	return nil
}

// decodeForm decodes the lanes of a message and the number of its colors.
func decodeForm(m *thread.Message, w *thread.TargetMessage, desc uint32) *thread.OpError {
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
	return nil
}

func runTargetWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	s, w := t.Stage(), m.Target // a copy: programs are shared
	if s == nil || s.Kind != thread.FragmentStage {
		return thread.Operr(thread.FaultMessage, "the thread has no render targets")
	}
	live := t.Live >> w.First & (1<<m.SIMD - 1)
	pixels := live
	if w.Header {
		var err *thread.OpError
		if pixels, err = targetHeader(t, o, m, &w); err != nil {
			return err
		}
	}
	if err := says(&w, s); err != nil {
		return err
	}
	n, err := w.LayOut(m, s)
	if err != nil {
		return err
	}
	if err := want(m, n, 0); err != nil {
		return err
	}
	if s.NullTarget && int(m.Bti) == s.FirstTarget {
		w.Null = true
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
	if left := pixels & live &^ mask; w.Header && left != 0 {
		return thread.Operr(thread.FaultMessage, "the header enables lanes %#x, which the instruction leaves out", left<<w.First)
	}
	// Hardware writes only pixels that are live, even if helper lanes are enabled.
	for mask &= pixels & live; mask != 0; mask &= mask - 1 {
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
	dword := func(at, k int) uint32 { return Payload32(t, o, m, (at+k*regs)*m.GRF+4*lane) }
	p := thread.TargetWrite{Surface: int(m.Bti), Target: int(w.Index), Null: w.Null, Dual: w.Dual, HasAlpha: w.Alpha,
		PerSample: w.Sample, Last: w.Last, Mask: 0xFFFF}
	if w.Alpha {
		p.Alpha = dword(int(w.AlphaAt), 0)
	}
	if s.WritesMask {
		at := int(w.MaskAt)*m.GRF + 2*lane
		switch {
		case w.Wide:
			at += 2 * int(w.First)
		case w.UpperMasks:
			at += m.GRF / 2
		}
		p.Mask = binary.LittleEndian.Uint16(t.Reg[o.Payload(m, at):])
	}
	for c := range p.Color {
		if w.Replicated {
			p.Color[c] = Payload32(t, o, m, int(w.ColorAt)*m.GRF+4*c)
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
		p.Stencil = t.Reg[o.Payload(m, int(w.StencilAt)*m.GRF+lane)]
	}
	return p
}
