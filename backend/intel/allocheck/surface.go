// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Machines whose scratch space is a surface spill by messages to the load/store unit (Alchemist PRM vol. 2a, "LSC"). A
// load has one address and reads consecutive doublewords; a store has an address for each lane. Addresses are offsets into
// the surface. The extended descriptor in a0.7 consists of the offset of the surface state, from doubleword 5 of the thread's
// header, and the length of the data. Where the message has the length (Xe2), the state is four bits lower, and one bit longer
// (Mesa 25.0.7's code for lnl).

// Descriptors, without the size of the vector: bits 30:29 surface state, 15 transposed, 14:12 vector, 11:9 doublewords,
// 8:7 addresses of 32 bits, 5:0 operation.
const (
	surfaceLoad  = 2<<29 | 1<<15 | 2<<9 | 2<<7
	surfaceStore = 2<<29 | 2<<9 | 2<<7 | 4
	vectorAt     = 12
	vectorCode   = 7
	vector8      = 4 // 8 doublewords; the next codes are 16, 32, and 64
)

// Extended descriptor: bits 31:11 are the state, 10:6 the length.
const (
	stateBits   = ^uint32(0x7FF)
	longState   = ^uint32(0x3FF)
	lower       = 4
	lengthAt    = 6
	mostScratch = uint32(vregStart - scratchStart)
)

// slot is a range of scratch that a message accesses.
type slot struct {
	at   place
	grfs uint32
}

// isSurfaceMessage returns the kind of a fill or spill, and the number of registers of its data. ok is false for any other
// instruction.
func (v *values) isSurfaceMessage(in *mir.Inst) (k stepKind, grfs uint32, ok bool) {
	grf := v.f.GRF
	if in.Op != isa.OpSend || in.SFID != isa.SFIDUGM || in.Pred != isa.PredNone || in.EOT || in.ExDesc != 0 || !in.Msg.Bindless ||
		!isState(&in.Src[2]) || in.Src[0].File != mir.GRF || in.Dst.Mask != 0 {
		return 0, 0, false
	}
	code := in.Desc >> vectorAt & vectorCode
	if in.Desc == surfaceLoad|code<<vectorAt && code >= vector8 {
		n := grf.Of(8 * dwordBytes << (code - vector8))
		return load, n, in.NoMask && in.Exec == 1 && n > 0 && in.Len == [3]uint8{1, 0, uint8(n)} && in.Dst.IsReg()
	}
	n := grf.Of(dwordBytes * uint32(in.Exec))
	return save, n, in.Desc == surfaceStore && n > 0 && in.Exec >= 8 && n <= 2 &&
		in.Len == [3]uint8{uint8(n), uint8(n), 0} && in.Dst.IsNull() && in.Src[1].IsReg()
}

// access returns the scratch that a fill or spill with a number of registers accesses.
func (v *values) access(in *mir.Inst, k stepKind, grfs uint32) (slot, error) {
	length := uint32(in.Len[1])
	x, want := &v.state, extended{known: true, mask: stateBits, bits: length << lengthAt}
	if v.long {
		want = extended{known: true, mask: longState >> lower, right: lower}
	}
	if want.from = x.from; *x != want {
		return slot{}, fmt.Errorf("a0.7 is not a surface state with a length of %d", length)
	}
	lanes := uint32(1)
	if k == save {
		lanes = uint32(in.Exec)
	}
	at := v.f.GRF.Place(&in.Src[0])
	first, ok := v.number(at, dwordBytes)
	for lane := range lanes {
		x, known := v.number(at+dwordBytes*lane, dwordBytes)
		switch {
		case !ok || !known:
			return slot{}, fmt.Errorf("the address of lane %d is not known", lane)
		case x != first+dwordBytes*lane:
			return slot{}, fmt.Errorf("the address of lane %d is %d, not %d", lane, x, first+dwordBytes*lane)
		}
	}
	if size := v.f.GRF.Start(grfs); first%dwordBytes != 0 || first > mostScratch-size {
		return slot{}, fmt.Errorf("the address %d is not one of scratch", first)
	}
	return slot{scratchStart + place(first), grfs}, nil
}

// ownFill reports whether an instruction fills registers from a known place of the thread's own scratch space, whose state
// is in r0.
func (v *values) ownFill(in *mir.Inst) bool {
	if v == nil {
		return false
	}
	k, grfs, ok := v.isSurfaceMessage(in)
	if !ok || k != load {
		return false
	}
	_, err := v.access(in, k, grfs)
	return err == nil && v.f.GRF.Place(&v.state.from) == baseAt
}

// added classifies an instruction that only the second program has, given the values before it.
func (c *checker) added(j mir.ID, v *values) (step, error) {
	in := c.new.At(j)
	k, err := extra(in)
	s := step{kind: k, new: j}
	if v == nil {
		return s, err
	}
	if err == nil {
		if _, known := v.result(in); known && k == redone {
			s.kind = helper
		}
		return s, nil
	}
	if v.makesState(in) {
		s.kind = stateMade
		return s, nil
	}
	k, grfs, ok := v.isSurfaceMessage(in)
	if !ok {
		return s, err
	}
	s.kind, s.surface = k, true
	s.slot, err = v.access(in, k, grfs)
	return s, err
}

// fromHeader checks that a surface state comes from the thread's own header.
func (c *checker) fromHeader(s *step) error {
	in := c.new.At(s.new)
	o := &in.Src[0]
	if in.Op != isa.OpAnd {
		return nil // it adds constant bits, or moves the state
	}
	d := c.place(o) + place(o.Off) - baseAt
	for k := uint32(baseAt); k < baseAt+dwordBytes; k++ {
		if !c.sets.has(c.value(c.payload, k, false), d) {
			return fmt.Errorf("%s: source 0 is not the scratch space's state in the thread's header", c.new.Text(s.new))
		}
	}
	return nil
}

// ownState checks that only spills use a0.7, if any do: it changes wherever a register is spilled.
func (c *checker) ownState() error {
	used := false
	for _, steps := range c.steps {
		for i := range steps {
			used = used || steps[i].kind == stateMade
		}
	}
	for b, steps := range c.steps {
		for i := range steps {
			if s := &steps[i]; used && s.kind == same {
				in := c.new.At(s.new)
				for _, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
					if reachesState(o, in.Exec) {
						return fmt.Errorf("block %d: %s: uses a0.7, which spills overwrite", b, c.new.Text(s.new))
					}
				}
			}
		}
	}
	return nil
}
