// SPDX-License-Identifier: MIT

// Package uniform checks, with a [Checker], the claims of core/analysis about the invocations of pairs of subgroups and
// of workgroups, by watching the interpreter: a value claimed to be uniform must be the same in all of them, and a
// block that they are claimed to execute together must be executed equally often by each.
package uniform

import (
	"fmt"

	"jacquard.example/core/analysis"
	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
)

// Checker watches calls of the interpreter. In a block that all invocations of a scope are claimed to execute together,
// each invocation must execute every instruction equally often, and get the same results from the instructions claimed
// to be uniform.
type Checker struct {
	s      *ir.Shader
	group  [3]uint32
	width  int
	scopes [2]scope
	seen   map[ir.Value][]record
	err    error
}

type scope struct {
	name string
	of   analysis.Scope
	div  analysis.Divergence
	cfg  analysis.CFG
}

// record holds the number of executions of an instruction by one invocation, and a hash of the results.
type record struct {
	times uint32
	hash  uint64
}

// Watch makes a call report to the checker.
func (c *Checker) Watch(call *interp.Call) {
	c.width, call.Watch = call.Width, c.result
}

// Err returns the first violation, or nil. It must be called after the last call.
func (c *Checker) Err() error {
	c.compare()
	return c.err
}

func (c *Checker) result(s *ir.Shader, group [3]uint32, subgroup int, v ir.Value, mask uint64, result []uint64) {
	if s != c.s {
		c.compare()
		c.analyse(s)
	}
	if group != c.group {
		c.compare()
		c.group = group
	}
	size := s.Info.WorkgroupSize
	all := c.seen[v]
	if all == nil {
		all = make([]record, int(size[0]*size[1]*size[2]))
		c.seen[v] = all
	}
	in := s.At(v)
	for l := range c.width {
		if mask>>l&1 == 0 {
			continue
		}
		r := &all[subgroup*c.width+l]
		r.times++
		for k := range int(in.Comps) {
			r.hash = (r.hash ^ result[k*c.width+l]) * 0x9e3779b97f4a7c15
			r.hash ^= r.hash >> 29
		}
	}
}

func (c *Checker) analyse(s *ir.Shader) {
	c.s, c.seen = s, map[ir.Value][]record{}
	c.scopes[0].name, c.scopes[0].of = "pair of subgroups", analysis.Pair
	c.scopes[1].name, c.scopes[1].of = "workgroup", analysis.Workgroup
	for k := range c.scopes {
		x := &c.scopes[k]
		x.cfg.Build(s, s.Entry())
		x.div.BuildFor(x.of, s, s.Entry(), &x.cfg)
	}
}

// compare compares the invocations of a workgroup.
func (c *Checker) compare() {
	for v, all := range c.seen {
		for k := range c.scopes {
			x := &c.scopes[k]
			n := len(all)
			if x.of == analysis.Pair {
				n = 2 * c.width
			}
			if b := c.s.At(v).Block(); c.err == nil && x.cfg.Index[b] >= 0 && x.div.Together(b) {
				c.err = c.same(x, v, all, n)
			}
		}
	}
	clear(c.seen)
}

// same compares the invocations within each scope of n invocations and returns the first violation, or nil.
func (c *Checker) same(x *scope, v ir.Value, all []record, n int) error {
	for first := 0; first < len(all); first += n {
		part := all[first:min(first+n, len(all))]
		for i, r := range part {
			switch {
			case r.times != part[0].times:
				return fmt.Errorf("value %d of workgroup %v is computed %d times by invocation %d and %d times by %d of the same %s",
					v, c.group, part[0].times, first, r.times, first+i, x.name)
			case !x.div.Value(v) && r.hash != part[0].hash:
				return fmt.Errorf("value %d of workgroup %v differs between invocations %d and %d of the same %s", v, c.group, first,
					first+i, x.name)
			}
		}
	}
	return nil
}
