// SPDX-License-Identifier: MIT

package swsb

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/isa"
)

// stepKind is the role of an instruction in the scoreboard.
type stepKind uint8

const (
	inOrder       stepKind = iota
	outOfOrder             // allocates a token
	last                   // out of order, ends the thread: allocates no token
	waitsWritten           // waits for all results
	waitsConsumed          // waits for all payloads
	waitsOperand           // waits until its operand has been written
)

// step is an instruction in the scoreboard.
type step struct {
	id        mir.ID
	wait      wait // in the state of the last visit of its block
	kind      stepKind
	token     uint8 // valid if has is set
	has       bool
	afterMode bool // on machines with several pipes: it follows a write of the float mode, for which it waits in all of them
}

// access holds the registers and bytes that an instruction reads and writes.
type access struct {
	writes regSet  // destination registers
	uses   regSet  // registers that it reads or writes
	whole  regSet  // registers that it waits for as a whole
	across archSet // flags and accumulators whose last write in another pipe it waits for
	sets   archSet // flags and accumulators that it writes
	dst    part    // bytes that it writes in order; empty if there are none, or only the accumulator
	parts  [3]part // partial sources
	n      int     // number of these sources
	pipe   pipe

	noMask    bool
	skippable bool // a thread without lanes may skip it
	writesAcc bool
	counts    bool // @-distances count it
}

// part is the bytes from address lo to hi-1; a0 follows the GRFs.
type part struct{ lo, hi uint32 }

// partOf returns the bytes of an operand of n bytes that starts in GRF first.
func partOf(grf mir.RegSize, first uint32, o *mir.Operand, n uint32) part {
	lo := grf.Start(first) + grf.In(o.Off)
	return part{lo, lo + n}
}

// regs returns the first and the last register of bytes.
func (p part) regs(grf mir.RegSize) (first, last uint32) { return grf.Of(p.lo), grf.Of(p.hi - 1) }

// list lists the steps of all blocks.
func (x *Inserter) list() {
	f := x.f
	x.steps, x.start = reuse.Slice(x.steps, f.NumInsts())[:0], x.start[:0]
	mode := false // the instruction before writes the float mode
	for b := range f.Blocks {
		x.start = append(x.start, int32(len(x.steps)))
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			kind, ok := x.kindOf(in)
			if !ok {
				continue
			}
			x.steps = append(x.steps, step{id: i, kind: kind, afterMode: mode && x.pipes > 1})
			mode = in.Dst.File == mir.ARF && in.Dst.Num&0xF0 == isa.ARFCR0
		}
	}
	x.start = append(x.start, int32(len(x.steps)))
}

// kindOf returns the kind of an instruction. ok is false if it neither waits nor is waited for.
func (x *Inserter) kindOf(in *mir.Inst) (kind stepKind, ok bool) {
	switch {
	case in.Op == mir.OpLoop || in.Op == mir.OpUndef:
		return 0, false
	case in.Op == isa.OpSync:
		switch in.Sync {
		case isa.SyncAllWr:
			return waitsWritten, true
		case isa.SyncAllRd:
			return waitsConsumed, true
		case isa.SyncNop:
			return waitsOperand, true
		}
		return 0, false
	case in.IsSend() || in.Op == isa.OpMath && x.pipes < FourPipes:
		if in.EOT {
			return last, true
		}
		return outOfOrder, true
	}
	return inOrder, true
}

// describe sets x.at to the accesses of a step.
func (x *Inserter) describe(st *step) {
	in, a, grf := x.f.At(st.id), &x.at, x.f.GRF
	*a = access{
		noMask: in.NoMask, skippable: skippable(in), pipe: x.pipe(st.kind, in),
		writesAcc: in.WritesAcc(), counts: st.kind == inOrder && x.countsIn(in),
	}
	for k := range in.Src {
		o := &in.Src[k]
		if o.File != mir.GRF && o.File != mir.ARF {
			continue
		}
		n := x.f.SrcBytes(in, k)
		first, last, ok := regs(grf, o, n)
		if !ok {
			continue
		}
		a.uses.addRange(first, last)
		if off := grf.In(o.Off); o.File == mir.GRF && grf.In(off+n) != off {
			a.parts[a.n] = partOf(grf, first, o, n)
			a.n++
		} else if first != regAcc {
			a.whole.addRange(first, last)
		}
	}
	a.uses.add(regCR)
	a.whole.add(regCR)
	n := x.f.DstBytes(in)
	if first, last, ok := regs(grf, &in.Dst, n); ok {
		a.writes.addRange(first, last)
		a.uses.addAll(&a.writes)
		if st.kind == inOrder && first != regAcc {
			a.dst = partOf(grf, first, &in.Dst, max(n, in.Dst.Extent(int(in.Exec))))
			if x.words && in.Dst.Type.Size() == 1 {
				a.dst.lo, a.dst.hi = a.dst.lo&^1, (a.dst.hi+1)&^1
			}
		}
	}
	if x.pipes > 1 {
		x.betweenPipes(a, in)
	}
}

// skippable reports whether a thread without lanes may skip an out-of-order instruction, and with it the wait
// for the token that it allocates: the instruction is masked, or a message guarded by a predicate.
func skippable(in *mir.Inst) bool {
	return !in.NoMask || in.IsSend() && in.Pred != isa.PredNone
}

// countsIn reports whether distances definitely count an in-order instruction. Compilers differ about branches on machines
// with several pipes.
func (x *Inserter) countsIn(in *mir.Inst) bool {
	return counts(in.Op) && (x.pipes == 1 || !in.Steers())
}

// counts reports whether distances definitely count an in-order instruction of a machine with one pipe. Compilers differ about
// halt.
func counts(o isa.Op) bool { return o != isa.OpHalt && o != mir.OpHaltTarget }

// regs returns the first and the last register that an operand of n bytes overlaps. ok is false if there are
// none.
func regs(grf mir.RegSize, o *mir.Operand, n uint32) (first, last uint32, ok bool) {
	switch o.File {
	case mir.GRF:
		return o.Num + grf.Of(o.Off), o.Num + grf.Of(o.Off+n-1), n > 0
	case mir.ARF:
		switch o.Num & 0xF0 {
		case isa.ARFA0:
			return regA0, regA0, true
		case isa.ARFAcc0:
			return regAcc, regAcc, true
		case isa.ARFCR0:
			return regCR, regCR, true
		}
	}
	return 0, 0, false
}
