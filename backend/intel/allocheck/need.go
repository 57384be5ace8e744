// SPDX-License-Identifier: MIT

package allocheck

import "jacquard.example/backend/intel/mir"

// needs lists, for each block, the registers about which facts are needed at its start: along the logical
// control flow, registers that a lane reads before it writes them; along the physical control flow, registers
// with bytes that are read by others than their owning lane. Facts about other registers are not kept.
type needs struct {
	thread, lanes [][]int32
}

// Lanes for which a byte has been written in a block.
const (
	ofOne uint8 = iota + 1 // for the owning lane when it is active
	ofAll
)

// needFinder is the state of the search for live registers.
type needFinder struct {
	c       *checker
	cover   [][]uint8 // by register and byte: lanes for which it has been written so far in the block
	touched []int32   // registers with an entry in cover
	read    [][]bool  // by register and byte: it is read anywhere
	regs    []inBlock
}

// findNeeds collects the reads of each block in one pass and then follows them backwards.
func (c *checker) findNeeds() {
	regs := len(c.owner)
	x := &needFinder{c: c, cover: make([][]uint8, regs), read: make([][]bool, regs), regs: make([]inBlock, regs)}
	x.everRead()
	for b := range c.old.Blocks {
		x.block(b)
	}
	c.need = (&liveness{c: c, regs: x.regs}).find()
}

// exposed records that a block reads a register before it writes it.
func exposed(list *[]int32, b int) {
	if n := len(*list); n == 0 || (*list)[n-1] != int32(b) {
		*list = append(*list, int32(b))
	}
}

// everRead finds the bytes that are read anywhere.
func (x *needFinder) everRead() {
	f := x.c.old
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for k := range in.Src {
				x.sources(in, k, func(r int, at uint32, _ bool) {
					if x.read[r] == nil {
						x.read[r] = make([]bool, len(x.c.owner[r]))
					}
					x.read[r][at] = true
				})
			}
		}
	}
}

// sources calls do for each byte of a register that a source reads. own reports whether its owning lane reads
// it.
func (x *needFinder) sources(in *mir.Inst, k int, do func(r int, at uint32, own bool)) {
	o := &in.Src[k]
	if !o.IsReg() {
		return
	}
	c := x.c
	r, off := c.reg(o)
	c.srcs = sources(c.new.GRF, c.srcs[:0], in, k)
	for _, s := range c.srcs {
		for at := off + s.off; at < off+s.off+s.n && int(at) < len(c.owner[r]); at++ {
			do(r, at, !in.NoMask && s.lane != noLane && s.lane == c.owner[r][at])
		}
	}
}

// block finds the upward-exposed reads and the complete writes of a block.
func (x *needFinder) block(b int) {
	c, f := x.c, x.c.old
	payload := c.payload
	exposed(&x.regs[payload].thread, b) // spills read the header
	exposed(&x.regs[payload].lanes, b)
	for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
		in := f.At(i)
		for k := range in.Src {
			x.sources(in, k, func(r int, at uint32, own bool) {
				has := uint8(0)
				if x.cover[r] != nil {
					has = x.cover[r][at]
				}
				if has == 0 {
					exposed(&x.regs[r].lanes, b)
				}
				if !own && has != ofAll {
					exposed(&x.regs[r].thread, b)
				}
			})
		}
		if !in.Dst.IsReg() || predicated(in) {
			continue
		}
		r, off := c.reg(&in.Dst)
		if x.cover[r] == nil {
			x.cover[r] = make([]uint8, len(c.owner[r]))
		}
		x.touched = append(x.touched, int32(r))
		lanes := ofOne
		if in.NoMask {
			lanes = ofAll
		}
		c.dsts = destination(c.new.GRF, c.dsts[:0], in)
		for _, d := range c.dsts {
			for at := off + d.off; at < off+d.off+d.n && int(at) < len(x.cover[r]); at++ {
				x.cover[r][at] = max(x.cover[r][at], lanes)
			}
		}
	}
	for _, r := range x.touched {
		least := ofAll
		for at, has := range x.cover[r] {
			if x.read[r] != nil && x.read[r][at] {
				least = min(least, has)
			}
		}
		if least >= ofOne && int(r) != payload {
			out := &x.regs[r]
			out.kill = append(out.kill, int32(b))
			if least == ofAll {
				out.threadKill = append(out.threadKill, int32(b))
			}
		}
		clear(x.cover[r])
	}
	x.touched = x.touched[:0]
}
