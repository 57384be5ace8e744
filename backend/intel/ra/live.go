package ra

import (
	"jacquard.example/backend/intel/liveness"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
)

// Live holds the interval of every register. Positions are 2·n for what
// instruction n reads and 2·n+1 for what it writes.
type Live struct {
	Start, End []int32 // by virtual register; Start > End: never used
	Payload    [mir.NumGRFs]int32

	hint []mir.Reg // by register: another one related to it by a copy
	last []bool    // by register: it feeds the last message

	f        *mir.Func
	anyStart bool     // divergent registers are not placed in pairs
	base     []int32  // by register: its first GRF in those below
	parts    []part   // of registers, by GRF; before lives are extended only of those of more than one
	cover    []uint32 // bytes written so far in the block
	whole    bool     // what instructions read and write is known of all, and not of those in loops alone
	needed   []uint32 // bytes that are read
	read     []uint32 // by source, in the order of the code, and GRF of its register: what it reads
	mixed    []bool   // by register: divergent, but with an unmasked write
	regs     []regFlow
	nodes    []blockNode
	touched  []mir.Reg
	delta    []int32            // by position: the change of the bytes that are live
	starts   []int32            // by block: its first position; one extra at the end
	payload  [mir.NumGRFs]int32 // by GRF: the innermost loop around its last use
	way      graph.Live         // of the register of the last call of walk
}

// regFlow is what control flow implies for a register.
type regFlow struct {
	uses, defs         int32 // lists of blocks: those with an upward-exposed read, those that define it wholly
	written            int32 // the first block at whose start it may have been written
	startLoop, endLoop int32 // the innermost loops around Start and End
}

type blockNode struct{ block, next int32 }

const never = int32(1) << 30

// unread is Live.Payload of a payload that nothing reads.
var unread = func() (p [mir.NumGRFs]int32) {
	for g := range p {
		p[g] = -1
	}
	return p
}()

// Compute computes the live ranges in f.
func (l *Live) Compute(f *mir.Func) { l.compute(f, false) }

// compute is Compute; whole is whether all instructions are looked at by byte.
func (l *Live) compute(f *mir.Func, whole bool) {
	n := len(f.Regs)
	l.f = f
	l.Start, l.End = reuse.Slice(l.Start, n), reuse.Slice(l.End, n)
	l.regs = reuse.Zeroed(l.regs, n)
	l.hint, l.last = reuse.Zeroed(l.hint, n), reuse.Zeroed(l.last, n)
	l.nodes = append(l.nodes[:0], blockNode{})
	l.number(f)
	l.needs(f, whole)
	for i := range l.Start {
		l.Start[i], l.End[i] = never, -1
		l.regs[i].written = never
	}
	l.Payload = unread
	l.local(f)
	l.extend(f)
}

// unpaired reports that the destination of an instruction that runs in two steps could be
// placed a register after source o, so that the first step overwrites what the second one
// reads. Where divergent registers are placed in pairs, that cannot happen with two of them.
func (l *Live) unpaired(in *mir.Inst, o *mir.Operand) bool {
	f := l.f
	return o.File == mir.VReg && in.Dst.Num != o.Num &&
		(l.anyStart || f.Reg(mir.Reg(in.Dst.Num)).Uniform || f.Reg(mir.Reg(o.Num)).Uniform)
}

// local finds the upward-exposed reads of each block, what it defines wholly, and the
// initial intervals.
func (l *Live) local(f *mir.Func) {
	pos, read := int32(0), l.read
	l.starts = reuse.Slice(l.starts, len(f.Blocks)+1)
	outer := int32(0) // the first block of the current outermost loop
	for b := range f.Blocks {
		l.starts[b], l.touched = pos, l.touched[:0]
		loop := f.LoopOf(b)
		if c := &f.Constructs[loop]; c.Loops == 1 && int(c.First) == b {
			outer = int32(b)
		}
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			n := in.Bytes()
			late := in.Late(n)
			steps := in.Dst.File == mir.VReg && n.Dst > mir.GRFBytes
			for k := range in.Src {
				o := &in.Src[k]
				if !o.IsReg() {
					continue
				}
				p := pos
				if late&(1<<k) != 0 || steps && l.unpaired(in, o) {
					p++
				}
				if o.File == mir.GRF {
					l.readsPayload(o, n.Src[k], p, loop)
					continue
				}
				r := mir.Reg(o.Num)
				first, last := l.touches(o, n.Src[k])
				if loop != 0 || l.whole {
					var all bool
					if all, read = covered(l.cover[first:last], read); !all {
						l.note(&l.regs[r].uses, b)
					}
				}
				l.at(r, p, loop)
				reads(l.parts[first:last], p, loop)
			}
			if in.Dst.File == mir.VReg {
				r := mir.Reg(in.Dst.Num)
				written := int32(b) + 1
				if loop != 0 {
					written = outer
				}
				l.regs[r].written = min(l.regs[r].written, written)
				l.at(r, pos+1, loop)
				first, last := l.touches(&in.Dst, n.Dst)
				writes(l.parts[first:last], pos+1, loop)
				if loop != 0 || l.whole {
					l.touched = append(l.touched, r)
					if l.write(in, n.Dst, first, last) {
						l.note(&l.regs[r].defs, b)
					}
				}
				if in.IsMove() {
					l.related(in)
				}
			}
			if in.EOT {
				for k := range 2 {
					l.last[in.Src[k].VReg()] = true
				}
			}
			pos += 2
		}
		for _, r := range l.touched {
			clear(l.cover[l.base[r]:l.base[r+1]])
		}
	}
	l.starts[len(f.Blocks)] = pos
}

