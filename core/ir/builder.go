// SPDX-License-Identifier: MIT

package ir

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Builder inserts instructions at a cursor. The typed constructors
// (b.IAdd(x, y)) are in generated/build, which embeds it.
type Builder struct {
	S     *Shader
	Loc   Loc    // given to every instruction
	Float uint16 // kind.FloatMask given to every ALU instruction

	block  Node
	before Value // insert before this; 0 means at the end of block
}

// NewBuilder returns a builder without a position.
func NewBuilder(s *Shader) Builder { return Builder{S: s} }

// AtEnd moves the cursor to the end of a block, before its jump if it has one.
func (b *Builder) AtEnd(block Node) { b.block, b.before = block, b.S.Jump(block) }

// AtStart moves the cursor to the start of a block, after its phis.
func (b *Builder) AtStart(block Node) { b.block, b.before = block, b.S.behindPhis(block) }

// behindPhis returns the first instruction of a block that is not a phi, or 0 if there is none. The block caches it:
// phis are often inserted there in a row, and little else is inserted before it.
func (s *Shader) behindPhis(block Node) Value {
	n := &s.nodes[block]
	if last := Value(n.last); last == 0 || s.At(last).Kind == kind.Phi {
		return 0
	}
	if v := n.start; v != 0 && s.At(v).block == block && s.At(v).Kind != kind.Phi {
		for range 4 {
			prev := s.At(v).prev
			if prev == 0 || s.At(prev).Kind == kind.Phi {
				n.start = v
				return v
			}
			v = prev
		}
	}
	v := Value(n.first)
	for s.At(v).Kind == kind.Phi {
		v = s.At(v).next
	}
	n.start = v
	return v
}

// Before moves the cursor to before v and takes over its location.
func (b *Builder) Before(v Value) {
	in := b.S.At(v)
	b.block, b.before, b.Loc = in.block, v, in.Loc
}

// After moves the cursor to after v; if v is a phi, to after all phis.
func (b *Builder) After(v Value) {
	in := b.S.At(v)
	b.block, b.before, b.Loc = in.block, in.next, in.Loc
	if in.Kind == kind.Phi {
		b.AtStart(in.block)
	}
}

// Block returns the block that the cursor is in.
func (b *Builder) Block() Node { return b.block }

// Insert inserts an instruction at the cursor and moves the cursor after it. An instruction that is in a block is moved
// from there.
func (b *Builder) Insert(v Value) {
	if b.S.At(v).block != 0 {
		b.S.unlink(v)
	}
	if b.before != 0 {
		b.S.insertBefore(b.before, v)
	} else {
		b.S.appendInstr(b.block, v)
	}
}

// ALU inserts an ALU instruction. Unless the opcode determines it, the result has as many components as the widest
// per-component source; sources of one component are broadcast.
func (b *Builder) ALU(o op.Op, src ...Src) Src {
	info := o.Info()
	comps := info.Out.Comps
	if comps == 0 {
		comps = 1
		for i := range src {
			if info.Src[i].Comps == 0 && src[i].N > comps {
				comps = src[i].N
			}
		}
	}
	return b.ALUN(o, comps, src...)
}

// ALUN is like ALU, with a given number of result components.
func (b *Builder) ALUN(o op.Op, comps uint8, src ...Src) Src {
	s := b.S
	info := o.Info()
	v := s.New(kind.ALU, uint16(o), len(src), 0)
	in := s.At(v)
	in.Loc, in.Float = b.Loc, b.Float
	bits := info.Out.Bits
	for i := range src {
		r := src[i]
		if r.N == 1 {
			r.Swz = Broadcast(int(r.Swz.Comp(0)))
		}
		s.attach(in.src+uint32(i), r.Val, r.Swz)
		if bits == 0 && info.Src[i].Bits == 0 {
			bits = s.At(r.Val).Bits
		}
	}
	in.Bits, in.Comps = bits, comps
	b.Insert(v)
	return Src{v, Identity, comps}
}

