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

// step describes an instruction for the scoreboard. It caches the operands, since blocks may be visited
// repeatedly.
type step struct {
	id     mir.ID
	wait   wait   // in the state of the last visit of its block
	writes regSet // destination registers
	uses   regSet // registers that it reads or writes
	whole  regSet // registers whose last write it waits for, whichever bytes that writes
	dst    part   // bytes that it writes in order; empty if there are none, or only the accumulator
	first  int32  // index in Inserter.parts of its partial sources
	parts  uint8  // number of these sources
	kind   stepKind
	token  uint8 // valid if has is set
	has    bool

	noMask    bool
	skippable bool // a thread without lanes may skip it
	writesAcc bool
	counts    bool // @-distances count it
}

// part is the bytes from address lo to hi-1; a0 follows the GRFs.
type part struct{ lo, hi uint32 }

// partOf returns the bytes of an operand of n bytes.
func partOf(first uint32, o *mir.Operand, n uint32) part {
	lo := first*mir.GRFBytes + o.Off%mir.GRFBytes
	return part{lo, lo + n}
}

// regs returns the first and the last register of bytes.
func (p part) regs() (first, last uint32) { return p.lo / mir.GRFBytes, (p.hi - 1) / mir.GRFBytes }

// list lists the steps of all blocks.
func (x *Inserter) list() {
	f := x.f
	x.steps, x.start, x.parts = reuse.Slice(x.steps, f.NumInsts())[:0], x.start[:0], x.parts[:0]
	for b := range f.Blocks {
		x.start = append(x.start, int32(len(x.steps)))
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			kind, ok := kindOf(in)
			if !ok {
				continue
			}
			x.steps = append(x.steps, step{})
			st := &x.steps[len(x.steps)-1]
			st.id, st.kind = i, kind
			x.describe(st, in)
		}
	}
	x.start = append(x.start, int32(len(x.steps)))
}

// kindOf returns the kind of an instruction. ok is false if it neither waits nor is waited for.
func kindOf(in *mir.Inst) (kind stepKind, ok bool) {
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
	case in.IsSend() || in.Op == isa.OpMath:
		if in.EOT {
			return last, true
		}
		return outOfOrder, true
	}
	return inOrder, true
}

// describe fills in the reads and writes of a step.
func (x *Inserter) describe(st *step, in *mir.Inst) {
	st.first = int32(len(x.parts))
	st.noMask, st.skippable = in.NoMask, skippable(in)
	st.writesAcc, st.counts = in.WritesAcc(), st.kind == inOrder && counts(in.Op)
	for k := range in.Src {
		o := &in.Src[k]
		if o.File != mir.GRF && o.File != mir.ARF {
			continue
		}
		n := in.SrcBytes(k)
		first, last, ok := regs(o, n)
		if !ok {
			continue
		}
		st.uses.addRange(first, last)
		if off := o.Off % mir.GRFBytes; o.File == mir.GRF && (off+n)%mir.GRFBytes != off {
			x.parts = append(x.parts, partOf(first, o, n))
			st.parts++
		} else if first != regAcc {
			st.whole.addRange(first, last)
		}
	}
	st.uses.add(regCR)
	st.whole.add(regCR)
	n := in.DstBytes()
	if first, last, ok := regs(&in.Dst, n); ok {
		st.writes.addRange(first, last)
		st.uses.addAll(&st.writes)
		if st.kind == inOrder && first != regAcc {
			st.dst = partOf(first, &in.Dst, max(n, in.Dst.Extent(int(in.Exec))))
		}
	}
}

// skippable reports whether a thread without lanes may skip an out-of-order instruction, and with it the wait
// for the token that it allocates: the instruction is masked, or a message guarded by a predicate.
func skippable(in *mir.Inst) bool {
	return !in.NoMask || in.IsSend() && in.Pred != isa.PredNone
}

// counts reports whether distances definitely count an in-order instruction. Compilers differ about halt.
func counts(o isa.Op) bool { return o != isa.OpHalt && o != mir.OpHaltTarget }

// regs returns the first and the last register that an operand of n bytes overlaps. ok is false if there are
// none.
func regs(o *mir.Operand, n uint32) (first, last uint32, ok bool) {
	switch o.File {
	case mir.GRF:
		return o.Num + o.Off/mir.GRFBytes, o.Num + (o.Off+n-1)/mir.GRFBytes, n > 0
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