// loop returns the first and the last position of a loop.
func (l *Live) loop(k int32) (start, end int32) {
	c := &l.f.Constructs[k]
	return l.starts[c.First], l.starts[c.Last+1] - 1
}

// related notes that a copy relates two registers, if it does.
func (l *Live) related(in *mir.Inst) {
	if s := in.Src[0].VReg(); s != 0 && in.Dst.Off == 0 && in.Src[0].Off == 0 {
		if d := in.Dst.VReg(); l.f.Reg(d).Bytes == l.f.Reg(s).Bytes {
			l.hint[d], l.hint[s] = s, d
		}
	}
}

// note appends block b, the latest so far, to a list.
func (l *Live) note(list *int32, b int) {
	if *list == 0 || l.nodes[*list].block != int32(b) {
		l.nodes = append(l.nodes, blockNode{int32(b), *list})
		*list = int32(len(l.nodes) - 1)
	}
}

// number numbers the GRFs of all registers.
func (l *Live) number(f *mir.Func) {
	l.base = reuse.Slice(l.base, len(f.Regs)+1)
	n := int32(0)
	for r := range f.Regs {
		l.base[r] = n
		n += int32(mir.GRFs(f.Regs[r].Bytes))
	}
	l.base[len(f.Regs)] = n
	l.parts = reuse.Zeroed(l.parts, int(n))
}

// needs finds the bytes that are read: by the instructions in loops, since only registers that
// nothing else touches are followed through the control flow, or by all.
func (l *Live) needs(f *mir.Func, whole bool) {
	n := int(l.base[len(f.Regs)])
	l.whole, l.read = whole, l.read[:0]
	cleared := false
	for b := range f.Blocks {
		if !whole && f.LoopOf(b) == 0 {
			continue
		}
		if !cleared {
			l.cover, l.needed = reuse.Zeroed(l.cover, n), reuse.Zeroed(l.needed, n)
			l.mixed, cleared = reuse.Zeroed(l.mixed, len(f.Regs)), true
		}
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.NoMask && in.Dst.File == mir.VReg && !f.Regs[in.Dst.Num].Uniform {
				l.mixed[in.Dst.Num] = true
			}
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg {
					if o.Swizzle != 0 { // reads what lanes wrote that may not run
						l.mixed[o.Num] = true
					}
					l.need(in, k)
				}
			}
		}
	}
}

// need adds the bytes that source k of an instruction reads.
func (l *Live) need(in *mir.Inst, k int) {
	o := &in.Src[k]
	n := in.SrcBytes(k)
	first, last := l.touches(o, n)
	spans, off := liveness.ReadsSpan(in, k), uint(o.Off%grfBytes)
	for at := first; at < last; at++ {
		var m liveness.Mask
		if spans {
			m = liveness.Between(off, off+uint(n), uint(at-first))
		} else {
			m = liveness.SrcReadPattern(in, k, uint(at-first))
		}
		l.needed[at] |= m
		l.read = append(l.read, m)
	}
}

// touches returns the GRFs that an operand of n bytes touches.
func (l *Live) touches(o *mir.Operand, n uint32) (from, to int32) {
	at, end := l.base[o.Num]+int32(o.Off/grfBytes), l.base[o.Num+1]
	if n == 0 || at >= end {
		return end, end
	}
	return at, min(at+int32((o.Off%grfBytes+n-1)/grfBytes)+1, end)
}

// covered reports whether every byte that a source reads was written before in its block, given what was
// of the GRFs that it touches. read begins with what it reads; the rest is that of later sources.
func covered(cover, read []uint32) (all bool, rest []uint32) {
	read, rest = read[:len(cover)], read[len(cover):]
	missing := uint32(0)
	for j, m := range read {
		missing |= m &^ cover[j]
	}
	return missing == 0, rest
}