// Intrinsic inserts an intrinsic. comps is the number of components of the result or of the stored value (ignored if
// the table fixes it), bits the size of the result (0 if it has none). src are the declared sources, followed by the
// target. Indices have their defaults.
func (b *Builder) Intrinsic(id intrinsic.ID, comps, bits uint8, src ...Src) Value {
	s := b.S
	info := id.Info()
	v := s.New(kind.Intrinsic, uint16(id), len(src), int(info.NumIx))
	in := s.At(v)
	in.Loc = b.Loc
	switch {
	case !info.HasDest:
		bits = 0
	case info.DestComps != 0:
		comps = info.DestComps
	}
	in.Bits, in.Comps = bits, comps
	for i := range src {
		s.attach(in.src+uint32(i), src[i].Val, src[i].Swz)
	}
	for i := range int(info.NumIx) {
		if d := intrinsic.Indices[info.Ix[i]].Default; d != 0 {
			s.Words(v)[i] = d
		}
	}
	b.Insert(v)
	return v
}

// Const inserts a load_const with components of bits bits.
func (b *Builder) Const(bits uint8, comps ...uint64) Src {
	s := b.S
	w := 1
	if bits == 64 {
		w = 2
	}
	v := s.New(kind.LoadConst, 0, 0, w*len(comps))
	in := s.At(v)
	in.Loc = b.Loc
	in.Bits, in.Comps = bits, uint8(len(comps))
	mask := ^uint64(0) >> (64 - bits)
	for i, c := range comps {
		c &= mask
		s.aux[in.aux+uint32(w*i)] = uint32(c)
		if w == 2 {
			s.aux[in.aux+uint32(w*i)+1] = uint32(c >> 32)
		}
	}
	b.Insert(v)
	return Src{v, Identity, in.Comps}
}

// Imm inserts a scalar 32-bit constant.
func (b *Builder) Imm(x uint32) Src { return b.Const(32, uint64(x)) }

// ImmN inserts a scalar constant of bits bits.
func (b *Builder) ImmN(bits uint8, x uint64) Src { return b.Const(bits, x) }

// True inserts the scalar bool true.
func (b *Builder) True() Src { return b.Const(1, 1) }

// False inserts the scalar bool false.
func (b *Builder) False() Src { return b.Const(1, 0) }

// Undef inserts an undefined value.
func (b *Builder) Undef(comps, bits uint8) Src {
	v := b.S.New(kind.Undef, 0, 0, 0)
	in := b.S.At(v)
	in.Loc = b.Loc
	in.Bits, in.Comps = bits, comps
	b.Insert(v)
	return Src{v, Identity, comps}
}

// Phi inserts a phi without sources (see AddPhiSrc) at the start of the
// cursor's block. The cursor does not move.
func (b *Builder) Phi(comps, bits uint8, maxPreds int) Value {
	s := b.S
	v := s.New(kind.Phi, 0, maxPreds, maxPreds)
	in := s.At(v)
	in.Loc = b.Loc
	in.Bits, in.Comps = bits, comps
	in.NSrc, in.NAux = 0, 0
	if first := s.First(b.block); first != 0 {
		s.insertBefore(first, v)
	} else {
		s.appendInstr(b.block, v)
	}
	return v
}

// AddPhiSrc adds a source to a phi, at most as many as were passed to Phi.
func (s *Shader) AddPhiSrc(phi Value, pred Node, r Src) {
	in := s.At(phi)
	s.aux[in.aux+uint32(in.NAux)] = uint32(pred)
	o := in.src + uint32(in.NSrc)
	in.NSrc++
	in.NAux++
	in.Fresh = true
	s.attach(o, r.Val, r.Swz)
}

// PhiPred returns the predecessor for source i of a phi. It is stored in word i.
func (s *Shader) PhiPred(phi Value, i int) Node { return Node(s.Words(phi)[i]) }

// RemovePhiSrc drops source i of a phi; the last source takes its place.
func (s *Shader) RemovePhiSrc(phi Value, i int) {
	in := s.At(phi)
	last := in.src + uint32(in.NSrc) - 1
	r := s.operands[last]
	w := s.aux[in.aux+uint32(in.NAux)-1]
	s.detach(last)
	if o := in.src + uint32(i); o != last {
		s.detach(o)
		s.attach(o, r.val, r.swz)
		s.aux[in.aux+uint32(i)] = w
	}
	in.NSrc--
	in.NAux--
	in.Fresh = true
}

