package eu

// Profile counts, over all threads, how often each instruction of a program executes and jumps. The slices are
// indexed by an instruction's offset in units of eight bytes. See Options.Profile.
type Profile struct {
	Executed []uint64
	Jumped   []uint64 // executions that did not continue with the next instruction
}

// count records that a thread executes instruction o, and whether the previous instruction jumped to it.
func (p *Profile) count(t *Thread, o *op) {
	if p.Executed == nil {
		n := t.prog.size/8 + 1
		p.Executed, p.Jumped = make([]uint64, n), make([]uint64, n)
	}
	p.Executed[o.off/8]++
	if t.steps > 1 && t.last+1 != o.idx {
		p.Jumped[t.prog.ops[t.last].off/8]++
	}
	t.last = o.idx
}

// At returns how often the instruction at an offset was executed.
func (p *Profile) At(offset int) uint64 {
	if p.Executed == nil {
		return 0
	}
	return p.Executed[offset/8]
}

// Back returns how often the branch at an offset was taken.
func (p *Profile) Back(offset int) uint64 {
	if p.Jumped == nil {
		return 0
	}
	return p.Jumped[offset/8]
}
