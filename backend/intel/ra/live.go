// Package ra gives virtual registers their place among the GRFs.
//
// Lives are intervals over the linear order of the code, which covers the
// physical flow of control: what is live on one side of an if is kept through
// the other side, what is defined in a loop and read behind it is kept through
// the whole loop. So a write without mask never reaches a register that some
// inactive lane still needs.
package ra

import (
	"jacquard.example/backend/intel/liveness"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// Live holds liveness at block boundaries and the interval of every register.
// Positions are 2·n for what instruction n reads and 2·n+1 for what it writes.
type Live struct {
	Start, End []int32   // by virtual register; Start > End: never used
	Weight     []float32 // reads and writes, ten times as much for each loop around
	Payload    [128]int32

	words   int
	rows    int
	sets    []uint64 // in, use, def, reach: a row for each block
	base    []int32  // by register: its first GRF in the two below
	cover   []uint32 // bytes written so far in the block
	needed  []uint32 // bytes that anything reads
	mixed   []bool   // by register: has lanes, but something writes it without mask
	touched []mir.Reg
	first   []int32 // by block: position of its first instruction
	last    []int32
	loops   []span
}

type span struct {
	header     int32
	start, end int32
}

const never = int32(1) << 30

func (l *Live) row(kind, b int) []uint64 {
	at := (kind*l.rows + b) * l.words
	return l.sets[at : at+l.words]
}

const (
	rowIn = iota
	rowUse
	rowDef
	rowReach
	numRows
)

// LiveIn reports that r is live at the start of block b, along the physical
// flow.
func (l *Live) LiveIn(b int, r mir.Reg) bool {
	return l.row(rowIn, b)[r>>6]>>(r&63)&1 != 0
}

// Compute finds the lives in f.
func (l *Live) Compute(f *mir.Func) {
	n := len(f.Regs)
	l.rows, l.words = len(f.Blocks), (n+63)/64
	work.Sets(numRows, l.rows, n)
	l.sets = reuse.Zeroed(l.sets, numRows*l.rows*l.words)
	l.Start, l.End = reuse.Zeroed(l.Start, n), reuse.Zeroed(l.End, n)
	l.Weight = reuse.Zeroed(l.Weight, n)
	l.bytes(f)
	l.first, l.last = reuse.Zeroed(l.first, l.rows), reuse.Zeroed(l.last, l.rows)
	for i := range l.Start {
		l.Start[i], l.End[i] = never, -1
	}
	for i := range l.Payload {
		l.Payload[i] = -1
	}
	l.local(f)
	l.flow(f)
	l.extend(f)
}

// local finds what each block reads before it writes it, what it defines wholly,
// and the bare intervals.
func (l *Live) local(f *mir.Func) {
	pos := int32(0)
	l.loops = l.loops[:0]
	var stack []int
	for b := range f.Blocks {
		use, def, reach := l.row(rowUse, b), l.row(rowDef, b), l.row(rowReach, b)
		blk := &f.Blocks[b]
		l.first[b] = pos
		weight := float32(1)
		for range blk.Loops {
			weight *= 10
		}
		l.touched = l.touched[:0]
		for i := blk.First; i != 0; i = f.Next(i) {
			in := f.At(i)
			late := in.LateSrcs()
			for k := range in.Src {
				o := &in.Src[k]
				p := pos
				if late&(1<<k) != 0 {
					p++
				}
				if o.File == mir.GRF {
					l.payload(o, in.SrcBytes(k), p)
				}
				if o.File != mir.VReg {
					continue
				}
				r := mir.Reg(o.Num)
				if !l.covered(in, k) {
					use[r>>6] |= 1 << (r & 63)
				}
				l.at(r, p)
				l.Weight[r] += weight
			}
			if in.Dst.File == mir.VReg {
				r := mir.Reg(in.Dst.Num)
				reach[r>>6] |= 1 << (r & 63)
				l.at(r, pos+1)
				l.Weight[r] += weight
				l.touched = append(l.touched, r)
				if l.write(in, r) {
					def[r>>6] |= 1 << (r & 63)
				}
			}
			switch in.Op {
			case mir.OpLoop:
				stack = append(stack, len(l.loops))
				l.loops = append(l.loops, span{header: int32(b), start: pos})
			case isa.OpWhile:
				l.loops[stack[len(stack)-1]].end = pos + 1
				stack = stack[:len(stack)-1]
			}
			pos += 2
		}
		l.last[b] = pos
		for _, r := range l.touched {
			clear(l.cover[l.base[r]:l.base[r+1]])
		}
	}
}

// bytes numbers the GRFs of all registers and finds the bytes that are read.
func (l *Live) bytes(f *mir.Func) {
	l.base = reuse.Zeroed(l.base, len(f.Regs)+1)
	n := int32(0)
	for r := range f.Regs {
		l.base[r] = n
		n += int32(f.Regs[r].Bytes+31) / 32
	}
	l.base[len(f.Regs)] = n
	l.cover, l.needed = reuse.Zeroed(l.cover, int(n)), reuse.Zeroed(l.needed, int(n))
	l.mixed = reuse.Zeroed(l.mixed, len(f.Regs))
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			if in.NoMask && in.Dst.File == mir.VReg && !f.Regs[in.Dst.Num].Uniform {
				l.mixed[in.Dst.Num] = true
			}
			for k := range in.Src {
				o := &in.Src[k]
				if o.File != mir.VReg {
					continue
				}
				at := l.base[o.Num] + int32(o.Off/32)
				for j := uint(0); at < l.base[o.Num+1]; j, at = j+1, at+1 {
					l.needed[at] |= liveness.SrcReadPattern(in, k, j)
				}
			}
		}
	}
}

