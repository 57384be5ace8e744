package swsb

import (
	mathbits "math/bits"
	"unsafe"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/bits"
	"jacquard.example/core/reuse"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

const (
	numRegs = mir.NumGRFs + 3 // GRFs, a0, acc0, cr0
	regA0   = mir.NumGRFs
	regAcc  = mir.NumGRFs + 1
	regCR   = mir.NumGRFs + 2 // cr0, the float mode: every instruction reads it

	// maxAge is how far back an in-order instruction may still be unfinished.
	maxAge = 10
	none   = int32(-1 << 20)
)

// regSet is the words of a set of registers.
type regSet [(numRegs + 63) / 64]uint64

func (s *regSet) add(r int) { bits.Set(s[:]).Add(r) }

// state is what may be outstanding, for each register. Stamps count in-order
// instructions; between blocks they are relative to the block's end.
type state struct {
	wrote [numRegs]int32  // last in-order write
	read  [numRegs]int32  // last in-order read
	wTok  [numRegs]uint16 // tokens whose result goes there
	rTok  [numRegs]uint16 // tokens whose payload comes from there
	busy  regSet          // registers with an entry in one of the four
	any   uint16          // tokens that stand in wTok or rTok
	all   uint16          // tokens of instructions without mask
	// What masked instructions and guarded messages have waited for where the thread may have
	// no lanes: others without mask do not rely on these waits.
	wLate, rLate [numRegs]uint16
	late         uint16 // tokens that stand there
}

func (s *state) reset() {
	*s = state{}
	for r := range s.wrote {
		s.wrote[r], s.read[r] = none, none
	}
}

// join merges what another path leaves outstanding; it reports whether anything changed.
func (s *state) join(o *state) bool {
	changed := false
	for w, set := range o.busy {
		s.busy[w] |= set
		for ; set != 0; set &= set - 1 {
			r := w<<6 + mathbits.TrailingZeros64(set)
			if o.wrote[r] > s.wrote[r] {
				s.wrote[r], changed = o.wrote[r], true
			}
			if o.read[r] > s.read[r] {
				s.read[r], changed = o.read[r], true
			}
			if o.wTok[r]&^s.wTok[r] != 0 {
				s.wTok[r] |= o.wTok[r]
				changed = true
			}
			if o.rTok[r]&^s.rTok[r] != 0 {
				s.rTok[r] |= o.rTok[r]
				changed = true
			}
			if o.wLate[r]&^s.wLate[r]|o.rLate[r]&^s.rLate[r] != 0 {
				s.wLate[r] |= o.wLate[r]
				s.rLate[r] |= o.rLate[r]
				changed = true
			}
		}
	}
	s.any |= o.any
	s.late |= o.late
	if o.all&^s.all != 0 {
		s.all |= o.all
		changed = true
	}
	return changed
}

// relative moves the stamps so that now is zero, and drops what is too old.
func (s *state) relative(now int32) {
	for w, set := range s.busy {
		for ; set != 0; set &= set - 1 {
			r := w<<6 + mathbits.TrailingZeros64(set)
			s.wrote[r], s.read[r] = aged(s.wrote[r], now), aged(s.read[r], now)
			if s.wrote[r] == none && s.read[r] == none && s.wTok[r]|s.rTok[r]|s.wLate[r]|s.rLate[r] == 0 {
				s.busy[w] &^= set & -set
			}
		}
	}
}

func aged(stamp, now int32) int32 {
	if now-stamp > maxAge {
		return none
	}
	return stamp - now
}

// written removes tokens whose results have been waited for; their payloads have then
// been read too.
func (s *state) written(m uint16) {
	s.all &^= m
	if m &= s.any | s.late; m == 0 {
		return
	}
	s.any &^= m
	s.late &^= m
	for w, set := range s.busy {
		for ; set != 0; set &= set - 1 {
			r := w<<6 + mathbits.TrailingZeros64(set)
			s.wTok[r] &^= m
			s.rTok[r] &^= m
			s.wLate[r] &^= m
			s.rLate[r] &^= m
		}
	}
}

// skipped notes tokens that a masked instruction has waited for, unless the thread has no
// lanes: for their results and payloads, or for their payloads only.
func (s *state) skipped(written, consumed uint16) {
	s.all &^= written
	if (written|consumed)&s.any == 0 {
		return
	}
	s.any &^= written
	s.late |= written | consumed
	for w, set := range s.busy {
		for ; set != 0; set &= set - 1 {
			r := w<<6 + mathbits.TrailingZeros64(set)
			s.wLate[r] |= s.wTok[r] & written
			s.rLate[r] |= s.rTok[r] & (written | consumed)
			s.wTok[r] &^= written
			s.rTok[r] &^= written | consumed
		}
	}
}

// consumed removes tokens whose payloads have been waited for.
func (s *state) consumed(m uint16) {
	if m&(s.any|s.late) == 0 {
		return
	}
	for w, set := range s.busy {
		for ; set != 0; set &= set - 1 {
			r := w<<6 + mathbits.TrailingZeros64(set)
			s.rTok[r] &^= m
			s.rLate[r] &^= m
		}
	}
}

// wait is what an instruction needs.
type wait struct {
	dist     int32  // 0: none
	dst, src uint16 // tokens
	apart    uint16 // tokens of instructions without mask
}

// An Inserter fills in the scoreboard of one function after another and reuses its
// memory.
type Inserter struct {
	f      *mir.Func
	tokens []uint8 // by instruction
	in     []state // at the start of each block
	due    []bool  // blocks whose start has changed
	s      state
	now    int32
	nested bool   // the block is in control flow
	flow   []bool // by block: in control flow
	from   *state // at the start of the block
	latest [historySize]result
	writes int // results noted in the block
	src    [3]run
	dst    run
	own    result // the result that dst refers to
}

// run is a range of registers that an operand overlaps: n starting at first.
type run struct{ first, n int }

// result is the bytes that an in-order instruction of the block writes.
type result struct {
	lo, hi uint32 // byte addresses, a0 after the GRFs
	stamp  int32
}

// historySize is a power of two that holds the results of maxAge instructions.
const historySize = 16

// Insert fills in the scoreboard of f, whose registers are allocated.
func (x *Inserter) Insert(f *mir.Func) {
	x.f = f
	x.tokens = reuse.Slice(x.tokens, f.NumInsts())
	work.Sets(1, len(f.Blocks), int(unsafe.Sizeof(state{}))*8)
	x.in = reuse.Slice(x.in, len(f.Blocks))
	x.due = reuse.Slice(x.due, len(f.Blocks))
	x.assign()
	x.nest()
	for b := range x.in {
		x.in[b].reset()
		x.due[b] = true
	}
	loop := firstLoop(f)
	for again := true; again; {
		again = false
		for b := range f.Blocks {
			if !x.due[b] {
				continue
			}
			x.due[b] = false
			x.block(b, &x.in[b], b < loop)
			x.s.relative(x.now)
			for _, t := range f.Blocks[b].Phys {
				if x.in[t].join(&x.s) {
					x.due[t] = true
					again = again || int(t) <= b
				}
			}
		}
	}
	for b := loop; b < len(f.Blocks); b++ {
		x.block(b, &x.in[b], true)
	}
}

// firstLoop is the first block that an edge leads back to, or the number of blocks.
// What is outstanding at the start of those before it is known when they are first
// reached, so they need not be gone over again to be filled in.
func firstLoop(f *mir.Func) int {
	first := len(f.Blocks)
	for b := range f.Blocks {
		for _, t := range f.Blocks[b].Phys {
			if int(t) <= b {
				first = min(first, int(t))
			}
		}
	}
	return first
}

// nest finds the blocks in which a thread may have no lanes: those in an if or a loop, and
// after a halt.
func (x *Inserter) nest() {
	x.flow = reuse.Slice(x.flow, len(x.f.Blocks))
	depth, halted := 0, false
	for b := range x.f.Blocks {
		blk := &x.f.Blocks[b]
		if blk.First != 0 {
			switch x.f.At(blk.First).Op {
			case mir.OpLoop:
				depth++
			case mir.OpHaltTarget:
				halted = false
			}
		}
		x.flow[b] = depth > 0 || halted
		if blk.Last == 0 {
			continue
		}
		switch x.f.At(blk.Last).Op {
		case isa.OpIf:
			depth++
		case isa.OpEndif, isa.OpWhile:
			depth--
		case isa.OpHalt:
			halted = true
		}
	}
}

// assign assigns a token to every out-of-order instruction, in turn.
func (x *Inserter) assign() {
	n := 0
	for b := range x.f.Blocks {
		for i := x.f.Blocks[b].First; i != 0; i = x.f.Next(i) {
			if in := x.f.At(i); outOfOrder(in) && !in.EOT {
				x.tokens[i] = uint8(n % fields.NumTokens)
				n++
			}
		}
	}
}

func outOfOrder(in *mir.Inst) bool { return in.IsSend() || in.Op == isa.OpMath }

// Steps of work per block and per instruction: blocks may be visited often until nothing
// changes.
const blockSteps, instSteps = 256, 32

// block processes a block from a state; if write is set it fills in the instructions.
func (x *Inserter) block(b int, from *state, write bool) {
	x.s = *from
	x.now, x.from, x.writes, x.nested = 0, from, 0, x.flow[b]
	f := x.f
	f.Work.Spend(blockSteps)
	for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
		f.Work.Spend(instSteps)
		in := f.At(i)
		switch in.Op {
		case mir.OpLoop, mir.OpUndef:
			continue
		case isa.OpSync:
			x.sync(i, write)
			continue
		}
		x.inst(i, write)
	}
}

