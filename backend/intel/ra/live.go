// SPDX-License-Identifier: MIT

package ra

import (
	"jacquard.example/backend/intel/bytemask"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/graph"
	"jacquard.example/core/reuse"
)

// Live holds the live interval of every register. Instruction n reads at position 2·n and writes at 2·n+1.
type Live struct {
	Start, End []int32 // by virtual register; Start > End if it is never used
	Payload    [mir.NumGRFs]int32

	hint []mir.Reg // by register: another register related to it by a copy
	last []bool    // by register: it is payload of the last message
	odd  []ahead   // places that payload of the last message must not have

	f        *mir.Func
	anyStart bool            // divergent registers need not start at even GRFs
	base     []int32         // by register: index of its first GRF in the slices below
	parts    []part          // by GRF of a register; until lives are extended, only valid for registers of several GRFs
	cover    []bytemask.Mask // by GRF: bytes written so far in the block
	whole    bool            // bytes are tracked in all instructions, not only in loops
	needed   []bytemask.Mask // by GRF: bytes that are read anywhere
	read     []bytemask.Mask // by source in code order and by GRF of its register: the bytes read
	mixed    []bool          // by GRF of a register: divergent, but with an unmasked write
	regs     []regFlow
	nodes    []blockNode
	touched  []mir.Reg
	delta    []int32            // by position: change of the number of live bytes
	starts   []int32            // by block: first position; one extra at the end
	payload  [mir.NumGRFs]int32 // by GRF: innermost loop around its last use
	way      graph.Live         // liveness of the register of the last call of walk
}

// regFlow is the data-flow information about a register.
type regFlow struct {
	uses, defs         int32 // lists of blocks: with an upward-exposed read, with a complete definition
	written            int32 // first block at whose start it may have been written
	startLoop, endLoop int32 // innermost loops around Start and End
	read, readLoop     int32 // position of the first read, and the innermost loop around it; 0 if there is none
}

type blockNode struct{ block, next int32 }

// ahead describes the first write of a register of the last message in an instruction that runs in two steps. The
// register must not be placed where the first step would overwrite a source of the second step.
type ahead struct {
	to, from mir.Reg
	by       int32 // bytes from the source's register to the place that the register must not have
}

const never = int32(1) << 30

// unread is Live.Payload of a payload that is never read.
var unread = func() (p [mir.NumGRFs]int32) {
	for g := range p {
		p[g] = -1
	}
	return p
}()

// Compute computes the live ranges in f.
func (l *Live) Compute(f *mir.Func) { l.compute(f, false) }

// compute implements Compute. If whole is set, bytes are tracked in all instructions, not only in loops.
func (l *Live) compute(f *mir.Func, whole bool) {
	n := len(f.Regs)
	l.f = f
	l.Start, l.End = reuse.Slice(l.Start, n), reuse.Slice(l.End, n)
	l.regs = reuse.Zeroed(l.regs, n)
	l.hint, l.last = reuse.Zeroed(l.hint, n), reuse.Zeroed(l.last, n)
	l.odd = l.odd[:0]
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

// unpaired reports whether, in an instruction that runs in two steps, the destination could be placed one
// register after source o, so that the first step overwrites the data that the second step reads. This cannot
// happen to two divergent registers if these are placed in pairs, as all but the last message's are.
func (l *Live) unpaired(in *mir.Inst, o *mir.Operand) bool {
	f := l.f
	return o.File == mir.VReg && in.Dst.Num != o.Num &&
		(l.anyStart || l.last[o.Num] || f.Reg(mir.Reg(in.Dst.Num)).Uniform || f.Reg(mir.Reg(o.Num)).Uniform)
}

// begin records the sources of an instruction that runs in two steps and is the first to write a register of the last
// message. Later instructions that write it read sources that are live together with it.
func (l *Live) begin(in *mir.Inst) {
	for k := range in.Src {
		if o := &in.Src[k]; o.File == mir.VReg && o.Num != in.Dst.Num {
			l.odd = append(l.odd, ahead{mir.Reg(in.Dst.Num), mir.Reg(o.Num), int32(o.Off) + int32(l.f.GRF.Bytes()) - int32(in.Dst.Off)})
		}
	}
}

// local finds the upward-exposed reads and the complete definitions of each block, and the initial intervals.
func (l *Live) local(f *mir.Func) {
	if in := f.At(f.Blocks[len(f.Blocks)-1].Last); in.EOT {
		for k := range 2 {
			l.last[in.Src[k].VReg()] = true
		}
	}
	pos, read := int32(0), l.read
	l.starts = reuse.Slice(l.starts, len(f.Blocks)+1)
	outer := int32(0) // first block of the current outermost loop
	for b := range f.Blocks {
		l.starts[b], l.touched = pos, l.touched[:0]
		loop := f.LoopOf(b)
		if c := &f.Constructs[loop]; c.Loops == 1 && int(c.First) == b {
			outer = int32(b)
		}
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			n := f.Bytes(in)
			late := f.Late(in, n)
			steps := in.Dst.File == mir.VReg && n.Dst > f.GRF.Bytes()
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
				if x := &l.regs[r]; x.read == 0 {
					x.read, x.readLoop = p, loop
				}
				reads(l.parts[first:last], p, loop)
			}
			if in.Dst.File == mir.VReg {
				r := mir.Reg(in.Dst.Num)
				written := int32(b) + 1
				if loop != 0 {
					written = outer
				}
				l.regs[r].written = min(l.regs[r].written, written)
				if l.last[r] && steps && l.Start[r] == never {
					l.begin(in)
				}
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

// related records the two registers of a copy as related.
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
		n += int32(f.GRF.Count(f.Regs[r].Bytes))
	}
	l.base[len(f.Regs)] = n
	l.parts = reuse.Zeroed(l.parts, int(n))
}

// needs finds the bytes that instructions read. If whole is not set, it looks only at instructions in loops, since
// registers that are used outside of loops are not followed through the control flow.
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
			l.mixed, cleared = reuse.Zeroed(l.mixed, n), true
		}
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.NoMask && in.Dst.File == mir.VReg && !f.Regs[in.Dst.Num].Uniform {
				l.mix(&in.Dst, f.DstBytes(in))
			}
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg {
					// It reads elements of lanes that may be inactive, unless all components of a vertex are active together.
					if o.Swizzle != 0 && !in.Align16 {
						l.mix(o, f.SrcBytes(in, k))
					}
					l.need(in, k)
				}
			}
		}
	}
}

