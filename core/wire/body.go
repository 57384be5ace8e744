// SPDX-License-Identifier: MIT

package wire

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/trips"
	"jacquard.example/generated/kind"
)

// list reads a list of nodes. Its first block exists already.
func (d *decoder) list(block ir.Node, depth int) {
	s := d.s
	if depth > maxNest {
		d.fail(d.pos, "ifs and loops are nested too deeply")
	}
	b := ir.NewBuilder(s)
	for {
		d.blocks = append(d.blocks, block)
		for range d.count("instructions") {
			b.AtEnd(block)
			d.instr(&b, block)
		}
		at := d.pos
		tag := d.u("the end of a list")
		if tag == tagEnd {
			return
		}
		var x node
		record := d.pos
		readRecord(d, "node", nodeProps, &x)
		if x.trips > trips.Max || x.maxTrips > trips.Max || x.trips != 0 && x.maxTrips != 0 || tag == tagIf && x.trips+x.maxTrips != 0 {
			d.fail(record, "a node cannot have %d iterations and at most %d", x.trips, x.maxTrips)
		}
		var n ir.Node
		switch tag {
		case tagIf:
			n = s.InsertIf(block, ir.Src{})
			d.src(pendingSrc{cond: n})
			d.list(s.Then(n), depth+1)
			d.list(s.Else(n), depth+1)
		case tagLoop:
			n = s.InsertLoop(block)
			if x.trips != 0 {
				s.Node(n).Trips = trips.Exactly(int(x.trips))
			} else {
				s.Node(n).Trips = trips.AtMost(int(x.maxTrips))
			}
			d.list(s.Body(n), depth+1)
		default:
			d.fail(at, "%d is not the tag of a node", tag)
		}
		s.Node(n).Hints = x.hint
		block = s.NextNode(n)
	}
}

func (d *decoder) instr(b *ir.Builder, block ir.Node) {
	s := d.s
	at := d.pos
	f := &d.forms[d.below(len(d.forms), "form")]
	if f.record != "" {
		d.fail(at, "expected an instruction, but the form is that of a record, %s", f.title())
	}
	if s.Jump(block) != 0 {
		d.fail(at, "%s follows the jump that ends the block", f.title())
	}
	bits, comps := d.byte("a size"), d.byte("a number of components")
	switch bits {
	case 0, 1, 8, 16, 32, 64:
	default:
		d.fail(at, "%s has an invalid size, %d bits", f.title(), bits)
	}
	if comps > 16 || bits != 0 && comps == 0 {
		d.fail(at, "%s has an invalid number of components, %d", f.title(), comps)
	}
	if f.nsrc > len(d.data)-d.pos {
		d.fail(at, "%s has %d sources, but only %d bytes are left", f.title(), f.nsrc, len(d.data)-d.pos)
	}
	v := s.New(f.kind, f.sub, f.nsrc, f.words(bits, comps))
	in := s.At(v)
	in.Bits, in.Comps = bits, comps
	in.Float = uint16(d.enum(&kind.EnumFloatMask, "float"))
	locAt := d.pos
	d.lastLoc += int64(unzigzag(d.u("a location")))
	if d.lastLoc < 0 || d.lastLoc >= int64(len(d.locs)) {
		d.fail(locAt, "location %d, but there are %d", d.lastLoc, len(d.locs))
	}
	in.Loc = d.locs[d.lastLoc]
	d.instrs = append(d.instrs, v)
	for i := range f.nsrc {
		d.src(pendingSrc{user: v, i: i})
	}
	d.readFields(v, f)
	b.Insert(v)
}

// words returns the number of words of an instruction.
func (f *form) words(bits, comps uint8) int {
	n := 0
	for _, x := range f.fields {
		n += x.size(f.nsrc, bits, comps)
	}
	return n
}