// write records what an instruction writes, n bytes of the GRFs from first to last-1, and reports
// whether all bytes of their register that are read anywhere have now been written. Unmasked writes
// apply to all lanes, so that a masked write covers them only partly.
func (l *Live) write(in *mir.Inst, n uint32, first, last int32) bool {
	r := in.Dst.Num
	if l.mixed[r] && !in.NoMask {
		return false
	}
	spans, off := liveness.WritesSpan(in), uint(in.Dst.Off%grfBytes)
	for at := first; at < last; at++ {
		if spans {
			l.cover[at] |= liveness.Between(off, off+uint(n), uint(at-first))
		} else {
			l.cover[at] |= liveness.DstWritePattern(in, uint(at-first))
		}
	}
	cover := l.cover[l.base[r]:l.base[r+1]]
	for k, needed := range l.needed[l.base[r]:l.base[r+1]] {
		if needed&^cover[k] != 0 {
			return false
		}
	}
	return true
}

// defines reports whether an instruction writes, in the active lanes, every byte from lo
// to hi of register r that is read anywhere, as needs has found for all instructions.
func (l *Live) defines(in *mir.Inst, r mir.Reg, lo, hi uint32) bool {
	first := in.Dst.Off / grfBytes
	for g := lo / grfBytes; g < uint32(mir.GRFs(hi)); g++ {
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

func (l *Live) readsPayload(o *mir.Operand, n uint32, pos, loop int32) {
	for g := o.Num + o.Off/grfBytes; g <= o.Num+(o.Off+n-1)/grfBytes && g < mir.NumGRFs; g++ {
		if pos >= l.Payload[g] {
			l.Payload[g], l.payload[g] = pos, loop
		}
	}
}

// at records that r is read or written at position p, in a loop.
func (l *Live) at(r mir.Reg, p, loop int32) {
	if p < l.Start[r] {
		l.Start[r], l.regs[r].startLoop = p, loop
	}
	if p > l.End[r] {
		l.End[r], l.regs[r].endLoop = p, loop
	}
}

// extend extends intervals over the loops that they enter, leave or are carried around.
func (l *Live) extend(f *mir.Func) {
	for r := 1; r < len(f.Regs); r++ {
		if l.End[r] < l.Start[r] {
			continue
		}
		start := l.Start[r]
		if x := &l.regs[r]; x.startLoop != x.endLoop || x.startLoop != 0 && x.uses != 0 {
			l.stretch(mir.Reg(r))
		}
		switch first := l.base[r]; l.base[r+1] - first {
		case 0:
		case 1:
			l.parts[first].end = l.End[r]
		default:
			l.stretchParts(mir.Reg(r), l.Start[r] == start)
		}
	}
	for g, p := range l.Payload {
		if p < 0 {
			continue
		}
		if outer, _ := f.Apart(l.payload[g], 0); outer != 0 {
			_, l.Payload[g] = l.loop(outer)
		}
	}
}

// stretch is extend for one register.
func (l *Live) stretch(r mir.Reg) {
	x := &l.regs[r]
	out, around := l.f.Apart(x.endLoop, x.startLoop)
	if out != 0 {
		_, l.End[r] = l.loop(out)
	}
	if into, _ := l.f.Apart(x.startLoop, x.endLoop); into != 0 {
		l.Start[r], _ = l.loop(into)
	}
	if around == 0 || x.uses == 0 {
		return
	}
	l.walk(r)
	for ; around != 0; around = l.f.Outer(around) {
		if l.way.In(l.f.Constructs[around].First) {
			l.Start[r], l.End[r] = l.loop(around)
		}
	}
}

// Pressure returns the maximum number of GRFs that are live at one point, counting
// uniform registers by their size.
func (l *Live) Pressure(f *mir.Func) int {
	l.delta = reuse.Zeroed(l.delta, int(l.starts[len(f.Blocks)])+3)
	delta := l.delta
	for r := 1; r < len(f.Regs); r++ {
		if l.End[r] >= l.Start[r] && f.Regs[r].Class == mir.General {
			bytes := f.Regs[r].Bytes
			delta[l.Start[r]] += int32(bytes)
			for _, x := range l.partsOf(mir.Reg(r)) {
				n := min(bytes, grfBytes)
				delta[x.end+1] -= int32(n)
				bytes -= n
			}
		}
	}
	var sum, most int32
	for _, d := range delta {
		sum += d
		most = max(most, sum)
	}
	return mir.GRFs(uint32(most))
}
