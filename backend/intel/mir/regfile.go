package mir

import "jacquard.example/generated/isa"

// RegFile describes the general registers of a machine to register allocation.
type RegFile = isa.RegFile

// RegRun is a run of registers.
type RegRun = isa.RegRun

// GRFBytes is the size of a general register, which code is made for: a constant for
// the sake of loops over bytes. NumGRFs is at least as many as a machine has.
const (
	GRFBytes = isa.GRFBytes
	NumGRFs  = isa.MaxGRFs
)

// RoundGRF rounds bytes up to whole registers.
func RoundGRF(bytes uint32) uint32 { return (bytes + GRFBytes - 1) &^ (GRFBytes - 1) }

// GRFs is how many registers so many bytes take.
func GRFs(bytes uint32) int { return int(bytes+GRFBytes-1) / GRFBytes }

// IsMove reports a copy of whatever source 0 is, with all that it may do besides.
func (in *Inst) IsMove() bool { return in.Op == isa.OpMov }

// Copies reports an instruction that leaves in its destination the bits of source 0,
// each element where it finds it if both have the same place.
func (in *Inst) Copies() bool {
	s, d := &in.Src[0], &in.Dst
	return in.Op == isa.OpMov && in.CMod == 0 && !in.Sat && !s.HasMods() && d.Type.Size() == s.Type.Size() && d.Type.IsFloat() == s.Type.IsFloat() &&
		(s.HasStride(d.Stride) || in.Exec == 1)
}

// LoadsConstant reports an instruction that does nothing but fill its destination
// with a constant, in all lanes that run.
func (in *Inst) LoadsConstant() bool {
	return in.Op == isa.OpMov && in.Src[0].File == Imm && in.CMod == 0 && in.Pred == 0
}

// EndsLoop reports the end of a loop, from which the thread may go back.
func (in *Inst) EndsLoop() bool { return in.Op == isa.OpWhile }

// StartsScope reports the start of a loop or of an arm of an if.
func (in *Inst) StartsScope() bool {
	return in.Op == OpLoop || in.Op == isa.OpIf || in.Op == isa.OpElse
}

// EndsScope reports the end of a loop or of an arm of an if.
func (in *Inst) EndsScope() bool {
	return in.Op == isa.OpWhile || in.Op == isa.OpEndif || in.Op == isa.OpElse
}

// EndsBlock reports an instruction that nothing follows in its block.
func (in *Inst) EndsBlock() bool { return in.EOT || places[in.Op]&ends != 0 }

// PredicatedByLane reports a predicate of which each lane asks for its own bit.
func (in *Inst) PredicatedByLane() bool { return in.Pred == isa.PredNormal }

// ReadsElements reports that source k is read element by element: not as whole
// registers, nor by a message.
func (in *Inst) ReadsElements(k int) bool {
	return !in.IsSend() && !(in.Op == OpIndirect && k == 0) && in.Op != isa.OpSync
}
