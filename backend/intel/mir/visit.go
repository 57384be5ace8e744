// SPDX-License-Identifier: MIT

package mir

import "jacquard.example/generated/isa"

// SrcBytes returns the number of bytes, starting at Off, that source k of an instruction spans, or 0 if it is not a
// register.
func (f *Func) SrcBytes(in *Inst, k int) uint32 {
	if x := in.Src[k].File; x == VReg || x == GRF {
		return in.srcBytes(k, f.GRF)
	}
	return 0
}

// srcBytes is like SrcBytes, for register operands.
func (in *Inst) srcBytes(k int, grf RegSize) uint32 {
	o := &in.Src[k]
	if !in.Is(spans) {
		return o.span(uint32(in.Exec))
	}
	if in.IsSend() && k < 2 && (in.Op != OpMessage || o.HasStride(1) && o.Type.Size() == 4) || in.IsRun(k) {
		return grf.Bytes() * uint32(in.Len[k])
	}
	switch in.Op {
	case isa.OpSync:
		return grf.Bytes()
	case isa.OpPln:
		return planeBytes(in, k)
	}
	return o.Extent(int(in.Exec))
}

// planeBytes returns the number of bytes of source k of pln: four numbers of the plane, or two coordinates for each lane.
func planeBytes(in *Inst, k int) uint32 {
	return [...]uint32{4 * dword, 2 * dword * uint32(in.Exec), 0}[k]
}

// IsRun reports whether source k is a run of GRFs that is read at computed positions: any of its bytes may be
// read.
func (in *Inst) IsRun(k int) bool {
	return in.Op == OpIndirect && k == 0 || in.Op == OpAddress && k == 1
}

// DstBytes returns the number of bytes, starting at Off, that the destination of an instruction spans, or 0 if it is not a
// register.
func (f *Func) DstBytes(in *Inst) uint32 {
	if !in.Dst.IsReg() {
		return 0
	}
	return in.dstBytes(f.GRF)
}

// dstBytes is like DstBytes, for register destinations.
func (in *Inst) dstBytes(grf RegSize) uint32 {
	if !in.Is(spans) {
		return in.Dst.span(uint32(in.Exec))
	}
	if in.IsSend() {
		return grf.Bytes() * uint32(in.Len[2])
	}
	if in.Op == OpCompose {
		return uint32(in.Composed()) * grf.Round(dword*uint32(in.Exec))
	}
	if in.Op == isa.OpMath && in.Math == isa.MathIDiv {
		return 2 * in.Dst.Extent(int(in.Exec))
	}
	return in.Dst.Extent(int(in.Exec))
}

// Partial reports whether active lanes may leave bytes of the destination's span unwritten: the write is
// predicated, has a partial write mask, or its elements start more than 4 bytes apart.
func (in *Inst) Partial() bool {
	if in.Pred != 0 && in.Op != isa.OpSel || in.Dst.Mask != 0 {
		return true
	}
	return !in.IsSend() && uint32(in.Dst.Stride)*uint32(in.Dst.Type.Size()) > 4
}

// Swizzled reports whether a source has a swizzle.
func (in *Inst) Swizzled() bool {
	return in.Src[0].Swizzle|in.Src[1].Swizzle|in.Src[2].Swizzle != 0
}

// Lanes returns the lanes of the thread's mask that an instruction writes if all of its lanes run.
func (in *Inst) Lanes() uint32 {
	return uint32(uint64(1)<<in.Exec-1) & in.Dst.Mask.Lanes() << in.Chan
}

// LateSrcs returns the set of sources of an instruction that must not share a register with the destination. An instruction with
// an operand of two GRFs executes in two steps, and the second step reads after the first has written. Only a
// source whose lanes are at the same places as the destination's is safe.
func (f *Func) LateSrcs(in *Inst) uint8 { return f.Late(in, f.Bytes(in)) }

// Bytes has DstBytes and SrcBytes of all operands of an instruction.
type Bytes struct {
	Dst uint32
	Src [3]uint32
}

// Bytes returns the number of bytes that each operand spans.
func (f *Func) Bytes(in *Inst) Bytes {
	if in.Is(spans) {
		return Bytes{f.DstBytes(in), [3]uint32{f.SrcBytes(in, 0), f.SrcBytes(in, 1), f.SrcBytes(in, 2)}}
	}
	var n Bytes
	lanes := uint32(in.Exec)
	if in.Dst.IsReg() {
		n.Dst = in.Dst.span(lanes)
	}
	for k := range in.Src {
		if o := &in.Src[k]; o.IsReg() {
			n.Src[k] = o.span(lanes)
		}
	}
	return n
}

// Late is like LateSrcs, with n = f.Bytes(in).
func (f *Func) Late(in *Inst, n Bytes) uint8 {
	if in.IsSend() || in.Op == OpIndirect || in.Op == OpCompose || in.Op == isa.OpPln {
		return 7
	}
	if in.Op != isa.OpMath && max(n.Dst, n.Src[0], n.Src[1], n.Src[2]) <= f.GRF.Bytes() {
		return 0
	}
	var m uint8
	size := uint32(in.Dst.Stride) * uint32(in.Dst.Type.Size())
	for k := range in.Src {
		o := &in.Src[k]
		if !o.IsReg() {
			continue
		}
		if o.Rows != 0 || o.Swizzle != 0 || uint32(o.Stride)*uint32(o.Type.Size()) != size ||
			in.Op == isa.OpMath && in.Math == isa.MathIDiv {
			m |= 1 << k
		}
	}
	return m
}
