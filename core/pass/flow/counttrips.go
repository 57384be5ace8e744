// SPDX-License-Identifier: MIT

package flow

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/trips"
)

// CountTrips records the trip counts of loops. It runs right before registers replace phis. If the
// exits of a loop do not determine its count, it keeps the count that an earlier pass set.
func CountTrips(pc *pass.Context) bool {
	s := pc.S
	c := pass.Scratch[tripCounter](pc)
	c.s, c.changed = s, false
	if c.note == nil {
		c.note = func(loop ir.Node, n trips.Count) {
			if n != trips.Unknown && n != c.s.Node(loop).Trips {
				c.s.Node(loop).Trips = n
				c.changed = true
			}
		}
	}
	c.Each(s, s.Body(s.Func(pc.F).Node), c.note)
	return c.changed
}

type tripCounter struct {
	analysis.LoopCounter
	s       *ir.Shader
	note    func(ir.Node, trips.Count)
	changed bool
}
