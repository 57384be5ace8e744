// SPDX-License-Identifier: MIT

package allocheck

import (
	"slices"

	"jacquard.example/backend/intel/mir"
)

// state holds the facts at the start of a block, for the live registers in their order. A register without a
// row may have any contents.
type state struct {
	thread []*row // for the owning lane while it is inactive, or for bytes without an owner
	lanes  []*row // for the owning lane while it is active
}

// area is a range of places that an instruction writes, with the lane that writes each: noLane for places that
// are not written, allLanes for unmasked writes.
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

// about selects the bytes that facts are about.
type about uint8

const (
	allBytes     about = iota // bytes of inactive lanes, and bytes without an owner
	runningLanes              // bytes of active lanes
	waitingLanes              // bytes of inactive lanes
)

// facts is one half of a state while it is modified.
type facts struct {
	c     *checker
	about about
	known []int32 // registers with facts
	byReg [][]set
	from  []*row             // by register: row that byReg comes from; nil if modified
	near  [numBuckets]bucket // registers that may have a byte in each bucket
	round uint32             // number of states loaded
	arena []set              // storage for modified facts
	stamp []uint32
	now   uint32
	found []int32
}

// bucket lists the registers that may have a byte in a bucket; it is valid only while its round is the current one.
type bucket struct {
	round uint32
	regs  []int32
}

func newFacts(c *checker, a about) *facts {
	n := len(c.owner)
	return &facts{c: c, about: a, byReg: make([][]set, n), from: make([]*row, n), stamp: make([]uint32, n)}
}

// Costs of steps of work.
const (
	stepSteps = 1 << 7 // processing an instruction
	rowSteps  = 4      // taking over the facts about a register
	byteSteps = 2      // comparing the facts about a byte
)

// reset removes all facts from f.
func (f *facts) reset() {
	for _, r := range f.known {
		f.byReg[r], f.from[r] = nil, nil
	}
	f.known, f.arena = f.known[:0], f.arena[:0]
	f.round++
}

// load sets f to the facts about registers, given by their rows.
func (f *facts) load(regs []int32, rows []*row) {
	f.c.new.Work.Spend(rowSteps * len(regs))
	f.reset()
	for i, r := range regs {
		if rows[i] != nil {
			f.take(r, rows[i])
		}
	}
}

// take adds the facts about a register that has none yet.
func (f *facts) take(r int32, x *row) {
	f.known = append(f.known, r)
	f.byReg[r], f.from[r] = x.bytes, x
	for _, u := range x.buckets {
		f.noteBucket(r, u)
	}
}

func (f *facts) noteBucket(r int32, u uint16) {
	l := &f.near[u]
	if l.round != f.round {
		l.round, l.regs = f.round, l.regs[:0]
	}
	if n := len(l.regs); n == 0 || l.regs[n-1] != r {
		l.regs = append(l.regs, r)
	}
}

// note records that register r may have bytes at n places starting at x.
func (f *facts) note(r int32, x, n place) {
	for u := x &^ (bucketPlaces - 1); u < x+n; u += bucketPlaces {
		f.noteBucket(r, bucketOf(u))
	}
}

// of returns the facts about register r for modification.
func (f *facts) of(r int) []set {
	b := f.byReg[r]
	if b != nil && f.from[r] == nil {
		return b
	}
	n := len(f.c.owner[r])
	if len(f.arena)+n > cap(f.arena) {
		f.arena = make([]set, 0, max(2*cap(f.arena), n, 1<<12)) // facts modified earlier keep their storage
	}
	at := len(f.arena)
	f.arena = f.arena[:at+n]
	mine := f.arena[at : at+n : at+n]
	if b == nil {
		clear(mine)
		f.known = append(f.known, int32(r))
	} else {
		copy(mine, b)
	}
	f.byReg[r], f.from[r] = mine, nil
	return mine
}

// row returns the interned row of the facts about register r, or nil if there are none.
func (f *facts) row(r int32) *row {
	if f.from[r] == nil && f.byReg[r] != nil {
		x := f.c.row(r, f.byReg[r])
		f.from[r], f.byReg[r] = x, x.bytes
	}
	return f.from[r]
}

func (f *facts) get(r int, k uint32) set {
	if f.byReg[r] == nil {
		return anything
	}
	return f.byReg[r][k]
}

// noReg denotes no register.
const noReg = -1

