// SPDX-License-Identifier: MIT

package bytemask

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Mask has bit b for byte b of a GRF.
type Mask = uint32

const (
	grf  = mir.GRFBytes
	full = ^Mask(0)
)

// PeriodicMask returns count groups of bits ones, step apart, starting at bit offset. Bits beyond the top are
// cut off. Each step of the loop doubles the number of groups.
func PeriodicMask(count, step, bits, offset uint) Mask {
	if count == 0 || bits == 0 || offset >= grf {
		return 0
	}
	m := low(bits)
	limit := count * step
	if step == 0 || limit > grf {
		limit = grf
	}
	if step > 0 {
		for shift := step; shift < limit; shift *= 2 {
			m |= m << shift
		}
	}
	// For a count that is not a power of two, the last doubling has added too many groups.
	if end := (count-1)*step + bits; end < grf {
		m &= low(end)
	}
	return m << offset
}

func low(n uint) Mask {
	if n >= grf {
		return full
	}
	return 1<<n - 1
}

// elements returns the mask of register reg (counted from byte 0) for a run of n elements of size bytes, step
// apart, starting at byte start. It is exact for every start and step.
func elements(n, size, step, start, reg uint) Mask {
	if n == 0 {
		return 0
	}
	lo, hi := reg*grf, (reg+1)*grf
	if step == 0 {
		n, step = 1, size
	}
	if step == size {
		return Between(start, start+n*size, reg)
	}
	first := uint(0)
	if start < lo {
		first = (lo - start) / step // the last element that starts at or before lo
	}
	var m Mask
	if first < n {
		if at := start + first*step; at < lo {
			if at+size > lo {
				m = low(min(at+size-lo, grf))
			}
			first++
		}
	}
	if first < n {
		if at := start + first*step; at < hi {
			m |= PeriodicMask(n-first, step, size, at-lo)
		}
	}
	return m
}

// Between returns the mask of register reg (counted from byte 0) for bytes from to to-1.
func Between(from, to, reg uint) Mask {
	lo := reg * grf
	if to <= lo || from >= lo+grf {
		return 0
	}
	m := full
	if from > lo {
		m <<= from - lo
	}
	if to < lo+grf {
		m &= low(to - lo)
	}
	return m
}

// ReadsSpan reports whether SrcReadPattern of a register source consists of all bytes that SrcBytes counts.
func ReadsSpan(in *mir.Inst, src int) bool {
	x := &in.Src[src]
	return x.IsReg() && x.Stride <= 1 && x.Rows == 0 && x.Swizzle == 0 && in.ReadsElements(src)
}

// WritesSpan reports whether DstWritePattern of a register destination consists of all bytes that DstBytes
// counts.
func WritesSpan(in *mir.Inst) bool {
	x := &in.Dst
	return x.IsReg() && x.HasStride(1) && x.Mask == 0 && (in.Pred == 0 || in.Op == isa.OpSel) && in.PerLane()
}

// DstWritePattern returns the bytes of the reg-th GRF of an instruction's destination, counted from 0, that the
// instruction definitely writes if all its lanes are active. A predicate other than that of sel makes the result 0.
func DstWritePattern(in *mir.Inst, reg uint) Mask {
	n := uint(in.DstBytes())
	off := uint(in.Dst.Off) % grf
	if n == 0 || reg*grf >= off+n {
		return 0
	}
	if in.Pred != 0 && in.Op != isa.OpSel {
		return 0 // which lanes it writes is unknown
	}
	if in.IsSend() {
		return full
	}
	if in.Op == isa.OpMath && in.Math == isa.MathIDiv {
		return elements(n, 1, 1, off, reg)
	}
	size := uint(in.Dst.Type.Size())
	if in.Dst.Mask != 0 {
		return masked(in, size, off, reg)
	}
	return elements(uint(in.Exec), size, uint(max(in.Dst.Stride, 1))*size, off, reg)
}

// masked returns the mask of register reg for the packed elements that the instruction's write mask includes.
func masked(in *mir.Inst, size, off, reg uint) (m Mask) {
	for lane := range uint(in.Exec) {
		if in.Dst.Mask.Writes(int(lane)) {
			m |= elements(1, size, size, off+lane*size, reg)
		}
	}
	return m
}

// sendReads returns the bytes that a message reads in the reg-th GRF of a payload. These are all bytes, except
// in the data of byte and word writes to memory, where they are the low bytes of each lane's doubleword. The
// data is the second payload, or the end of the only one.
func sendReads(in *mir.Inst, src int, reg uint) Mask {
	if !in.Msg.Name.Info().Narrow {
		return full
	}
	front := uint(0)
	if src == 0 {
		front = uint(in.Len[0])
		if in.Len[1] == 0 {
			front -= uint(max(in.Exec, 8) / 8)
		}
	}
	if reg < front {
		return full
	}
	return PeriodicMask(grf/4, 4, uint(in.Msg.Bytes), 0)
}

// swizzled returns the mask of register reg for the elements that lanes read through a swizzle.
func swizzled(o *mir.Operand, lanes, off, reg uint) (m Mask) {
	size := uint(o.Type.Size())
	for lane := range lanes {
		m |= elements(1, size, size, off+uint(o.LaneOffset(uint32(o.Swizzle.Lane(int(lane))))), reg)
	}
	return m
}

// SrcReadPattern returns the bytes that an instruction may read in the reg-th GRF, counted from 0, of its source
// src.
func SrcReadPattern(in *mir.Inst, src int, reg uint) Mask {
	o := &in.Src[src]
	n := uint(in.SrcBytes(src))
	off := uint(o.Off) % grf
	if n == 0 || reg*grf >= off+n {
		return 0
	}
	if in.IsSend() && src < 2 {
		return sendReads(in, src, reg)
	}
	if in.Op == isa.OpSync || in.IsRun(src) {
		return full
	}
	size, lanes := uint(o.Type.Size()), uint(in.Exec)
	if o.Swizzle != 0 {
		return swizzled(o, lanes, off, reg)
	}
	if o.Rows == 0 {
		return elements(lanes, size, uint(o.Stride)*size, off, reg)
	}
	var m Mask
	for lane := uint(0); lane < lanes; lane += o.Rows.Width() {
		m |= elements(o.Rows.Width(), size, uint(o.Stride)*size, off+uint(o.LaneOffset(uint32(lane))), reg)
	}
	return m
}
