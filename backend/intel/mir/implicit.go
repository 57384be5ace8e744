// SPDX-License-Identifier: MIT

package mir

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Implicit is a set of resources that instructions read or write besides their operands.
type Implicit uint16

// The members.
const (
	ImplicitFlag  Implicit = 1 << iota // the flag register Inst.Flag
	ImplicitAcc                        // acc0
	ImplicitMode                       // cr0: rounding, denormals
	ImplicitMask                       // the channel mask: which lanes run
	ImplicitSpill                      // the thread's scratch space
	firstSpace                         // memory, one member per space
	allMemory     = firstSpace<<message.NumSpaces - ImplicitSpill
)

// ImplicitMemory returns the member for the memory of a space.
func ImplicitMemory(s message.Space) Implicit { return firstSpace << s }

// Implicit returns the resources that an instruction reads and writes besides its operands. They constrain
// reordering: if one of two instructions writes a member, and the other reads or writes it, their order must be
// kept. Flags, the accumulator and cr0 are members even if they are operands. Virtual registers, such as the
// descriptor of a send, the addresses of an indirect read and the accumulator of a product, are only operands,
// but instructions that read the accumulator also read ImplicitAcc.
//
// The memory of each space is one member. A message reads the member of its space, and also writes it if it has
// an effect, so reads may be reordered. Instructions that keep accesses in order write the members of all
// spaces in Inst.Orders: a fence, the instruction that waits for its response, a volatile read. A barrier and
// its wait write all memory members.
func (in *Inst) Implicit() (reads, writes Implicit) {
	if in.ReadsFlag() {
		reads |= ImplicitFlag
	}
	if in.WritesFlag() {
		writes |= ImplicitFlag
	}
	if !in.NoMask {
		reads |= ImplicitMask
	}
	if in.WritesAcc() {
		writes |= ImplicitAcc
	}
	if in.IsSend() {
		r, w := in.Msg.Memory()
		reads, writes = reads|r, writes|w
	}
	orders := in.Orders.Implicit()
	reads, writes = reads|orders, writes|orders
	writes |= in.Dst.implicit()
	for k := range in.Src {
		reads |= in.Src[k].implicit()
	}
	if in.Is(readsMode) {
		reads |= ImplicitMode
	}
	if in.Is(ReadsAcc | steers | waits) {
		switch {
		case in.Is(ReadsAcc):
			reads |= ImplicitAcc
		case in.Is(steers):
			writes |= ImplicitMask
		default:
			reads, writes = reads|allMemory, writes|allMemory
		}
	}
	return reads, writes
}

// WritesAcc reports whether ImplicitAcc is among the writes returned by Implicit.
func (in *Inst) WritesAcc() bool {
	return in.AccWrEn || in.Is(writesAcc) || in.Dst.implicit() == ImplicitAcc
}

// ReadsAcc reports whether ImplicitAcc is among the reads returned by Implicit.
func (in *Inst) ReadsAcc() bool {
	for k := range in.Src {
		if in.Src[k].implicit() == ImplicitAcc {
			return true
		}
	}
	return in.Is(ReadsAcc)
}

// ComputesOnly reports whether an instruction only computes a register from immediates, general registers and
// the float mode, at the machine's full rate.
func (in *Inst) ComputesOnly() bool {
	if int(in.Op) >= isa.NumOps || in.SideEff || in.Switch || in.Pred != isa.PredNone || !in.Dst.IsReg() {
		return false
	}
	if f := isa.Ops[in.Op].Format; f != isa.FormatBasic && f != isa.FormatTernary {
		return false
	}
	for k := range in.Src {
		if in.Src[k].File == ARF {
			return false
		}
	}
	reads, writes := in.Implicit()
	return writes == 0 && reads&^(ImplicitMask|ImplicitMode) == 0
}

// Memory returns the memory that a message reads and writes. A message with an effect but without a space, such
// as a barrier, is ordered with all accesses, as is an unknown send.
func (m *Msg) Memory() (reads, writes Implicit) {
	info := m.Name.Info()
	at := ImplicitMemory(m.Space)
	switch {
	case m.Name == message.None:
		return allMemory, allMemory
	case info.Spill:
		at = ImplicitSpill
	case m.Space == message.Nowhere:
		at = allMemory
	}
	if info.Effect {
		writes = at
	}
	return at, writes
}

// IsMode reports whether an operand is the control register, which holds the float mode.
func (o *Operand) IsMode() bool { return o.implicit() == ImplicitMode }

// implicit returns the member for an operand, or 0.
func (o *Operand) implicit() Implicit {
	if o.File != ARF {
		return 0
	}
	switch o.Num & 0xF0 {
	case isa.ARFF0:
		return ImplicitFlag
	case isa.ARFAcc0:
		return ImplicitAcc
	case isa.ARFCR0:
		return ImplicitMode
	}
	return 0
}
