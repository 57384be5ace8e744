package pass

import (
	"fmt"
	"math/bits"
)

// maxRounds bounds the iterations of a loop: rewriting that does not terminate is a
// defect of the passes, but must not hang.
const maxRounds = 64

// maxMembers is how many passes a loop may have, those of the loops in it included.
const maxMembers = 64

// plan is how a loop, and those in it, run.
type plan struct {
	groups   []group
	members  []*Pass            // of all groups, in the order of their rows
	affected [numAspects]uint64 // the members that depend on an aspect, a bit each
}

// group is a loop; those in it follow it in plan.groups.
type group struct {
	rows    []Pass
	members uint64
}

// Repeat returns a row with a loop.
func Repeat(rows ...Pass) Pass { return Pass{Loop: rows, plan: planOf(rows)} }

// planOf panics if there are too many passes.
func planOf(rows []Pass) *plan {
	pl := new(plan)
	pl.add(rows)
	if len(pl.members) > maxMembers {
		panic(fmt.Sprintf("pass: a loop of %d passes", len(pl.members)))
	}
	return pl
}

// add adds a loop and those in it.
func (pl *plan) add(rows []Pass) {
	at, first := len(pl.groups), len(pl.members)
	pl.groups = append(pl.groups, group{rows: rows})
	for i := range rows {
		p := &rows[i]
		if p.Loop != nil {
			pl.add(p.Loop)
			continue
		}
		for a := range pl.affected {
			if p.Ignores>>a&1 == 0 {
				pl.affected[a] |= 1 << len(pl.members)
			}
		}
		pl.members = append(pl.members, p)
	}
	pl.groups[at].members = uint64(1)<<len(pl.members) - uint64(1)<<first
}

// inner returns the outermost group in group k that a member belongs to, k itself if there is none.
func (pl *plan) inner(k, member int) int {
	for i := k + 1; i < len(pl.groups); i++ {
		if pl.groups[i].members>>member&1 != 0 {
			return i
		}
	}
	return k
}

// settle runs a loop until none of its members has anything to do: all have run, and what has changed since
// is nothing that they depend on. A loop in it runs to its own fixed point.
func (c *Context) settle(p *Pass, tr *Trace) (changed bool, err error) {
	pl := p.plan
	if pl == nil || &pl.groups[0].rows[0] != &p.Loop[0] {
		pl = planOf(p.Loop)
	}
	c.due = pl.groups[0].members
	return c.loop(pl, 0, tr)
}

// loop runs group k: round after round, whatever is due when its row is reached.
func (c *Context) loop(pl *plan, k int, tr *Trace) (changed bool, err error) {
	g := &pl.groups[k]
	for n := 0; ; n++ {
		did := false
		for rest := g.members; ; {
			due := c.due & rest
			if due == 0 {
				break
			}
			if n == maxRounds {
				return changed, c.unsettled(g.rows, tr)
			}
			at := bits.TrailingZeros64(due)
			now := false
			if in := pl.inner(k, at); in != k {
				rest &^= pl.groups[in].members
				rest &= -(due & -due) // those behind the one that is due
				now, err = c.loop(pl, in, tr)
			} else {
				rest &= -(due & -due) << 1
				now, err = c.member(pl, at, tr)
			}
			did = did || now
			if err != nil {
				return true, err
			}
		}
		if !did {
			return changed, nil
		}
		changed = true
	}
}

// member runs a member of a loop that has something to do.
func (c *Context) member(pl *plan, at int, tr *Trace) (changed bool, err error) {
	p, own := pl.members[at], uint64(1)<<at
	c.due &^= own
	changed, err = c.step(p, tr)
	if !changed {
		return false, err
	}
	what := p.changes()
	for a, members := range pl.affected {
		if what>>a&1 != 0 {
			c.due |= members
		}
	}
	if p.Settles {
		c.due &^= own
	}
	return true, err
}

// changes are the aspects that the pass may change.
func (p *Pass) changes() Aspects {
	if p.Changes == 0 {
		return allAspects
	}
	return p.Changes
}

// unsettled reports a group that has not come to rest.
func (c *Context) unsettled(group []Pass, tr *Trace) error {
	if tr == nil || tr.Unsettled == nil {
		return nil
	}
	return tr.Unsettled(group)
}

// Once runs each pass of a loop once, and those of loops in it, and returns the names of those that changed the shader.
func (c *Context) Once(group []Pass) (changing []string, err error) {
	for i := range group {
		p := &group[i]
		if p.Loop != nil {
			names, err := c.Once(p.Loop)
			changing = append(changing, names...)
			if err != nil {
				return changing, err
			}
			continue
		}
		c.since = ^uint64(0) // whatever ran before
		did, err := c.step(p, nil)
		if did {
			changing = append(changing, p.Name)
		}
		if err != nil {
			return changing, err
		}
	}
	return changing, nil
}
