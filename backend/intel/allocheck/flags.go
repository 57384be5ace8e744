// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Flag registers are checked separately, since masked writes affect single bits. A fact names the virtual flag
// that a bit of f0 or f1 belongs to. One kind of fact holds while the bit's lane is active, along the logical
// control flow; the other holds in any case, along the physical control flow. Where paths meet, the common
// facts remain.

// flagBits counts the bits of f0 and f1, and one each for a0 and the accumulator, which are read and written as
// a whole.
const (
	flagBits = 66
	a0Bit    = 64
	accBit   = 65
)

// flagSet is a set of these bits.
type flagSet struct {
	flags   uint64
	a0, acc bool
}

func (s *flagSet) has(bit int) bool {
	switch bit {
	case a0Bit:
		return s.a0
	case accBit:
		return s.acc
	}
	return s.flags>>bit&1 != 0
}

// flagHeld names the flag that each bit belongs to, or 0 if that is unknown. If flags are spilled, images of
// them exist in other places.
type flagHeld struct {
	reached bool
	reg     [flagBits]mir.Reg
	images  []flagImage // sorted by place; shared with other states, so immutable
}

// meet intersects s with the facts of another path and reports whether it changed.
func (s *flagHeld) meet(o *flagHeld) bool {
	if !o.reached {
		return false
	}
	if !s.reached {
		*s = *o
		return true
	}
	was := s.reg
	for h := range s.reg {
		if s.reg[h] != o.reg[h] {
			s.reg[h] = 0
		}
	}
	return s.meetImages(o.images) || s.reg != was
}

// flagState holds the facts for active lanes and for all lanes.
type flagState struct{ running, all flagHeld }

// checkFlags checks that wherever an instruction reads a virtual flag, the machine's register contains exactly
// that flag.
func (c *checker) checkFlags() error {
	n := len(c.new.Blocks)
	in := make([]flagState, n)
	in[0] = flagState{flagHeld{reached: true}, flagHeld{reached: true}}
	due := make([]bool, n)
	due[0] = true
	lanesTo := make([][]edge, n)
	for b := range n {
		for _, e := range c.flow.lanes[b] {
			lanesTo[e.from] = append(lanesTo[e.from], e)
		}
	}
	writes := c.flagsForAll()
	c.spillsFlags = c.anyFlagMove()
	for again := true; again; {
		again = false
		for b := range n {
			if !due[b] {
				continue
			}
			due[b] = false
			s := in[b]
			for i := range c.steps[b] {
				c.new.Work.Spend(1)
				if err := c.flagStep(&s, &c.steps[b][i]); err != nil {
					return fmt.Errorf("block %d: %w", b, err)
				}
			}
			for _, e := range lanesTo[b] {
				held := s.running
				switch {
				case e.waits && c.spillsFlags:
					held = c.flagsMeanwhile(&e, &held)
				case e.waits:
					c.new.Work.Spend(e.last - e.first)
					held.wait(writes[e.first:e.last])
				}
				if in[e.to].running.meet(&held) {
					due[e.to], again = true, true
				}
			}
			for _, to := range c.threadTo[b] {
				if in[to].all.meet(&s.all) {
					due[to], again = true, true
				}
			}
		}
	}
	return nil
}

// flagWrite is a set of flag bits written without a mask.
type flagWrite struct {
	reg  mir.Reg
	bits flagSet
}

// flagsForAll lists, by block, the unmasked writes of flags.
func (c *checker) flagsForAll() [][]flagWrite {
	out := make([][]flagWrite, len(c.steps))
	for b := range c.steps {
		for i := range c.steps[b] {
			x := &c.steps[b][i]
			if x.kind != same || !c.new.At(x.new).NoMask {
				continue
			}
			if r, bits, _ := c.flagWritten(x); bits != (flagSet{}) {
				out[b] = append(out[b], flagWrite{r, bits})
			}
		}
	}
	return out
}

// wait invalidates the bits that may be written while lanes wait and the thread runs some blocks.
func (s *flagHeld) wait(blocks [][]flagWrite) {
	for _, writes := range blocks {
		for _, w := range writes {
			for h := range s.reg {
				if w.bits.has(h) && s.reg[h] != w.reg {
					s.reg[h] = 0
				}
			}
		}
	}
}

