// SPDX-License-Identifier: MIT

package ra

import (
	"cmp"
	"slices"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

// Account records where registers are live, and which registers were spilled. A value is named by the Loc of the
// first instruction, in the order of the code, that writes it.
type Account struct {
	// Occupied is the number of GRFs, by instruction, that are live before it.
	Occupied []uint8
	// Peak is the first instruction with the most live GRFs; Held lists their contents.
	Peak mir.ID
	Held []Held

	Spilled []Spilled // in the order in which registers were spilled
	// Made maps an instruction that spilling inserted to the index of its register in Spilled.
	Made map[mir.ID]int
}

// Held is the content of a GRF at an instruction. Several scalars may share one.
type Held struct {
	Loc     uint32
	Payload bool // part of the thread payload; Loc is 0
	GRF     int
}

// Spilled is a register that was spilled.
type Spilled struct {
	Loc           uint32
	How           How
	Bytes         int    // size of the register
	Peak          uint32 // the Loc of the instruction in its live range with the most live registers
	Live          int    // the number of GRFs live there
	Stores, Fills int    // messages
}

// account returns the account of the allocation. payload[g] is the last position that reads GRF g of the payload.
func (a *Allocator) account(payload []int32) *Account {
	x := a.spill.account
	if x == nil {
		x = &Account{}
	}
	a.findWrites()
	x.Occupied = a.occupied(payload)
	x.Peak = 0
	at, pos := int32(0), int32(0)
	for b := range a.f.Blocks {
		for i := a.f.Blocks[b].First; i != 0; i = a.f.Next(i) {
			if (x.Peak == 0 || x.Occupied[i] > x.Occupied[x.Peak]) && !a.vanishes(a.f.At(i)) {
				x.Peak, at = i, pos
			}
			pos += 2
		}
	}
	x.Held = a.held(at, payload)
	return x
}

// findWrites finds the first position that writes each GRF of a register.
func (a *Allocator) findWrites() {
	l := &a.live
	a.written = reuse.Slice(a.written, len(l.parts))
	for i := range a.written {
		a.written[i] = never
	}
	pos := int32(1)
	for b := range a.f.Blocks {
		for i, in := a.f.FirstOf(b); i != 0; i, in = a.f.NextOf(in) {
			if in.Dst.File == mir.VReg {
				first, last := l.touches(&in.Dst, l.f.DstBytes(in))
				for k := first; k < last; k++ {
					a.written[k] = min(a.written[k], pos)
				}
			}
			pos += 2
		}
	}
}

// start returns the position from which GRF k of a register holds a value. If the register's live range starts before
// all its writes, as it does for a register that is live around a loop, this is the start of the range; otherwise it
// is the first write of the GRF.
func (a *Allocator) start(r mir.Reg, k int) int32 {
	l := &a.live
	if own := a.written[l.base[r]:l.base[r+1]]; slices.Min(own) <= l.Start[r] {
		return own[k]
	}
	return l.Start[r]
}

// vanishes reports whether an instruction does not become code.
func (a *Allocator) vanishes(in *mir.Inst) bool {
	if in.Op == mir.OpUndef || in.Op == mir.OpLoop {
		return true
	}
	if !in.Copies() {
		return false
	}
	dst, src := in.Dst, in.Src[0]
	a.operand(&dst)
	a.operand(&src)
	return dst.File == mir.GRF && src.File == mir.GRF && dst.Num == src.Num && dst.Off == src.Off
}

// held returns the payload GRFs and registers that are live at a position.
func (a *Allocator) held(at int32, payload []int32) (list []Held) {
	for g, end := range payload[:min(a.f.Payload, len(payload))] {
		if end >= at {
			list = append(list, Held{Payload: true, GRF: g})
		}
	}
	made := makers(a.f)
	for _, x := range a.order {
		r := mir.Reg(uint32(x))
		if a.place[r] == noPlace || a.live.Start[r] > at {
			continue
		}
		for k := range a.f.GRF.Count(a.f.Reg(r).Bytes) {
			if a.start(r, k) <= at && a.live.EndOf(r, k) >= at {
				list = append(list, Held{Loc: made[r], GRF: a.register(int(a.place[r])) + k})
			}
		}
	}
	return list
}

// makers returns, by register, the Loc of the first instruction that writes it.
func makers(f *mir.Func) []uint32 {
	made := make([]uint32, len(f.Regs))
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if r := in.Dst.VReg(); r != 0 && made[r] == 0 {
				made[r] = in.Loc
			}
		}
	}
	return made
}

