// SPDX-License-Identifier: MIT

package ra

import (
	"fmt"
	"math"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

const (
	slotBytes = 4 // the smallest allocation unit
	noPlace   = -1
	maxRounds = 64
)

// Stats holds statistics of an allocation.
type Stats struct {
	Spills, Fills int
	Again         int      // rematerialized operations, excluding constants
	SpillBytes    uint32   // scratch used by a thread for spills
	Registers     int      // GRFs used, payload included
	Account       *Account // nil unless Machine.Account is set
}

// Allocator assigns registers; its memory is reused.
type Allocator struct {
	file           *mir.RegFile
	flags          flagAllocator
	live           Live
	values         values
	f              *mir.Func
	grf            int                // bytes of a GRF
	order          []uint64           // registers sorted by the start of their live ranges: start in the high half, number in the low half
	place          []int32            // by register: byte address in the GRF file
	busy           [mir.NumGRFs]slots // by GRF: the slots in use
	group          [mir.NumGRFs]bool  // holds scalars
	peak           int                // most GRFs in use at once
	reserve        int                // Machine.Reserve
	shortest       int32              // length of the shortest live range that is spilled
	rotate         bool               // registers are assigned in turn, so that a register is not overwritten soon after a read
	avoidLast      bool               // scalars are kept out of the GRFs reserved for the last message
	used           int                // GRFs with slots in use
	act            active             // the linear scan's active list
	nextPayloadEnd int32              // no busy payload GRF ends before this position
	pos            int32              // GRFs whose live ranges end before this position are free
	victims        []mir.Reg
	spill          spiller
	next           int
	nextInTurn     int // rotate: the GRF in which the search for room for a scalar begins
	stats          Stats
	written        []int32 // by GRF of a register: the position of its first write, for an account
	payload        []int32 // Live.Payload before registers are placed, for an account
}

// Allocate replaces all virtual registers of f with the machine's flag, address and general registers and accumulators.
// Spilled registers are stored at the start of the machine's spill memory.
func (a *Allocator) Allocate(f *mir.Func, m Machine) (Stats, error) {
	if err := a.flags.run(f, m.Spill); err != nil {
		return Stats{}, err
	}
	a.begin(f, m)
	a.stats = Stats{}
	a.spill = spiller{live: &a.live, code: m.Spill, values: &a.values, plans: a.spill.plans}
	if m.Account {
		a.spill.account = &Account{Made: map[mir.ID]int{}}
	}
	for range maxRounds {
		ok := a.round(m.Account)
		if ok && len(a.victims) == 0 {
			if m.Account {
				a.stats.Account = a.account(a.payload)
			}
			a.apply(false)
			if m.Account {
				a.stats.Account.settle(f)
			}
			a.stats.SpillBytes = a.spill.used
			a.stats.Registers = a.peak
			a.stats.Spills, a.stats.Fills, a.stats.Again = a.spill.stores, a.spill.loads, a.spill.redone
			return a.stats, nil
		}
		if !ok && a.reserve > 0 {
			a.reserve = 0
			continue
		}
		if !ok && a.shortest > 0 {
			a.shortest = 0
			continue
		}
		if !ok {
			return a.stats, fmt.Errorf("%s: more registers are needed at once than the machine has", f.Name)
		}
		if err := a.spill.run(f, a.victims); err != nil {
			return a.stats, err
		}
	}
	return a.stats, fmt.Errorf("%s: spilling does not terminate", f.Name)
}

// begin prepares for a function of a machine.
func (a *Allocator) begin(f *mir.Func, m Machine) {
	a.f, a.grf = f, int(f.GRF.Bytes())
	a.file, a.reserve, a.shortest = m.File, m.Reserve, worthwhile
}

// Fits reports whether all virtual registers of f, including flags, can be allocated without spilling. It does not
// change f; Apply then assigns the registers without repeating the work.
func (a *Allocator) Fits(f *mir.Func, m Machine) bool {
	a.flags.made, a.victims = len(f.Regs), a.victims[:0]
	if err := a.flags.try(f); err != nil || a.flags.short {
		return false
	}
	a.begin(f, m)
	return a.round(m.Account) && len(a.victims) == 0
}

// Lack estimates the cost of spilling the registers that the last call of Fits found no room for: the number of GRFs of
// them that instructions read and write, weighted by loops. It is infinite if flags found no room.
func (a *Allocator) Lack() (sum float32) {
	if a.flags.short {
		return float32(math.Inf(1))
	}
	for _, v := range a.victims {
		sum += a.values.regs[v].uses * float32(a.f.GRF.Count(a.f.Reg(v).Bytes))
	}
	return sum
}

// Apply replaces all virtual registers of the function of the last call of Fits, which must have returned true. The
// function must not have changed since. The result is the same as Allocate's.
func (a *Allocator) Apply() Stats {
	st := Stats{Registers: a.peak}
	if a.payload != nil {
		a.spill.account = nil
		st.Account = a.account(a.payload)
	}
	a.apply(true)
	return st
}

// round computes live ranges and places all registers with try: first in turn, if the pressure allows it, and as
// tightly as possible if not all of them fit. If some cannot be placed even with spilling, from which the registers
// of the last message and scalars are exempt, it tries again with scalars kept out of the way of that message. If
// account is set, it keeps a copy of the payload's live ranges, which try consumes.
func (a *Allocator) round(account bool) bool {
	a.live.anyStart = a.file.Pair == 1
	a.live.Compute(a.f)
	a.values.f, a.payload, a.avoidLast = nil, nil, false
	if account {
		a.payload = slices.Clone(a.live.Payload[:])
	}
	payload := a.live.Payload
	if a.rotate = a.live.Pressure(a.f) <= a.file.TurnPressure; a.rotate {
		if a.try() && len(a.victims) == 0 {
			return true
		}
		a.rotate, a.live.Payload = false, payload
	}
	if a.try() {
		return true
	}
	a.avoidLast, a.live.Payload = true, payload
	return a.try()
}

// reservedInTurn is the number of GRFs kept free for code inserted after allocation if registers are assigned in turn. They
// precede the last GRF, which the last message uses.
const reservedInTurn = 2

// keptFree returns the GRFs to keep free. For Machine.Reserve they precede the range of the last message,
// which may need nearly all of it. If the payload reaches that far, they precede the last GRF.
func (a *Allocator) keptFree() mir.RegRun {
	switch n := a.reserve; {
	case n > 0 && a.f.Payload <= a.file.LastFrom-n:
		return mir.RegRun{First: a.file.LastFrom - n, N: n}
	case n > 0:
		return mir.RegRun{First: a.file.Registers - 1 - n, N: n}
	case a.rotate:
		return mir.RegRun{First: a.file.Registers - 1 - reservedInTurn, N: reservedInTurn}
	}
	return mir.RegRun{}
}

// try places every register. If a register does not fit, it evicts others into victims, to be spilled, until it does.
// It returns false if there is nothing to evict.
func (a *Allocator) try() bool {
	a.victims = a.victims[:0]
	f, l := a.f, &a.live
	n := len(f.Regs)
	a.place, a.order = reuse.Slice(a.place, n), a.order[:0]
	a.act.reset(n, int(l.starts[len(f.Blocks)])+2)
	a.busy, a.used, a.group = [mir.NumGRFs]slots{}, 0, [mir.NumGRFs]bool{}
	for r := range n {
		a.place[r] = noPlace
		if l.End[r] >= l.Start[r] && f.Regs[r].Class == mir.General {
			a.order = append(a.order, uint64(l.Start[r])<<32|uint64(r))
		}
	}
	slices.Sort(a.order)
	for g := range a.f.Payload {
		if l.Payload[g] >= 0 {
			a.mark(g*a.grf, a.grf, true)
		}
	}
	for _, run := range a.file.Reserved {
		a.mark(run.First*a.grf, run.N*a.grf, true)
	}
	left := a.keptFree()
	a.mark(left.First*a.grf, left.N*a.grf, true)
	a.next, a.peak, a.nextInTurn = 0, f.Payload, a.file.Registers-1
	a.nextPayloadEnd, a.pos = 0, 0
	for _, x := range a.order {
		r := mir.Reg(uint32(x))
		a.expire(l.Start[r])
		info := f.Reg(r)
		at := a.find(r, info)
		for at == noPlace {
			v := a.victim(r)
			if v == 0 {
				return false
			}
			a.victims = append(a.victims, v)
			if v == r {
				break
			}
			a.evict(v)
			at = a.find(r, info)
		}
		if at == noPlace {
			continue
		}
		a.place[r] = int32(at)
		a.mark(at, int(info.Bytes), true)
		if a.rotate && !info.Uniform {
			a.next = a.f.GRF.Count(uint32(at)+info.Bytes) % a.file.TurnEnd
		}
		if info.Uniform && int(info.Align) < a.grf {
			a.group[a.register(at)] = true
		}
		a.act.add(r)
		a.act.expireAt(r, l.nextEnd(r, l.Start[r]))
		a.peak = max(a.peak, a.used-left.N)
	}
	return true
}

// evict frees the space of a placed register.
func (a *Allocator) evict(v mir.Reg) {
	a.release(v, a.pos, never)
	a.place[v] = noPlace
	a.act.remove(v)
}

// expire frees the GRFs whose live ranges end before position p.
func (a *Allocator) expire(p int32) {
	for q := a.pos; q < p; q++ {
		for r := a.act.ends[q]; r != 0; {
			more := a.act.more[r]
			switch {
			case a.place[r] == noPlace: // it was evicted
			case a.live.End[r] < p:
				a.release(r, q, p)
				a.act.remove(r)
			default:
				a.release(r, q, p)
				a.act.expireAt(r, a.live.nextEnd(r, p))
			}
			r = more
		}
	}
	a.pos = p
	if p <= a.nextPayloadEnd {
		return
	}
	a.nextPayloadEnd = never
	for g := range a.f.Payload {
		switch e := a.live.Payload[g]; {
		case e < 0:
		case e < p:
			a.mark(g*a.grf, a.grf, false)
			a.live.Payload[g] = -1
		default:
			a.nextPayloadEnd = min(a.nextPayloadEnd, e)
		}
	}
}

// release frees the GRFs of r whose live ranges end at or after position p and before limit.
func (a *Allocator) release(r mir.Reg, p, limit int32) {
	at, bytes := int(a.place[r]), int(a.f.Reg(r).Bytes)
	for _, x := range a.live.partsOf(r) {
		if x.end >= p && x.end < limit {
			a.mark(at, min(bytes, a.grf), false)
		}
		at, bytes = at+a.grf, bytes-a.grf
	}
}

// mark marks the slots of a number of bytes starting at at as busy or free, and counts the GRFs in use.
func (a *Allocator) mark(at, bytes int, busy bool) {
	for g, from := a.register(at), int(a.f.GRF.In(uint32(at))); bytes > 0; g++ {
		n := min(bytes, a.grf-from)
		was, now := a.busy[g], slotsOf(from, n)
		bytes, from = bytes-n, 0
		if busy {
			a.busy[g] = was | now
			if was == 0 {
				a.used++
			}
		} else {
			a.busy[g] = was &^ now
			if was != 0 && was&^now == 0 {
				a.used--
			}
		}
	}
}

// slots is a set of slots of a GRF.
type slots uint16

// slotsOf returns the slots that n bytes occupy in a GRF, starting at byte from.
func slotsOf(from, n int) slots {
	return slots(1)<<(uint(from+n+slotBytes-1)/slotBytes) - slots(1)<<(uint(from)/slotBytes)
}

// register returns the GRF that has a byte of the register file.
func (a *Allocator) register(at int) int { return int(a.f.GRF.Of(uint32(at))) }

// free reports whether n GRFs starting at g are free.
func (a *Allocator) free(g, n int) bool {
	if g+n > a.file.Registers {
		return false
	}
	for _, x := range a.busy[g : g+n] {
		if x != 0 {
			return false
		}
	}
	return true
}

// find searches for space for a register and returns its byte address, or noPlace.
func (a *Allocator) find(r mir.Reg, info *mir.RegInfo) int {
	if info.Uniform && int(info.Align) < a.grf {
		return a.findScalar(info)
	}
	grfs := a.f.GRF.Count(info.Bytes)
	step := 1
	if grfs > 1 && !info.Uniform {
		step = a.file.Pair
	}
	if a.live.last[r] {
		for g := a.file.Registers - grfs; g >= a.file.LastFrom; g-- {
			if a.free(g, grfs) && !a.overtakes(r, int32(g*a.grf)) {
				return g * a.grf
			}
		}
		return noPlace
	}
	if h := a.live.hint[r]; h != 0 && a.place[h] != noPlace && a.place[h]%int32(a.grf*step) == 0 &&
		a.free(a.register(int(a.place[h])), grfs) {
		return int(a.place[h])
	}
	start := (a.next + step - 1) / step * step
	for pass := range 2 {
		from, to := start, a.file.Registers
		if pass == 1 {
			from, to = 0, min(start+grfs, a.file.Registers)
		}
		for g := from; g+grfs <= to; g += step {
			if a.free(g, grfs) {
				return g * a.grf
			}
		}
	}
	return noPlace
}

// overtakes reports whether the first write of r, a register of the last message, overwrites data that it has yet to
// read if r is placed at a byte.
func (a *Allocator) overtakes(r mir.Reg, at int32) bool {
	for _, x := range a.live.odd {
		if x.to == r && a.place[x.from] != noPlace && a.place[x.from]+x.by == at {
			return true
		}
	}
	return false
}

// findScalar tries GRFs that already hold scalars, then an empty one from the top. In turn, it first tries the GRFs
// that vectors do not use, since an instruction that reads a scalar waits for the last write of any scalar in the
// same GRF.
func (a *Allocator) findScalar(info *mir.RegInfo) int {
	if a.rotate {
		if at := a.scalarInTurn(info); at != noPlace {
			return at
		}
	}
	top := a.file.Registers
	if a.avoidLast {
		top = a.file.LastFrom
	}
	for g := top - 1; g >= 0; g-- {
		if a.group[g] && a.busy[g] != 0 {
			if at := a.inside(g, info); at != noPlace {
				return at
			}
		}
	}
	for g := top - 1; g >= 0; g-- {
		if a.busy[g] == 0 {
			return g * a.grf
		}
	}
	return noPlace
}

// scalarInTurn searches the GRFs from TurnEnd downward, starting before the GRF taken last: first for an empty GRF, then
// for a GRF with room.
func (a *Allocator) scalarInTurn(info *mir.RegInfo) int {
	first, n := a.file.TurnEnd, a.file.Registers-a.file.TurnEnd
	for pass := range 2 {
		for k := range n {
			g := first + (a.nextInTurn-first-k+n)%n
			at := noPlace
			if pass > 0 {
				at = a.inside(g, info)
			} else if a.busy[g] == 0 {
				at = g * a.grf
			}
			if at != noPlace {
				a.nextInTurn = first + (g-1-first+n)%n
				return at
			}
		}
	}
	return noPlace
}

// inside searches a GRF for room for a scalar.
func (a *Allocator) inside(g int, info *mir.RegInfo) int {
	for from := 0; from+int(info.Bytes) <= a.grf; from += int(info.Align) {
		if a.busy[g]&slotsOf(from, int(info.Bytes)) == 0 {
			return g*a.grf + from
		}
	}
	return noPlace
}

// againCost is the cost of rematerializing a register, relative to a cost of 1 for
// spilling and filling it.
const againCost = 0.25

// worthwhile is the length of the shortest live range that makes room if it is spilled. Shorter ones, which may also leave
// room for a single instruction, are spilled only if nothing else is left.
const worthwhile = 6

// victim selects the register to spill if there is no room for r: the register with the fewest weighted reads and
// writes for its size and length, or 0 if none can be spilled. Scalars are so small that they are spilled only to make
// room for other scalars. A register of the last message must be in the last GRFs of the file: only registers in these are
// candidates to make room for it.
func (a *Allocator) victim(r mir.Reg) mir.Reg {
	if a.values.f == nil {
		a.values.find(a.f)
	}
	best, cost := mir.Reg(0), float32(0)
	whole := a.f.GRF.Align()
	scalar := a.f.Reg(r).Align < whole
	consider := func(v mir.Reg) {
		info := a.f.Reg(v)
		if info.NoSpill || a.live.last[v] || info.Align < whole && !scalar || a.apart(v, r) {
			return
		}
		length := a.live.End[v] - a.live.Start[v]
		if length < a.shortest {
			return
		}
		x := &a.values.regs[v]
		c := x.uses / (float32(length) * float32(info.Bytes))
		switch {
		case x.packable():
			c = min(c, x.weight*float32(a.f.GRF.Of(info.Bytes))/(float32(length)*float32(info.Bytes)))
		case x.cheap && a.values.again(v, &a.live):
			c *= againCost
		}
		if best == 0 || c < cost {
			best, cost = v, c
		}
	}
	for v := a.act.next[0]; v != 0; v = a.act.next[v] {
		consider(v)
	}
	consider(r)
	return best
}

// apart reports whether spilling v makes no room for r because r must be in GRFs that v does not occupy.
func (a *Allocator) apart(v, r mir.Reg) bool {
	return a.live.last[r] && int(a.place[v])+int(a.f.Reg(v).Bytes) <= a.file.LastFrom*a.grf
}

// apply replaces virtual registers in the operands with the assigned ones, including flags unless that has been done.
func (a *Allocator) apply(flags bool) {
	f := a.f
	if flags {
		a.flags.apply()
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; {
			in := f.At(i)
			next := f.Next(i)
			a.operand(&in.Dst)
			for k := range in.Src {
				a.operand(&in.Src[k])
			}
			if in.Op == mir.OpUndef || in.IsMove() && copiesToItself(in) {
				f.Remove(i)
			}
			i = next
		}
	}
	f.Regs = f.Regs[:1] // no virtual registers are left
}

func (a *Allocator) operand(o *mir.Operand) {
	if o.File != mir.VReg {
		return
	}
	at := uint32(a.place[o.Num]) + o.Off
	o.File, o.Num, o.Off = mir.GRF, a.f.GRF.Of(at), a.f.GRF.In(at)
}

// copiesToItself reports whether an instruction copies a register to itself.
func copiesToItself(in *mir.Inst) bool {
	s := &in.Src[0]
	return in.Copies() && in.Dst.File == mir.GRF && s.File == mir.GRF && in.Dst.Num == s.Num && in.Dst.Off == s.Off
}