// flagWritten returns the flag and the bits of it that an instruction writes. all reports whether it also
// writes the bits of inactive lanes.
func (c *checker) flagWritten(x *step) (r mir.Reg, bits flagSet, all bool) {
	old, new := c.old.At(x.old), c.new.At(x.new)
	if o := &old.Dst; new.Dst.File == mir.ARF && c.new.IsArch(&new.Dst) {
		if o.File == mir.VReg {
			r = mir.Reg(o.Num)
		}
		return r, whole(&new.Dst), true
	}
	if old.WritesFlag() && new.Flag.Reg() == 0 {
		return old.Flag.Reg(), lanesOf(new.Flag, old), old.NoMask && old.Pred == isa.PredNone
	}
	return 0, flagSet{}, false
}

// flagStep processes one instruction.
func (c *checker) flagStep(s *flagState, x *step) error {
	if c.spillsFlags {
		c.moveFlags(&s.running, x)
		c.moveFlags(&s.all, x)
	}
	if x.kind != same {
		return nil
	}
	old, new := c.old.At(x.old), c.new.At(x.new)
	for k := range old.Src {
		if o := &old.Src[k]; o.File == mir.VReg && c.old.IsArch(o) && new.Src[k].File == mir.ARF {
			if err := s.read(mir.Reg(o.Num), whole(&new.Src[k]), true, c, x); err != nil {
				return err
			}
		}
	}
	if r, _ := c.old.Accumulator(old); r != 0 && !c.virtual(new) {
		if err := s.read(r, flagSet{acc: true}, true, c, x); err != nil {
			return err
		}
	}
	if old.ReadsFlag() {
		if r := old.Flag.Reg(); r != 0 && new.Flag.Reg() == 0 {
			others := old.NoMask || old.Pred != isa.PredNormal
			bits := lanesOf(new.Flag, old)
			if old.Pred != isa.PredNormal {
				bits = every(new.Flag)
			}
			if err := s.read(r, bits, others, c, x); err != nil {
				return err
			}
		}
	}
	s.write(c.flagWritten(x))
	if r, ok := c.old.Accumulator(old); ok {
		s.write(r, flagSet{acc: true}, true)
	}
	return nil
}

// read checks the bits that an instruction reads.
func (s *flagState) read(r mir.Reg, bits flagSet, others bool, c *checker, x *step) error {
	for h := range flagBits {
		if !bits.has(h) {
			continue
		}
		for _, held := range [...]*flagHeld{&s.running, &s.all} {
			if held.reached && held.reg[h] != r && (held == &s.running || others) {
				return c.wrongFlag(x, r, held.reg[h])
			}
		}
	}
	return nil
}

// virtual reports whether the second program still has a virtual accumulator in an instruction.
func (c *checker) virtual(in *mir.Inst) bool {
	r, _ := c.new.Accumulator(in)
	return r != 0
}

func (c *checker) wrongFlag(x *step, r, has mir.Reg) error {
	what := "nothing known"
	if has != 0 {
		what = fmt.Sprintf("v%d", has)
	}
	return fmt.Errorf("%s: reads v%d, but %s is there", c.new.Text(x.new), r, what)
}

// write records a write to bits of flag r, by active lanes or, if all is set, by all lanes. Bits of inactive lanes
// that belonged to another flag become unknown.
func (s *flagState) write(r mir.Reg, bits flagSet, all bool) {
	for h := range flagBits {
		if !bits.has(h) {
			continue
		}
		s.running.reg[h] = r
		if all || s.all.reg[h] == r {
			s.all.reg[h] = r
		} else {
			s.all.reg[h] = 0
		}
	}
}

// lanesOf returns the flag bits of an instruction's lanes.
func lanesOf(x mir.Flag, in *mir.Inst) flagSet {
	lanes := uint64(1<<in.Exec-1) & uint64(in.Dst.Mask.Lanes())
	return flagSet{flags: lanes << (16*uint(x) + uint(in.Chan))}
}

// every returns all bits of the 32-bit register that contains a flag.
func every(x mir.Flag) flagSet { return flagSet{flags: (1<<32 - 1) << (16 * uint(x&^1))} }

// whole returns all bits of a register operand.
func whole(o *mir.Operand) flagSet {
	switch n, _ := o.Arch(); n {
	case mir.ArchA0:
		return flagSet{a0: true}
	case mir.ArchAcc:
		return flagSet{acc: true}
	}
	return every(mir.Flag(o.Num & 0xF * 2))
}
