// SPDX-License-Identifier: MIT

package explicitio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/generated/kind"
)

// generic are the modes that a generic pointer may refer to.
const generic = kind.ModeGlobal | kind.ModeShared | pass.Promotable

// possibleModes returns the modes that a pointer value may refer to. It looks through phis and selects.
func (c context) possibleModes(v ir.Value, depth int) kind.Mode {
	s := c.S
	in := s.At(v)
	switch {
	case depth > maxOrigin:
		return generic
	case in.Kind == kind.Deref && (in.DerefKind() != kind.DerefCast || s.At(s.Src(v, 0).Val).Kind != kind.Deref):
		return s.Modes(v)
	case in.Kind == kind.Deref:
		return s.Modes(v) & c.possibleModes(s.Src(v, 0).Val, depth+1)
	}
	from, ok := c.joins(v)
	if !ok {
		return generic
	}
	var m kind.Mode
	for i := from; i < int(in.NSrc); i++ {
		if p := s.Src(v, i).Val; p != v && !c.stepsFrom(p, v) {
			m |= c.possibleModes(p, depth+1)
		}
	}
	return m
}

// byTag replaces access v, whose pointer a may refer to memory of several modes, with a chain of ifs that compare the
// pointer's tag with the tag of each mode.
func (c context) byTag(v, d ir.Value, a address) ir.Src {
	s, b := c.S, c.B
	rungs := []struct {
		mode kind.Mode
		tag  uint32
	}{{kind.ModeShared, tagShared}, {pass.Promotable, tagPrivate}, {kind.ModeGlobal, 0}}
	live := rungs[:0]
	for _, r := range rungs {
		if a.mode&r.mode != 0 {
			live = append(live, r)
		}
	}
	if _, bits, _ := s.Types.ScalarOf(s.DerefType(d)); a.mode&pass.Promotable != 0 && bits < 32 {
		c.FailAt(s.At(v).Loc, "a pointer to %d bits in either private or other memory is not supported", bits)
		return ir.Src{}
	}
	ptr := c.globalAddress(a, 0)
	tag := b.UShr(b.Unpack64_2x32SplitY(ptr), b.Imm(tagShift))
	at := func(mode kind.Mode) ir.Src {
		to := address{mode: mode & a.mode, align: 16, ptr: true}
		if mode == kind.ModeGlobal {
			to.base = ptr
		} else {
			to.dyn = b.Unpack64_2x32SplitX(ptr)
		}
		return c.accessAt(v, d, to)
	}
	// climb inserts the ifs of the chain, starting at i. The builder must be at the end of a block, and is left at
	// the end of the block after the ifs.
	var climb func(i int) ir.Src
	rung := func(n ir.Node, i int) (then, els ir.Src, ends [2]ir.Node) {
		b.AtEnd(s.Then(n))
		then = at(live[i].mode)
		ends[0] = b.Block()
		b.AtEnd(s.Else(n))
		els = climb(i + 1)
		ends[1] = b.Block()
		return then, els, ends
	}
	climb = func(i int) ir.Src {
		if i == len(live)-1 {
			return at(live[i].mode)
		}
		n := s.InsertIf(b.Block(), b.IEq(tag, b.Imm(live[i].tag)))
		then, els, ends := rung(n, i)
		b.AtEnd(s.NextNode(n))
		return flow.Join(c.Context, then, els, ends)
	}
	cond := b.IEq(tag, b.Imm(live[0].tag))
	n := flow.IfBefore(c.Context, v, cond)
	then, els, ends := rung(n, 0)
	b.AtStart(s.NextNode(n))
	r := flow.Join(c.Context, then, els, ends)
	b.Before(v)
	return r
}
