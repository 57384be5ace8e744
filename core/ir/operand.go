// SPDX-License-Identifier: MIT

package ir

import (
	"cmp"

	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// Swizzle selects the component of a value that each component of an operand reads: eight fields of four bits, the
// lowest for component 0. Wider operands read either all components in order (Identity) or one component for all (a
// broadcast), distinguished by the last two fields.
type Swizzle uint32

// Identity reads every component in its place.
const Identity Swizzle = 0x76543210

// Broadcast reads component c everywhere.
func Broadcast(c int) Swizzle { return Swizzle(uint32(c) * 0x11111111) }

// Comp returns the component of the value that component i of the operand reads.
func (z Swizzle) Comp(i int) uint8 {
	if i < 8 {
		return uint8(z >> (4 * i) & 15)
	}
	if uint32(z) == uint32(z&15)*0x11111111 {
		return uint8(z & 15)
	}
	return uint8(i)
}

// With returns the swizzle with component i reading c; i is below 8.
func (z Swizzle) With(i int, c uint8) Swizzle {
	return z&^(15<<(4*i)) | Swizzle(c)<<(4*i)
}

// Compose returns the swizzle that reads through inner: component i is
// inner.Comp(z.Comp(i)).
func (z Swizzle) Compose(inner Swizzle) Swizzle {
	if inner == Identity {
		return z
	}
	var out Swizzle
	for i := range 8 {
		out |= Swizzle(inner.Comp(int(z>>(4*i)&15))) << (4 * i)
	}
	return out
}

// Src is a read of a value: some of its components, in some order. N is the number of
// components read.
type Src struct {
	Val Value
	Swz Swizzle
	N   uint8
}

// X returns only component 0.
func (r Src) X() Src { return r.Comp(0) }

// Comp returns only component i.
func (r Src) Comp(i int) Src { return Src{r.Val, Broadcast(int(r.Swz.Comp(i))), 1} }

// Take returns the first n components.
func (r Src) Take(n int) Src { r.N = uint8(n); return r }

// Swizzle returns the named components: "x", "xyz", "wzyx" ….
func (r Src) Swizzle(names string) Src {
	out := Src{Val: r.Val, N: uint8(len(names))}
	last := uint8(0)
	for i := range 8 {
		if i < len(names) {
			last = r.Swz.Comp(swizzleIndex(names[i]))
		}
		out.Swz = out.Swz.With(i, last)
	}
	return out
}

func swizzleIndex(c byte) int {
	switch c {
	case 'x':
		return 0
	case 'y':
		return 1
	case 'z':
		return 2
	}
	return 3
}

// All returns a read of all components of v.
func (s *Shader) All(v Value) Src {
	return Src{v, Identity, s.At(v).Comps}
}

type operand struct {
	val Value
	swz Swizzle
}

// link is parallel to operand. It has the user, and links all operands that read the same value. user is a Value, or a
// Node with nodeUser set.
type link struct {
	user uint32
	next uint32
	prev uint32
}

const (
	nodeUser    = 1 << 31
	freeClasses = 8 // ranges of up to 7 operands are reused
)

// allocOperands allocates n operands of user, at least one, and returns the first.
func (s *Shader) allocOperands(n int, user Value) uint32 {
	if n < freeClasses && s.freeOps[n] != 0 {
		at := s.freeOps[n]
		s.freeOps[n] = s.links[at].next
		operands, links := s.operands[at:][:n], s.links[at:][:n]
		for i := range links {
			operands[i] = operand{}
			links[i] = link{user: uint32(user)}
		}
		return at
	}
	at := uint32(len(s.operands))
	s.operands, s.links = reuse.Room(s.operands, n), reuse.Room(s.links, n)
	for range n {
		s.operands = append(s.operands, operand{})
		s.links = append(s.links, link{user: uint32(user)})
	}
	return at
}

func (s *Shader) freeOperands(at uint32, n int) {
	for i := range uint32(n) {
		s.detach(at + i)
	}
	if n > 0 && n < freeClasses {
		s.links[at] = link{next: s.freeOps[n]}
		s.freeOps[n] = at
	}
}

func (s *Shader) detach(o uint32) {
	v := s.operands[o].val
	if v == 0 {
		return
	}
	l, in := &s.links[o], s.At(v)
	if l.prev != 0 {
		s.links[l.prev].next = l.next
	} else {
		in.uses = l.next
	}
	if l.next != 0 {
		s.links[l.next].prev = l.prev
	}
	l.prev, l.next = 0, 0
	s.operands[o] = operand{}
	if in.uses == 0 || s.links[in.uses].next == 0 {
		in.Fresh = true
	}
}

func (s *Shader) attach(o uint32, v Value, z Swizzle) {
	s.operands[o] = operand{v, z}
	if v == 0 {
		return
	}
	in := s.At(v)
	l := &s.links[o]
	l.prev, l.next = 0, in.uses
	if in.uses == 0 {
		in.Fresh = true
	} else {
		first := &s.links[in.uses]
		first.prev = o
		if first.next == 0 {
			in.Fresh = true
		}
	}
	in.uses = o
}

// changed marks the instruction with operand o as changed, unless the operand is the condition of an if.
func (s *Shader) changed(o uint32) {
	if u := s.links[o].user; u&nodeUser == 0 {
		s.At(Value(u)).Fresh = true
	}
}

// Src returns operand i of an instruction. The operands of a deref are the parent, then the index.
func (s *Shader) Src(v Value, i int) Src {
	in := s.At(v)
	o := &s.operands[in.src+uint32(i)]
	if in.Kind == kind.ALU {
		return Src{o.val, o.swz, in.comps(in.ALUOp().Info(), i)}
	}
	return Src{o.val, o.swz, s.reads(v, in, i)}
}

// reads returns the number of components that operand i of v reads. in is the record of v.
func (s *Shader) reads(v Value, in *Instr, i int) uint8 {
	switch in.Kind {
	case kind.ALU:
		return in.comps(in.ALUOp().Info(), i)
	case kind.Phi:
		return in.Comps
	case kind.Tex:
		return s.texSrcComps(v, i)
	case kind.Deref:
		if i > 0 {
			return 1 // an index
		}
	case kind.Intrinsic:
		if info := in.Intrinsic().Info(); i < int(info.NumSrc) && !info.Src[i].Any {
			return cmp.Or(info.Src[i].Comps, in.Comps)
		}
	}
	return s.At(s.operands[in.src+uint32(i)].val).Comps
}

// comps is like reads, for an ALU instruction; info describes its opcode.
func (in *Instr) comps(info *op.Info, i int) uint8 {
	if n := info.Src[i].Comps; n != 0 {
		return n
	}
	return in.Comps
}

// SetSrc sets operand i of v to r, or to nothing if r is zero.
func (s *Shader) SetSrc(v Value, i int, r Src) {
	in := s.At(v)
	in.Fresh = true
	o := in.src + uint32(i)
	s.detach(o)
	s.attach(o, r.Val, r.Swz)
}

// Use is a use of a value: as operand Index of instruction User, or as the condition of If.
type Use struct {
	User  Value
	Index int
	If    Node
	link  uint32
}

func (s *Shader) useAt(o uint32) Use {
	u := s.links[o].user
	if u&nodeUser != 0 {
		return Use{If: Node(u &^ nodeUser), link: o}
	}
	return Use{User: Value(u), Index: int(o - s.At(Value(u)).src), link: o}
}

// Uses iterates over all uses of v. The current use may be changed or removed while
// iterating.
func (s *Shader) Uses(v Value) func(yield func(Use) bool) {
	return func(yield func(Use) bool) {
		for o := s.At(v).uses; o != 0; {
			next := s.links[o].next
			if !yield(s.useAt(o)) {
				return
			}
			o = next
		}
	}
}

// UsedOnce reports whether exactly one operand reads v.
func (s *Shader) UsedOnce(v Value) bool {
	o := s.At(v).uses
	return o != 0 && s.links[o].next == 0
}

// ReplaceUses replaces all uses of v with r: component i of v becomes component i of r.
func (s *Shader) ReplaceUses(v Value, r Src) {
	from, to := s.At(v), s.At(r.Val)
	if from == to || r.Val == 0 {
		for u := range s.Uses(v) {
			s.SetUse(u, Src{Val: r.Val, Swz: s.operands[u.link].swz.Compose(r.Swz)})
		}
		return
	}
	if from.uses == 0 {
		return
	}
	from.Fresh = true
	if to.uses == 0 || s.links[to.uses].next == 0 {
		to.Fresh = true
	}
	for o := from.uses; o != 0; {
		x, l := &s.operands[o], &s.links[o]
		if l.user&nodeUser == 0 {
			s.At(Value(l.user)).Fresh = true
		}
		x.val = r.Val
		if r.Swz != Identity {
			x.swz = x.swz.Compose(r.Swz)
		}
		next := l.next
		l.prev, l.next = 0, to.uses
		if to.uses != 0 {
			s.links[to.uses].prev = o
		}
		to.uses = o
		o = next
	}
	from.uses = 0
}

// UseSrc returns the operand of a use.
func (s *Shader) UseSrc(u Use) Src {
	if u.If != 0 {
		return s.Cond(u.If)
	}
	return s.Src(u.User, u.Index)
}

// SetUse sets the operand of a use to r.
func (s *Shader) SetUse(u Use, r Src) {
	s.detach(u.link)
	s.attach(u.link, r.Val, r.Swz)
	s.changed(u.link)
}
