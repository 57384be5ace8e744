package allocheck

import (
	"slices"

	"jacquard.example/backend/intel/mir"
)

// state is what is known at one place of the code: by register and byte, the
// places where the byte lies. A register without a slice is anything.
type state struct {
	thread [][]set // for the lane that the byte belongs to when it is not active, or for none
	lanes  [][]set // for the lane that the byte belongs to when it is active
}

// area is a run of places that an instruction writes, with the lane that writes
// each: noLane where none does, allLanes without a mask.
type area struct {
	start place
	lane  []int8
}

const allLanes = 64

func (a *area) at(x place) int8 {
	if x < a.start || int(x-a.start) >= len(a.lane) {
		return noLane
	}
	return a.lane[x-a.start]
}

func (a *area) set(x place, n uint32, lane int8) {
	for i := range n {
		a.lane[x-a.start+place(i)] = lane
	}
}

// about says which bytes facts are about.
type about uint8

const (
	allBytes     about = iota // of lanes that do not run, and those that belong to no lane
	runningLanes              // of lanes that run
	waitingLanes              // of lanes that do not run
)

// facts is one part of a state while it changes.
type facts struct {
	c     *checker
	about about
	byReg [][]set
	mine  []bool            // the slice may be changed
	near  map[place][]int32 // by 32 bytes of places: registers that may have a byte there
	stamp []uint32
	now   uint32
}

func newFacts(c *checker, a about) *facts {
	n := len(c.owner)
	return &facts{c: c, about: a, byReg: make([][]set, n), mine: make([]bool, n), near: map[place][]int32{}, stamp: make([]uint32, n)}
}

// Budgets and steps of work: what is known is a slice for each register and block.
const (
	maxFacts  = 5 << 22 // registers times blocks: each has two slices, of 24 bytes
	stepSteps = 1 << 7  // to follow an instruction
	byteSteps = 4       // to take over what is known of a byte
)

// load makes f a copy of what is known in regs.
func (f *facts) load(regs [][]set) {
	clear(f.mine)
	clear(f.near)
	copy(f.byReg, regs)
	work := f.c.new.Work
	work.Spend(len(regs))
	for r, s := range f.byReg {
		work.Spend(byteSteps * len(s))
		last := anything
		for k, x := range s {
			if x == last && k%grfBytes != 0 {
				continue
			}
			last = x
			for _, d := range f.c.sets.members[x] {
				f.note(int32(r), place(k)+d, 1)
				f.note(int32(r), place(k)+d+grfBytes-1, 1)
			}
		}
	}
}

// note records that register r may have bytes at n places from x on.
func (f *facts) note(r int32, x, n place) {
	for u := x >> 5; u <= (x+n-1)>>5; u++ {
		if l := f.near[u]; len(l) == 0 || l[len(l)-1] != r {
			f.near[u] = append(l, r)
		}
	}
}

// of is what is known of register r, to be changed.
func (f *facts) of(r int) []set {
	if !f.mine[r] {
		f.mine[r] = true
		if f.byReg[r] == nil {
			f.byReg[r] = make([]set, len(f.c.owner[r]))
		} else {
			f.byReg[r] = slices.Clone(f.byReg[r])
		}
	}
	return f.byReg[r]
}

func (f *facts) get(r int, k uint32) set {
	if f.byReg[r] == nil {
		return anything
	}
	return f.byReg[r][k]
}

// among calls do once for each register that may have a byte among n places from
// x on.
func (f *facts) among(x place, n int, do func(r int32)) {
	f.now++
	for u := x >> 5; u <= (x+place(n)-1)>>5; u++ {
		list := f.near[u]
		for i := 0; i < len(list); i++ {
			if r := list[i]; f.stamp[r] != f.now {
				f.stamp[r] = f.now
				do(r)
			}
		}
	}
}

