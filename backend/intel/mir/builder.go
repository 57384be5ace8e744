// SPDX-License-Identifier: MIT

package mir

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Builder inserts instructions at a cursor, in the order of the calls. It sets Loc of every instruction, and Exec, Chan
// and NoMask except in Insert.
type Builder struct {
	F      *Func
	Exec   uint8
	Chan   uint8
	NoMask bool
	Loc    uint32

	block  int
	before ID // 0 means at the end of block
}

// AtEnd moves the cursor to the end of a block.
func (b *Builder) AtEnd(block int) { b.block, b.before = block, 0 }

// Before moves the cursor to the position before i.
func (b *Builder) Before(i ID) { b.block, b.before = b.F.BlockOf(i), i }

// Place returns the position of the cursor: before an instruction or, if that is 0, at the end of the block.
func (b *Builder) Place() (block int, before ID) { return b.block, b.before }

// Vector makes subsequent instructions execute in all lanes, under the mask.
func (b *Builder) Vector() { b.Exec, b.Chan, b.NoMask = uint8(b.F.Width), 0, false }

// ScalarMode makes subsequent instructions compute one uniform value.
func (b *Builder) ScalarMode() { b.Exec, b.Chan, b.NoMask = 1, 0, true }

// Insert inserts an instruction at the cursor and keeps its exec size and mask.
func (b *Builder) Insert(in Inst) ID {
	i, r := b.F.insert(b.block, b.before)
	r.set(&in)
	r.Loc = b.Loc
	return i
}

// Emit inserts an instruction at the cursor and returns it, so that the caller can set rarely used fields
// (predicate, condition modifier, saturation). The pointer is valid until the next instruction is created.
func (b *Builder) Emit(op isa.Op, dst Operand, src ...Operand) *Inst {
	_, r := b.F.insert(b.block, b.before)
	r.Op, r.Exec, r.Chan = op, b.Exec, b.Chan
	r.NoMask, r.Loc, r.Dst = b.NoMask, b.Loc, dst
	copy(r.Src[:], src)
	return r
}

// Mov copies src to dst, with a conversion if the types differ.
func (b *Builder) Mov(dst, src Operand) *Inst { return b.Emit(isa.OpMov, dst, src) }

// MathOp emits a math function of one or two sources.
func (b *Builder) MathOp(fn isa.MathFn, dst Operand, src ...Operand) *Inst {
	in := b.Emit(isa.OpMath, dst, src...)
	in.Math = fn
	return in
}

// Cmp compares x and y and writes the result to flag and, as all ones or zero, to dst, unless that is null.
func (b *Builder) Cmp(cond isa.CMod, flag Flag, dst, x, y Operand) *Inst {
	in := b.Emit(isa.OpCmp, dst, x, y)
	in.CMod, in.Flag = cond, flag
	return in
}

// Sel selects x if the flag is set (or clear, if inv is true), else y.
func (b *Builder) Sel(flag Flag, inv bool, dst, x, y Operand) *Inst {
	in := b.Emit(isa.OpSel, dst, x, y)
	in.Pred, in.Flag, in.PredInv = isa.PredNormal, flag, inv
	return in
}

// MinMax selects the smaller (isa.CModLT) or larger (isa.CModGE) of x and y.
func (b *Builder) MinMax(cond isa.CMod, dst, x, y Operand) *Inst {
	in := b.Emit(isa.OpSel, dst, x, y)
	in.CMod = cond
	return in
}

// Message is the argument of Builder.Message. Sources that the message does not have are omitted.
type Message struct {
	Msg
	Address Operand // a parameter, or packed quadwords
	Header  Operand // GRFs, usually one
	Data    Operand // a parameter, or the result of Compose
	Surface Operand // a binding table index or a handle: an immediate or a scalar
	Offset  Operand // an immediate
	Orders  Spaces  // spaces whose accesses are kept in order with it
	Dst     Operand // whole registers
	// Sizes of address, data, result and header in GRFs. A header without a size has one.
	AddressLen, DataLen, DstLen, HeaderLen int
}

// Message emits a logical message with the current width and mask.
func (b *Builder) Message(m Message) *Inst {
	in := MakeMessage(&m)
	_, r := b.F.insert(b.block, b.before)
	r.set(&in)
	r.Exec, r.Chan = b.Exec, b.Chan
	r.NoMask, r.Loc = b.NoMask, b.Loc
	return r
}

// Compose places the parameters of the next message side by side in dst.
func (b *Builder) Compose(dst Operand, parameters ...Operand) {
	for len(parameters) > 0 {
		n := min(len(parameters), len(Inst{}.Src))
		in := b.Emit(OpCompose, dst, parameters[:n]...)
		dst = dst.At(b.F.DstBytes(in))
		parameters = parameters[n:]
	}
}

// MakeMessage returns a logical message as an instruction, without width and mask.
func MakeMessage(m *Message) Inst {
	info := m.Name.Info()
	in := Inst{Op: OpMessage, Msg: m.Msg, Orders: m.Orders, SideEff: info.Effect, EOT: info.Ends, Dst: Null(isa.TypeUD)}
	in.Src[message.Address.Place()] = m.Address
	in.Len[0] = uint8(m.AddressLen)
	if m.Header.File != None {
		in.Src[message.Header.Place()] = m.Header
		in.Len[0] = uint8(max(m.HeaderLen, 1))
	}
	in.Src[message.Data.Place()] = m.Data
	in.Len[1] = uint8(m.DataLen)
	in.Src[message.Surface.Place()] = m.Surface
	if m.Offset.File != None {
		in.Src[message.Offset.Place()] = m.Offset
	}
	if m.DstLen > 0 {
		in.Dst, in.Len[2] = m.Dst, uint8(m.DstLen)
	}
	return in
}
