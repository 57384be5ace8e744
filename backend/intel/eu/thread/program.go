// SPDX-License-Identifier: MIT

package thread

import (
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Program is predecoded machine code. It is immutable and may be run by several goroutines at once.
type Program struct {
	Ops      []Op
	Insts    []isa.Inst
	Index    []int32 // byte offset / 8 → instruction, -1 inside one
	Size     int
	Machine  *target.Target
	GRF      int // bytes of a general register
	End      int // bytes of all general registers
	Decoders *[NumDecoders]Decoder
	Barrier  abi.Field // bits of r0.2 and of the barrier message that hold the barrier's number
	Tabs     map[RegionKey]*[32]uint16
}

// DataClass is the class of numbers that an instruction computes with.
type DataClass uint8

const (
	ClsInt DataClass = iota
	ClsF32
	ClsF16
	ClsF64
)

// kind distinguishes arithmetic from other instructions; it selects the handler.
type kind uint8

const (
	KindALU kind = iota
	KindMath
	KindSend
	KindSync
	KindWait
	KindNop
	KindFlow
	KindBad
)

// Op is one predecoded instruction.
type Op struct {
	Exec func(t *Thread, o *Op)
	Desc func(t *Thread, o *Op) // the handler that makesDescriptor wrapped
	FnI  IntFn
	FnF  FltFn
	Fast *FastOp

	Dst     dstOp
	Src     [3]srcOp
	Jip     int32 // instruction index, or -1 if the target is not an instruction
	Uip     int32
	Idx     int32  // own index
	Off     int32  // byte offset
	Full    uint32 // mask of the instruction's lanes
	Written uint32 // lanes of Full that the write mask includes

	N         uint8 // number of lanes
	Choff     uint8
	Nsrc      uint8
	Class     DataClass
	Kind      kind
	Op        isa.Op
	NoMask    bool
	Sat       bool
	AccWr     bool
	Join      bool // lanes may be waiting at this address
	NoDDClr   bool
	NoDDChk   bool
	Unordered bool // needs {Switch} but does not have it
	Undecoded bool
	Wide      bool // an operand has 64 bits
	WideNeg   [3]bool
	WideAbs   [3]bool // modifiers of 64-bit integers
	Pred      isa.Pred
	PredInv   bool
	Cmod      isa.CMod
	FlagBit   uint8 // bit of register FlagReg for the instruction's first lane
	FlagReg   uint8
	Stat      uint8

	Sb    Scoreboard
	Pipe  Pipe // that executes it, if it is in order
	Piped bool // the machine tells pipes apart
	Token bool // it runs out of order, under a token
	Foot  Footprint
	Cost  Cost
	Send  *SendOp
	Err   *OpError
}

// At returns the index of the instruction at a byte offset, or -1.
func (p *Program) At(off int) int32 {
	if off < 0 || off&7 != 0 || off/8 >= len(p.Index) {
		return -1
	}
	return p.Index[off/8]
}

// KindOf returns the kind of an opcode, which selects its handler.
func KindOf(op isa.Op) kind {
	switch isa.Ops[op].Format {
	case isa.FormatSend, isa.FormatSends:
		return KindSend
	case isa.FormatWait:
		return KindWait
	}
	switch op {
	case isa.OpIllegal:
		return KindBad
	case isa.OpSync:
		return KindSync
	case isa.OpNop:
		return KindNop
	case isa.OpMath:
		return KindMath
	case isa.OpJmpi, isa.OpBrd, isa.OpIf, isa.OpBrc, isa.OpElse, isa.OpEndif, isa.OpWhile, isa.OpBreak,
		isa.OpCont, isa.OpHalt, isa.OpCalla, isa.OpCall, isa.OpRet, isa.OpGoto, isa.OpJoin:
		return KindFlow
	}
	return KindALU
}

// IntFn computes n lanes of integers. Results are exact; the store truncates them to the
// destination's type.
type IntFn func(r, a, b, c *[32]int64, n int)

// FltFn computes one lane of float arithmetic in float64. Results are exact or rounded to
// odd, so that rounding them to float32 or float16 rounds only once.
type FltFn func(a, b, c float64) float64

// IsLogic reports whether an opcode is a bitwise operation, whose source modifier - is a complement.
func IsLogic(op isa.Op) bool {
	switch op {
	case isa.OpNot, isa.OpAnd, isa.OpOr, isa.OpXor:
		return true
	}
	return false
}

// The common case of arithmetic: dwords; packed, scalar or immediate sources without modifiers; a packed
// destination; every lane running. These handlers work on the register file in place and leave everything else
// to the general handler.

// fastSource describes a source of a fast handler.
type fastSource struct {
	Imm  [4]byte
	Base int32 // first byte in the register file; -1 for the immediate
	Step int32 // bytes between lanes: 0 or 4
}

// Lanes returns the bytes of a source, starting with lane 0, and the step between lanes in bytes.
func (s *fastSource) Lanes(t *Thread) ([]byte, int) {
	if s.Base < 0 {
		return s.Imm[:], 0
	}
	return t.Reg[s.Base:], int(s.Step)
}

// FastOp is the fast path of an instruction.
type FastOp struct {
	Src  [3]fastSource
	Slow func(t *Thread, o *Op) // the general handler
}

// A dynamic descriptor is a constant or'ed with an index into the binding table. Both compilers for this
// hardware first mask the index to its field (TGL PRM vol. 7, "Message Descriptor"): other bits would change
// the message's lengths and type.

// DescPart is the non-constant part of the descriptor in a0.0.
type DescPart struct {
	Value, Constant uint32
	Known           bool // a0.0 is value | constant
}

// check returns an error if the non-constant part of a descriptor has a bit that the constant part has too, or a bit
// outside the binding table index and, for the sampler, the sampler index.
func (p *DescPart) check(sfid isa.SFID) *OpError {
	if !p.Known {
		return nil
	}
	field := uint32(0xFF)
	if sfid == isa.SFIDSampler {
		field = 0xFFF
	}
	if p.Value&^field != 0 || p.Value&p.Constant != 0 {
		return Operr(FaultMessage, "the descriptor 0x%08x is made with 0x%08x, which reaches beyond the binding table index",
			p.Constant, p.Value)
	}
	return nil
}
