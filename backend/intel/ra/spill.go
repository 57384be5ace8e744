// SPDX-License-Identifier: MIT

package ra

import (
	"fmt"

	"jacquard.example/backend/intel/bytemask"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/reuse"
)

type spiller struct {
	live          *Live
	code          SpillCode
	values        *values
	plans         []plan // by register
	again         []mir.Inst
	used          uint32
	stores, loads int
	redone        int
	pos           int32    // of the current instruction
	account       *Account // nil if no account was requested
}

// ScratchError reports that spilled registers do not fit into scratch memory.
type ScratchError struct {
	Func       string
	Need, Most uint32 // minimum number of bytes needed, and number available
}

func (e *ScratchError) Error() string {
	return fmt.Sprintf("%s: %d bytes of spilled registers for a thread; there are %d for them", e.Func, e.Need, e.Most)
}

// spillSteps is the cost of searching an instruction for registers.
const spillSteps = 8

// run spills registers. A register that is cheap to compute is rematerialized before each use. A register that
// a uniform load fills keeps only the lane that is read. All others go to scratch: each instruction that reads
// such a register reads a copy filled just before, unless the instruction before has one, and each instruction that
// writes it is followed by a store.
func (s *spiller) run(f *mir.Func, victims []mir.Reg) error {
	f.Work.Spend(spillSteps * f.NumInsts())
	s.live.needs(f, true)
	s.plans, s.again = reuse.Zeroed(s.plans, len(f.Regs)), s.again[:0]
	for k, v := range victims {
		s.plans[v].rank = int32(k) + 1
	}
	if s.account != nil {
		s.account.begin(f, s.live, victims, s.plans)
	}
	for _, v := range victims {
		if s.recomputable(f, v) {
			s.plans[v].how = Again
		}
	}
	for _, v := range victims {
		x := &s.values.regs[v]
		p := &s.plans[v]
		f.Reg(v).Def = 0
		switch {
		case p.how == Again:
			p.load = int32(len(s.again))
			s.again = append(s.again, *f.At(x.def))
			f.Retire(x.def)
		case x.packable():
			p.how = Packed
			s.pack(f, v, x.def, p)
		default:
			bytes := f.GRF.Round(f.Reg(v).Bytes)
			if most := s.code.Reach(f); s.used+bytes > most {
				return &ScratchError{Func: f.Name, Need: s.used + bytes, Most: most}
			}
			p.how, p.slot = Scratch, s.used
			s.used += bytes
		}
		if s.account != nil {
			s.account.Spilled[p.record].How = p.how
		}
	}
	for b := range f.Blocks {
		s.pos += s.code.Near() + 1 // a block fills its own copies
		for i := f.Blocks[b].First; i != 0; {
			next := f.Next(i)
			s.pos++
			s.touched(f, i)
			i = next
		}
	}
	return nil
}

// nearGRFs is the maximum size of a filled copy that several reads share.
const nearGRFs = 4

// recomputable reports whether a register is rematerialized. Its operands must not be spilled to scratch
// themselves.
func (s *spiller) recomputable(f *mir.Func, v mir.Reg) bool {
	x := &s.values.regs[v]
	if x.constant() {
		return true
	}
	if !s.values.again(v, s.live) {
		return false
	}
	in := f.At(x.def)
	for k := range in.Src {
		if u := in.Src[k].VReg(); u != 0 && s.plans[u].rank != 0 {
			if y := &s.values.regs[u]; !y.constant() && !y.packable() {
				return false
			}
		}
	}
	return true
}

// plan is the treatment of a spilled register.
type plan struct {
	rank   int32 // index among the victims + 1
	how    How
	slot   uint32  // Scratch: offset in scratch memory
	load   int32   // Again: index in spiller.again of the operation that computes it
	reg    mir.Reg // Packed: register that keeps the lane
	record int32   // index in Account.Spilled, if there is an account

	// Scratch: the bytes from lo to hi are in register copy, which the instruction at position read was the last to read.
	copy   mir.Reg
	read   int32
	lo, hi uint32
}

// How is the treatment of a spilled register.
type How uint8

// The treatments of spilled registers.
const (
	Again   How = iota + 1 // rematerialize
	Packed                 // keep one lane of each component
	Scratch                // move to scratch memory
)

// touched handles the victims that an instruction reads or writes, in order of rank.
func (s *spiller) touched(f *mir.Func, i mir.ID) {
	for last := int32(0); ; {
		v := mir.Reg(0)
		look := func(o *mir.Operand) {
			// Registers created since then have no plan.
			if o.File == mir.VReg && int(o.Num) < len(s.plans) {
				if r := s.plans[o.Num].rank; r > last && (v == 0 || r < s.plans[v].rank) {
					v = mir.Reg(o.Num)
				}
			}
		}
		in := f.At(i)
		look(&in.Dst)
		for k := range in.Src {
			look(&in.Src[k])
		}
		if v == 0 {
			return
		}
		p := &s.plans[v]
		last = p.rank
		switch p.how {
		case Again:
			s.reload(f, i, v, p)
		case Packed:
			for k := range in.Src {
				if o := &in.Src[k]; o.File == mir.VReg && mir.Reg(o.Num) == v {
					o.Num, o.Off = uint32(p.reg), f.GRF.Of(o.Off)*4+f.GRF.In(o.Off)
				}
			}
		case Scratch:
			if gone := s.inst(f, i, v, p); gone {
				return
			}
		}
	}
}

