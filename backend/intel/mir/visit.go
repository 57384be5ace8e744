package mir

import "jacquard.example/generated/isa"

// SrcBytes is how many bytes from Off on source k of in spans, 0 when it reads
// no register.
func (in *Inst) SrcBytes(k int) uint32 {
	o := &in.Src[k]
	if !o.IsReg() {
		return 0
	}
	if in.IsSend() && k < 2 && (in.Op != OpMessage || o.HasStride(1) && o.Type.Size() == 4) || in.Op == OpIndirect && k == 0 {
		return GRFBytes * uint32(in.Len[k])
	}
	if in.Op == isa.OpSync {
		return GRFBytes
	}
	return o.Extent(int(in.Exec))
}

// DstBytes is how many bytes from Off on the destination spans, 0 when it is no
// register.
func (in *Inst) DstBytes() uint32 {
	if !in.Dst.IsReg() {
		return 0
	}
	if in.IsSend() {
		return GRFBytes * uint32(in.Len[2])
	}
	if in.Op == OpCompose {
		return uint32(in.composed()) * in.Parameter()
	}
	if in.Op == isa.OpMath && in.Math == isa.MathIDiv {
		return 2 * in.Dst.Extent(int(in.Exec))
	}
	return in.Dst.Extent(int(in.Exec))
}

// IsSend reports messages, lowered or not.
func (in *Inst) IsSend() bool {
	return in.Op == isa.OpSend || in.Op == isa.OpSendc || in.Op == OpMessage
}

// Partial reports that lanes or bytes of the span that the destination covers
// may keep what they held, for lanes that are active: the write is predicated,
// leaves gaps of 4 bytes or more, or has a write mask that is not full.
func (in *Inst) Partial() bool {
	if in.Pred != 0 && in.Op != isa.OpSel || in.Dst.Mask != 0 {
		return true
	}
	return !in.IsSend() && uint32(in.Dst.Stride)*uint32(in.Dst.Type.Size()) > 4
}

// Swizzled reports that a source has a swizzle.
func (in *Inst) Swizzled() bool {
	return in.Src[0].Swizzle|in.Src[1].Swizzle|in.Src[2].Swizzle != 0
}

// Lanes is the set of lanes of the thread's mask that an instruction writes if all of
// them run.
func (in *Inst) Lanes() uint32 {
	return uint32(uint64(1)<<in.Exec-1) & in.Dst.Mask.Lanes() << in.Chan
}

// LateSrcs is the set of sources that must not share a register with the
// destination. An instruction with an operand of two GRFs runs in two steps, and the
// second reads after the first has written; only a source with the lanes where
// the destination has them is safe.
func (in *Inst) LateSrcs() uint8 {
	if in.IsSend() || in.Op == OpIndirect || in.Op == OpCompose {
		return 7
	}
	if in.Op != isa.OpMath && in.DstBytes() <= GRFBytes && in.SrcBytes(0) <= GRFBytes && in.SrcBytes(1) <= GRFBytes && in.SrcBytes(2) <= GRFBytes {
		return 0
	}
	var m uint8
	size := uint32(in.Dst.Stride) * uint32(in.Dst.Type.Size())
	for k := range in.Src {
		o := &in.Src[k]
		if !o.IsReg() {
			continue
		}
		if o.Rows != 0 || o.Swizzle != 0 || uint32(o.Stride)*uint32(o.Type.Size()) != size || in.Op == isa.OpMath && in.Math == isa.MathIDiv {
			m |= 1 << k
		}
	}
	return m
}