// begin records the victims of a round before they are spilled.
func (x *Account) begin(f *mir.Func, l *Live, victims []mir.Reg, plans []plan) {
	f.Work.Spend(f.NumInsts())
	made := makers(f)
	p := pressureOf(f, l)
	var locs []uint32
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			locs = append(locs, in.Loc)
		}
	}
	for _, v := range victims {
		plans[v].record = int32(len(x.Spilled))
		at := p.peak(int(l.Start[v]), min(int(l.End[v]), 2*len(locs)-1))
		x.Spilled = append(x.Spilled, Spilled{
			Loc: made[v], Bytes: int(f.Reg(v).Bytes), Peak: locs[at/2], Live: f.GRF.Count(uint32(p.bytes[at])),
		})
	}
}

// pressure is the number of live bytes, by position.
type pressure struct {
	bytes  []int32
	blocks []int // the position with the most, by block of pressureBlock positions
}

const pressureBlock = 256

func pressureOf(f *mir.Func, l *Live) *pressure {
	l.Pressure(f) // for delta
	p := &pressure{bytes: make([]int32, len(l.delta))}
	sum := int32(0)
	for i, d := range l.delta {
		sum += d
		p.bytes[i] = sum
		if i%pressureBlock == 0 {
			p.blocks = append(p.blocks, i)
		}
		if b := &p.blocks[i/pressureBlock]; sum > p.bytes[*b] {
			*b = i
		}
	}
	return p
}

// peak returns the first position in a range with the most live bytes.
func (p *pressure) peak(from, to int) int {
	best := from
	for i := from; i <= to; i++ {
		at, next := i, i
		if i%pressureBlock == 0 && i+pressureBlock <= to {
			at, next = p.blocks[i/pressureBlock], i+pressureBlock-1
		}
		if p.bytes[at] > p.bytes[best] {
			best = at
		}
		i = next
	}
	return best
}

// note records that the instructions between from and to, both excluded, were inserted into block b for a spilled
// register. If from is 0, they begin at the start of the block; if to is 0, they reach to its end.
func (x *Account) note(f *mir.Func, b int, from, to mir.ID, p *plan) *Spilled {
	i := f.Blocks[b].First
	if from != 0 {
		i = f.Next(from)
	}
	for ; i != to; i = f.Next(i) {
		x.Made[i] = int(p.record)
	}
	return &x.Spilled[p.record]
}

// settle removes instructions that have left the function, since their numbers are reused.
func (x *Account) settle(f *mir.Func) {
	there := make([]bool, f.NumInsts())
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			there[i] = true
		}
	}
	for i := range x.Made {
		if !there[i] {
			delete(x.Made, i)
		}
	}
}

// occupied returns, by instruction, the number of GRFs that are live before it. payload[g] is the last position that
// reads GRF g of the payload.
func (a *Allocator) occupied(payload []int32) []uint8 {
	type change struct {
		at        int32 // starting at this position
		grf, more int
	}
	l := &a.live
	var changes []change
	for g, end := range payload[:min(a.f.Payload, len(payload))] {
		if end >= 0 {
			changes = append(changes, change{0, g, 1}, change{end + 1, g, -1})
		}
	}
	for _, x := range a.order {
		r := mir.Reg(uint32(x))
		if a.place[r] == noPlace {
			continue
		}
		for k := range a.f.GRF.Count(a.f.Reg(r).Bytes) {
			if start, g := a.start(r, k), a.register(int(a.place[r]))+k; start <= l.EndOf(r, k) {
				changes = append(changes, change{start, g, 1}, change{l.EndOf(r, k) + 1, g, -1})
			}
		}
	}
	slices.SortFunc(changes, func(x, y change) int { return cmp.Compare(x.at, y.at) })
	var holds [mir.NumGRFs]int // registers, by GRF
	n, pos := 0, int32(0)
	out := make([]uint8, a.f.NumInsts())
	for b := range a.f.Blocks {
		for i := a.f.Blocks[b].First; i != 0; i = a.f.Next(i) {
			for len(changes) > 0 && changes[0].at <= pos {
				c := changes[0]
				changes = changes[1:]
				if holds[c.grf] == 0 {
					n++
				}
				if holds[c.grf] += c.more; holds[c.grf] == 0 {
					n--
				}
			}
			out[i] = uint8(n)
			pos += 2 // as in Live
		}
	}
	return out
}
