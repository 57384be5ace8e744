// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/kind"
)

// measure computes the maximum number of live dwords per invocation in each block, before anything is moved. A value is
// live from its definition to its last use in code order, and to the end of every loop that is entered in between.
func (h *hoister) measure() {
	if h.measured {
		return
	}
	h.measured = true
	s, g := h.s, h.g
	h.Div.Build(s, h.F, g)
	h.place, h.start = reuse.Slice(h.place, s.NumValues()), reuse.Slice(h.start, len(g.Blocks)+1)
	n := int32(0)
	for i, b := range g.Blocks {
		h.start[i] = n
		for v := s.First(b); v != 0; v = s.At(v).Next() {
			h.place[v] = n
			n++
		}
		n++ // the end of the block, where phi sources and conditions are read
	}
	h.start[len(g.Blocks)] = n
	h.change = reuse.Zeroed(h.change, int(n)+1)
	for _, b := range g.Blocks {
		for v := s.First(b); v != 0; {
			in := s.At(v)
			if in.HasResult() {
				if w := h.dwords(v); w > 0 {
					h.change[h.place[v]] += w
					h.change[h.lastUse(v, b)+1] -= w
				}
			}
			v = in.Next()
		}
	}
	h.live = reuse.Slice(h.live, len(g.Blocks))
	now := int32(0)
	for i := range g.Blocks {
		most := now
		for k := h.start[i]; k < h.start[i+1]; k++ {
			now += h.change[k]
			most = max(most, now)
		}
		h.live[i] = most
	}
}

// lastUse returns the last place at which v is live; b is the block that defines v.
func (h *hoister) lastUse(v ir.Value, b ir.Node) int32 {
	s, g := h.s, h.g
	last := h.place[v]
	for u := range s.Uses(v) {
		var at ir.Node
		var p int32
		switch {
		case u.If != 0:
			at = s.PrevNode(u.If)
			p = h.start[g.Index[at]+1] - 1
		case s.At(u.User).Kind == kind.Phi:
			at = s.PhiPred(u.User, u.Index)
			p = h.start[g.Index[at]+1] - 1
		default:
			at = s.At(u.User).Block()
			p = h.place[u.User]
		}
		for l := g.Loop[at]; l != 0 && g.Index[s.Body(l)] > g.Index[b]; l = g.Loop[l] {
			p = h.start[g.Index[s.BodyEnd(l)]+1] - 1
		}
		last = max(last, p)
	}
	return last
}
