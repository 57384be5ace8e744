// SPDX-License-Identifier: MIT

package ir

import (
	"jacquard.example/core/work"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Instr is the common record of an instruction. Fields that only some kinds have are in
// words (Shader.Words), with a layout defined by generated/kind.
type Instr struct {
	Kind  kind.Kind
	Bits  uint8  // size of a component of the result; 0 means no result
	Comps uint8  // components of the result; the component count of an intrinsic
	Fresh bool   // changed since it was cleared, see Shader.Watch
	Op    uint16 // ALU opcode, intrinsic, or value of the kind's enumeration
	Float uint16 // kind.FloatMask of the guarantees that may be relaxed (ALU)
	NSrc  uint16
	NAux  uint16
	src   uint32 // first operand
	aux   uint32 // first word
	block Node
	prev  Value
	next  Value
	uses  uint32 // first operand that reads the result
	Loc   Loc
}

const (
	pageBits = 9
	pageSize = 1 << pageBits
	maxFirst = 1 << 16 // records kept in one piece
)

// pages are the records of instructions. They never move, so that a pointer to a record stays valid when others are
// added.
type pages struct {
	// first holds the records with the smallest handles, which are reached without looking up their page. From shader
	// to shader, it grows to the size that the previous shader needed.
	first []Instr
	page  []*[pageSize]Instr // pages of the other records
	n     uint32             // records in use, the unused record 0 included
	free  Value              // removed records, linked by next
}

func (p *pages) reset() {
	p.reserve(int(p.n))
	p.n, p.free = 0, 0
	_, in := p.alloc()
	*in = Instr{}
}

// reserve makes room for n records in first. No record may exist.
func (p *pages) reserve(n int) {
	if n = min((n+pageSize-1)&^(pageSize-1), maxFirst); n > len(p.first) {
		p.first, p.page = make([]Instr, n), nil
	}
}

// alloc returns an unused record, with old contents.
func (p *pages) alloc() (Value, *Instr) {
	if v := p.free; v != 0 {
		in := p.at(v)
		p.free = in.next
		return v, in
	}
	if p.n >= work.MaxInstrs {
		work.Exceeded("more than %d instructions", work.MaxInstrs)
	}
	if at := int(p.n) - len(p.first); at >= 0 && at>>pageBits == len(p.page) {
		p.page = append(p.page, new([pageSize]Instr))
	}
	v := Value(p.n)
	p.n++
	return v, p.at(v)
}

func (p *pages) at(v Value) *Instr {
	if int(v) < len(p.first) {
		return &p.first[v]
	}
	return p.later(v)
}

// later is like at, for a record that is not in first.
//
//go:noinline
func (p *pages) later(v Value) *Instr {
	v -= Value(len(p.first))
	return &p.page[v>>pageBits][v&(pageSize-1)]
}

// At returns the record of an instruction. The pointer stays valid until the instruction
// is removed.
func (s *Shader) At(v Value) *Instr { return s.instrs.at(v) }

// NumValues returns one more than the largest handle so far: the size of a table indexed by Value.
func (s *Shader) NumValues() int { return int(s.instrs.n) }

// IsLive reports whether v names an instruction (which may not be in a block yet).
func (s *Shader) IsLive(v Value) bool {
	return v != 0 && uint32(v) < s.instrs.n && s.At(v).Kind != kind.Invalid
}

// OnNew sets a function that is called as f(v, 0) for every new instruction v; v may reuse the handle of a removed
// instruction. If a [Cloner] creates v, f is called again, with the original as of. f may be nil.
func (s *Shader) OnNew(f func(v, of Value)) { s.onNew = f }

// New creates an instruction with nsrc operands and naux words, all zero, that is in no
// block yet.
func (s *Shader) New(k kind.Kind, sub uint16, nsrc, naux int) Value {
	v, in := s.instrs.alloc()
	*in = Instr{Kind: k, Op: sub, NSrc: uint16(nsrc), NAux: uint16(naux), Fresh: true}
	if s.onNew != nil {
		s.onNew(v, 0)
	}
	if nsrc > 0 {
		in.src = s.allocOperands(nsrc, v)
	}
	if len(s.operands) > work.MaxOperands || len(s.aux) > work.MaxWords {
		work.Exceeded("instructions with more than %d operands or %d words in all", work.MaxOperands, work.MaxWords)
	}
	if naux > 0 {
		in.aux = uint32(len(s.aux))
		for range naux {
			s.aux = append(s.aux, 0)
		}
	}
	return v
}

// Words returns the words of an instruction, valid until the next instruction is created.
func (s *Shader) Words(v Value) []uint32 {
	in := s.At(v)
	return s.aux[in.aux : in.aux+uint32(in.NAux) : in.aux+uint32(in.NAux)]
}

// HasResult reports whether the instruction has a result.
func (in *Instr) HasResult() bool { return in.Bits != 0 }

// Used reports whether anything reads the result.
func (in *Instr) Used() bool { return in.uses != 0 }

// ALUOp returns the opcode of an ALU instruction.
func (in *Instr) ALUOp() op.Op { return op.Op(in.Op) }

// Intrinsic returns the intrinsic of an instruction, or None for other kinds.
func (in *Instr) Intrinsic() intrinsic.ID {
	if in.Kind != kind.Intrinsic {
		return intrinsic.None
	}
	return intrinsic.ID(in.Op)
}

// IsALU reports whether the instruction is the ALU operation o.
func (in *Instr) IsALU(o op.Op) bool { return in.Kind == kind.ALU && in.Op == uint16(o) }

// IsConst reports whether the instruction is a load_const.
func (in *Instr) IsConst() bool { return in.Kind == kind.LoadConst }

// IsJump reports whether the instruction ends its block.
func (in *Instr) IsJump() bool { return in.Kind == kind.Jump }

// Block returns the block that contains the instruction, or 0 if it is in none.
func (in *Instr) Block() Node { return in.block }

// Next returns the following instruction of the block, 0 at its end.
func (in *Instr) Next() Value { return in.next }

// Prev returns the preceding instruction of the block, 0 at its start.
func (in *Instr) Prev() Value { return in.prev }

// Index returns a constant index of an intrinsic, or the index's default if the intrinsic does not have it.
func (s *Shader) Index(v Value, ix intrinsic.Index) uint32 {
	in := s.At(v)
	if slot := in.Intrinsic().Slot(ix); slot >= 0 {
		return s.aux[in.aux+uint32(slot)]
	}
	return intrinsic.Indices[ix].Default
}

// SetIndex sets a constant index of an intrinsic that has it.
func (s *Shader) SetIndex(v Value, ix intrinsic.Index, w uint32) {
	in := s.At(v)
	s.aux[in.aux+uint32(in.Intrinsic().Slot(ix))] = w
}

// TargetForm returns the form of an intrinsic's target: fixed for the intrinsic or given by its form index.
func (s *Shader) TargetForm(v Value) kind.TargetForm {
	if f := s.At(v).Intrinsic().Info().Form; f >= 0 {
		return kind.TargetForm(f)
	}
	return kind.TargetForm(s.Index(v, intrinsic.IxForm))
}

// Const returns component i of a load_const, zero-extended.
func (s *Shader) Const(v Value, i int) uint64 {
	in := s.At(v)
	if in.Bits == 64 {
		at := in.aux + 2*uint32(i)
		return uint64(s.aux[at]) | uint64(s.aux[at+1])<<32
	}
	return uint64(s.aux[in.aux+uint32(i)])
}

// ConstOf returns the value that a scalar operand reads, if it is a constant.
func (s *Shader) ConstOf(r Src) (uint64, bool) {
	if !s.At(r.Val).IsConst() {
		return 0, false
	}
	return s.Const(r.Val, int(r.Swz.Comp(0))), true
}

// Remove removes an instruction from its block and frees its record. Its result must have
// no uses.
func (s *Shader) Remove(v Value) {
	in := s.At(v)
	if in.uses != 0 {
		panic("ir: removed value still has uses")
	}
	if in.block != 0 {
		s.unlink(v)
	}
	s.freeOperands(in.src, int(in.NSrc))
	*in = Instr{next: s.instrs.free}
	s.instrs.free = v
}

func (s *Shader) unlink(v Value) {
	in := s.At(v)
	if in.Kind == kind.Jump {
		s.reshape()
	}
	b := &s.nodes[in.block]
	if in.prev != 0 {
		s.At(in.prev).next = in.next
	} else {
		b.first = uint32(in.next)
	}
	if in.next != 0 {
		s.At(in.next).prev = in.prev
	} else {
		b.last = uint32(in.prev)
	}
	in.block, in.prev, in.next = 0, 0, 0
}
