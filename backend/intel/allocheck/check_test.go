// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// small builds a function whose payload is r0 and r1.
type small struct {
	*mir.Func
	ids []mir.ID
}

const ud = isa.TypeUD

func newSmall() *small {
	f := mir.New(8, isa.TGL.Registers())
	f.Name, f.Payload = "main", 2
	return &small{Func: f}
}

// vec returns a register of comps dwords per lane.
func (s *small) vec(comps int) mir.Operand { return mir.V(s.NewReg(comps, 4), ud) }

func (s *small) op(op isa.Op, dst mir.Operand, src ...mir.Operand) *mir.Inst {
	in := mir.Inst{Op: op, Exec: 8, Dst: dst}
	copy(in.Src[:], src)
	id := s.Append(len(s.Blocks)-1, in)
	s.ids = append(s.ids, id)
	return s.At(id)
}

// all is like op, without a mask.
func (s *small) all(op isa.Op, dst mir.Operand, src ...mir.Operand) *mir.Inst {
	in := s.op(op, dst, src...)
	in.NoMask = true
	return in
}

// use reads a register under the mask.
func (s *small) use(x mir.Operand) {
	s.op(isa.OpCmp, mir.Null(ud), x, mir.UD(0)).CMod = isa.CModNE
}

// branch ends a block with if, break or cont, or adds an else, endif or while.
func (s *small) branch(op isa.Op) {
	alone := op == isa.OpElse || op == isa.OpEndif || op == isa.OpWhile
	if alone {
		s.NewBlock()
	}
	in := s.op(op, mir.Operand{})
	if op == isa.OpIf || op == isa.OpBreak || op == isa.OpWhile {
		in.Pred = isa.PredNormal
	}
	s.NewBlock()
}

func (s *small) loop() {
	s.NewBlock()
	s.op(mir.OpLoop, mir.Operand{})
}

// placed returns a copy of s in which register v is in GRF regs[v].
func (s *small) placed(regs map[uint32]uint32) *mir.Func {
	f := s.Clone()
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for _, o := range []*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1]} {
				if o.File == mir.VReg {
					at := regs[o.Num]*32 + o.Off
					o.File, o.Num, o.Off = mir.GRF, at/32, at%32
				}
			}
		}
	}
	return f
}

// scratch returns a fill of GRF r from slot n, or a spill of r to it.
func scratch(r, n int, spill, noMask bool) mir.Inst {
	in := mir.Inst{Op: isa.OpSend, Exec: 8, NoMask: noMask, SFID: isa.SFIDDC0, Desc: 3<<18 | uint32(n), Len: [3]uint8{1, 0, 1},
		Dst: mir.Fixed(r, ud), Src: [3]mir.Operand{mir.Fixed(0, ud), mir.Null(ud)}}
	if spill {
		in.Desc |= 3 << 16
		in.SideEff, in.Len = true, [3]uint8{1, 1, 0}
		in.Dst, in.Src[1] = mir.Null(ud), mir.Fixed(r, ud)
	}
	return in
}

