// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// surface builds the second program of a test whose scratch space is a surface.
type surface struct {
	f    *mir.Func
	at   mir.ID // instructions are inserted after it
	long bool   // messages have the lengths; the second instruction of each state moves it
}

func (s *surface) add(in mir.Inst) mir.ID {
	s.at = s.f.After(s.at, in)
	return s.at
}

// compute adds an unmasked instruction.
func (s *surface) compute(op isa.Op, exec uint8, dst mir.Operand, src ...mir.Operand) mir.ID {
	in := mir.Inst{Op: op, Exec: exec, NoMask: true, Dst: dst}
	copy(in.Src[:], src)
	return s.add(in)
}

var a07 = mir.Arch(isa.ARFA0, 28, ud)

// state computes the extended descriptor for data of n registers.
func (s *surface) state(n uint32) (ids []mir.ID) {
	mask := uint32(0xFFFFF800)
	if s.long {
		mask = 0xFFFFFC00
	}
	ids = append(ids, s.compute(isa.OpAnd, 1, a07, mir.FixedScalar(0, 20, ud), mir.UD(mask)))
	switch {
	case s.long:
		ids = append(ids, s.compute(isa.OpShr, 1, a07, a07.WithStride(0), mir.UD(4)))
	case n > 0:
		ids = append(ids, s.compute(isa.OpOr, 1, a07, a07.WithStride(0), mir.UD(n<<6)))
	}
	return ids
}

// The instructions of a spill, in order.
const (
	spillNumbers = iota
	spillMore
	spillLow
	spillHigh
	spillOffset
	spillState
	spillLength
	spillSend
)

// spill stores 16 lanes of r and the next register at an offset, with addresses in a and the next register.
func (s *surface) spill(r, a int, offset uint32) (ids []mir.ID) {
	words := mir.Fixed(a+1, isa.TypeUW)
	put := func(op isa.Op, exec uint8, dst mir.Operand, src ...mir.Operand) {
		ids = append(ids, s.compute(op, exec, dst, src...))
	}
	put(isa.OpMov, 8, words, mir.ImmOp(0x76543210, isa.TypeV))
	put(isa.OpAdd, 8, words.At(16), words, mir.UW(8))
	put(isa.OpShl, 8, mir.Fixed(a, ud), words, mir.UD(2))
	put(isa.OpShl, 8, mir.Fixed(a+1, ud), words.At(16), mir.UD(2))
	put(isa.OpAdd, 16, mir.Fixed(a, ud), mir.Fixed(a, ud), mir.UD(offset))
	ids = append(ids, s.state(2)...)
	in := mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDUGM, Desc: 0x40000504, Len: [3]uint8{2, 2, 0}, SideEff: true,
		Dst: mir.Null(ud), Src: [3]mir.Operand{mir.Fixed(a, ud), mir.Fixed(r, ud), a07.WithStride(0)}}
	in.Msg.Bindless = true
	return append(ids, s.add(in))
}

// The instructions of a fill, in order.
const (
	fillOffset = iota
	fillState
	fillSend
)

// fill loads r and the next register from an offset, with the address in a.
func (s *surface) fill(r, a int, offset uint32) (ids []mir.ID) {
	ids = append(ids, s.compute(isa.OpMov, 8, mir.Fixed(a, ud), mir.UD(offset)))
	ids = append(ids, s.state(0)...)
	in := mir.Inst{Op: isa.OpSend, Exec: 1, NoMask: true, SFID: isa.SFIDUGM, Desc: 0x4000D500, Len: [3]uint8{1, 0, 2},
		Dst: mir.Fixed(r, ud), Src: [3]mir.Operand{mir.Fixed(a, ud), mir.Null(ud), a07.WithStride(0)}}
	in.Msg.Bindless = true
	return append(ids, s.add(in))
}

// code is the second program of a test that spills x and y, which share r10 and r11, to a surface. z is in r14 and r15.
type code struct {
	surface
	spills, fills [2][]mir.ID
	opts          allocheck.Options
}

