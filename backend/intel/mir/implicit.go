package mir

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Implicit is a set of resources that instructions read or write besides their operands.
type Implicit uint16

// The members.
const (
	ImplicitFlag  Implicit = 1 << iota // the flag register that Inst.Flag names
	ImplicitAcc                        // acc0
	ImplicitMode                       // cr0: rounding, denormals
	ImplicitMask                       // the channel mask: which lanes run
	ImplicitSpill                      // the thread's scratch space
	firstSpace                         // memory, a member for each space
	allMemory     = firstSpace<<message.NumSpaces - ImplicitSpill
)

// ImplicitMemory is the memory of a space.
func ImplicitMemory(s message.Space) Implicit { return firstSpace << s }

// Implicit returns what an instruction reads and writes besides its operands. Reordering
// instructions must respect these too: of two instructions of which one writes a member,
// and the other reads or writes it, the first stays first. Flags, the accumulator and cr0
// are members even if they are operands. Virtual registers, such as the descriptor of a
// send, the addresses of an indirect read and the accumulator of a product, are only
// operands; but instructions that read the accumulator read this member too.
//
// Memory is a token for each space. A message reads that of its space, and writes it if it
// has an effect, so reads may be reordered. Instructions that keep accesses in order write
// the tokens of all memory in Inst.Orders: a fence, the instruction that waits for its
// response, a volatile read. A barrier and the wait for it write all tokens.
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
		r, w := in.Msg.memory()
		reads, writes = reads|r, writes|w
	}
	orders := in.Orders.implicit()
	reads, writes = reads|orders, writes|orders
	writes |= in.Dst.implicit()
	for k := range in.Src {
		reads |= in.Src[k].implicit()
	}
	if in.is(readsMode) {
		reads |= ImplicitMode
	}
	if in.is(readsAcc | steers | waits) {
		switch {
		case in.is(readsAcc):
			reads |= ImplicitAcc
		case in.is(steers):
			writes |= ImplicitMask
		default:
			reads, writes = reads|allMemory, writes|allMemory
		}
	}
	return reads, writes
}

// WritesAcc reports whether an instruction writes the accumulator, that is whether
// ImplicitAcc is among the writes of Implicit.
func (in *Inst) WritesAcc() bool {
	return in.AccWrEn || in.is(writesAcc) || in.Dst.implicit() == ImplicitAcc
}

// ReadsAcc reports whether an instruction reads the accumulator, that is whether ImplicitAcc
// is among the reads of Implicit.
func (in *Inst) ReadsAcc() bool {
	for k := range in.Src {
		if in.Src[k].implicit() == ImplicitAcc {
			return true
		}
	}
	return in.is(readsAcc)
}

// ComputesOnly reports whether an instruction only computes a register from its operands,
// immediates and general registers, and the float mode, at the machine's full rate.
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

// memory returns the memory that a message reads and writes. A message that accesses no
// space but has an effect, such as a barrier, keeps its order with all accesses, and so
// does an unknown send.
func (m *Msg) memory() (reads, writes Implicit) {
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

// IsMode reports whether an operand is the register of the float mode.
func (o *Operand) IsMode() bool { return o.implicit() == ImplicitMode }

// implicit returns the member that an operand is, or 0.
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