// TestCheck checks correct and wrong allocations made by hand.
func TestCheck(t *testing.T) {
	type program func() (before *small, after *mir.Func)
	two := func(a, b uint32) program { // both are live at once
		return func() (*small, *mir.Func) {
			s := newSmall()
			x, y := s.vec(1), s.vec(1)
			s.op(isa.OpMov, x, mir.UD(1))
			s.op(isa.OpMov, y, mir.FixedScalar(1, 0, ud))
			s.use(x)
			s.use(y)
			return s, s.placed(map[uint32]uint32{1: a, 2: b})
		}
	}
	// x is defined before an if and used in its else; y is written in between.
	arms := func(y uint32, noMask bool) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			x, z := s.vec(1), s.vec(1)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
			s.branch(isa.OpIf)
			if noMask {
				s.all(isa.OpMov, z, mir.FixedScalar(1, 4, ud))
			} else {
				s.op(isa.OpMov, z, mir.FixedScalar(1, 4, ud))
			}
			s.use(z)
			s.branch(isa.OpElse)
			s.use(x)
			s.branch(isa.OpEndif)
			return s, s.placed(map[uint32]uint32{1: 10, 2: y})
		}
	}
	// x leaves a loop by a break and is used after the loop; z is written in the loop after the break.
	left := func(z uint32, mask bool) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			x, y := s.vec(1), s.vec(1)
			s.loop()
			s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
			s.branch(isa.OpBreak)
			s.op(isa.OpMov, y, mir.FixedScalar(1, 4, ud)).NoMask = !mask
			s.use(y)
			s.branch(isa.OpWhile)
			s.At(s.ids[len(s.ids)-1]).Pred = 0 // lanes leave only by the break
			s.use(x)
			return s, s.placed(map[uint32]uint32{1: 10, 2: z})
		}
	}
	// The words of x are written one after the other; y overwrites the word at byte off.
	words := func(off uint32) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			x := s.vec(1)
			s.op(isa.OpMov, x.As(isa.TypeUW).WithStride(2), mir.FixedScalar(1, 0, isa.TypeUW))
			s.op(isa.OpMov, x.As(isa.TypeUW).WithStride(2).At(2), mir.FixedScalar(1, 2, isa.TypeUW))
			s.use(x)
			f := s.placed(map[uint32]uint32{1: 10})
			f.At(s.ids[1]).Dst.Off = off
			return s, f
		}
	}
	spill := func(edit func(s *small, f *mir.Func)) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			x, y, z := s.vec(1), s.vec(1), s.vec(1)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
			s.op(isa.OpMov, y, mir.FixedScalar(1, 4, ud))
			s.op(isa.OpMov, z, mir.FixedScalar(1, 8, ud))
			s.use(x)
			s.use(y)
			s.use(z)
			f := s.placed(map[uint32]uint32{1: 10, 2: 10, 3: 11})
			f.After(s.ids[0], scratch(10, 0, true, false))
			f.After(s.ids[1], scratch(10, 1, true, false))
			f.Before(s.ids[3], scratch(10, 0, false, true))
			f.Before(s.ids[4], scratch(10, 1, false, true))
			edit(s, f)
			return s, f
		}
	}
	// One arm spills, masked or unmasked, to a slot that holds values of the other arm's lanes.
	spillArms := func(noMask bool) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			x := s.vec(1)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
			s.branch(isa.OpIf)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 4, ud))
			s.branch(isa.OpEndif)
			s.use(x)
			f := s.placed(map[uint32]uint32{1: 10})
			f.After(s.ids[0], scratch(10, 0, true, false))
			f.At(s.ids[2]).Dst.Num = 20
			f.After(s.ids[2], scratch(20, 0, true, noMask))
			f.At(s.ids[4]).Src[0].Num = 12
			f.Before(s.ids[4], scratch(12, 0, false, true))
			return s, f
		}
	}
	// x and y of r10 are written and spilled to one slot by components, with messages that have one payload.
	components := func(second fields.WriteMask, header int) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			x := s.vec(1)
			var masks [2]fields.WriteMask
			for k := range masks {
				masks[k] = fields.MaskOf(1 << k)
				s.op(isa.OpMov, x, mir.FixedScalar(1, 4*uint32(k), ud)).Dst.Mask = masks[k]
			}
			s.op(isa.OpCmp, mir.Null(ud), x, mir.UD(0)).CMod = isa.CModNE
			s.At(s.ids[2]).Dst.Mask = fields.MaskOf(3)
			f := s.placed(map[uint32]uint32{1: 10})
			masks[1] = second
			for k, id := range s.ids[:2] {
				payload := mir.Fixed(20+2*k, ud)
				f.At(id).Dst.Num = payload.Num + 1
				save := scratch(0, 0, true, false)
				save.Dst.Mask, save.Len, save.Src[0] = masks[k], [3]uint8{2, 0, 0}, payload
				f.After(id, save)
				f.After(id, mir.Inst{Op: isa.OpMov, Exec: 8, NoMask: true, Dst: payload, Src: [3]mir.Operand{mir.Fixed(header, ud)}})
			}
			f.Before(s.ids[2], scratch(10, 0, false, true))
			return s, f
		}
	}
	// y is written in component y between the write of x and a dot product of x that has its result in component x.
	dot := func(y uint32) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			x, y0, z := s.vec(1), s.vec(1), s.vec(1)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
			s.op(isa.OpMov, y0, mir.FixedScalar(1, 4, ud)).Dst.Mask = fields.MaskOf(2)
			s.op(isa.OpDp4, z, x, x).Dst.Mask = fields.MaskOf(1)
			return s, s.placed(map[uint32]uint32{1: 10, 2: y, 3: 12})
		}
	}
	carried := func(y uint32) program { // x is carried around a loop and written at its end
		return func() (*small, *mir.Func) {
			s := newSmall()
			x, z := s.vec(1), s.vec(1)
			s.op(isa.OpMov, x, mir.UD(0))
			s.loop()
			s.use(x)
			s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
			s.op(isa.OpMov, z, mir.FixedScalar(1, 4, ud))
			s.use(z)
			s.branch(isa.OpWhile)
			return s, s.placed(map[uint32]uint32{1: 10, 2: y})
		}
	}
	edited := func(p program, edit func(s *small, f *mir.Func)) program {
		return func() (*small, *mir.Func) {
			s, f := p()
			edit(s, f)
			return s, f
		}
	}
	wide := func(src mir.Operand, at uint32) program { // two GRFs are written in two steps
		return func() (*small, *mir.Func) {
			f := mir.New(16, isa.TGL.Registers())
			f.Name, f.Payload = "main", 2
			s := &small{Func: f}
			y := s.vec(1)
			id := s.Append(0, mir.Inst{Op: isa.OpMov, Exec: 16, Dst: y, Src: [3]mir.Operand{src}})
			s.ids = append(s.ids, id)
			return s, s.placed(map[uint32]uint32{1: at})
		}
	}
	// The first four lanes have x and w, the others y. x and y share a register.
	halves := func(at uint32) program {
		return func() (*small, *mir.Func) {
			s := newSmall()
			half := func(op isa.Op, x mir.Operand, first uint32) {
				in := s.op(op, x.At(4*first), mir.FixedScalar(1, 4*first, ud))
				if in.Exec, in.Chan = 4, uint8(first); op == isa.OpCmp {
					in.Src, in.Dst = [3]mir.Operand{in.Dst, mir.UD(0)}, mir.Null(ud)
				}
			}
			x, y, w := s.vec(1), s.vec(1), s.vec(1)
			half(isa.OpMov, x, 0)
			half(isa.OpMov, y, 4)
			half(isa.OpMov, w, 0)
			half(isa.OpCmp, x, 0)
			half(isa.OpCmp, y, 4)
			half(isa.OpCmp, w, 0)
			return s, s.placed(map[uint32]uint32{1: 10, 2: 10, 3: at})
		}
	}
	for _, c := range []struct {
		name string
		make program
		want string // part of the error; empty if the allocation is correct
	}{
		{"apart", two(10, 11), ""},
		{"in one register", two(10, 10), "block 0: cmp(8) (ne)f0.0 null:ud r10:ud 0x0:ud: source 0 should be byte 0 of v1"},
		{"masked write in the other arm", arms(10, false), ""},
		{"write without a mask in the other arm", arms(10, true), "block 3: cmp(8) (ne)f0.0 null:ud r10:ud"},
		{"write without a mask elsewhere", arms(11, true), ""},
		{"masked write after a break", left(10, true), ""},
		{"unmasked write after a break", left(10, false), "block 4: cmp(8) (ne)f0.0 null:ud r10:ud"},
		{"half a register beside another's", halves(11), ""},
		{"half a register over another's", halves(10), "source 0 should be byte 0 of v1"},
		{"words in place", words(2), ""},
		{"a word misplaced", words(0), "should be byte 0 of v1"},
		{"around a loop", carried(11), ""},
		{"overwritten around a loop", carried(10), "block 1: cmp(8) (ne)f0.0 null:ud r10:ud"},
		{"spilled", spill(func(*small, *mir.Func) {}), ""},
		{"one slot for two", spill(func(s *small, f *mir.Func) { f.At(f.Next(s.ids[1])).Desc &^= 1 }), "should be byte 0 of v1"},
		{"the wrong slot filled", spill(func(s *small, f *mir.Func) { f.At(f.Prev(s.ids[4])).Desc ^= 1 }), "should be byte 0 of v2"},
		{"a fill is missing", spill(func(s *small, f *mir.Func) { f.Remove(f.Prev(s.ids[3])) }), "should be byte 0 of v1"},
		{"the header is lost", spill(func(s *small, f *mir.Func) { f.At(s.ids[2]).Dst.Num = 0 }), "r0 does not hold the thread's header"},
		{"masked spill in an arm", spillArms(false), ""},
		{"spill without a mask in an arm", spillArms(true), "block 3: cmp(8) (ne)f0.0 null:ud r12:ud"},
		{"spilled by components", components(fields.MaskOf(2), 0), ""},
		{"a component is not spilled", components(fields.MaskOf(4), 0), "source 0 should be byte 4 of v1"},
		{"a component is spilled over", components(fields.MaskOf(3), 0), "source 0 should be byte 0 of v1"},
		{"a payload without a header", components(fields.MaskOf(2), 1), "r20 does not hold the thread's header"},
		{"a component beside a dot product's", dot(11), ""},
		{"a component over a dot product's", dot(10), "dp4(8) r12<1>.x:ud r10:ud r10:ud: source 0 should be byte 4 of v1"},
		{"an instruction is gone", edited(two(10, 11), func(s *small, f *mir.Func) { f.Remove(s.ids[2]) }), "is missing"},
		{"an instruction has changed", edited(two(10, 11), func(s *small, f *mir.Func) { f.At(s.ids[2]).CMod = isa.CModEQ }), "cmp(8) (ne)f0.0 null:ud v1:ud 0x0:ud: is missing"},
		{"an instruction is new", edited(two(10, 11), func(s *small, f *mir.Func) {
			f.Before(s.ids[2], mir.Inst{Op: isa.OpMov, Exec: 8, Dst: mir.Fixed(12, ud), Src: [3]mir.Operand{mir.Fixed(1, ud)}})
		}), "mov(8) r12<1>:ud r1:ud: is new, but not a fill, spill, constant or move"},
		{"a constant is gone", edited(two(10, 11), func(s *small, f *mir.Func) { f.Remove(s.ids[0]) }), "which is at a constant, not at r10+0"},
		{"a constant comes later", edited(two(10, 11), func(s *small, f *mir.Func) {
			in := *f.At(s.ids[0])
			in.NoMask = true
			f.Before(s.ids[2], in)
			f.Remove(s.ids[0])
		}), ""},
		{"in two steps, the same place", wide(mir.Fixed(1, ud), 1), ""},
		{"in two steps, a scalar written before it is read", wide(mir.FixedScalar(1, 4, ud), 1), "source 0 reads byte 0 after the instruction has written it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, f := c.make()
			s.BuildCFG()
			err := allocheck.Check(s.Func, f, allocheck.Options{})
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%v\n%s", err, f)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want …%s…\n%s", err, c.want, f)
			}
		})
	}
}

