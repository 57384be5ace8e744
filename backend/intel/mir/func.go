// SPDX-License-Identifier: MIT

package mir

import (
	"slices"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/graph"
	"jacquard.example/core/trips"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// ID is the handle of an instruction; 0 is none.
type ID uint32

// Pseudo opcodes, above all machine opcodes.
const (
	OpLoop       isa.Op = 0xF0 + iota // start of a loop; emits nothing
	OpUndef                           // makes the contents of Dst undefined
	OpHaltTarget                      // where halted lanes resume
	OpMulHigh                         // high half of a 32×32-bit product
	// OpIndirect copies to Dst the elements at byte offsets Src[1] (words) in the run Src[0] of Len[0] GRFs, or the elements
	// at addresses Src[1] in it.
	OpIndirect
	OpMessage // logical message, named by Msg
	OpCompose // Dst = the sources side by side, each a message parameter, for the next message
	OpAddress // Dst = the byte addresses of byte offsets Src[0] (words) in the run Src[1] of Len[1] GRFs
)

// Inst is an instruction.
//
// message.Source.Place defines the positions of the sources of a logical message (OpMessage): the whole
// registers of an address, a header or data, Len[0] and Len[1] GRFs long, and a surface or an offset, an
// immediate or a scalar. A logical message is lowered to a send. A send has payloads Src[0] and Src[1] of
// Len[0] and Len[1] GRFs, its descriptors without the lengths in Desc and ExDesc, and in Src[2] an address
// register if a descriptor is in one. The result of both has Len[2] GRFs. Until payloads are composed, an
// address or data of one doubleword may be any operand that a mov can read, and the OpCompose instructions
// before the message define data of several doublewords.
//
// Src[2] of an instruction that implicitly reads the accumulator is the virtual accumulator, until a physical
// one is allocated.
//
// An Inst has 128 bytes: indexing is a shift, and an instruction fills two cache lines.
type Inst struct {
	Op      isa.Op
	Exec    uint8 // lanes
	Chan    uint8 // first lane in the thread's mask
	Pred    isa.Pred
	CMod    isa.CMod
	Math    isa.MathFn
	Sync    isa.SyncFn
	SFID    isa.SFID
	PredInv bool
	NoMask  bool
	Sat     bool
	EOT     bool
	AccWrEn bool
	Switch  bool     // allows another thread to run before the next instruction
	Align16 bool     // access mode Align16: sources have a swizzle, the destination a write mask
	Uniform bool     // if, loop, halt: all live lanes of the workgroup go the same way, together
	SideEff bool     // must be kept even if the result is unused
	Len     [3]uint8 // messages: GRFs of Src[0], Src[1], Dst
	SWSB    fields.SWSB
	Msg     Msg    // messages: the operation; empty for a send that was never a logical message
	Orders  Spaces // memory whose accesses must not be reordered with it: see Implicit
	Flag    Flag   // flag read by the predicate and written by the condition modifier
	Dst     Operand
	Src     [3]Operand
	Desc    uint32
	ExDesc  uint32
	Block   int32
	Prev    ID
	Next    ID
	// Loc is the handle of the IR's source location, or an index: into Unit.Places if the unit was read from text, or into
	// Unit.Origins if that is set.
	Loc uint32

	Trips trips.Count // OpLoop: iterations each time that control reaches the loop
}

// Msg is the operation of a message, without its sources. Lowering keeps it, to describe the effects of the
// send.
type Msg struct {
	Name  message.Name
	Space message.Space // memory accessed
	Comps uint8         // doublewords per lane
	Bytes uint8         // bytes per element
	Op    uint8         // operation of an atomic: isa.AtomicOp or isa.FloatAtomicOp
	// Bindless is set, in a logical message, if the surface is the handle of an image; in a send, if the address register
	// holds the extended descriptor.
	Bindless bool
	// Separate is set if that extended descriptor lacks the length of the second payload, which is in the word instead.
	Separate bool
}

// RegInfo describes a virtual register.
type RegInfo struct {
	Class   Class
	Bytes   uint32 // size at the function's width
	Lane    uint8  // divergent: bytes of a lane's slot; uniform: distance of components
	Uniform bool   // the same for all lanes; written without a mask
	Align   uint8  // alignment in bytes: a GRF, or less for uniform registers that may share one
	Piece   bool   // holds some lanes for a message narrower than the function; of the same size at all widths
	NoSpill bool   // created for a spill or a short live range; must not be spilled
	// Def is the only instruction that writes the register. It may leave parts or lanes unwritten and may
	// execute repeatedly. 0 means that there are several or that it is unknown. Passes maintain it.
	Def ID
}

// Class is the kind of physical register that a virtual register needs.
type Class uint8

// The classes.
const (
	General          Class = iota // GRFs
	FlagClass                     // a 32-bit flag register, one bit per lane
	AddressClass                  // a0: the descriptor of a send, or GRF addresses, one word per lane
	AccumulatorClass              // acc0, and acc1 if that is too small
)

// Block is a sequence of instructions. Func.Blocks is in code order.
type Block struct {
	First, Last ID
	In          int32 // innermost construct around it; the blocks of else, endif and while are in their own construct
	If          int32 // construct of the if that ends it; 0 if none
}

// Func is the code of a shader at one width.
type Func struct {
	Name    string
	Width   int     // lanes: 8, 16 or 32
	GRF     RegSize // size of the machine's general registers
	Insts   []Inst
	Regs    []RegInfo
	Blocks  []Block
	free    ID
	Payload int // GRFs filled by the payload at the start

	// Computed by BuildCFG, as are In and If of the blocks.
	Constructs []Construct
	Resume     int32       // block in which halted lanes resume; 0 if none
	Lanes      graph.Graph // logical control flow: where a lane may go
	Thread     graph.Graph // physical control flow: where the thread may go

	// ScratchBase is the instruction that computes the start of the thread's private memory, or 0 if there is
	// none. Spilled registers precede private memory.
	ScratchBase ID

	// Work counts the steps of algorithms that may be superlinear in the size of the code. If it is nil, they
	// are not counted.
	Work *work.Meter
}

// New returns an empty function with one block, for a machine with some registers.
func New(width int, file *RegFile) *Func {
	f := &Func{}
	f.Reset(width, file)
	return f
}

// Reset empties the function and keeps its memory.
func (f *Func) Reset(width int, file *RegFile) {
	f.Width, f.GRF = width, SizeOf(file)
	f.Insts = append(f.Insts[:0], Inst{})
	f.Regs = append(f.Regs[:0], RegInfo{})
	f.Blocks = append(f.Blocks[:0], Block{})
	f.free, f.Payload, f.ScratchBase = 0, 0, 0
	f.BuildCFG()
}

// At returns the record of an instruction. It is valid until another instruction is created.
func (f *Func) At(i ID) *Inst { return &f.Insts[i] }

// Next returns the instruction after i in its block.
func (f *Func) Next(i ID) ID { return f.Insts[i].Next }

// FirstOf returns the first instruction of block b and its record, or 0 and an empty record if there is none.
// With NextOf it iterates over a block; the loop must not create instructions:
//
//	for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
func (f *Func) FirstOf(b int) (ID, *Inst) {
	i := f.Blocks[b].First
	return i, &f.Insts[i]
}

// NextOf returns the instruction after in in its block, and its record.
func (f *Func) NextOf(in *Inst) (ID, *Inst) {
	i := in.Next
	return i, &f.Insts[i]
}

// Prev returns the instruction before i in its block.
func (f *Func) Prev(i ID) ID { return f.Insts[i].Prev }

// BlockOf returns the block of an instruction.
func (f *Func) BlockOf(i ID) int { return int(f.Insts[i].Block) }

// Pitch returns the distance in bytes between the components of a divergent register whose slots have lane
// bytes: whole GRFs.
func (f *Func) Pitch(lane int) uint32 { return f.GRF.Round(uint32(f.Width * lane)) }

// NewReg adds a divergent register of comps components with slots of lane bytes.
func (f *Func) NewReg(comps, lane int) Reg {
	return f.addReg(RegInfo{Bytes: uint32(comps) * f.Pitch(lane), Lane: uint8(lane), Align: f.GRF.Align()})
}

// NewScalar adds a uniform register of n bytes in whole doublewords, aligned to n or more, but at most to a GRF.
func (f *Func) NewScalar(n int) Reg {
	a := 4
	for a < n && a < int(f.GRF.Bytes()) {
		a *= 2
	}
	return f.addReg(RegInfo{Bytes: uint32(n+3) &^ 3, Lane: 4, Uniform: true, Align: uint8(a)})
}

// NewGRFs adds a uniform register of n whole GRFs, one per component: a header, or the result of a uniform
// load.
func (f *Func) NewGRFs(n int) Reg {
	return f.addReg(RegInfo{Bytes: f.GRF.Start(uint32(n)), Lane: f.GRF.Align(), Uniform: true, Align: f.GRF.Align()})
}

// NewPiece adds a register of n GRFs for a message with fewer lanes than the function.
func (f *Func) NewPiece(n int) Reg {
	return f.addReg(RegInfo{Bytes: f.GRF.Start(uint32(n)), Lane: 4, Align: f.GRF.Align(), Piece: true})
}

// NewAddress adds a 32-bit address register, for the descriptor of a send.
func (f *Func) NewAddress() Reg { return f.NewAddresses(2) }

// NewAddresses adds an address register of n words.
func (f *Func) NewAddresses(n int) Reg {
	return f.addReg(RegInfo{Class: AddressClass, Bytes: uint32(2*n+3) &^ 3, Lane: 4, Uniform: true, Align: 4, NoSpill: true})
}

// NewAccumulator adds an accumulator with a doubleword for each lane.
func (f *Func) NewAccumulator(lanes int) Reg {
	return f.addReg(RegInfo{Class: AccumulatorClass, Bytes: 4 * uint32(lanes), Lane: 4, Align: f.GRF.Align(), NoSpill: true})
}

// NewFlag adds a flag register.
func (f *Func) NewFlag() Flag {
	return FlagOf(f.addReg(RegInfo{Class: FlagClass, Bytes: 4, Lane: 4, Uniform: true, Align: 4, NoSpill: true}))
}

func (f *Func) addReg(r RegInfo) Reg {
	if r.Def != unresolved {
		r.Def = 0
	}
	f.Regs = append(f.Regs, r)
	return Reg(len(f.Regs) - 1)
}

// AddReg adds a register, which has no definition yet.
func (f *Func) AddReg(r RegInfo) Reg { return f.addReg(r) }

// Reg returns the description of a virtual register.
func (f *Func) Reg(r Reg) *RegInfo { return &f.Regs[r] }

// NewBlock adds an empty block at the end.
func (f *Func) NewBlock() int {
	f.Blocks = append(f.Blocks, Block{})
	return len(f.Blocks) - 1
}

// insert inserts an empty instruction before at or, if at is 0, at the end of block b. It returns its handle
// and its record.
func (f *Func) insert(b int, at ID) (ID, *Inst) {
	i := f.free
	if i != 0 {
		f.free = f.Insts[i].Next
	} else {
		if len(f.Insts) >= work.MaxInstrs {
			work.Exceeded("more than %d instructions", work.MaxInstrs)
		}
		i = ID(len(f.Insts))
		if int(i) < cap(f.Insts) {
			f.Insts = f.Insts[:i+1]
		} else {
			f.Insts = append(f.Insts, Inst{})
		}
	}
	blk := &f.Blocks[b]
	prev := blk.Last
	if at != 0 {
		next := &f.Insts[at]
		prev, next.Prev = next.Prev, i
	} else {
		blk.Last = i
	}
	if prev != 0 {
		f.Insts[prev].Next = i
	} else {
		blk.First = i
	}
	r := &f.Insts[i]
	*r = Inst{Block: int32(b), Prev: prev, Next: at}
	return i, r
}

// set copies the contents of in to the record, which keeps its position.
func (r *Inst) set(in *Inst) {
	b, prev, next := r.Block, r.Prev, r.Next
	*r = *in
	r.Block, r.Prev, r.Next = b, prev, next
}

// Append inserts an instruction at the end of block b.
func (f *Func) Append(b int, in Inst) ID {
	i, r := f.insert(b, 0)
	r.set(&in)
	return i
}

// Before inserts an instruction before at.
func (f *Func) Before(at ID, in Inst) ID {
	i, r := f.insert(f.BlockOf(at), at)
	r.set(&in)
	return i
}

// After inserts an instruction after at.
func (f *Func) After(at ID, in Inst) ID {
	if n := f.Insts[at].Next; n != 0 {
		return f.Before(n, in)
	}
	return f.Append(int(f.Insts[at].Block), in)
}

// AtStart inserts an instruction at the start of block b, but after an endif or loop mark that begins the
// block.
func (f *Func) AtStart(b int, in Inst) ID {
	first := f.Blocks[b].First
	if first == 0 {
		return f.Append(b, in)
	}
	if o := f.Insts[first].Op; o == isa.OpEndif || o == OpLoop {
		return f.After(first, in)
	}
	return f.Before(first, in)
}

// Remove removes an instruction and frees its record.
func (f *Func) Remove(i ID) {
	f.Retire(i)
	f.Insts[i].Next, f.free = f.free, i
}

// Retire removes an instruction without making its handle available again, so that a comparison of the function
// with its earlier version detects the removal.
func (f *Func) Retire(i ID) {
	r := &f.Insts[i]
	b := &f.Blocks[r.Block]
	if r.Prev != 0 {
		f.Insts[r.Prev].Next = r.Next
	} else {
		b.First = r.Next
	}
	if r.Next != 0 {
		f.Insts[r.Next].Prev = r.Prev
	} else {
		b.Last = r.Prev
	}
	if f.ScratchBase == i {
		f.ScratchBase = 0
	}
	f.forget(i, r, &Inst{})
	*r = Inst{}
}

// Replace overwrites instruction i and keeps its position.
func (f *Func) Replace(i ID, in Inst) {
	r := &f.Insts[i]
	f.forget(i, r, &in)
	r.set(&in)
}

// NumInsts returns one more than the largest instruction handle.
func (f *Func) NumInsts() int { return len(f.Insts) }

// Reorder orders the instructions of block b as in ids, which lists all of them.
func (f *Func) Reorder(b int, ids []ID) {
	blk := &f.Blocks[b]
	prev := ID(0)
	for _, i := range ids {
		r := &f.Insts[i]
		if r.Prev = prev; prev != 0 {
			f.Insts[prev].Next = i
		} else {
			blk.First = i
		}
		prev = i
	}
	if prev != 0 {
		f.Insts[prev].Next = 0
	}
	blk.Last = prev
}

// Clone returns a copy that shares no memory with f.
func (f *Func) Clone() *Func {
	c := *f
	c.Insts = slices.Clone(f.Insts)
	c.Regs = slices.Clone(f.Regs)
	c.Blocks = slices.Clone(f.Blocks)
	c.Constructs = slices.Clone(f.Constructs)
	c.Lanes, c.Thread = f.Lanes.Clone(), f.Thread.Clone()
	return &c
}

// Clone returns a copy of the unit. The two share only data that no pass modifies.
func (u *Unit) Clone() *Unit {
	c := *u
	c.Func = u.Func.Clone()
	return &c
}

// Detached returns the instruction without its links, so that two instructions can be compared.
func (in Inst) Detached() Inst {
	in.Block, in.Prev, in.Next = 0, 0, 0
	return in
}