// reload rematerializes a register for an instruction that reads it: a constant in all lanes, anything else in
// the lanes in which it was computed.
func (s *spiller) reload(f *mir.Func, i mir.ID, v mir.Reg, p *plan) {
	info := *f.Reg(v)
	info.NoSpill = true
	tmp := f.AddReg(info)
	again := s.again[p.load]
	again.Dst.Num = uint32(tmp)
	if again.LoadsConstant() {
		again.NoMask = true
	} else {
		s.redone++
	}
	def := f.Before(i, again)
	f.Reg(tmp).Def = def
	if s.account != nil {
		s.account.Made[def] = int(p.record)
	}
	in := f.At(i)
	for k := range in.Src {
		if o := &in.Src[k]; o.File == mir.VReg && mir.Reg(o.Num) == v {
			o.Num = uint32(tmp)
		}
	}
	s.touched(f, def)
}

// pack makes the load of a uniform register write to a new register with a short live range, and copies the
// first lane of each component from there.
func (s *spiller) pack(f *mir.Func, v mir.Reg, def mir.ID, p *plan) {
	info := *f.Reg(v)
	info.NoSpill = true
	tmp := f.AddReg(info)
	f.At(def).Dst.Num = uint32(tmp)
	f.Reg(tmp).Def = def
	comps := f.GRF.Of(info.Bytes)
	p.reg = f.NewScalar(int(4 * comps))
	at := def
	for c := range comps {
		at = s.code.Keep(f, at, p.reg, 4*c, tmp, f.GRF.Start(c))
	}
	if comps == 1 {
		f.Reg(p.reg).Def = at
	}
}

// inst gives an instruction a new register for its accesses to v, which is in scratch. It reports whether the instruction
// was removed.
func (s *spiller) inst(f *mir.Func, i mir.ID, v mir.Reg, p *plan) (gone bool) {
	in := f.At(i)
	if in.Op == mir.OpUndef {
		f.Remove(i)
		return true
	}
	lo, hi := uint32(1<<31), uint32(0)
	reads := false
	span := func(o *mir.Operand, n uint32) bool {
		if o.File != mir.VReg || mir.Reg(o.Num) != v || n == 0 {
			return false
		}
		lo, hi = min(lo, o.Off-f.GRF.In(o.Off)), max(hi, f.GRF.Round(o.Off+n))
		return true
	}
	for k := range in.Src {
		reads = span(&in.Src[k], f.SrcBytes(in, k)) || reads
	}
	writes := span(&in.Dst, f.DstBytes(in))
	if !reads && !writes {
		return false
	}
	if p.copy != 0 && !writes && s.pos-p.read <= s.code.Near() && p.lo <= lo && hi <= p.hi {
		for k := range in.Src {
			if o := &in.Src[k]; o.File == mir.VReg && mir.Reg(o.Num) == v {
				o.Num, o.Off = uint32(p.copy), o.Off-p.lo
			}
		}
		p.read = s.pos
		return false
	}
	// A write that leaves part of its span unwritten needs the old contents.
	partial := writes && !s.live.defines(in, v, lo, hi) && !s.code.Exact(in)
	gaps := writes && !writesAll(f, in, lo, hi)
	front := uint32(0)
	if writes {
		front = s.code.Front(f)
	}
	info := *f.Reg(v)
	info.Bytes, info.Align, info.NoSpill = front+hi-lo, f.GRF.Align(), true
	tmp := f.AddReg(info)
	in = f.At(i)
	rename := func(o *mir.Operand) {
		if o.File == mir.VReg && mir.Reg(o.Num) == v {
			o.Num, o.Off = uint32(tmp), front+o.Off-lo
		}
	}
	for k := range in.Src {
		rename(&in.Src[k])
	}
	rename(&in.Dst)
	if p.copy = 0; !writes && hi-lo <= f.GRF.Start(nearGRFs) {
		p.copy, p.read = tmp, s.pos
		p.lo, p.hi = lo, hi
	}
	switch {
	case reads || partial:
		before := f.Prev(i)
		n := s.code.Fill(f, i, tmp, front, hi-lo, p.slot+lo)
		s.loads += n
		if x := s.account; x != nil {
			x.note(f, f.BlockOf(i), before, i, p).Fills += n
		}
	case gaps:
		// The store also reads bytes that the instruction does not write, such as the upper halves of 16-bit
		// values. Without Undefine, tmp would be live throughout a loop.
		s.code.Undefine(f, i, tmp, front+hi-lo)
	}
	if writes {
		behind := f.Next(i)
		n := s.code.Store(f, i, tmp, hi-lo, p.slot+lo)
		s.stores += n
		if x := s.account; x != nil {
			x.note(f, f.BlockOf(i), i, behind, p).Stores += n
		}
	}
	return false
}

// writesAll reports whether an instruction writes, in the active lanes, every byte from lo to hi of its
// destination's register.
func writesAll(f *mir.Func, in *mir.Inst, lo, hi uint32) bool {
	first := f.GRF.Of(in.Dst.Off)
	for g := f.GRF.Of(lo); g < f.GRF.Of(hi); g++ {
		if g < first || bytemask.DstWritePattern(f, in, uint(g-first)) != bytemask.Whole(f.GRF) {
			return false
		}
	}
	return true
}
