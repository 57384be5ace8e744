// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
)

// Options holds further constraints on the second program.
type Options struct {
	// Reserved scratch bytes of the thread belong to the program: places from ReservedFrom up to ReservedTo are
	// not used for spills.
	ReservedFrom, ReservedTo uint32

	// LengthInMessage: messages of spills have the lengths of their data; their extended descriptors do not.
	LengthInMessage bool
}

// Check compares a function before and after register allocation. An instruction that is in both must have the
// same handle in both. The error names block and instruction.
func Check(old, new *mir.Func, o Options) error {
	if len(old.Blocks) != len(new.Blocks) {
		return fmt.Errorf("%d blocks became %d", len(old.Blocks), len(new.Blocks))
	}
	c := &checker{old: old, new: new, opts: o, sets: newSets(), rows: newRows(), consts: map[constant]place{}}
	var err error
	if c.flow, err = buildFlow(old); err != nil {
		return err
	}
	c.steps = make([][]step, len(old.Blocks))
	for b := range old.Blocks {
		if c.steps[b], err = c.pair(b); err != nil {
			return err
		}
	}
	if err := c.ownState(); err != nil {
		return err
	}
	if err := c.owners(); err != nil {
		return err
	}
	if err := c.findRedos(); err != nil {
		return err
	}
	c.ways()
	c.findNeeds()
	if err := c.solve(); err != nil {
		return err
	}
	return c.checkFlags()
}

type checker struct {
	old, new *mir.Func
	opts     Options
	flow     *flow
	steps    [][]step
	sets     *sets
	consts   map[constant]place
	owner    [][]int8 // by register and byte: the lane that owns it, or noLane
	base     []place  // by register: its place in the second program, if it has one
	payload  int      // the register that represents the fixed GRFs
	need     needs
	rows     *rows
	redo     redos

	in                     []state  // by block
	lanesTo                [][]edge // by block: the edges by which lanes leave it
	threadTo               [][]int  // by block: its possible successors for the thread
	thread, lanes, waiting *facts   // for the block being processed
	wait                   waiter

	spillsFlags bool // the second program moves flags to and from general registers

	srcs, dsts []run
	area       area // scratch memory for the current step
}

// reg returns the register of an operand and the byte where it starts.
func (c *checker) reg(o *mir.Operand) (r int, off uint32) {
	if o.File == mir.GRF {
		return c.payload, c.old.GRF.Start(o.Num)
	}
	return int(o.Num), 0
}

// place returns the place of byte 0 of an operand's register in the second program.
func (c *checker) place(o *mir.Operand) place {
	if o.File == mir.GRF {
		return place(c.new.GRF.Start(o.Num))
	}
	return c.base[o.Num]
}

// ways inverts the control flow: it lists the successors of each block.
func (c *checker) ways() {
	n := len(c.old.Blocks)
	c.lanesTo, c.threadTo = make([][]edge, n), make([][]int, n)
	for b := range n {
		for _, e := range c.flow.lanes[b] {
			c.lanesTo[e.from] = append(c.lanesTo[e.from], e)
		}
		for _, p := range c.flow.thread[b] {
			c.threadTo[p] = append(c.threadTo[p], b)
		}
	}
}

// owners finds the owner of each byte of each register: the lane under whose mask the byte is written.
func (c *checker) owners() error {
	f := c.old
	n := len(f.Regs)
	c.payload = n
	c.owner = make([][]int8, n+1)
	for r := 1; r <= n; r++ {
		bytes := uint32(fileBytes)
		if r < n {
			bytes = f.Regs[r].Bytes
		}
		c.owner[r] = make([]int8, bytes)
		for i := range c.owner[r] {
			c.owner[r][i] = noLane
		}
	}
	c.base = make([]place, len(c.new.Regs))
	at := vregStart
	for r := 1; r < len(c.new.Regs); r++ {
		c.base[r] = at
		at += place(c.new.GRF.Round(c.new.Regs[r].Bytes))
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			if in.NoMask || in.Dst.File != mir.VReg && in.Dst.File != mir.GRF {
				continue
			}
			r, off := c.reg(&in.Dst)
			for _, d := range destination(f.GRF, nil, in) {
				for k := off + d.off; k < off+d.off+d.n; k++ {
					if int(k) >= len(c.owner[r]) {
						return fmt.Errorf("block %d: %s: writes past the end of v%d", b, f.Text(i), r)
					}
					o := &c.owner[r][k]
					if d.lane == noLane || *o != noLane && *o != d.lane {
						return fmt.Errorf("block %d: %s: byte %d of v%d is written by more than one lane", b, f.Text(i), k, r)
					}
					*o = d.lane
				}
			}
		}
	}
	return nil
}