// among finds the registers that may have a byte at n places starting at x. The list is valid until the next search.
func (f *facts) among(x place, n int) []int32 {
	f.now++
	f.found = f.found[:0]
	f.more(x, n)
	return f.found
}

// more continues a search.
func (f *facts) more(x place, n int) {
	for u := x &^ (bucketPlaces - 1); u < x+place(n); u += bucketPlaces {
		l := &f.near[bucketOf(u)]
		if l.round != f.round {
			continue
		}
		for _, r := range l.regs {
			if f.stamp[r] != f.now {
				f.stamp[r] = f.now
				f.found = append(f.found, r)
			}
		}
	}
}

// kill removes the facts about an area that is written. It spares the bytes of register spare at distance d,
// which receive the same write. Facts about an inactive lane survive writes by that lane, which does not
// execute them.
func (f *facts) kill(a *area, spare int, d place) {
	lo, hi := a.buckets()
	for _, r := range f.among(a.start, len(a.lane)) {
		bytes := f.byReg[r]
		owner := f.c.owner[r]
		left := false
		for k := range bytes {
			s := bytes[k]
			for _, x := range f.c.sets.members[s] {
				at := place(k) + x
				lane := a.at(at)
				if lane == noLane || int(r) == spare && x == d || f.about != runningLanes && lane == owner[k] {
					left = left || lo <= at && at < hi
					continue
				}
				bytes = f.of(int(r))
				bytes[k] = f.c.sets.remove(bytes[k], x)
			}
		}
		if !left {
			f.drop(r, lo, hi)
		}
	}
}

// buckets returns the range of buckets of the register file, as places, that an area occupies; it is empty if the area is
// elsewhere.
func (a *area) buckets() (lo, hi place) {
	lo, hi = a.start&^(bucketPlaces-1), (a.start+place(len(a.lane))+bucketPlaces-1)&^(bucketPlaces-1)
	if hi > fileBytes {
		return 0, 0
	}
	return lo, hi
}

// drop records that register r has no byte in a range of the register file. Otherwise a search for the current
// contents of a place would also find its earlier contents.
func (f *facts) drop(r int32, lo, hi place) {
	for u := lo; u < hi; u += bucketPlaces {
		if l := &f.near[bucketOf(u)]; l.round == f.round {
			l.regs = slices.DeleteFunc(l.regs, func(x int32) bool { return x == r })
		}
	}
}

// copy records that an area receives a copy. Its sources, at distances shifts from the area, all hold the same
// contents.
func (f *facts) copy(a *area, shifts ...place) {
	lo, hi := a.buckets()
	update := func(r int32) {
		bytes := f.byReg[r]
		left := false
		for k := range bytes {
			before := bytes[k]
			if before <= nowhere {
				continue
			}
			after := before
			change := func(d place) { // d: place of a copy, or of the contents that it overwrites
				lane := a.at(place(k) + d)
				own := lane == f.c.owner[r][k]
				if lane == noLane || own && f.about != runningLanes {
					return
				}
				had, gets := f.c.sets.has(before, d), false
				for _, shift := range shifts {
					gets = gets || f.c.sets.has(before, d+shift)
				}
				// A copy by another lane may or may not happen.
				if gets && (had || own || lane == allLanes) {
					after = f.c.sets.add(after, d)
				} else {
					after = f.c.sets.remove(after, d)
				}
			}
			for _, x := range f.c.sets.members[before] {
				change(x)
				for _, shift := range shifts {
					change(x - shift)
				}
			}
			if after != before {
				bytes = f.of(int(r))
				bytes[k] = after
				f.note(r, a.start, place(len(a.lane)))
			}
			for _, x := range f.c.sets.members[after] {
				left = left || lo <= place(k)+x && place(k)+x < hi
			}
		}
		if !left {
			f.drop(r, lo, hi)
		}
	}
	f.among(a.start, len(a.lane))
	for _, shift := range shifts {
		f.more(a.start+shift, len(a.lane))
	}
	for _, r := range f.found {
		update(r)
	}
}

// assign records that a byte of a register receives the contents of the places in a set.
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

// assignAll records that an instruction writes runs of bytes of a register.
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

// put records the places of the bytes of a copy, given by sets.
func (f *facts) put(x *regCopy, at []set) {
	for i, y := range x.bytes {
		f.assign(x.dst, y.to, at[i], x.noMask, x.predicated)
		for _, d := range f.c.sets.members[at[i]] {
			f.note(int32(x.dst), place(y.to)+d, 1)
		}
	}
}
