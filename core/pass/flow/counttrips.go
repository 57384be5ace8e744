package flow

import (
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/trips"
)

// CountTrips notes down how often loops repeat where their exits show it: phis are there for the
// last time. What an earlier pass knew of a loop whose exits no longer show it stays.
func CountTrips(pc *pass.Context) bool {
	s := pc.S
	c := pass.Scratch[tripCounter](pc)
	c.s, c.changed = s, false
	if c.note == nil {
		c.note = func(loop ir.Node, n trips.Count) {
			if n != trips.Unknown && n != c.s.Trips(loop) {
				c.s.SetTrips(loop, n)
				c.changed = true
			}
		}
	}
	c.Each(s, s.Body(s.FuncNode(pc.F)), c.note)
	return c.changed
}

type tripCounter struct {
	analysis.LoopCounter
	s       *ir.Shader
	note    func(ir.Node, trips.Count)
	changed bool
}