// spilling returns a program before and after allocation.
func spilling(long bool) (*mir.Func, *code) {
	f := mir.New(16, isa.DG2.Registers())
	f.Name, f.Payload = "main", 2
	s := &small{Func: f}
	regs := [3]mir.Operand{s.vec(1), s.vec(1), s.vec(1)}
	for k, r := range []int{2, 0, 1} {
		s.op(isa.OpMov, regs[r], mir.FixedScalar(1, 4*uint32(k), ud)).Exec = 16
	}
	for _, r := range regs {
		s.use(r)
		s.At(s.ids[len(s.ids)-1]).Exec = 16
	}
	p := &code{surface: surface{long: long, f: s.placed(map[uint32]uint32{1: 10, 2: 10, 3: 14})}}
	for k := range 2 {
		p.at = s.ids[1+k]
		p.spills[k] = p.spill(10, 20, 0x40*uint32(k))
	}
	for k := range 2 {
		p.at = p.f.Prev(s.ids[3+k])
		p.fills[k] = p.fill(10, 20, 0x40*uint32(k))
	}
	return s.Func, p
}

// TestSurface spills x and y correctly and wrongly.
func TestSurface(t *testing.T) {
	const x, y = 0, 1
	spilled := func(k, n int, edit func(in *mir.Inst)) func(c *code) {
		return func(c *code) { edit(c.f.At(c.spills[k][n])) }
	}
	filled := func(k, n int, edit func(in *mir.Inst)) func(c *code) {
		return func(c *code) { edit(c.f.At(c.fills[k][n])) }
	}
	number := func(src int, n uint32) func(in *mir.Inst) {
		return func(in *mir.Inst) { in.Src[src].Num = n }
	}
	desc := func(d uint32) func(in *mir.Inst) { return func(in *mir.Inst) { in.Desc = d } }
	const (
		isNew   = "is new, but not a fill, spill, constant or move"
		unknown = "the address of lane 0 is not known"
		state   = "a0.7 is not a surface state with a length of 2"
		lost    = "source 0 should be byte 0 of v1"
	)
	between := func(op isa.Op, dst mir.Operand, src ...mir.Operand) func(c *code) {
		return func(c *code) {
			c.at = c.spills[x][spillLength]
			c.compute(op, 8, dst, src...)
		}
	}
	for _, c := range []struct {
		name string
		edit func(c *code)
		want string // part of the error; empty if there is none
	}{
		{"correct", func(*code) {}, ""},
		{"the wrong slot filled", filled(x, fillOffset, number(0, 0x40)), lost},
		{"spilled to the wrong slot", spilled(x, spillOffset, number(1, 0x80)), lost},
		{"slots overlap", spilled(y, spillOffset, number(1, 0x3C)), "source 0 should be byte 60 of v1"},
		{"slots are apart", func(c *code) {
			spilled(y, spillOffset, number(1, 0x240))(c)
			filled(y, fillOffset, number(0, 0x240))(c)
		}, ""},
		{"the program's scratch", func(c *code) { c.opts = allocheck.Options{ReservedFrom: 0x7C, ReservedTo: 0x100} },
			"spills to bytes 64 to 127, which belong to the program"},
		{"not scratch", filled(x, fillOffset, number(0, 1<<24)), "the address 16777216 is not one of scratch"},
		{"not a doubleword", filled(x, fillOffset, number(0, 2)), "the address 2 is not one of scratch"},
		{"lanes too far apart", func(c *code) {
			spilled(x, spillLow, number(1, 3))(c)
			spilled(x, spillHigh, number(1, 3))(c)
		}, "the address of lane 1 is 8, not 4"},
		{"lanes in another order", spilled(x, spillNumbers, number(0, 0x67543210)), "the address of lane 6 is 28, not 24"},
		{"a negative lane", spilled(x, spillNumbers, number(0, 0xF6543210)), "the address of lane 7 is 262140, not 28"},
		{"upper lanes like the lower ones", spilled(x, spillMore, number(1, 0)), "the address of lane 8 is 0, not 32"},
		{"a clobbered address", between(isa.OpMov, mir.Fixed(20, ud), mir.Fixed(14, ud)), unknown},
		{"a clobbered address of some lanes", between(isa.OpMov, mir.Fixed(21, ud), mir.Fixed(14, ud)), "the address of lane 8 is not known"},
		{"an address of masked lanes", filled(x, fillOffset, func(in *mir.Inst) { in.NoMask = false }), unknown},
		{"an address from a variable", spilled(x, spillMore, func(in *mir.Inst) { in.Src[0] = mir.Fixed(14, isa.TypeUW) }), unknown},
		{"addresses over a live register", func(c *code) {
			for _, id := range c.spills[y] {
				in := c.f.At(id)
				for _, o := range []*mir.Operand{&in.Dst, &in.Src[0]} {
					if o.File == mir.GRF && (o.Num == 20 || o.Num == 21) {
						o.Num -= 6
					}
				}
			}
		}, "source 0 should be byte 0 of v3"},
		{"another state", spilled(x, spillState, func(in *mir.Inst) { in.Src[0].Off = 16 }), "is not the scratch space's state in the thread's header"},
		{"another register's state", filled(y, fillState, number(0, 1)), "is not the scratch space's state in the thread's header"},
		{"a header that is lost", func(c *code) {
			c.at = c.f.Prev(c.spills[x][0])
			c.compute(isa.OpMov, 8, mir.Fixed(0, ud), mir.UD(0))
		}, "is not the scratch space's state in the thread's header"},
		{"too few bits of the state", spilled(x, spillState, number(1, 0xFFFFF000)), state},
		{"too many bits of the state", spilled(x, spillState, number(1, 0xFFFFFC00)), state},
		{"the wrong length", spilled(x, spillLength, number(1, 0x40)), state},
		{"more than the length", spilled(x, spillLength, number(1, 0x8F)), state},
		{"no length", func(c *code) { c.f.Remove(c.spills[x][spillLength]) }, state},
		{"no state", func(c *code) { c.f.Remove(c.fills[x][fillState]) }, "a0.7 is not a surface state with a length of 0"},
		{"a length without a state", func(c *code) { c.f.Remove(c.spills[x][spillState]) }, isNew},
		{"another address register", spilled(x, spillState, func(in *mir.Inst) { in.Dst.Off = 24 }), isNew},
		{"a load that is not transposed", filled(x, fillSend, desc(0x40005500)), isNew},
		{"a transposed store", spilled(x, spillSend, desc(0x40008504)), isNew},
		{"two doublewords for each lane", spilled(x, spillSend, desc(0x40001504)), isNew},
		{"memory without a surface", filled(x, fillSend, desc(0x0000D500)), isNew},
		{"a bindless surface", filled(x, fillSend, desc(0x2000D500)), isNew},
		{"long addresses", filled(x, fillSend, desc(0x4000D580)), isNew},
		{"words", filled(x, fillSend, desc(0x4000D300)), isNew},
		{"fewer doublewords than registers", filled(x, fillSend, desc(0x4000C500)), isNew},
		{"an atomic", spilled(x, spillSend, desc(0x4000050C)), isNew},
		{"a descriptor in the register", filled(x, fillSend, func(in *mir.Inst) { in.Msg.Bindless = false }), isNew},
		{"another unit", filled(x, fillSend, func(in *mir.Inst) { in.SFID = isa.SFIDSLM }), isNew},
		{"a store of half the lanes", spilled(x, spillSend, func(in *mir.Inst) {
			in.Exec, in.Len = 8, [3]uint8{1, 1, 0}
		}), "a0.7 is not a surface state with a length of 1"},
		{"a store of other lanes", spilled(x, spillSend, func(in *mir.Inst) { in.Chan = 16 }), lost},
		{"a store of all lanes", spilled(x, spillSend, func(in *mir.Inst) { in.NoMask = true }), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, p := spilling(false)
			c.edit(p)
			err := allocheck.Check(old, p.f, p.opts)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%v\n%s", err, p.f)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want …%s…\n%s", err, c.want, p.f)
			}
		})
	}
}

