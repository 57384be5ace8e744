// SPDX-License-Identifier: MIT

package opt

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// payloadPairs lists, for each register, the messages that use it as one of two payloads, which must not
// overlap.
type payloadPairs struct {
	lists []pairList // by register
	nodes []pairNode
}

// reset empties the lists of all registers. Node 0 ends a list.
func (p *payloadPairs) reset(regs int) {
	p.lists, p.nodes = reuse.Zeroed(p.lists, regs), append(p.nodes[:0], pairNode{})
}

type pairList struct{ first, last, n int32 }

type pairNode struct {
	send mir.ID
	next int32
}

func (p *payloadPairs) add(r mir.Reg, send mir.ID) {
	p.nodes = append(p.nodes, pairNode{send: send})
	at := int32(len(p.nodes) - 1)
	p.chain(&p.lists[r], pairList{at, at, 1})
}

// chain appends b to a.
func (p *payloadPairs) chain(a *pairList, b pairList) {
	switch {
	case b.n == 0:
		return
	case a.n == 0:
		*a = b
		return
	}
	p.nodes[a.last].next = b.first
	a.last = b.last
	a.n += b.n
}

// join adds the messages of register from to those of register to.
func (p *payloadPairs) join(from, to mir.Reg) {
	p.chain(&p.lists[to], p.lists[from])
	p.lists[from] = pairList{}
}

// findPairs finds the messages with two payloads. A register whose parts overlap in one of them is not merged.
func (c *coalescer) findPairs() {
	f := c.f
	c.pairs.reset(len(f.Regs))
	for _, i := range c.needs.order {
		in := f.At(i)
		if !in.IsSend() || in.Src[0].File != mir.VReg || in.Src[1].File != mir.VReg {
			continue
		}
		a, b := mir.Reg(in.Src[0].Num), mir.Reg(in.Src[1].Num)
		if a == b {
			c.fixed[a] = c.fixed[a] || c.payloadsOverlap(in, 0, 0)
			continue
		}
		c.pairs.add(a, i)
		c.pairs.add(b, i)
	}
}

// payloadsOverlap reports whether the payloads of a message overlap if their units are moved by by0 and by1.
func (c *coalescer) payloadsOverlap(in *mir.Inst, by0, by1 uint32) bool {
	f0, l0 := c.span(&in.Src[0], c.f.SrcBytes(in, 0))
	f1, l1 := c.span(&in.Src[1], c.f.SrcBytes(in, 1))
	return f0 <= l0 && f1 <= l1 && f0+by0 <= l1+by1 && f1+by1 <= l0+by0
}

// payloadsClash reports whether the two payloads of some message would overlap if register from became a part
// of register to.
func (c *coalescer) payloadsClash(from, to mir.Reg, unit uint32) bool {
	by := c.base[to] + unit - c.base[from] // unsigned, may wrap around
	list := c.pairs.lists[from]
	if other := c.pairs.lists[to]; other.n < list.n {
		list = other
	}
	for at := list.first; at != 0; at = c.pairs.nodes[at].next {
		c.f.Work.Spend(lookSteps)
		in := c.f.At(c.pairs.nodes[at].send)
		r0, r1 := c.root(mir.Reg(in.Src[0].Num)).reg, c.root(mir.Reg(in.Src[1].Num)).reg
		if r0 == from && r1 == to && c.payloadsOverlap(in, by, 0) || r0 == to && r1 == from && c.payloadsOverlap(in, 0, by) {
			return true
		}
	}
	return false
}