// sync handles waits that are already in the code.
func (x *Inserter) sync(i mir.ID, write bool) {
	in := x.f.At(i)
	switch in.Sync {
	case isa.SyncAllWr:
		x.s.written(0xFFFF)
	case isa.SyncAllRd:
		x.s.consumed(0xFFFF)
	case isa.SyncNop:
		// It waits until its operand has been written.
		w := x.needs(in, false)
		x.s.written(w.dst)
		if write {
			x.place(i, w, false)
			x.f.At(i).Src[0] = mir.Null(isa.TypeUD)
		}
	}
}

// inst determines what an instruction must wait for and what it leaves outstanding.
func (x *Inserter) inst(i mir.ID, write bool) {
	in := x.f.At(i)
	ooo := outOfOrder(in)
	w := x.needs(in, ooo)
	x.waited(!in.NoMask, w.dst, w.src)
	tok := uint16(0)
	if ooo && !in.EOT {
		// Taking a token waits for its previous user. If that was unmasked, other unmasked
		// instructions do not rely on this wait of one that may be skipped.
		tok = 1 << x.tokens[i]
		if skip := skippable(in); !skip || x.s.all&tok == 0 {
			x.waited(skip, tok, 0)
		}
		if in.NoMask {
			x.s.all |= tok
		}
	}
	x.s.any |= tok
	if write {
		x.place(i, w, ooo)
		in = x.f.At(i)
	}
	for _, o := range x.src {
		for r := o.first; r < o.first+o.n; r++ {
			x.s.busy.add(r)
			if ooo {
				x.s.rTok[r] |= tok
			} else {
				x.s.read[r] = x.now
			}
		}
	}
	for r := x.dst.first; r < x.dst.first+x.dst.n; r++ {
		x.s.busy.add(r)
		if ooo {
			x.s.wTok[r] |= tok
		} else {
			x.s.wrote[r] = x.now
		}
	}
	if x.dst.n > 0 && !ooo {
		x.latest[x.writes%historySize] = x.own
		x.writes++
	}
	if in.WritesAcc() {
		x.s.busy.add(regAcc)
		x.s.wrote[regAcc] = x.now
	}
	if !ooo && counts(in.Op) {
		x.now++
	}
}

