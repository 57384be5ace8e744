package swsb

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// stepKind is what an instruction is for the scoreboard.
type stepKind uint8

const (
	inOrder       stepKind = iota
	outOfOrder             // takes a token
	last                   // out of order, at the end of the thread: takes no token
	waitsWritten           // for all results
	waitsConsumed          // for all payloads
	waitsOperand           // until its operand has been written
)

// step is an instruction as the scoreboard sees it. Blocks may be gone over repeatedly, so
// its operands are looked at once.
type step struct {
	id     mir.ID
	wait   wait   // in the state in which its block was gone over last
	lo, hi uint32 // byte addresses that it writes, a0 after the GRFs
	src    [3]run
	part   [3]part // of sources that are parts of registers
	dst    run
	kind   stepKind
	token  uint8

	noMask    bool
	skippable bool // in a thread without lanes
	writesAcc bool
	counts    bool // distances count it
}

// part is the byte addresses that a source overlaps; empty if they are whole registers.
type part struct{ lo, hi uint32 }

// run is a range of registers that an operand overlaps: n starting at first.
type run struct{ first, n uint8 }

// list lists the steps of all blocks, and assigns a token to every out-of-order instruction,
// in turn.
func (x *Inserter) list() {
	f := x.f
	x.steps, x.start, x.timed = x.steps[:0], x.start[:0], x.timed[:0]
	n := 0
	for b := range f.Blocks {
		x.start = append(x.start, int32(len(x.steps)))
		var timed regSet
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Op == mir.OpLoop || in.Op == mir.OpUndef {
				continue
			}
			st, ok := stepOf(in)
			if !ok {
				continue
			}
			if st.id = i; st.kind == outOfOrder {
				st.token = uint8(n % fields.NumTokens)
				n++
			}
			if st.kind == inOrder {
				for _, r := range st.src {
					timed.addRun(r)
				}
				timed.addRun(st.dst)
			}
			if st.writesAcc {
				timed.add(regAcc)
			}
			x.steps = append(x.steps, st)
		}
		x.timed = append(x.timed, timed)
	}
	x.start = append(x.start, int32(len(x.steps)))
}

// stepOf describes an instruction; ok is false if it neither waits nor is waited for.
func stepOf(in *mir.Inst) (st step, ok bool) {
	switch {
	case in.Op == isa.OpSync:
		switch in.Sync {
		case isa.SyncAllWr:
			st.kind = waitsWritten
		case isa.SyncAllRd:
			st.kind = waitsConsumed
		case isa.SyncNop:
			st.kind = waitsOperand
		default:
			return st, false
		}
	case in.IsSend() || in.Op == isa.OpMath:
		if st.kind = outOfOrder; in.EOT {
			st.kind = last
		}
	}
	st.noMask, st.skippable, st.writesAcc, st.counts = in.NoMask, skippable(in), in.WritesAcc(), counts(in.Op)
	for k := range in.Src {
		o, bytes := &in.Src[k], in.SrcBytes(k)
		st.src[k] = regs(o, bytes)
		if off := o.Off % mir.GRFBytes; o.File == mir.GRF && st.src[k].n > 0 && (off+bytes)%mir.GRFBytes != off {
			lo := uint32(st.src[k].first)*mir.GRFBytes + off
			st.part[k] = part{lo, lo + bytes}
		}
	}
	bytes := in.DstBytes()
	if st.dst = regs(&in.Dst, bytes); st.dst.n > 0 {
		st.lo = uint32(st.dst.first)*mir.GRFBytes + in.Dst.Off%mir.GRFBytes
		st.hi = st.lo + max(bytes, in.Dst.Extent(int(in.Exec)))
	}
	return st, true
}

// skippable reports whether a thread without lanes may skip an instruction out of order, and
// so its wait for the token that it takes: a masked one, or a message that a predicate guards.
func skippable(in *mir.Inst) bool {
	return !in.NoMask || in.IsSend() && in.Pred != isa.PredNone
}

// counts reports whether distances certainly count an in-order instruction: compilers
// differ for halt.
func counts(o isa.Op) bool { return o != isa.OpHalt && o != mir.OpHaltTarget }

// regs returns the registers that an operand of n bytes overlaps.
func regs(o *mir.Operand, n uint32) run {
	switch o.File {
	case mir.GRF:
		if n > 0 {
			first := o.Num + o.Off/mir.GRFBytes
			return run{uint8(first), uint8(o.Num + (o.Off+n-1)/mir.GRFBytes - first + 1)}
		}
	case mir.ARF:
		switch o.Num & 0xF0 {
		case isa.ARFA0:
			return run{regA0, 1}
		case isa.ARFAcc0:
			return run{regAcc, 1}
		case isa.ARFCR0:
			return run{regCR, 1}
		}
	}
	return run{}
}