// TestSurfaceLong checks states of messages that have the lengths of their data.
func TestSurfaceLong(t *testing.T) {
	const wrong = "a0.7 is not a surface state with a length of 2"
	long := allocheck.Options{LengthInMessage: true}
	number := func(n int, to uint32) func(c *code) {
		return func(c *code) { c.f.At(c.spills[0][n]).Src[1].Num = to }
	}
	for _, c := range []struct {
		name string
		form bool
		opts allocheck.Options
		edit func(c *code)
		want string
	}{
		{"correct", true, long, func(*code) {}, ""},
		{"where messages have no lengths", true, allocheck.Options{}, func(*code) {}, wrong},
		{"with a length", false, long, func(*code) {}, wrong},
		{"too few bits", true, long, number(spillState, 0xFFFFF800), wrong},
		{"too many bits", true, long, number(spillState, 0xFFFFFE00), wrong},
		{"moved too far", true, long, number(spillLength, 5), wrong},
		{"moved less", true, long, number(spillLength, 3), wrong},
		{"not moved", true, long, func(c *code) { c.f.Remove(c.spills[0][spillLength]) }, wrong},
		{"moved twice", true, long, func(c *code) {
			c.f.After(c.spills[0][spillLength], *c.f.At(c.spills[0][spillLength]))
		}, wrong},
		{"moved left", true, long, func(c *code) { c.f.At(c.spills[0][spillLength]).Op = isa.OpShl }, "is new, but not a fill, spill, constant or move"},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, p := spilling(c.form)
			c.edit(p)
			err := allocheck.Check(old, p.f, c.opts)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want …%s…\n%s", err, c.want, p.f)
			}
		})
	}
}