// covered reports that every byte a source reads was written before in its
// block.
func (l *Live) covered(in *mir.Inst, k int) bool {
	o := &in.Src[k]
	at := l.base[o.Num] + int32(o.Off/32)
	for j := uint(0); at < l.base[o.Num+1]; j, at = j+1, at+1 {
		if liveness.SrcReadPattern(in, k, j)&^l.cover[at] != 0 {
			return false
		}
	}
	return true
}

// write notes what an instruction writes of register r, and reports that all
// bytes that anything reads have been written now. What is written without mask
// is there for all lanes, so that a masked write leaves some of it.
func (l *Live) write(in *mir.Inst, r mir.Reg) bool {
	if l.mixed[r] && !in.NoMask {
		return false
	}
	at := l.base[r] + int32(in.Dst.Off/32)
	for j := uint(0); at < l.base[r+1]; j, at = j+1, at+1 {
		l.cover[at] |= liveness.DstWritePattern(in, j)
	}
	for at := l.base[r]; at < l.base[r+1]; at++ {
		if l.needed[at]&^l.cover[at] != 0 {
			return false
		}
	}
	return true
}

// defines reports that an instruction writes, in the lanes that run, every byte
// from lo to hi of register r that anything reads.
func (l *Live) defines(in *mir.Inst, r mir.Reg, lo, hi uint32) bool {
	first := in.Dst.Off / 32
	for g := lo / 32; g < (hi+31)/32; g++ {
		var written liveness.Mask
		if g >= first {
			written = liveness.DstWritePattern(in, uint(g-first))
		}
		if l.needed[l.base[r]+int32(g)]&^written != 0 {
			return false
		}
	}
	return true
}

func (l *Live) payload(o *mir.Operand, n uint32, pos int32) {
	for g := o.Num + o.Off/32; g <= o.Num+(o.Off+n-1)/32 && g < 128; g++ {
		l.Payload[g] = max(l.Payload[g], pos)
	}
}

func (l *Live) at(r mir.Reg, p int32) {
	l.Start[r] = min(l.Start[r], p)
	l.End[r] = max(l.End[r], p)
}

// flow solves liveness along the physical edges, cut to where something may have
// been written.
func (l *Live) flow(f *mir.Func) {
	for changed := true; changed; {
		changed = false
		for b := range f.Blocks {
			f.Work.Spend(l.words * len(f.Blocks[b].PhysPred))
			reach := l.row(rowReach, b)
			for _, p := range f.Blocks[b].PhysPred {
				for w, x := range l.row(rowReach, int(p)) {
					if x&^reach[w] != 0 {
						reach[w] |= x
						changed = true
					}
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for b := l.rows - 1; b >= 0; b-- {
			in, use, def := l.row(rowIn, b), l.row(rowUse, b), l.row(rowDef, b)
			f.Work.Spend(l.words * (1 + len(f.Blocks[b].PhysPred) + len(f.Blocks[b].Phys)))
			for w := range in {
				x := use[w]
				for _, s := range f.Blocks[b].Phys {
					x |= l.row(rowIn, int(s))[w] &^ def[w]
				}
				var reach uint64
				for _, p := range f.Blocks[b].PhysPred {
					reach |= l.row(rowReach, int(p))[w]
				}
				x &= reach
				if x&^in[w] != 0 {
					in[w] |= x
					changed = true
				}
			}
		}
	}
}

// extend stretches intervals over the loops that they enter, leave or go
// around. Inner loops come behind outer ones in the list, so it is walked
// backwards.
func (l *Live) extend(f *mir.Func) {
	for i := len(l.loops) - 1; i >= 0; i-- {
		s := &l.loops[i]
		f.Work.Spend(len(f.Regs))
		carried := l.row(rowIn, int(s.header))
		for r := 1; r < len(f.Regs); r++ {
			a, e := l.Start[r], l.End[r]
			if e < s.start || a > s.end {
				continue
			}
			switch {
			case a < s.start && e <= s.end:
				l.End[r] = s.end
			case a >= s.start && e > s.end:
				l.Start[r] = s.start
			case a >= s.start && carried[r>>6]>>(r&63)&1 != 0:
				l.Start[r], l.End[r] = s.start, s.end
			}
		}
		for g := range l.Payload {
			if e := l.Payload[g]; e >= s.start && e <= s.end {
				l.Payload[g] = s.end
			}
		}
	}
}

// Pressure is the most GRFs that registers need at one place, counting uniform
// ones by their size.
func (l *Live) Pressure(f *mir.Func) int {
	if len(l.last) == 0 {
		return 0
	}
	delta := make([]int32, l.last[len(l.last)-1]+3)
	for r := 1; r < len(f.Regs); r++ {
		if l.End[r] >= l.Start[r] {
			delta[l.Start[r]] += int32(f.Regs[r].Bytes)
			delta[l.End[r]+1] -= int32(f.Regs[r].Bytes)
		}
	}
	var sum, most int32
	for _, d := range delta {
		sum += d
		most = max(most, sum)
	}
	return int(most+31) / 32
}
