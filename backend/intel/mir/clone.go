package mir

import "slices"

// Clone returns a copy that shares no memory with f.
func (f *Func) Clone() *Func {
	c := *f
	c.Insts = slices.Clone(f.Insts)
	c.Regs = slices.Clone(f.Regs)
	c.Blocks = slices.Clone(f.Blocks)
	c.Constructs = slices.Clone(f.Constructs)
	c.Lanes, c.Thread = f.Lanes.Clone(), f.Thread.Clone()
	return &c
}

// Clone returns a copy of the unit. The two share only data that no pass modifies.
func (u *Unit) Clone() *Unit {
	c := *u
	c.Func = u.Func.Clone()
	return &c
}

// Detached returns the instruction without its links, so that two instructions can be compared.
func (in Inst) Detached() Inst {
	in.block, in.prev, in.next = 0, 0, 0
	return in
}