// TestReserved checks that spills to the program's own scratch are rejected.
func TestReserved(t *testing.T) {
	s := newSmall()
	x := s.vec(1)
	s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
	f := s.placed(map[uint32]uint32{1: 10})
	f.After(s.ids[0], scratch(10, 3, true, false))
	if err := allocheck.Check(s.Func, f, allocheck.Options{ReservedTo: 96}); err != nil {
		t.Error(err)
	}
	err := allocheck.Check(s.Func, f, allocheck.Options{ReservedTo: 97})
	if err == nil || !strings.Contains(err.Error(), "spills to bytes 96 to 127, which belong to the program") {
		t.Errorf("got %v", err)
	}
}

// TestHeaders checks that a spill or fill may use another base if its header is a copy of the thread's with a
// number added to the base.
func TestHeaders(t *testing.T) {
	own := func(dst, src int) mir.Inst {
		return mir.Inst{Op: isa.OpMov, Exec: 8, NoMask: true, Dst: mir.Fixed(dst, ud), Src: [3]mir.Operand{mir.Fixed(src, ud)}}
	}
	add := func(dst, src int, dword, by uint32) mir.Inst {
		return mir.Inst{Op: isa.OpAdd, Exec: 1, NoMask: true, Dst: mir.Fixed(dst, ud).At(4 * dword),
			Src: [3]mir.Operand{mir.FixedScalar(src, 4*dword, ud), mir.UD(by)}}
	}
	by := func(header int, in mir.Inst) mir.Inst {
		in.Src[0] = mir.Fixed(header, ud)
		return in
	}
	const far = 128 << 10
	save, load := scratch(10, 0, true, false), scratch(11, 0, false, true)
	for _, c := range []struct {
		name   string
		insts  []mir.Inst // instructions between the write of r10 and the read of r11
		wanted string
	}{
		{"far", []mir.Inst{own(20, 0), add(20, 0, 5, far), by(20, save), by(20, load)}, ""},
		{"a header each", []mir.Inst{own(20, 0), add(20, 20, 5, far), by(20, save), own(30, 0), add(30, 0, 5, far-1024), by(30, scratch(11, 32, false, true))}, ""},
		{"a copy", []mir.Inst{own(20, 0), by(20, save), load}, ""},
		{"near and far", []mir.Inst{own(20, 0), add(20, 0, 5, far), by(20, save), load}, "source 0 should be byte 0 of v1"},
		{"another base", []mir.Inst{own(20, 0), add(20, 0, 5, far), by(20, save), own(20, 0), add(20, 0, 5, 2*far), by(20, load)}, "source 0 should be byte 0 of v1"},
		{"no copy", []mir.Inst{add(20, 0, 5, far), by(20, save), by(20, load)}, "r20 does not hold the thread's header"},
		{"written over", []mir.Inst{own(20, 0), add(20, 0, 5, far), by(20, save), own(20, 0), add(20, 0, 5, far), own(20, 1), by(20, load)}, "r20 does not hold the thread's header"},
		{"base of something else", []mir.Inst{own(20, 0), add(20, 1, 5, far), by(20, save), by(20, load)}, "r1 does not hold the base of the thread's header"},
		{"added twice", []mir.Inst{own(20, 0), add(20, 0, 5, far), add(20, 20, 5, far), by(20, save), by(20, load)}, "r20 does not hold the base of the thread's header"},
		{"another doubleword", []mir.Inst{own(20, 0), add(20, 0, 4, far), by(20, save), by(20, load)}, "is new, but not a fill, spill, constant or move"},
		{"others' bits", []mir.Inst{own(20, 0), add(20, 0, 5, far+512), by(20, save), by(20, load)}, "is new, but not a fill, spill, constant or move"},
	} {
		s := newSmall()
		x := s.vec(1)
		s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
		s.use(x)
		f := s.placed(map[uint32]uint32{1: 10})
		at := s.ids[0]
		for _, in := range c.insts {
			at = f.After(at, in)
		}
		read := f.At(s.ids[1])
		for k := range read.Src {
			if o := &read.Src[k]; o.File == mir.GRF && o.Num == 10 {
				o.Num = 11
			}
		}
		err := allocheck.Check(s.Func, f, allocheck.Options{})
		if got := fmt.Sprint(err); c.wanted == "" && err != nil || c.wanted != "" && !strings.Contains(got, c.wanted) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.wanted)
		}
	}
}