// TestSurfaceArms checks that a spill in one arm of an if keeps what lanes of the other arm have spilled, if it is masked.
func TestSurfaceArms(t *testing.T) {
	for _, noMask := range []bool{false, true} {
		f := mir.New(16, isa.DG2.Registers())
		f.Name, f.Payload = "main", 2
		s := &small{Func: f}
		x := s.vec(1)
		s.op(isa.OpMov, x, mir.FixedScalar(1, 0, ud))
		s.branch(isa.OpIf)
		s.op(isa.OpMov, x, mir.FixedScalar(1, 4, ud))
		s.branch(isa.OpEndif)
		s.use(x)
		for _, id := range s.ids {
			s.At(id).Exec = 16
		}
		p := &surface{f: s.placed(map[uint32]uint32{1: 10})}
		p.at = s.ids[0]
		p.spill(10, 20, 0x40)
		p.at = s.ids[2]
		p.f.At(p.at).Dst.Num = 12
		ids := p.spill(12, 20, 0x40)
		p.f.At(ids[spillSend]).NoMask = noMask
		p.at = p.f.Prev(s.ids[4])
		last := s.ids[4]
		if p.at == 0 {
			p.at = p.f.Before(last, mir.Inst{Op: isa.OpMov, Exec: 8, NoMask: true, Dst: mir.Fixed(30, ud), Src: [3]mir.Operand{mir.UD(0)}})
		}
		p.fill(14, 20, 0x40)
		p.f.At(last).Src[0].Num = 14
		s.BuildCFG()
		if err := allocheck.Check(s.Func, p.f, allocheck.Options{}); (err != nil) != noMask {
			t.Errorf("without a mask: %t: %v\n%s", noMask, err, p.f)
		}
	}
}

// TestSurfaceOwnState checks that the program itself does not use a0.7 if registers are spilled.
func TestSurfaceOwnState(t *testing.T) {
	for _, c := range []struct {
		lanes uint8 // numbers of words in address registers
		spill bool
		ok    bool
	}{{8, true, true}, {16, true, false}, {16, false, true}} {
		f := mir.New(16, isa.DG2.Registers())
		f.Name, f.Payload = "main", 2
		s := &small{Func: f}
		in := s.op(isa.OpMov, mir.Arch(isa.ARFA0, 0, isa.TypeUW), mir.UW(32))
		in.Exec, in.NoMask = c.lanes, true
		p := &surface{f: s.placed(nil), at: s.ids[0]}
		if c.spill {
			p.fill(10, 20, 0)
		}
		err := allocheck.Check(s.Func, p.f, allocheck.Options{})
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "uses a0.7, which spills overwrite") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestSurfaceFused checks that a thread without lanes may fill registers from its own scratch space at a known place.
func TestSurfaceFused(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(f *mir.Func, ids []mir.ID)
		ok   bool
	}{
		{"its own", func(*mir.Func, []mir.ID) {}, true},
		{"another state", func(f *mir.Func, ids []mir.ID) { f.At(ids[fillState]).Src[0].Num = 1 }, false},
		{"an address that lanes compute", func(f *mir.Func, ids []mir.ID) { f.At(ids[fillOffset]).NoMask = false }, false},
		{"a computed address", func(f *mir.Func, ids []mir.ID) { f.At(ids[fillOffset]).Src[0] = mir.Fixed(1, ud) }, false},
		{"no state", func(f *mir.Func, ids []mir.ID) { f.Remove(ids[fillState]) }, false},
	} {
		f := mir.New(16, isa.DG2.Registers())
		b := f.NewBlock()
		loop := f.Append(b, mir.Inst{Op: mir.OpLoop, Exec: 16, SideEff: true})
		ids := (&surface{f: f, at: loop}).fill(10, 20, 0x40)
		f.Append(f.NewBlock(), mir.Inst{Op: isa.OpWhile, Exec: 16, Pred: isa.PredNormal, SideEff: true})
		f.NewBlock()
		f.BuildCFG()
		c.edit(f, ids)
		err := allocheck.CheckFused(f)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "a thread without lanes may send it") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
