// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
)

const (
	maxPeriod = 32   // most copies of a body in which the indices of arrays are constant
	maxTraced = 1024 // most iterations of a loop in which indices repeat
)

// traced lists the computed indices of private arrays in a loop. u.count.Seen has their values by iteration.
type traced struct {
	derefs  []ir.Value // they step into elements
	indices []ir.Value // by deref
	known   []bool     // by deref: the index depends on constants only
}

// periodic returns the plan to copy the body of a loop as many times as there are iterations until indices of arrays
// repeat: in each copy they are constant. The plan has no copies if the loop stays.
func (u *unroller) periodic(loop ir.Node) plan {
	s := u.s
	if s.Node(loop).Hints&ir.HintDontUnroll != 0 || !u.indexes(loop) {
		return plan{}
	}
	if !u.sim.Count(s, loop, maxTraced) || !u.measure(loop) || u.other || u.nested {
		return plan{}
	}
	n := u.period(loop)
	if n == 0 || n*u.size > maxFreed || int(u.Unrolled)+(n-1)*u.size > maxGrowth {
		return plan{}
	}
	u.Unrolled += uint32((n - 1) * u.size)
	p := plan{copies: n, repeat: true, indices: true, iterations: (u.sim.Entries-1)/n + 1}
	if u.ends(u.sim.Exits[0].If) {
		p.exit = n - 1
	}
	return p
}

// repeats reports whether v steps into an array at an index that repeats in a loop with many iterations.
func (u *unroller) repeats(v ir.Value) bool {
	s := u.s
	for loop := s.LoopOf(s.At(v).Block()); loop != 0; loop = s.LoopOf(loop) {
		if u.entries[loop] == 0 {
			continue
		}
		if u.steps = maxSteps; u.counts(s.Src(v, 1).Val, loop, 0) {
			if u.periods[loop] == 0 {
				u.periods[loop] = int32(u.period(loop)) + 1
			}
			return u.repeated[v]
		}
	}
	return false
}

// period returns the number of iterations after which the most indices of private arrays in a loop repeat, or 0 if none
// do. It divides the trip count, without a last iteration that ends at the start of the body. period marks the derefs
// with these indices in u.repeated.
func (u *unroller) period(loop ir.Node) int {
	s := u.s
	u.derefs, u.indices = u.derefs[:0], u.indices[:0]
	for b, end := s.Body(loop), s.BodyEnd(loop); ; b = s.NextBlock(b) {
		for v := range s.Instrs(b) {
			u.Work.Spend(1)
			if u.elementOf(v) != 0 {
				u.derefs = append(u.derefs, v)
				u.indices = append(u.indices, s.Src(v, 1).Val)
			}
		}
		if b == end {
			break
		}
	}
	u.known = reuse.Slice(u.known, len(u.derefs))
	t := &u.count
	if len(u.derefs) == 0 || !t.Trace(s, loop, maxTraced, u.indices, u.known) || len(t.Exits) != 1 {
		return 0
	}
	whole := t.Entries
	if at := t.Exits[0].If; !u.ends(at) {
		if whole--; s.PrevNode(at) != s.Body(loop) {
			return 0
		}
	}
	best, most := 0, 0
	for n := 2; n <= maxPeriod && n < whole && n*int(u.bodies[loop]) <= maxFreed; n++ {
		k := 0
		for i := range u.derefs {
			if whole%n == 0 && u.same(i, n) {
				k++
			}
		}
		if k > most {
			best, most = n, k
		}
	}
	for i, v := range u.derefs {
		u.repeated[v] = u.repeated[v] || best > 0 && u.same(i, best)
	}
	return best
}

// same reports whether index i depends on constants only and is the same in all iterations that are n apart.
func (u *unroller) same(i, n int) bool {
	all, w := u.count.Seen, len(u.derefs)
	for at := n*w + i; at < len(all); at += w {
		u.Work.Spend(1)
		if all[at] != all[at-n*w] {
			return false
		}
	}
	return u.known[i]
}

// setIndices makes the indices that repeat constant in copy k of n, which was just made.
func (u *unroller) setIndices(k, n int) {
	s := u.s
	for i, v := range u.derefs {
		if u.same(i, n) {
			d := u.Cloner.Value(v)
			u.B.Before(d)
			s.SetSrc(d, 1, u.B.ImmN(s.At(u.indices[i]).Bits, u.count.Seen[k*len(u.derefs)+i]))
		}
	}
}