func (x *field) size(nsrc int, bits, comps uint8) int {
	switch x.class {
	case kind.ClassBlocks, kind.ClassEnums:
		return nsrc
	case kind.ClassData:
		if bits == 64 {
			return 2 * int(comps)
		}
		return int(comps)
	}
	return x.class.Words()
}

func (d *decoder) readFields(v ir.Value, f *form) {
	s := d.s
	in := s.At(v)
	bits, comps := in.Bits, in.Comps
	at := 0
	for i := range f.fields {
		for k := range f.fields[i].size(f.nsrc, bits, comps) {
			s.Words(v)[at+k] = f.fields[i].fill
		}
		at += f.fields[i].size(f.nsrc, bits, comps)
	}
	for _, slot := range f.slots {
		at := 0
		for i := range slot {
			at += f.fields[i].size(f.nsrc, bits, comps)
		}
		x := &f.fields[slot]
		for k := range x.size(f.nsrc, bits, comps) {
			d.word(v, at+k, x)
		}
	}
}

// word reads one word of a field.
func (d *decoder) word(v ir.Value, slot int, x *field) {
	at := d.pos
	var w uint32
	switch x.class {
	case kind.ClassI32:
		w = uint32(unzigzag(d.u(x.name)))
	case kind.ClassBool:
		w = d.below(2, x.name)
	case kind.ClassEnum, kind.ClassEnums, kind.ClassMask:
		w = d.enum(x.enum, x.name)
	case kind.ClassType:
		w = uint32(d.types[d.below(len(d.types), "type")])
	case kind.ClassVar:
		if w = uint32(d.vars[d.below(len(d.vars), "variable")]); w == 0 {
			d.fail(at, "%s names no variable", x.name)
		}
	case kind.ClassFunc:
		if w = uint32(d.fns[d.below(len(d.fns), "function")]); w == 0 {
			d.fail(at, "%s names no function", x.name)
		}
	case kind.ClassBlocks:
		d.preds = append(d.preds, pendingPred{v, slot, d.u(x.name), at})
		return
	default:
		w = d.u(x.name)
	}
	d.s.Words(v)[slot] = w
}

// src reads a source of the newest instruction, or of an if after it.
func (d *decoder) src(p pendingSrc) {
	p.pos = d.pos
	x := d.u("a source")
	if x == 0 {
		return
	}
	if x>>1 == 0 {
		d.fail(p.pos, "an absent source has a swizzle")
	}
	p.num = int64(len(d.instrs)-1) - int64(unzigzag(x>>1-1))
	p.swz = ir.Identity
	if x&1 != 0 {
		p.swz = ir.Swizzle(d.u("a swizzle"))
	}
	d.srcs = append(d.srcs, p)
}

// resolve connects sources and blocks, which may be defined after they are referred to.
func (d *decoder) resolve() {
	s := d.s
	for i := range d.srcs {
		p := &d.srcs[i]
		if p.num <= 0 || p.num >= int64(len(d.instrs)) {
			d.fail(p.pos, "a source reads instruction %d of %d", p.num, len(d.instrs)-1)
		}
		v := d.instrs[p.num]
		if !s.At(v).HasResult() {
			d.fail(p.pos, "a source reads an instruction without result")
		}
		n := uint8(1)
		if p.cond != 0 {
			s.SetCond(p.cond, ir.Src{Val: v, Swz: p.swz, N: 1})
		} else {
			s.SetSrc(p.user, p.i, ir.Src{Val: v, Swz: p.swz})
			n = s.Src(p.user, p.i).N
		}
		for k := range int(n) {
			if c := p.swz.Comp(k); c >= s.At(v).Comps {
				d.fail(p.pos, "a source reads component %d of a value that has %d", c, s.At(v).Comps)
			}
		}
	}
	for _, p := range d.preds {
		if uint64(p.num) >= uint64(len(d.blocks)) {
			d.fail(p.pos, "block %d, but there are %d", p.num, len(d.blocks))
		}
		s.Words(p.user)[p.word] = uint32(d.blocks[p.num])
	}
}
