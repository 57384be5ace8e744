package eu

// Profile counts what the instructions of a program have done, by their offsets in the code, in
// units of eight bytes: see Options.Profile.
type Profile struct {
	Executed []uint64 // how often the instruction has run, in all threads
	Jumped   []uint64 // how often another one than the next has followed it
}

// count counts an instruction that is about to run, and the jump that led to it.
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