// kill forgets what lay in an area that is written, but not bytes of register
// spare at distance d, to which the same is done. Where f is about lanes that do
// not run, what their own lane would have written stays.
func (f *facts) kill(a *area, spare int, d place) {
	f.among(a.start, len(a.lane), func(r int32) {
		bytes := f.byReg[r]
		owner := f.c.owner[r]
		for k := range bytes {
			s := bytes[k]
			for _, x := range f.c.sets.members[s] {
				lane := a.at(place(k) + x)
				if lane == noLane || int(r) == spare && x == d || f.about != runningLanes && lane == owner[k] {
					continue
				}
				bytes = f.of(int(r))
				bytes[k] = f.c.sets.remove(bytes[k], x)
			}
		}
	})
}

// copy notes that an area gets what lies from distance away: shift places on
// from each of its own.
func (f *facts) copy(a *area, shift place) {
	update := func(r int32) {
		bytes := f.byReg[r]
		for k := range bytes {
			before := bytes[k]
			if before <= nowhere {
				continue
			}
			after := before
			for _, x := range f.c.sets.members[before] {
				for _, d := range [2]place{x, x - shift} { // the copy's place
					lane := a.at(place(k) + d)
					own := lane == f.c.owner[r][k]
					if lane == noLane || own && f.about != runningLanes {
						continue
					}
					// Another lane's copy may happen or not.
					had, gets := f.c.sets.has(before, d), f.c.sets.has(before, d+shift)
					if gets && (had || own || lane == allLanes) {
						after = f.c.sets.add(after, d)
					} else {
						after = f.c.sets.remove(after, d)
					}
				}
			}
			if after != before {
				bytes = f.of(int(r))
				bytes[k] = after
				f.note(r, a.start, place(len(a.lane)))
			}
		}
	}
	var regs []int32
	f.among(a.start, len(a.lane), func(r int32) { regs = append(regs, r) })
	f.among(a.start+shift, len(a.lane), func(r int32) { regs = append(regs, r) })
	slices.Sort(regs)
	for _, r := range slices.Compact(regs) {
		update(r)
	}
}

// assign notes that a byte of a register gets what lies where the set says.
func (f *facts) assign(r int, k uint32, at set, noMask, predicated bool) {
	if f.about != allBytes && f.c.owner[r][k] == noLane || f.about != runningLanes && !noMask {
		return
	}
	b := f.of(r)
	if predicated {
		at = f.c.sets.meet(b[k], at)
	}
	b[k] = at
}

// assignAll notes that an instruction writes runs of a register's bytes.
func (f *facts) assignAll(r int, off uint32, runs []run, at set, in *mir.Inst) {
	for _, x := range runs {
		for k := off + x.off; k < off+x.off+x.n; k++ {
			f.assign(r, k, at, in.NoMask, predicated(in))
		}
		for _, d := range f.c.sets.members[at] {
			f.note(int32(r), place(off+x.off)+d, place(x.n))
		}
	}
}

// put notes that the bytes of a copy lie where the sets say.
func (f *facts) put(x *regCopy, at []set) {
	for i, y := range x.bytes {
		f.assign(x.dst, y.to, at[i], x.noMask, x.predicated)
		for _, d := range f.c.sets.members[at[i]] {
			f.note(int32(x.dst), place(y.to)+d, 1)
		}
	}
}

// join adds to what is known at the start of a block what is known at the end of
// another, for the registers that are needed; it reports a change.
func (c *checker) join(to, from [][]set, need []uint64) bool {
	changed := false
	for r := range to {
		x := from[r]
		if x == nil || need[r>>6]>>(r&63)&1 == 0 {
			continue
		}
		y := to[r]
		if y == nil {
			to[r], changed = x, true
			continue
		}
		if &x[0] == &y[0] {
			continue
		}
		var merged []set
		for k := range y {
			m := c.sets.meet(y[k], x[k])
			if m == y[k] {
				continue
			}
			if merged == nil {
				merged = slices.Clone(y)
			}
			merged[k] = m
		}
		if merged != nil {
			to[r], changed = merged, true
		}
	}
	return changed
}
