// SPDX-License-Identifier: MIT

package mir

import "jacquard.example/generated/isa"

// RegFile describes the general registers of a machine to the register allocator.
type RegFile = isa.RegFile

// RegRun is a range of registers.
type RegRun = isa.RegRun

// GRFBytes is the size of a general register for which code is compiled. It is a constant to keep loops over
// bytes fast. NumGRFs is the maximum number of general registers of any machine.
const (
	GRFBytes = isa.GRFBytes
	NumGRFs  = isa.MaxGRFs
)

// RoundGRF rounds a number of bytes up to whole registers.
func RoundGRF(bytes uint32) uint32 { return (bytes + GRFBytes - 1) &^ (GRFBytes - 1) }

// GRFs returns the number of registers that a number of bytes occupies.
func GRFs(bytes uint32) int { return int(bytes+GRFBytes-1) / GRFBytes }

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
	return !in.Is(spans) || !in.IsSend() && !in.IsRun(k) && in.Op != isa.OpSync
}
