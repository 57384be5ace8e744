package mir

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Implicit is a set of what instructions read or write besides their operands.
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

// Implicit says what an instruction reads and writes besides its operands. The
// descriptor of a send and the address of an indirect read are operands. Whoever
// changes the order of instructions has to keep that of these too.
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
	if in.AccWrEn {
		writes |= ImplicitAcc
	}
	if in.IsSend() {
		r, w := in.Msg.memory()
		reads, writes = reads|r, writes|w
	}
	switch {
	case in.Op == OpLoop || in.Op == OpHaltTarget:
		return reads, writes | ImplicitMask
	case in.Op == OpMulHigh: // mul and mach
		return reads | ImplicitMode, writes | ImplicitAcc
	case int(in.Op) >= isa.NumOps:
		return reads, writes
	}
	info := &isa.Ops[in.Op]
	if info.ReadsAcc {
		reads |= ImplicitAcc
	}
	if info.WritesAcc {
		writes |= ImplicitAcc
	}
	switch info.Format {
	case isa.FormatSync: // what is waited for may have to do with memory
		return reads | allMemory, writes | allMemory
	case isa.FormatBranch:
		writes |= ImplicitMask
	case isa.FormatBasic, isa.FormatTernary, isa.FormatMath:
		reads |= ImplicitMode
	}
	return reads, writes
}

// memory says what memory a message reads and writes. One that works in no space
// and has an effect, such as a barrier, keeps its place among all accesses, and so
// does a send that nothing is known of.
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
