// SPDX-License-Identifier: MIT

package bytemask

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Mask has bit b for byte b of a GRF, which has at most 64 bytes.
type Mask uint64

// Whole returns the mask of all bytes of a GRF.
func Whole(grf mir.RegSize) Mask { return low(uint(grf.Bytes())) }

// PeriodicMask returns count groups of bits ones, step apart, starting at bit offset. Bits beyond the top of a GRF are
// cut off. Each step of the loop doubles the number of groups.
func PeriodicMask(grf mir.RegSize, count, step, bits, offset uint) Mask {
	size := uint(grf.Bytes())
	if count == 0 || bits == 0 || offset >= size {
		return 0
	}
	m := low(bits)
	limit := count * step
	if step == 0 || limit > size {
		limit = size
	}
	if step > 0 {
		for shift := step; shift < limit; shift *= 2 {
			m |= m << shift
		}
	}
	// For a count that is not a power of two, the last doubling has added too many groups.
	if end := (count-1)*step + bits; end < size {
		m &= low(end)
	}
	return m << offset & low(size)
}

// low returns the mask of the first n bytes.
func low(n uint) Mask { return 1<<n - 1 }

// elements returns the mask of register reg (counted from byte 0) for a run of n elements of size bytes, step
// apart, starting at byte start. It is exact for every start and step.
func elements(grf mir.RegSize, n, size, step, start, reg uint) Mask {
	if n == 0 {
		return 0
	}
	if step == 0 {
		n, step = 1, size
	}
	if step == size {
		return Between(grf, start, start+n*size, reg)
	}
	lo, hi := uint(grf.Start(uint32(reg))), uint(grf.Start(uint32(reg+1)))
	first := uint(0)
	if start < lo {
		first = (lo - start) / step // the last element that starts at or before lo
	}
	var m Mask
	if first < n {
		if at := start + first*step; at < lo {
			if at+size > lo {
				m = low(min(at+size-lo, hi-lo))
			}
			first++
		}
	}
	if first < n {
		if at := start + first*step; at < hi {
			m |= PeriodicMask(grf, n-first, step, size, at-lo)
		}
	}
	return m
}

// Between returns the mask of register reg (counted from byte 0) for bytes from to to-1.
func Between(grf mir.RegSize, from, to, reg uint) Mask {
	lo, size := uint(grf.Start(uint32(reg))), uint(grf.Bytes())
	if to <= lo || from >= lo+size {
		return 0
	}
	m := low(min(to-lo, size))
	if from > lo {
		m &^= low(from - lo)
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
func DstWritePattern(f *mir.Func, in *mir.Inst, reg uint) Mask {
	n, off := uint(f.DstBytes(in)), uint(f.GRF.In(in.Dst.Off))
	if n == 0 || uint(f.GRF.Start(uint32(reg))) >= off+n {
		return 0
	}
	if in.Pred != 0 && in.Op != isa.OpSel {
		return 0 // which lanes it writes is unknown
	}
	if in.IsSend() {
		return Whole(f.GRF)
	}
	if in.Op == isa.OpMath && in.Math == isa.MathIDiv {
		return elements(f.GRF, n, 1, 1, off, reg)
	}
	size := uint(in.Dst.Type.Size())
	if in.Dst.Mask != 0 {
		return masked(f.GRF, in, size, off, reg)
	}
	return elements(f.GRF, uint(in.Exec), size, uint(max(in.Dst.Stride, 1))*size, off, reg)
}

// masked returns the mask of register reg for the packed elements that the instruction's write mask includes.
func masked(grf mir.RegSize, in *mir.Inst, size, off, reg uint) (m Mask) {
	for lane := range uint(in.Exec) {
		if in.Dst.Mask.Writes(int(lane)) {
			m |= elements(grf, 1, size, size, off+lane*size, reg)
		}
	}
	return m
}

// sendReads returns the bytes that a message reads in the reg-th GRF of a payload. These are all bytes, except
// in the data of byte and word writes to memory, where they are the low bytes of each lane's doubleword. The
// data is the second payload, or the end of the only one.
func sendReads(f *mir.Func, in *mir.Inst, src int, reg uint) Mask {
	if !in.Msg.Name.Info().Narrow {
		return Whole(f.GRF)
	}
	front := uint(0)
	if src == 0 {
		front = uint(in.Len[0])
		if in.Len[1] == 0 {
			front -= uint(f.GRF.Of(f.Parameter(in)))
		}
	}
	if reg < front {
		return Whole(f.GRF)
	}
	return PeriodicMask(f.GRF, uint(f.GRF.Bytes())/4, 4, uint(in.Msg.Bytes), 0)
}

// swizzled returns the mask of register reg for the elements that lanes read through a swizzle.
func swizzled(grf mir.RegSize, o *mir.Operand, lanes, off, reg uint) (m Mask) {
	size := uint(o.Type.Size())
	for lane := range lanes {
		m |= elements(grf, 1, size, size, off+uint(o.LaneOffset(uint32(o.Swizzle.Lane(int(lane))))), reg)
	}
	return m
}

// SrcReadPattern returns the bytes that an instruction may read in the reg-th GRF, counted from 0, of its source
// src.
func SrcReadPattern(f *mir.Func, in *mir.Inst, src int, reg uint) Mask {
	o := &in.Src[src]
	n, off := uint(f.SrcBytes(in, src)), uint(f.GRF.In(o.Off))
	if n == 0 || uint(f.GRF.Start(uint32(reg))) >= off+n {
		return 0
	}
	if in.IsSend() && src < 2 {
		return sendReads(f, in, src, reg)
	}
	if in.Op == isa.OpSync || in.IsRun(src) {
		return Whole(f.GRF)
	}
	if in.Op == isa.OpPln {
		return Between(f.GRF, off, off+n, reg)
	}
	size, lanes := uint(o.Type.Size()), uint(in.Exec)
	if o.Swizzle != 0 {
		return swizzled(f.GRF, o, lanes, off, reg)
	}
	if o.Rows == 0 {
		return elements(f.GRF, lanes, size, uint(o.Stride)*size, off, reg)
	}
	var m Mask
	for lane := uint(0); lane < lanes; lane += o.Rows.Width() {
		m |= elements(f.GRF, o.Rows.Width(), size, uint(o.Stride)*size, off+uint(o.LaneOffset(uint32(lane))), reg)
	}
	return m
}
