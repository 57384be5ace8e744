// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// reusedMark marks a channel that contains a component before another value is computed there.
const reusedMark = channels

// reused returns a channel of a register for component k of v although another value of the register is computed there
// later, or -1: a component lives until its last use, however long the others of its value live. All uses must be in the
// block of both values, and before the later one is computed.
func (c *Context) reused(x *filling, taken frame, v ir.Value, k int) int {
	s, r := c.S, &c.registers
	if x.store != 0 {
		return -1
	}
	if !r.found {
		r.find(s)
	}
	last := r.at[v]
	if !c.componentUses(v, k, &last) {
		return -1
	}
	for ch := range channels {
		w := x.parts[ch].val
		if w == 0 || w == v || taken[ch] == reusedMark || !isComputed(s, w) || s.At(w).Block() != s.At(v).Block() {
			continue
		}
		if last < r.at[w] {
			return ch
		}
	}
	return -1
}

// componentUses finds the last position at which component k of v may be read. It reports whether all reads are in the loop
// of v and none is by an output.
func (c *Context) componentUses(v ir.Value, k int, last *int32) bool {
	s, budget := c.S, maxUses
	loop := s.LoopOf(s.At(v).Block())
	for u := range s.Uses(v) {
		if budget--; budget < 0 || u.If != 0 {
			return false
		}
		if !readsComponent(s.Src(u.User, int(u.Index)), k) {
			continue
		}
		in := s.At(u.User)
		if s.LoopOf(in.Block()) != loop || in.Intrinsic() == intrinsic.StoreOutput {
			return false
		}
		*last = max(*last, c.registers.at[u.User])
		if in.Kind == kind.ALU && c.readsThrough(u.User) && !c.uses(u.User, loop, last, budget/2) {
			return false
		}
	}
	return true
}

// readsComponent reports whether a source reads component k of its value.
func readsComponent(r ir.Src, k int) bool {
	for i := range int(r.N) {
		if int(r.Swz.Comp(i)) == k {
			return true
		}
	}
	return false
}
