package eu

import (
	"encoding/binary"
	"jacquard.example/generated/target"
)

// TargetWrite is the data that a render-target write carries for one pixel.
type TargetWrite struct {
	Surface int // entry of the binding table
	Target  int // index of the target, for blending
	Null    bool
	Color   [4]uint32
	Second  [4]uint32 // source 1 of blending, if Dual
	Dual    bool
	Alpha   uint32 // alpha of target 0, if HasAlpha
	Mask    uint16 // sample mask, if the stage writes it
	Depth   uint32 // float bits, if the stage writes it
	Stencil uint8  // if the stage writes it

	HasAlpha bool
	// PerSample is set if the lanes of the thread are samples.
	PerSample bool
	// Last is set in the last write of the pixel.
	Last bool
}

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

// targetWrite is a decoded render-target write.
type targetWrite struct {
	index              uint8
	first              uint8 // lane of the thread that is the message's lane 0
	last, sample       bool
	alpha, null        bool
	replicated, dual   bool
	upperMasks         bool  // lanes 8 to 15 have their masks where they are at SIMD16
	maskAt, colorAt    uint8 // payload registers
	depthAt, stencilAt uint8
}

// decodeTarget decodes a message to the render cache.
func decodeTarget(m *message, _ *target.Target, desc, ex uint32) *opError {
	w := targetWrite{
		index: uint8(ex >> 12 & 7), alpha: ex&rcExAlpha != 0, null: ex&rcExNull != 0,
		last: desc>>12&1 != 0, sample: desc>>13&1 != 0, first: uint8(desc >> 11 & 1 * 16),
	}
	switch desc >> 14 & 15 {
	case rcTypeWrite:
	case rcTypeRead:
		return operr(FaultUnsupported, "reads of render targets are not supported yet (descriptor 0x%08x)", desc)
	default:
		return operr(FaultMessage, "unknown render cache message 0x%08x", desc)
	}
	switch subtype := desc >> 8 & 7; subtype {
	case rcSIMD16:
		m.simd = 16
	case rcReplicated:
		m.simd, w.replicated = 16, true
	case rcDualLow, rcDualHigh:
		w.dual, w.upperMasks = true, subtype == rcDualHigh
		w.first += 8 * uint8(subtype-rcDualLow)
	case rcSIMD8:
	default:
		return operr(FaultMessage, "unknown form %d of a render-target write (descriptor 0x%08x)", subtype, desc)
	}
	m.perLane = true
	switch {
	case m.header:
		return operr(FaultUnsupported, "render-target writes with a header are not supported yet (descriptor 0x%08x)", desc)
	case desc&rcHalfData != 0:
		return operr(FaultUnsupported, "render-target writes of 16-bit floats are not supported yet (descriptor 0x%08x)", desc)
	case desc&rcCoarse != 0:
		return operr(FaultUnsupported, "render-target writes at the coarse rate are not supported yet (descriptor 0x%08x)", desc)
	case desc>>29 != 0:
		return operr(FaultMessage, "the descriptor 0x%08x has undefined bits for a render-target write", desc)
	case ex&rcExOther != 0:
		return operr(FaultMessage, "the extended descriptor 0x%08x has undefined bits for a render-target write", ex)
	}
	m.toTarget, m.target = true, w
	m.run = runTargetWrite
	return nil
}

// layOut finds the parts of the payload. The parts that the descriptor requests and the parts that the stage
// always writes come in this order: alpha, mask, colors, depth, stencil.
func (w *targetWrite) layOut(m *message, s *Stage) *opError {
	lane := uint8(m.laneRegs())
	n := uint8(0)
	take := func(present bool, regs uint8) uint8 {
		at := n
		if present {
			n += regs
		}
		return at
	}
	take(w.alpha, lane)
	w.maskAt = take(s.WritesMask, 1)
	colors := 4 * lane
	if w.replicated {
		colors = 1
	}
	w.colorAt = take(true, colors)
	take(w.dual, colors)
	w.depthAt = take(s.WritesDepth, lane)
	w.stencilAt = take(s.WritesStencil, 1)
	switch {
	case w.replicated && (w.alpha || s.WritesMask || s.WritesDepth || s.WritesStencil):
		return operr(FaultMessage, "a render-target write of one color for all lanes must have no other parts")
	case s.WritesStencil && m.simd > 8:
		return operr(FaultMessage, "a render-target write with stencil references has 8 lanes")
	}
	return m.want(int(n), 0)
}

func runTargetWrite(t *Thread, o *op, m *message, mask uint32) *opError {
	s, w := t.stage(), m.target // a copy: programs are shared
	if s == nil || s.Kind != FragmentStage {
		return operr(FaultMessage, "the thread has no render targets")
	}
	if err := w.layOut(m, s); err != nil {
		return err
	}
	all := uint32(1)<<m.simd - 1
	lanes := all << w.first
	switch {
	case o.n != m.simd || o.choff != w.first:
		return operr(FaultMessage, "the message writes lanes %d to %d, the instruction has M%d to M%d", w.first, w.first+m.simd-1, o.choff, o.choff+o.n-1)
	case lanes&^t.groupsOfPixels() != 0:
		return operr(FaultMessage, "the message writes lanes %d to %d of a thread of %d", w.first, w.first+m.simd-1, t.simd)
	case t.written&lanes != 0:
		return operr(FaultMessage, "the last render target of lanes %d to %d has been written already", w.first, w.first+m.simd-1)
	case !w.null && (int(m.bti) < s.FirstTarget || int(m.bti) >= s.FirstTarget+s.Targets):
		return operr(FaultMemory, "entry %d of the binding table is not a render target", m.bti)
	case !t.ordered:
		return operr(FaultMessage, "no message has waited for earlier threads: the first write of a render target must be a sendc")
	}
	if w.last {
		t.written |= lanes
	}
	// Hardware writes only pixels that are live, even if helper lanes are enabled.
	for mask &= t.live >> w.first & all; mask != 0; mask &= mask - 1 {
		lane := trailing(mask)
		p := t.targetPixel(o, m, &w, lane)
		if s.Write != nil {
			s.Write(int(t.group.id[0]), int(w.first)+lane, &p)
		}
	}
	return nil
}

// targetPixel returns the data that a render-target write carries for a lane.
func (t *Thread) targetPixel(o *op, m *message, w *targetWrite, lane int) TargetWrite {
	s := t.stage()
	regs := m.laneRegs()
	dword := func(at, k int) uint32 { return t.payload32(o, m, (at+k*regs)*grfSize+4*lane) }
	p := TargetWrite{Surface: int(m.bti), Target: int(w.index), Null: w.null, Dual: w.dual, HasAlpha: w.alpha, PerSample: w.sample, Last: w.last, Mask: 0xFFFF}
	if w.alpha {
		p.Alpha = dword(0, 0)
	}
	if s.WritesMask {
		at := int(w.maskAt)*grfSize + 2*lane
		if w.upperMasks {
			at += grfSize / 2
		}
		p.Mask = binary.LittleEndian.Uint16(t.reg[o.payload(m, at):])
	}
	for c := range p.Color {
		if w.replicated {
			p.Color[c] = t.payload32(o, m, int(w.colorAt)*grfSize+4*c)
			continue
		}
		p.Color[c] = dword(int(w.colorAt), c)
		if w.dual {
			p.Second[c] = dword(int(w.colorAt), 4+c)
		}
	}
	if s.WritesDepth {
		p.Depth = dword(int(w.depthAt), 0)
	}
	if s.WritesStencil {
		p.Stencil = t.reg[o.payload(m, int(w.stencilAt)*grfSize+lane)]
	}
	return p
}
