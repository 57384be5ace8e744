// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// A loop with many iterations is unrolled in part: with several copies of the body, instructions are scheduled and
// accesses are merged across iterations.
const (
	maxCounted = 4096 // iterations that are simulated to count trips
	maxPartial = 160  // instructions of an unrolled loop
)

// factors are the possible numbers of copies of a loop's body, the preferred first.
var factors = []int{8, 4, 5, 6, 7, 3, 2}

// partly returns the plan to unroll a loop with many iterations in part; it has no copies if the loop stays. The loop
// must have one exit, at the start or at the end of the group of copies, and no other control flow, so that
// instructions of different iterations are in one block.
func (u *unroller) partly(loop ir.Node) plan {
	s := u.s
	if s.Node(loop).Hints&ir.HintDontUnroll != 0 || !u.straight(loop) {
		return plan{}
	}
	if !u.sim.Count(s, loop, maxCounted) || len(u.sim.Exits) != 1 || !u.measure(loop) || u.other || u.settles {
		return plan{}
	}
	stay := u.sim.Entries - 1 // iterations that do not take the exit
	at := u.sim.Exits[0].If
	bottom := u.ends(at)
	for _, n := range factors {
		if n*u.size > maxPartial || n > stay || int(u.Unrolled)+(n-1)*u.size > maxGrowth {
			continue
		}
		p := plan{copies: n, repeat: true}
		switch {
		case bottom && u.sim.Entries%n == 0:
			p.exit, p.iterations = n-1, u.sim.Entries/n
		case !bottom && stay%n == 0 && s.PrevNode(at) == s.Body(loop):
			p.iterations = stay/n + 1
		default:
			continue
		}
		u.Unrolled += uint32((n - 1) * u.size)
		return p
	}
	return plan{}
}

// straight reports whether the body of a loop consists of blocks and one if whose arms are blocks.
func (u *unroller) straight(loop ir.Node) bool {
	s := u.s
	ifs := 0
	for n := s.Body(loop); n != 0; n = s.NextNode(n) {
		if s.NodeKind(n) == ir.NodeBlock {
			continue
		}
		ifs++
		if ifs > 1 || s.NodeKind(n) != ir.NodeIf || s.NextNode(s.Then(n)) != 0 || s.NextNode(s.Else(n)) != 0 {
			return false
		}
	}
	return ifs == 1
}

// ends reports whether nothing is executed after an if in the body of a loop.
func (u *unroller) ends(n ir.Node) bool {
	s := u.s
	last := s.NextNode(n)
	v := s.First(last)
	return s.NextNode(last) == 0 && (v == 0 || s.At(v).Kind == kind.Jump)
}

// head gives a loop phis for the phis of block first: their values are the ones with which the first copy starts. The
// loop is marked so that it is not unrolled again.
func (u *unroller) head(first, loop, before ir.Node) {
	s := u.s
	s.Node(loop).Hints = ir.HintDontUnroll
	u.heads = u.heads[:0]
	k := 0
	for p := s.First(first); p != 0 && s.At(p).Kind == kind.Phi; p = s.At(p).Next() {
		in := s.At(p)
		u.B.AtEnd(s.Body(loop))
		u.B.Loc = in.Loc
		phi := u.B.Phi(in.Comps, in.Bits, 2)
		s.AddPhiSrc(phi, before, u.cur[k])
		u.heads = append(u.heads, phi)
		u.cur[k] = s.All(phi)
		k++
	}
}

// goBack adds the sources of the loop's phis for the back edge from block end, which ends the last copy.
func (u *unroller) goBack(end ir.Node) {
	for k, phi := range u.heads {
		u.s.AddPhiSrc(phi, end, u.cur[k])
	}
}