// skippable reports whether a thread without lanes may skip an instruction out of order, and
// so its wait for the token that it takes: a masked one, or a message that a predicate guards.
func skippable(in *mir.Inst) bool {
	return !in.NoMask || in.IsSend() && in.Pred != isa.PredNone
}

// waited notes what an instruction, which may be skipped in a thread without lanes, has
// waited for.
func (x *Inserter) waited(skip bool, dst, src uint16) {
	if !skip || !x.nested {
		x.s.written(dst)
		x.s.consumed(src)
	} else {
		x.s.skipped(dst, src)
	}
}

// counts reports whether distances certainly count an in-order instruction: compilers
// differ for halt.
func counts(o isa.Op) bool { return o != isa.OpHalt && o != mir.OpHaltTarget }

// operands determines the registers that an instruction uses.
func (x *Inserter) operands(in *mir.Inst) {
	for k := range in.Src {
		x.src[k] = regs(&in.Src[k], in.SrcBytes(k))
	}
	bytes := in.DstBytes()
	if x.dst = regs(&in.Dst, bytes); x.dst.n > 0 {
		lo := uint32(x.dst.first)*mir.GRFBytes + in.Dst.Off%mir.GRFBytes
		x.own = result{lo, lo + max(bytes, in.Dst.Extent(int(in.Exec))), x.now}
	}
}

