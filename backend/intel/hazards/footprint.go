// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"
	"math/bits"

	"jacquard.example/generated/isa"
)

const (
	numGRF   = isa.MaxGRFs
	grfBytes = isa.GRFBytes
	regA0    = numGRF
	numRegs  = numGRF + 1
)

// regs is a set of registers: the GRFs and a0.
type regs [(numRegs + 63) / 64]uint64

func (s *regs) add(r int) {
	if r >= 0 && r < numRegs {
		s[r>>6] |= 1 << (r & 63)
	}
}

func (s *regs) addRun(first, n int) {
	for r := first; r < first+n; r++ {
		s.add(r)
	}
}

// common returns the first register in both sets, or -1.
func (s *regs) common(t *regs) int {
	for w, x := range s {
		if x &= t[w]; x != 0 {
			return w<<6 + bits.TrailingZeros64(x)
		}
	}
	return -1
}

func (s *regs) union(t *regs) regs {
	u := *s
	for w, x := range t {
		u[w] |= x
	}
	return u
}

// bytes is a set of bytes of up to four registers, starting at register first; everywhere means all bytes.
type bytes struct {
	first      int
	mask       [4]uint32
	everywhere bool
}

func (s *bytes) add(reg, at, n int) {
	if s.mask == [4]uint32{} {
		s.first = reg
	}
	for i := at; i < at+n; i++ {
		if k := reg + i/grfBytes - s.first; k >= 0 && k < len(s.mask) {
			s.mask[k] |= 1 << (i % grfBytes)
		} else {
			s.everywhere = true
		}
	}
}

func (s *bytes) overlaps(t *bytes) bool {
	if s.everywhere || t.everywhere {
		return true
	}
	for k, m := range s.mask {
		if j := s.first + k - t.first; j >= 0 && j < len(t.mask) && m&t.mask[j] != 0 {
			return true
		}
	}
	return false
}

// kind is the role of an instruction in the scoreboard.
type kind uint8

const (
	inOrder   kind = iota
	uncounted      // in order, but may not count for distances
	unordered      // under a token
	syncs          // only waits
)

// inst is the description of an instruction for the check.
type inst struct {
	pc            int32
	kind          kind
	noMask, eot   bool
	control       bool // writes an architecture register that hardware does not track
	falls, jumps  bool // the thread may continue after it, or at jip
	numNext       uint8
	jip           int32
	next          [2]int32 // indices of the instructions where the thread may continue
	block         int32    // block that it starts; -1 if none
	reads, writes regs
	late          regs     // unordered: sources that are read late
	begun         *row     // unordered: the outstanding operations after it
	result        bytes    // in order: bytes that it writes
	operands      [3]bytes // bytes that it reads, unless whole is set
	whole         bool     // reads whole registers
	waits         waits
}

// waits describes the waits in a scoreboard field.
type waits struct {
	dist     int
	dst, src uint32 // sets of tokens
	take     int    // allocated token, or -1 if none
}

// decodeWaits decodes the scoreboard field, and the operand of sync.allrd and sync.allwr (TGL PRM vol. 2a,
// "Software Scoreboard").
func decodeWaits(in *isa.Inst, k kind) (waits, error) {
	w := waits{take: -1}
	b := uint8(in.SWSB)
	token := uint32(1) << (b & 15)
	switch {
	case b&0x80 != 0:
		w.dist = int(b >> 4 & 7)
		if k == unordered {
			w.take = int(b & 15)
		} else {
			w.dst = token
		}
	case b>>4 == 4 && k == unordered:
		w.take = int(b & 15)
	case b>>4 == 3:
		w.src = token
	case b>>4 == 2:
		w.dst = token
	case b < 8:
		w.dist = int(b)
	default:
		return w, fmt.Errorf("invalid scoreboard field %#02x", b)
	}
	if in.Op == isa.OpSync {
		tokens := uint32(0xFFFF)
		if in.Src[0].File == isa.FileImm {
			tokens &= uint32(in.Src[0].Imm)
		}
		switch in.Sync {
		case isa.SyncAllRd:
			w.src |= tokens
		case isa.SyncAllWr:
			w.dst |= tokens
		}
	}
	return w, nil
}

func kindOf(op isa.Op) kind {
	switch op {
	case isa.OpSend, isa.OpSendc, isa.OpMath:
		return unordered
	case isa.OpSync:
		return syncs
	case isa.OpNop, isa.OpHalt:
		return uncounted
	}
	return inOrder
}

// footprint determines the registers that an instruction reads and writes.
func (p *program) footprint(in *inst, word *isa.Inst, a0 descriptor) error {
	info := &isa.Ops[word.Op]
	switch info.Format {
	case isa.FormatSend:
		return in.message(word, a0)
	case isa.FormatSync, isa.FormatNop, isa.FormatBranch:
		return nil
	}
	n := int(info.NumSrc)
	if info.Format == isa.FormatMath {
		n = word.Math.Sources()
	}
	for k := range n {
		if err := p.source(in, word, k, info.Format == isa.FormatTernary); err != nil {
			return err
		}
	}
	if info.HasDst {
		in.destination(word)
	}
	if in.kind == unordered {
		in.late = in.reads
	}
	return nil
}

