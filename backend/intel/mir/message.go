// SPDX-License-Identifier: MIT

package mir

import (
	"jacquard.example/generated/message"
)

// Source returns the named operand of a logical message. Its File is None if the message does not have it.
func (in *Inst) Source(s message.Source) Operand {
	if !in.Msg.Name.Info().Has(s) {
		return Operand{}
	}
	return in.Src[s.Place()]
}

// SourceAt returns the name of source k of a logical message, if it has one.
func (in *Inst) SourceAt(k int) (message.Source, bool) {
	info := in.Msg.Name.Info()
	for s := range message.Source(message.NumSources) {
		if info.Has(s) && s.Place() == k {
			return s, true
		}
	}
	return 0, false
}

// SourceByName returns the source of logical messages with a given name.
func SourceByName(name string) (message.Source, bool) {
	for s := range message.Source(message.NumSources) {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// dword is the number of bytes of a doubleword.
const dword = 4

// Parameter returns the size in bytes of a parameter of a message: a doubleword for each lane, in whole registers.
func (f *Func) Parameter(in *Inst) uint32 { return f.GRF.Round(dword * uint32(in.Exec)) }

// Composed returns the number of sources of an OpCompose.
func (in *Inst) Composed() (n int) {
	for n < len(in.Src) && in.Src[n].File != None {
		n++
	}
	return n
}

// IsParameters reports whether an operand can serve as message parameters in place: unmodified dwords in whole
// registers.
func (f *Func) IsParameters(o *Operand) bool {
	return o.IsReg() && !o.HasMods() && o.HasStride(1) && o.Type.Size() == 4 && f.GRF.In(o.Off) == 0 &&
		(o.File == GRF || f.Regs[o.Num].Align == f.GRF.Align())
}

// Uncomposed returns a source of a logical message that still has to be moved to whole registers.
func (f *Func) Uncomposed(in *Inst) (message.Source, bool) {
	for _, s := range [...]message.Source{message.Address, message.Data} {
		if o := in.Source(s); o.File != None && !f.IsParameters(&o) {
			return s, true
		}
	}
	return 0, false
}

// NoMessage is the error about a compose without a message.
const NoMessage = "no message follows whose data it composes"
