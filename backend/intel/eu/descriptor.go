package eu

import "jacquard.example/generated/isa"

// A dynamic descriptor is a constant or'ed with an index into the binding table. Both compilers for this
// hardware first mask the index to its field (TGL PRM vol. 7, "Message Descriptor"): other bits would change
// the message's lengths and type.

// descPart is the non-constant part of the descriptor in a0.0.
type descPart struct {
	value, constant uint32
	known           bool // a0.0 is value | constant
}

// makesDescriptor recognizes an or with a constant into a0.0 and makes it record both parts.
func (o *op) makesDescriptor(in *isa.Inst) {
	d := &in.Dst
	if in.Op != isa.OpOr || d.File != isa.FileARF || d.Indirect || d.Reg != isa.ARFA0 || d.Sub != 0 || d.Type.Size() != 4 ||
		o.n != 1 || o.src[1].kind != srcImm || o.src[0].kind == srcImm {
		return
	}
	o.desc = o.exec
	o.exec = execDescriptor
}

func execDescriptor(t *Thread, o *op) {
	value := uint32(t.loadI(o, 0)[0])
	runs := t.mask(o) != 0
	o.desc(t, o)
	if runs {
		t.part = descPart{value: value, constant: o.src[1].imm, known: true}
	}
}

// check faults if the non-constant part of a descriptor has bits outside the binding table index and, for the
// sampler, the sampler index.
func (p *descPart) check(sfid isa.SFID) *opError {
	if !p.known {
		return nil
	}
	field := uint32(0xFF)
	if sfid == isa.SFIDSampler {
		field = 0xFFF
	}
	if p.value&^field != 0 || p.value&p.constant != 0 {
		return operr(FaultMessage, "the descriptor 0x%08x is made with 0x%08x, which reaches beyond the binding table index", p.constant, p.value)
	}
	return nil
}
