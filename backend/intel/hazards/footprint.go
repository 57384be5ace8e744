// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"
	"math/bits"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

const (
	numGRF  = isa.MaxGRFs
	regA0   = numGRF // the first doubleword of a0
	numA0   = 8      // doublewords of a0
	numRegs = numGRF + numA0
)

// regs is a set of registers: the GRFs and the doublewords of a0.
type regs [(numRegs-1)>>6 + 1]uint64

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
	mask       [4]uint64 // by register: a bit for each byte
	everywhere bool
}

// add adds n bytes, starting at a byte of the register file of registers of grf bytes, which a0 follows.
func (s *bytes) add(grf, at, n int) {
	if s.mask == [4]uint64{} {
		s.first = at / grf
	}
	for i := at; i < at+n; i++ {
		if k := i/grf - s.first; k >= 0 && k < len(s.mask) {
			s.mask[k] |= 1 << (i % grf)
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
	drain         bool // the next instruction must wait for all pipes
	pipe          pipe // in order: its pipe; else noPipe
	falls, jumps  bool // the thread may continue after it, or at jip
	numNext       uint8
	jip           int32
	next          [2]int32 // indices of the instructions where the thread may continue
	block         int32    // block that it starts; -1 if none
	reads, writes regs
	looks, sets   tracked  // the registers that hardware tracks within a pipe: reads, writes
	late          regs     // unordered: sources that are read late
	begun         *row     // unordered: the outstanding operations after it
	result        bytes    // in order: bytes that it writes, or words of which it writes bytes
	operands      [3]bytes // bytes that it reads, unless whole is set
	whole         bool     // reads whole registers
	waits         waits
}

// waits describes the waits in a scoreboard field.
type waits struct {
	dist     int
	pipes    pipes  // that the distance counts
	dst, src uint32 // sets of tokens
	take     int    // allocated token, or -1 if none
}

// decodeWaits decodes the scoreboard field, and the operand of sync.allrd and sync.allwr (TGL PRM vol. 2a,
// "Software Scoreboard").
func (p *program) decodeWaits(in *isa.Inst, k kind) (waits, error) {
	counted, err := p.counted(in)
	if err != nil {
		return waits{}, err
	}
	w := waits{dist: in.SWSB.Dist(), pipes: counted, take: -1}
	token, use := in.SWSB.Token()
	if token >= numTokens {
		return w, fmt.Errorf("there is no token $%d with %d registers", token, p.platform.Registers().Registers)
	}
	switch use {
	case fields.TokenDst:
		w.dst = 1 << token
	case fields.TokenSrc:
		w.src = 1 << token
	case fields.TokenSet:
		if w.take = token; k != unordered {
			return w, fmt.Errorf("an instruction in order allocates a token: %v", in.SWSB)
		}
	}
	if in.Op == isa.OpSync {
		tokens := uint32(1)<<numTokens - 1
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

func (p *program) kindOf(op isa.Op) kind {
	if p.pipes && isa.Ops[op].Format == isa.FormatBranch {
		return uncounted
	}
	switch op {
	case isa.OpMath:
		if p.mathInOrder {
			return inOrder
		}
		return unordered
	case isa.OpSend, isa.OpSendc:
		return unordered
	case isa.OpSync:
		return syncs
	case isa.OpNop, isa.OpHalt:
		return uncounted
	}
	return inOrder
}

// footprint determines the registers that an instruction reads and writes.
func (p *program) footprint(in *inst, word *isa.Inst, a0 *descriptors) error {
	info := &isa.Ops[word.Op]
	if p.pipes {
		in.pipe = p.pipeOf(word)
		in.implicit(word)
	}
	if in.kind == unordered {
		in.pipe = noPipe
	}
	switch info.Format {
	case isa.FormatSend:
		return p.message(in, word, a0)
	case isa.FormatSync, isa.FormatNop, isa.FormatBranch:
		return nil
	}
	for k := range sources(word) {
		if err := p.source(in, word, k, info.Format == isa.FormatTernary); err != nil {
			return err
		}
	}
	if info.HasDst {
		p.destination(in, word)
	}
	if in.kind == unordered {
		in.late = in.reads
	}
	in.drain = in.control && p.pipes
	return nil
}

// outstanding reports whether a later instruction may have to wait for this one, which is in order. A branch has
// read its flag when the thread goes on.
func (in *inst) outstanding() bool {
	return in.reads != (regs{}) || in.writes != (regs{}) || in.control || in.kind == inOrder && in.looks|in.sets != 0
}

func (p *program) source(in *inst, word *isa.Inst, k int, ternary bool) error {
	o := &word.Src[k]
	switch {
	case o.Indirect:
		n := 1
		if o.VStride == isa.VStrideVxH {
			n = int(word.ExecSize) / max(int(o.Width), 1)
		}
		p.addresses(in, int(o.AddrSub), n)
		first, n := 0, numGRF
		if p.opts.Indirect != nil {
			first, n = p.opts.Indirect(int(in.pc))
		}
		in.reads.addRun(first, n)
		return nil
	case o.File == isa.FileARF && o.Reg&0xF0 != isa.ARFA0 && !p.pipes, o.IsNull(), o.File != isa.FileGRF && o.File != isa.FileARF:
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
	base := int(o.Sub)
	if o.File == isa.FileGRF {
		base += int(o.Reg) * p.grf
	}
	for lane := range int(word.ExecSize) {
		at := base + (lane/w*v+lane%w*h)*size
		if o.File == isa.FileARF {
			p.readARF(in, o, at, size)
			continue
		}
		in.reads.add(at / p.grf)
		in.reads.add((at + size - 1) / p.grf)
		in.operands[k].add(p.grf, at, size)
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

func (p *program) destination(in *inst, word *isa.Inst) {
	o := &word.Dst
	switch {
	case o.Indirect:
		p.addresses(in, int(o.AddrSub), 1)
		in.writes.addRun(0, numGRF)
		in.result.everywhere = true
		return
	case o.IsNull() || o.File == isa.FileNone:
		return
	case o.File == isa.FileARF:
		p.writeARF(in, word)
		return
	}
	size := max(o.Type.Size(), 1)
	step := size * max(int(o.HStride), 1)
	base := int(o.Reg)*p.grf + int(o.Sub)
	results := 1
	if word.Op == isa.OpMath && word.Math == isa.MathIDiv {
		results = 2 // the remainder is in the next register
	}
	for r := range results {
		for lane := range int(word.ExecSize) {
			at := base + r*max(p.grf, int(word.ExecSize)*step) + lane*step
			in.writes.add(at / p.grf)
			in.writes.add((at + size - 1) / p.grf)
			if size == 1 && p.platform.Registers().Words {
				in.result.add(p.grf, at&^1, 2)
			} else {
				in.result.add(p.grf, at, size)
			}
		}
	}
}