// overwritten returns the stamp of the last in-order instruction that may write bytes of
// the result: one of the block, else any that wrote one of the registers.
func (x *Inserter) overwritten() int32 {
	r := &x.own
	for i := x.writes - 1; i >= 0 && i >= x.writes-historySize; i-- {
		if w := &x.latest[i%historySize]; w.stamp < x.now-maxAge {
			break
		} else if w.lo < r.hi && r.lo < w.hi {
			return w.stamp
		}
	}
	stamp := none
	for k := x.dst.first; k < x.dst.first+x.dst.n; k++ {
		stamp = max(stamp, x.from.wrote[k])
	}
	return stamp
}

// regs returns the registers that an operand of n bytes overlaps.
func regs(o *mir.Operand, n uint32) run {
	switch o.File {
	case mir.GRF:
		if n > 0 {
			first := int(o.Num + o.Off/mir.GRFBytes)
			return run{first, int(o.Num+(o.Off+n-1)/mir.GRFBytes) - first + 1}
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

// needs determines the operands of an instruction and their hazards.
func (x *Inserter) needs(in *mir.Inst, ooo bool) wait {
	x.operands(in)
	w := wait{apart: x.s.all}
	stamp := x.s.wrote[regCR]
	for _, o := range x.src {
		for r := o.first; r < o.first+o.n; r++ {
			if r != regAcc {
				stamp = max(stamp, x.s.wrote[r])
			}
			w.dst |= x.s.wTok[r]
			if in.NoMask {
				w.dst |= x.s.wLate[r]
			}
		}
	}
	for r := x.dst.first; r < x.dst.first+x.dst.n; r++ {
		w.dst |= x.s.wTok[r]
		w.src |= x.s.rTok[r]
		if in.NoMask {
			w.dst |= x.s.wLate[r]
			w.src |= x.s.rLate[r]
		}
		if ooo {
			stamp = max(stamp, x.s.wrote[r], x.s.read[r])
		}
	}
	if x.dst.n > 0 && !ooo && x.dst.first != regAcc {
		stamp = max(stamp, x.overwritten())
	}
	w.src &^= w.dst
	if d := x.now - stamp; d <= maxAge {
		w.dist = min(d, fields.MaxDist)
	}
	return w
}

// place writes a wait into instruction i, preceded by a sync.nop for each part that the
// field cannot encode. Tokens of unmasked instructions are waited for unmasked: a masked
// instruction may be skipped while they run (Wa_1407528679).
func (x *Inserter) place(i mir.ID, w wait, ooo bool) {
	in := x.f.At(i)
	var own fields.SWSB
	apart := uint16(0)
	if !in.NoMask {
		apart = w.apart
	}
	dist := w.dist
	switch {
	case ooo && !in.EOT:
		own = fields.SWSBSet(int(x.tokens[i]))
		if dist != 0 {
			own = fields.SWSBDistSet(int(dist), int(x.tokens[i]))
		}
		// A token that this instruction takes is waited for implicitly.
	case ooo:
		if dist != 0 {
			own = fields.SWSBDist(int(dist))
		}
	default:
		if m := w.dst &^ apart; m != 0 {
			t := mathbits.TrailingZeros16(m)
			w.dst &^= 1 << t
			own = fields.SWSBDst(t)
			if dist != 0 {
				own = fields.SWSBDistDst(int(dist), t)
			}
		} else if m := w.src &^ apart; m != 0 && dist == 0 {
			t := mathbits.TrailingZeros16(m)
			w.src &^= 1 << t
			own = fields.SWSBSrc(t)
		} else if dist != 0 {
			own = fields.SWSBDist(int(dist))
		}
	}
	in.SWSB = own
	for m := w.dst; m != 0; m &= m - 1 {
		x.nop(i, fields.SWSBDst(mathbits.TrailingZeros16(m)))
	}
	for m := w.src; m != 0; m &= m - 1 {
		x.nop(i, fields.SWSBSrc(mathbits.TrailingZeros16(m)))
	}
}

func (x *Inserter) nop(i mir.ID, s fields.SWSB) {
	x.f.Before(i, mir.Inst{
		Op: isa.OpSync, Sync: isa.SyncNop, Exec: 1, NoMask: true, SideEff: true, SWSB: s, Loc: x.f.At(i).Loc,
		Src: [3]mir.Operand{mir.Null(isa.TypeUD)},
	})
}
