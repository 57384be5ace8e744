package eu

// Profile counts how often each instruction of a program runs and jumps, over all threads. Its slices
// are indexed by the offset of the instruction divided by eight. See Options.Profile.
type Profile struct {
	Executed []uint64 // runs
	Jumped   []uint64 // runs after which a thread did not go on with the next instruction
}

// count counts a run of an instruction, and the jump that led to it.
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

// At returns how often the instruction at an offset has run.
func (p *Profile) At(offset int) uint64 {
	if p.Executed == nil {
		return 0
	}
	return p.Executed[offset/8]
}

// Back returns how often the branch at an offset has been taken.
func (p *Profile) Back(offset int) uint64 {
	if p.Jumped == nil {
		return 0
	}
	return p.Jumped[offset/8]
}
