// SPDX-License-Identifier: MIT

package mir

import (
	"math/bits"

	"jacquard.example/generated/isa"
)

// RegFile describes the general registers of a machine to the register allocator.
type RegFile = isa.RegFile

// RegRun is a range of registers.
type RegRun = isa.RegRun

// NumGRFs is the maximum number of general registers of any machine, and MaxFileBytes of their bytes.
const (
	NumGRFs      = isa.MaxGRFs
	MaxFileBytes = isa.MaxFileBytes
)

// RegSize is the size of a machine's general registers, a power of two: its logarithm, so that loops over operands shift
// instead of dividing.
type RegSize uint8

// SizeOf returns the size of the registers of a file.
func SizeOf(file *RegFile) RegSize { return RegSize(bits.TrailingZeros(uint(file.Bytes))) }

// Bytes returns the size in bytes.
func (s RegSize) Bytes() uint32 { return 1 << (s & 31) }

// Dwords returns the number of doublewords in a register.
func (s RegSize) Dwords() uint8 { return uint8(s.Bytes() / 4) }

// Lanes returns the most lanes of an instruction on doublewords: no operand spans more than two registers.
func (s RegSize) Lanes() uint8 { return 2 * s.Dwords() }

// Round rounds a number of bytes up to whole registers.
func (s RegSize) Round(bytes uint32) uint32 { return (bytes + s.Bytes() - 1) &^ (s.Bytes() - 1) }

// Count returns the number of registers that a number of bytes occupies.
func (s RegSize) Count(bytes uint32) int { return int((bytes + s.Bytes() - 1) >> (s & 31)) }

// Align returns the size as the alignment of a virtual register.
func (s RegSize) Align() uint8 { return 1 << (s & 7) }

// Start returns the position of the first byte of a register, counted from register 0.
func (s RegSize) Start(reg uint32) uint32 { return reg << (s & 31) }

// Place returns the position of the first byte of a GRF operand in the register file.
func (s RegSize) Place(o *Operand) uint32 { return s.Start(o.Num) + o.Off }

// Of returns the number of the register that has a byte, counted from the register that has byte 0.
func (s RegSize) Of(at uint32) uint32 { return at >> (s & 31) }

// In returns the position of a byte in its register.
func (s RegSize) In(at uint32) uint32 { return at & (s.Bytes() - 1) }

// IsMove reports whether an instruction copies source 0, possibly with modifiers, a conversion or a predicate.
func (in *Inst) IsMove() bool { return in.Op == isa.OpMov }

// Copies reports whether an instruction copies source 0 to its destination element by element, without changing
// bits or layout, so that it has no effect if both are the same place.
func (in *Inst) Copies() bool {
	s, d := &in.Src[0], &in.Dst
	return in.Op == isa.OpMov && in.CMod == 0 && !in.Sat && !s.HasMods() && d.Type.Size() == s.Type.Size() &&
		d.Type.IsFloat() == s.Type.IsFloat() &&
		(s.HasStride(d.Stride) || in.Exec == 1)
}

// LoadsConstant reports whether an instruction only sets its destination to a constant, in all active lanes.
func (in *Inst) LoadsConstant() bool {
	return in.Op == isa.OpMov && in.Src[0].File == Imm && in.CMod == 0 && in.Pred == 0
}

// EndsLoop reports whether an instruction ends a loop, so that the thread may jump back from it.
func (in *Inst) EndsLoop() bool { return in.Op == isa.OpWhile }

// EndsBlock reports whether an instruction must be the last of its block.
func (in *Inst) EndsBlock() bool { return in.EOT || Places[in.Op]&Ends != 0 }

// PredicatedByLane reports whether each lane uses its own bit of the predicate.
func (in *Inst) PredicatedByLane() bool { return in.Pred == isa.PredNormal }

// ReadsElements reports whether source k is read element by element, rather than as whole registers or by a
// message.
func (in *Inst) ReadsElements(k int) bool {
	return !in.Is(spans) || !in.IsSend() && !in.IsRun(k) && in.Op != isa.OpSync && in.Op != isa.OpPln
}