func (p *program) source(in *inst, word *isa.Inst, k int, ternary bool) error {
	o := &word.Src[k]
	switch {
	case o.Indirect:
		in.whole = true
		in.reads.add(regA0)
		first, n := 0, numGRF
		if p.opts.Indirect != nil {
			first, n = p.opts.Indirect(int(in.pc))
		}
		in.reads.addRun(first, n)
		return nil
	case o.File == isa.FileARF && o.Reg&0xF0 == isa.ARFA0:
		in.whole = true
		in.reads.add(regA0)
		return nil
	case o.File != isa.FileGRF:
		return nil
	}
	v, w, h := int(o.VStride), int(o.Width), int(o.HStride)
	if ternary { // <v;h>; the last source is <h>
		switch {
		case k == 2 || h != 0 && v == 0:
			v, w = h, 1
		case h == 0:
			w = 1
		default:
			w = max(v/h, 1)
		}
	}
	if w == 0 {
		return fmt.Errorf("source %d has a region of width 0", k)
	}
	size := max(o.Type.Size(), 1)
	base := int(o.Reg)*grfBytes + int(o.Sub)
	for lane := range int(word.ExecSize) {
		at := base + (lane/w*v+lane%w*h)*size
		in.reads.add(at / grfBytes)
		in.reads.add((at + size - 1) / grfBytes)
		in.operands[k].add(at/grfBytes, at%grfBytes, size)
	}
	return nil
}

// readsResult reports whether an instruction reads bytes that the in-order instruction of writes.
func (in *inst) readsResult(of *inst) bool {
	if in.whole {
		return true
	}
	for k := range in.operands {
		if in.operands[k].overlaps(&of.result) {
			return true
		}
	}
	return false
}

func (in *inst) destination(word *isa.Inst) {
	o := &word.Dst
	switch {
	case o.Indirect:
		in.whole = true
		in.reads.add(regA0)
		in.writes.addRun(0, numGRF)
		in.result.everywhere = true
		return
	case o.IsNull() || o.File == isa.FileNone:
		return
	case o.File == isa.FileARF:
		switch o.Reg & 0xF0 {
		case isa.ARFA0:
			in.writes.add(regA0)
			for lane := range int(word.ExecSize) {
				size := max(o.Type.Size(), 1)
				in.result.add(regA0, int(o.Sub)+lane*size*max(int(o.HStride), 1), size)
			}
		case isa.ARFF0:
		case isa.ARFAcc0:
			in.control = o.Reg&15 > 1
		default:
			in.control = true
		}
		return
	}
	size := max(o.Type.Size(), 1)
	step := size * max(int(o.HStride), 1)
	base := int(o.Reg)*grfBytes + int(o.Sub)
	results := 1
	if word.Op == isa.OpMath && word.Math == isa.MathIDiv {
		results = 2 // the remainder is in the next register
	}
	for r := range results {
		for lane := range int(word.ExecSize) {
			at := base + r*max(grfBytes, int(word.ExecSize)*step) + lane*step
			in.writes.add(at / grfBytes)
			in.writes.add((at + size - 1) / grfBytes)
			in.result.add(at/grfBytes, at%grfBytes, size)
		}
	}
}

// message determines the registers of a send from the lengths in its descriptors. The lengths of a descriptor in
// a0.0 are taken from the constant that was last written to a0.0.
func (in *inst) message(word *isa.Inst, a0 descriptor) error {
	in.whole = true
	desc, xlen := word.Desc, int(word.ExDesc>>6&0x1F)
	if word.DescReg || word.ExDescReg {
		in.reads.add(regA0)
		if !a0.known || word.DescReg && word.ExDescReg || word.ExDescSub != 0 {
			return fmt.Errorf("the lengths of the message are unknown")
		}
		if word.DescReg {
			desc = a0.constant
		} else {
			xlen = int(a0.constant >> 6 & 0x1F)
		}
	}
	mlen, rlen := int(desc>>25&0xF), int(desc>>20&0x1F)
	in.late.addRun(int(word.Src[0].Reg), mlen)
	if word.Src[1].File == isa.FileGRF {
		in.late.addRun(int(word.Src[1].Reg), xlen)
	}
	in.reads = in.reads.union(&in.late)
	if word.Dst.File == isa.FileGRF {
		in.writes.addRun(int(word.Dst.Reg), rlen)
	}
	return nil
}

// descriptor is the constant that a move or an or has written to a0.0, if it is known without following
// branches.
type descriptor struct {
	constant uint32
	known    bool
}

// follow updates the descriptor for an instruction.
func (d *descriptor) follow(word *isa.Inst) {
	if isa.Ops[word.Op].Format == isa.FormatBranch {
		d.known = false
		return
	}
	if word.Dst.File != isa.FileARF || word.Dst.Reg&0xF0 != isa.ARFA0 || word.Dst.Sub >= 4 {
		return
	}
	d.known = false
	for k := range 2 {
		if o := &word.Src[k]; o.File == isa.FileImm && (word.Op == isa.OpOr || word.Op == isa.OpMov && k == 0) {
			*d = descriptor{uint32(o.Imm), true}
			return
		}
	}
}
