package eu

import "jacquard.example/generated/isa"

// What Options.Undefined and Addresses look for: registers that the payload or an instruction
// for any lane has written, and by register the dwords that were, a bit each.

// checkDefined refuses reads of registers of which nothing has been written, and
// messages without mask whose addresses are those of lanes that never were: a
// masked instruction that computes them leaves garbage there, which such a
// message sends all the same. It notes what the instruction writes.
func (t *Thread) checkDefined(o *op, f *footprint) bool {
	for k := 0; k < int(f.nsrc) && t.opts.Undefined; k++ {
		s := f.src[k]
		for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numGRF; r++ {
			if !t.touched[r] {
				t.faultf(o, FaultUndefined, "reads r%d, which nothing has written", r)
				return false
			}
		}
	}
	for _, s := range [2]span{f.dst, f.dst2} {
		for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numGRF; r++ {
			t.touched[r] = true
		}
	}
	mask := t.mask(o)
	if o.op == isa.OpSel {
		mask = t.laneMask(o) // the predicate picks a source
	}
	if o.kind == kindSend {
		return t.messageDefined(o, mask)
	}
	d := &o.dst
	if o.kind == kindFlow || d.null || d.indirect || d.base >= grfEnd {
		t.defineAll(f.dst)
		return true
	}
	for i := 0; i < int(o.n); i++ {
		if mask>>i&1 != 0 {
			t.define(int(d.base)+i*int(d.stride), d.typ.Size())
		}
	}
	t.defineAll(f.dst2)
	return true
}

func (t *Thread) messageDefined(o *op, mask uint32) bool {
	m, err := t.message(o)
	if err != nil {
		return true // running it is the fault
	}
	if !m.perLane {
		t.defineAll(wholeRegs(max(o.send.dst, 0), int(m.rlen)))
		return true
	}
	size := 4
	if m.wide {
		size = 8
	}
	lanes := 8 * m.laneRegs()
	for i := 0; i < int(o.n); i++ {
		if mask>>i&1 == 0 {
			continue
		}
		for c := 0; c < max(int(m.coords), 1) && t.opts.Addresses && o.noMask; c++ {
			off := i*size + c*m.laneRegs()*grfSize
			if m.header {
				off += grfSize
			}
			if at := o.payload(m, off); t.defined[at/grfSize]>>(at%grfSize/4)&1 == 0 {
				t.faultf(o, FaultUndefined, "runs without mask, and nothing has written the address of lane %d", i)
				return false
			}
		}
		for c := 0; c < int(m.rlen)*8; c += lanes {
			t.define(o.send.dst*grfSize+(c+i)*4, 4)
		}
	}
	return true
}

// define notes that size bytes of the register file are written.
func (t *Thread) define(at, size int) {
	for b := at; b < at+size && b < grfEnd; b += 4 {
		t.defined[b/grfSize] |= 1 << (b % grfSize / 4)
	}
}

func (t *Thread) defineAll(s span) {
	for r := int(s.reg); r < int(s.reg)+int(s.regs) && r < numGRF; r++ {
		t.defined[r] = 0xFF
	}
}