// Jump inserts a jump at the end of the cursor's block.
func (b *Builder) Jump(k kind.JumpKind) Value {
	v := b.S.New(kind.Jump, uint16(k), 0, 0)
	b.S.At(v).Loc = b.Loc
	b.Insert(v)
	return v
}

// Call inserts a call.
func (b *Builder) Call(f Func, args ...Src) Value {
	v := b.S.New(kind.Call, 0, len(args), 1)
	in := b.S.At(v)
	in.Loc = b.Loc
	for i, a := range args {
		b.S.attach(in.src+uint32(i), a.Val, a.Swz)
	}
	b.S.Words(v)[kind.FieldCallCallee] = uint32(f)
	b.Insert(v)
	return v
}

// derefBits is the size of a pointer created by DerefVar: one component of 32 bits. Lowering to explicit I/O gives
// pointers the size of their address format.
const derefBits = 32

func (b *Builder) deref(k kind.DerefKind, modes kind.Mode, typ Type, nsrc, naux int) Value {
	s := b.S
	v := s.New(kind.Deref, uint16(k), nsrc, naux)
	in := s.At(v)
	in.Loc = b.Loc
	in.Bits, in.Comps = derefBits, 1
	w := s.Words(v)
	w[kind.FieldDerefModes], w[kind.FieldDerefType] = uint32(modes), uint32(typ)
	return v
}

// DerefVar inserts a deref of a variable.
func (b *Builder) DerefVar(x Var) Value {
	info := b.S.Var(x)
	v := b.deref(kind.DerefVar, info.Mode, info.Type, 0, 3)
	b.S.Words(v)[kind.FieldDerefVarVar] = uint32(x)
	b.Insert(v)
	return v
}

func (b *Builder) child(k kind.DerefKind, parent Value, typ Type, nsrc, naux int) Value {
	s := b.S
	v := b.deref(k, s.Modes(parent), typ, nsrc, naux)
	in, p := s.At(v), s.At(parent)
	in.Bits, in.Comps = p.Bits, p.Comps
	s.attach(in.src, parent, Identity)
	return v
}

// DerefArray inserts a deref of the element at index of an array, matrix or vector.
func (b *Builder) DerefArray(parent Value, index Src) Value {
	v := b.child(kind.DerefArray, parent, b.S.Types.ElemType(b.S.DerefType(parent)), 2, 3)
	b.S.SetSrc(v, 1, index)
	b.Insert(v)
	return v
}

// DerefArrayWildcard inserts a deref of all elements.
func (b *Builder) DerefArrayWildcard(parent Value) Value {
	v := b.child(kind.DerefArrayWildcard, parent, b.S.Types.ElemType(b.S.DerefType(parent)), 1, 2)
	b.Insert(v)
	return v
}

// DerefPtrAsArray inserts a deref that steps index strides from the parent.
func (b *Builder) DerefPtrAsArray(parent Value, index Src) Value {
	v := b.child(kind.DerefPtrAsArray, parent, b.S.DerefType(parent), 2, 3)
	b.S.SetSrc(v, 1, index)
	b.Insert(v)
	return v
}

// DerefStruct inserts a deref of a struct's member.
func (b *Builder) DerefStruct(parent Value, member int) Value {
	v := b.child(kind.DerefStruct, parent, b.S.Types.Members(b.S.DerefType(parent))[member].Type, 1, 3)
	b.S.Words(v)[kind.FieldDerefStructMember] = uint32(member)
	b.Insert(v)
	return v
}

// DerefCast inserts a deref that interprets any value as a pointer.
func (b *Builder) DerefCast(ptr Src, modes kind.Mode, typ Type, stride uint32) Value {
	s := b.S
	v := b.deref(kind.DerefCast, modes, typ, 1, 5)
	in := s.At(v)
	in.Bits, in.Comps = s.At(ptr.Val).Bits, ptr.N
	s.attach(in.src, ptr.Val, ptr.Swz)
	s.Words(v)[kind.FieldDerefCastStride] = stride
	b.Insert(v)
	return v
}