// mix marks the GRFs that an operand of n bytes touches as mixed.
func (l *Live) mix(o *mir.Operand, n uint32) {
	first, last := l.touches(o, n)
	for at := first; at < last; at++ {
		l.mixed[at] = true
	}
}

// need adds the bytes that source k of an instruction reads.
func (l *Live) need(in *mir.Inst, k int) {
	o := &in.Src[k]
	n := l.f.SrcBytes(in, k)
	first, last := l.touches(o, n)
	spans, off := bytemask.ReadsSpan(in, k), uint(l.f.GRF.In(o.Off))
	for at := first; at < last; at++ {
		var m bytemask.Mask
		if spans {
			m = bytemask.Between(l.f.GRF, off, off+uint(n), uint(at-first))
		} else {
			m = bytemask.SrcReadPattern(l.f, in, k, uint(at-first))
		}
		l.needed[at] |= m
		l.read = append(l.read, m)
	}
}

// touches returns the range of GRFs that an operand of n bytes touches.
func (l *Live) touches(o *mir.Operand, n uint32) (from, to int32) {
	at, end := l.base[o.Num]+int32(l.f.GRF.Of(o.Off)), l.base[o.Num+1]
	if n == 0 || at >= end {
		return end, end
	}
	return at, min(at+int32(l.f.GRF.Of(l.f.GRF.In(o.Off)+n-1))+1, end)
}

// covered reports whether every byte that a source reads was written before in its block. cover has the bytes
// written in the GRFs that the source touches. read begins with the bytes that it reads; rest is the part of
// later sources.
func covered(cover, read []bytemask.Mask) (all bool, rest []bytemask.Mask) {
	read, rest = read[:len(cover)], read[len(cover):]
	missing := bytemask.Mask(0)
	for j, m := range read {
		missing |= m &^ cover[j]
	}
	return missing == 0, rest
}

// write records a write of n bytes to the GRFs from first to last-1, and reports whether all bytes of the
// register that are read anywhere have now been written. A masked write does not cover GRFs that have unmasked writes,
// which apply to all lanes.
func (l *Live) write(in *mir.Inst, n uint32, first, last int32) bool {
	r := in.Dst.Num
	spans, off := bytemask.WritesSpan(in), uint(l.f.GRF.In(in.Dst.Off))
	for at := first; at < last; at++ {
		if l.mixed[at] && !in.NoMask {
			continue
		}
		if spans {
			l.cover[at] |= bytemask.Between(l.f.GRF, off, off+uint(n), uint(at-first))
		} else {
			l.cover[at] |= bytemask.DstWritePattern(l.f, in, uint(at-first))
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

// defines reports whether an instruction writes, in the active lanes, every byte from lo to hi of register r
// that is read anywhere. needs must have been called for all instructions.
func (l *Live) defines(in *mir.Inst, r mir.Reg, lo, hi uint32) bool {
	grf := l.f.GRF
	first := grf.Of(in.Dst.Off)
	for g := grf.Of(lo); g < uint32(grf.Count(hi)); g++ {
		var written bytemask.Mask
		if g >= first {
			written = bytemask.DstWritePattern(l.f, in, uint(g-first))
		}
		if l.needed[l.base[r]+int32(g)]&^written != 0 {
			return false
		}
	}
	return true
}

func (l *Live) readsPayload(o *mir.Operand, n uint32, pos, loop int32) {
	for g := o.Num + l.f.GRF.Of(o.Off); g <= o.Num+l.f.GRF.Of(o.Off+n-1) && g < mir.NumGRFs; g++ {
		if pos >= l.Payload[g] {
			l.Payload[g], l.payload[g] = pos, loop
		}
	}
}

// at records an access to r at position p in a loop.
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

// stretch is like extend, for one register.
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

// Pressure returns the maximum number of GRFs that are live at one point, counting uniform registers by their
// size.
func (l *Live) Pressure(f *mir.Func) int {
	l.delta = reuse.Zeroed(l.delta, int(l.starts[len(f.Blocks)])+3)
	delta := l.delta
	for r := 1; r < len(f.Regs); r++ {
		if l.End[r] >= l.Start[r] && f.Regs[r].Class == mir.General {
			bytes := f.Regs[r].Bytes
			delta[l.Start[r]] += int32(bytes)
			for _, x := range l.partsOf(mir.Reg(r)) {
				n := min(bytes, f.GRF.Bytes())
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
	return f.GRF.Count(uint32(most))
}
