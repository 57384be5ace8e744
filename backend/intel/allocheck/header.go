// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// The base in the header of a scratch block message (TGL PRM vol. 9, "Scratch Block Read/Write"): bits 31:10 of
// doubleword 5 are a byte address; the bits below have other meanings.
const (
	dwordBytes = 4
	baseAt     = 5 * dwordBytes
	baseUnit   = 1 << 10
	mostBase   = 8 << 20 // limit of the number added to a base: scratch places stay below vregStart
)

// isRebase reports whether an instruction adds a number to the base of a header.
func isRebase(in *mir.Inst) bool {
	s, by := &in.Src[0], &in.Src[1]
	return in.Op == isa.OpAdd && in.NoMask && in.Exec == 1 && !s.HasMods() && !by.HasMods() &&
		in.Dst.File == mir.GRF && in.Dst.Off == baseAt && in.Dst.Type == isa.TypeUD &&
		s.File == mir.GRF && s.Off == baseAt && s.Type == isa.TypeUD &&
		by.File == mir.Imm && by.Type == isa.TypeUD && by.Num%baseUnit == 0 && by.Num < mostBase
}

// moved lists the registers of the second program that hold a header with another base, at a point in a block.
type moved []movedHeader

type movedHeader struct {
	reg uint32
	by  uint32 // number added to the base
	at  int    // step that added it
}

// base returns the number added to the base of a header, and marks the step that added it as used.
func (m moved) base(o *mir.Operand, steps []step) uint32 {
	for _, h := range m {
		if o.File == mir.GRF && o.Num == h.reg {
			steps[h.at].base = h.by
			return h.by
		}
	}
	return 0
}

// add records that the instruction of a step adds to a base.
func (m *moved) add(in *mir.Inst, at int) {
	*m = append(*m, movedHeader{in.Dst.Num, in.Src[1].Num, at})
}

// written forgets the headers that an instruction overwrites.
func (m *moved) written(grf mir.RegSize, in *mir.Inst) {
	if len(*m) == 0 || in.Dst.File != mir.GRF {
		return
	}
	kept := (*m)[:0]
	for _, h := range *m {
		at, hit := grf.Start(h.reg)+baseAt, false
		for _, d := range destination(grf, nil, in) {
			lo := grf.Start(in.Dst.Num) + d.off
			hit = hit || lo < at+dwordBytes && at < lo+d.n
		}
		if !hit {
			kept = append(kept, h)
		}
	}
	*m = kept
}

// holdsHeader reports whether a register contains byte k of the thread's header.
func (c *checker) holdsHeader(o *mir.Operand, k uint32) bool {
	return c.sets.has(c.thread.get(c.payload, k), c.place(o))
}

// rebase checks that a number is added to the base of the thread's own header.
func (c *checker) rebase(s *step) error {
	in := c.new.At(s.new)
	for k := uint32(baseAt); k < baseAt+dwordBytes; k++ {
		if !c.holdsHeader(&in.Src[0], k) {
			return fmt.Errorf("%s: r%d does not hold the base of the thread's header", c.new.Text(s.new), in.Src[0].Num)
		}
	}
	return nil
}

// scratch checks the header of a fill or spill, and the destination of a spill.
func (c *checker) scratch(s *step) error {
	in := c.new.At(s.new)
	o := &in.Src[0]
	for k := range c.new.GRF.Bytes() {
		if s.surface || s.base != 0 && k >= baseAt && k < baseAt+dwordBytes {
			continue
		}
		if o.Off != 0 || !c.holdsHeader(o, k) {
			return fmt.Errorf("%s: r%d does not hold the thread's header", c.new.Text(s.new), o.Num)
		}
	}
	lo := uint32(s.slot.at - scratchStart)
	if hi := lo + c.new.GRF.Start(s.slot.grfs); s.kind == save && lo < c.opts.ReservedTo && hi > c.opts.ReservedFrom {
		return fmt.Errorf("%s: spills to bytes %d to %d, which belong to the program", c.new.Text(s.new), lo, hi-1)
	}
	return nil
}
