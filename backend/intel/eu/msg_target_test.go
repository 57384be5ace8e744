// SPDX-License-Identifier: MIT

package eu

import (
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// targets records the data of render-target writes by lane.
type targets struct {
	thread.Stage
	got map[int][]thread.TargetWrite
}

func newTargets(live uint32) *targets {
	s := &targets{got: map[int][]thread.TargetWrite{}}
	s.Stage = thread.Stage{Kind: thread.FragmentStage, VectorMask: true, Targets: 4, Live: func(int) uint32 { return live },
		Write: func(_, lane int, w *thread.TargetWrite) { s.got[lane] = append(s.got[lane], *w) }}
	return s
}

// targetMessage returns a message to the render cache.
func targetMessage(n uint8, desc, ex uint32) isa.Inst {
	in := send(isa.SFIDRC, n, desc, ex)
	in.Op = isa.OpSendc
	return in
}

// fill sets doubleword d of register r to 256·r + d.
func (b *bench) fill(first, n int) {
	for r := first; r < first+n; r++ {
		for d := range 8 {
			b.setU(r, d, uint32(r<<8|d))
		}
	}
}

// filled returns the value of a lane in a filled parameter that starts at register reg.
func filled(reg, lane int) uint32 { return uint32((reg+lane/8)<<8 | lane%8) }

// TestTargetWrite checks every form of write, with all parts of the payload in order.
func TestTargetWrite(t *testing.T) {
	type parts struct{ color, second, alpha, mask, depth, stencil int } // registers, or 0 if none
	for _, c := range []struct {
		name                 string
		simd                 int
		n, off               uint8
		desc, ex             uint32
		mask, depth, stencil bool
		want                 parts
		lanes                uint32
		target               int
	}{
		{name: "8 lanes", simd: 8, n: 8, desc: 0x08031400, want: parts{color: 20}, lanes: 0xFF},
		{name: "8 lanes in two parts", simd: 8, n: 8, desc: 0x02031400, ex: 0xC0, want: parts{color: -1}, lanes: 0xFF},
		{name: "16 lanes", simd: 16, n: 16, desc: 0x10031000, want: parts{color: 20}, lanes: 0xFFFF},
		{name: "16 lanes, target 2", simd: 16, n: 16, desc: 0x10030002, ex: 2 << 12, want: parts{color: 20}, lanes: 0xFFFF, target: 2},
		{name: "alpha of target 0", simd: 8, n: 8, desc: 0x0A031401, ex: 1<<12 | 1<<15, want: parts{alpha: 20, color: 21}, lanes: 0xFF, target: 1},
		{name: "mask, color, depth, stencil", simd: 8, n: 8, desc: 0x0E031400, mask: true, depth: true, stencil: true,
			want: parts{mask: 20, color: 21, depth: 25, stencil: 26}, lanes: 0xFF},
		{name: "16 lanes with mask and depth", simd: 16, n: 16, desc: 0x16031000, mask: true, depth: true,
			want: parts{mask: 20, color: 21, depth: 29}, lanes: 0xFFFF},
		{name: "two sources, lanes 0 to 7", simd: 16, n: 8, desc: 0x10031200, want: parts{color: 20, second: 24}, lanes: 0xFF},
		{name: "two sources, lanes 8 to 15", simd: 16, n: 8, off: 8, desc: 0x12031300, mask: true, want: parts{mask: 20, color: 21, second: 25}, lanes: 0xFF00},
		{name: "lanes 16 to 31", simd: 32, n: 16, off: 16, desc: 0x10031800, want: parts{color: 20}, lanes: 0xFFFF0000},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTargets(0xFFFFFFFF)
			s.WritesMask, s.WritesDepth, s.WritesStencil = c.mask, c.depth, c.stencil
			in := targetMessage(c.n, c.desc, c.ex)
			in.ChanOff = c.off
			if c.want.color < 0 { // the second part follows the first
				in.Src[1].Reg = 21
				c.want.color = 20
			} else {
				in.Src[1] = isa.Operand{File: isa.FileARF}
			}
			b := stageBench(t, c.simd, &s.Stage, in)
			b.fill(20, 12)
			b.fault(t, "ran past the end")
			regs := int(c.n) / 8
			for lane := range c.simd {
				w := s.got[lane]
				if c.lanes>>lane&1 == 0 {
					if len(w) != 0 {
						t.Errorf("lane %d is written", lane)
					}
					continue
				}
				if len(w) != 1 {
					t.Fatalf("lane %d is written %d times", lane, len(w))
				}
				i, got := lane-int(c.off), w[0]
				for k := range 4 {
					if want := filled(c.want.color+k*regs, i); got.Color[k] != want {
						t.Errorf("lane %d color %d: %#x, want %#x", lane, k, got.Color[k], want)
					}
					if want := filled(c.want.second+k*regs, i); c.want.second != 0 && got.Second[k] != want {
						t.Errorf("lane %d second color %d: %#x, want %#x", lane, k, got.Second[k], want)
					}
				}
				if c.want.alpha != 0 && (got.Alpha != filled(c.want.alpha, i) || !got.HasAlpha) {
					t.Errorf("lane %d alpha: %#x", lane, got.Alpha)
				}
				// Masks are words for 16 lanes.
				if want := b.w(c.want.mask, lane%16); c.want.mask != 0 && got.Mask != want || c.want.mask == 0 && got.Mask != 0xFFFF {
					t.Errorf("lane %d mask: %#x, want %#x", lane, got.Mask, want)
				}
				if c.want.depth != 0 && got.Depth != filled(c.want.depth, i) {
					t.Errorf("lane %d depth: %#x", lane, got.Depth)
				}
				if want := uint8(b.w(c.want.stencil, i/2) >> (i % 2 * 8)); c.want.stencil != 0 && got.Stencil != want {
					t.Errorf("lane %d stencil: %#x, want %#x", lane, got.Stencil, want)
				}
				if got.Target != c.target || got.Surface != c.target || got.Dual != (c.want.second != 0) {
					t.Errorf("lane %d: %+v", lane, got)
				}
			}
		})
	}
}

// TestTargetReplicated checks that one color for all lanes is read from four doublewords.
func TestTargetReplicated(t *testing.T) {
	s := newTargets(0xFFFF)
	b := stageBench(t, 16, &s.Stage, targetMessage(16, 0x02031100, 0))
	b.fill(20, 1)
	b.fault(t, "ran past the end")
	for lane := range 16 {
		if w := s.got[lane]; len(w) != 1 || w[0].Color != [4]uint32{20 << 8, 20<<8 | 1, 20<<8 | 2, 20<<8 | 3} {
			t.Errorf("lane %d: %+v", lane, w)
		}
	}
}

// TestTargetLive checks that only live pixels are written, even if other lanes run, that a predicate excludes
// further pixels, and that a target may be missing.
func TestTargetLive(t *testing.T) {
	s := newTargets(0x1E) // quads 0 and 1 run
	in := targetMessage(8, 0x080314FF, 1<<20)
	in.Src[1] = isa.Operand{File: isa.FileARF}
	in.Pred = isa.PredNormal
	b := stageBench(t, 8, &s.Stage, in)
	b.Flag[0] = 0xF9
	b.fault(t, "ran past the end")
	for lane := range 8 {
		if got, want := len(s.got[lane]) == 1 && s.got[lane][0].Null, lane == 3 || lane == 4; got != want {
			t.Errorf("lane %d: %+v", lane, s.got[lane])
		}
	}
}

// TestTargetKilled checks that a thread with all pixels discarded ends normally.
func TestTargetKilled(t *testing.T) {
	s := newTargets(0xFF)
	in := last(targetMessage(8, 0x08031400, 0))
	in.Pred = isa.PredNormal
	b := stageBench(t, 8, &s.Stage, in)
	b.fault(t, "")
	if !b.Ended || len(s.got) != 0 {
		t.Errorf("ended: %v, %d pixels written", b.Ended, len(s.got))
	}
}

// TestTargetFaults checks the faults of invalid render-target writes.
func TestTargetFaults(t *testing.T) {
	off := func(in isa.Inst, at uint8) isa.Inst { in.ChanOff = at; return in }
	plain := targetMessage(8, 0x08031400, 0)
	plain.Op = isa.OpSend
	for _, c := range []struct {
		name  string
		depth bool
		simd  int
		in    []isa.Inst
		want  string
	}{
		{"length", false, 8, []isa.Inst{targetMessage(8, 0x0A031400, 0)}, "5 registers, but the message takes 4"},
		{"no depth", true, 8, []isa.Inst{targetMessage(8, 0x08031400, 0)}, "4 registers, but the message takes 5"},
		{"read", false, 8, []isa.Inst{targetMessage(8, 0x02434100, 0)}, "reads of render targets are not supported"},
		{"header", false, 8, []isa.Inst{targetMessage(8, 0x0C0B1400, 0)}, "with a header are not supported"},
		{"16-bit data", false, 8, []isa.Inst{targetMessage(8, 0x48031400, 0)}, "16-bit floats are not supported"},
		{"no such target", false, 8, []isa.Inst{targetMessage(8, 0x08031404, 0)}, "entry 4 of the binding table is not"},
		{"before the targets", false, 8, []isa.Inst{targetMessage(8, 0x08031400, 0)}, "entry 0 of the binding table is not"},
		{"lanes of the instruction", false, 16, []isa.Inst{targetMessage(8, 0x10031000, 0)}, "lanes 0 to 15, but the instruction has M0 to M7"},
		{"channel offset", false, 32, []isa.Inst{targetMessage(16, 0x10031800, 0)}, "lanes 16 to 31, but the instruction has M0"},
		{"lanes of the thread", false, 16, []isa.Inst{off(targetMessage(16, 0x10031800, 0), 16)}, "but the thread has 16 lanes"},
		{"after the last", false, 8, []isa.Inst{targetMessage(8, 0x08031400, 0), targetMessage(8, 0x08030401, 1<<12)}, "has been written already"},
		{"send", false, 8, []isa.Inst{plain}, "must be a sendc"},
		{"send after sendc", false, 8, []isa.Inst{targetMessage(8, 0x08030400, 0), plain}, "ran past the end"},
		{"extended descriptor", false, 8, []isa.Inst{targetMessage(8, 0x08031400, 1<<17)}, "has undefined bits"},
		{"form", false, 8, []isa.Inst{targetMessage(8, 0x08031500, 0)}, "unknown form 5"},
		{"type", false, 8, []isa.Inst{targetMessage(8, 0x08021400, 0)}, "unknown render cache message"},
		{"response", false, 8, []isa.Inst{targetMessage(8, 0x08131400, 0)}, "the response has 1 registers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTargets(0xFFFFFFFF)
			s.WritesDepth = c.depth
			if c.name == "before the targets" {
				s.FirstTarget = 1
			}
			for i := range c.in {
				c.in[i].Src[1] = isa.Operand{File: isa.FileARF}
			}
			b := stageBench(t, c.simd, &s.Stage, c.in...)
			b.fault(t, c.want)
		})
	}
}

// TestNullTarget: colors that are written to the null surface go nowhere; other entries of the binding table are not bound.
func TestNullTarget(t *testing.T) {
	for _, c := range []struct {
		desc uint32
		want string
	}{
		{0x0A031403, "ran past the end"}, // with the depth
		{0x0A031404, "entry 4 of the binding table is not a render target"},
		{0x0A031402, "entry 2 of the binding table is not a render target"},
	} {
		s := newTargets(0xFF)
		s.FirstTarget, s.Targets = 3, 0
		s.NullTarget, s.WritesDepth = true, true
		in := targetMessage(8, c.desc, 0)
		in.SWSB = 0
		in.Src[1] = isa.Operand{File: isa.FileARF}
		b := stageBenchOn(t, target.SKL, 8, &s.Stage, in)
		b.fill(20, 5)
		b.fault(t, c.want)
		if c.want != "ran past the end" {
			continue
		}
		for lane := range 8 {
			if w := s.got[lane]; len(w) != 1 || !w[0].Null || w[0].Depth != filled(24, lane) {
				t.Errorf("lane %d: %+v, want a depth and no color", lane, w)
			}
		}
	}
}

// TestTargetHeader: on machines without target numbers in extended descriptors, a header in front of the other parts has the
// number, the pixels to write and copies of the payload.
func TestTargetHeader(t *testing.T) {
	const pixels = 0x00FF
	for _, c := range []struct {
		name    string
		desc    uint32
		ex      uint32
		change  func(b *bench)
		lanes   uint32 // lanes of the instruction's predicate, if any
		written uint32 // lanes
		target  int
		alpha   bool
		stencil bool
		want    string
	}{
		{name: "copies", desc: 0x0C0B1402, written: 0xFF},
		{name: "number", desc: 0x0C0B1402, change: func(b *bench) { b.setU(20, 2, 2) }, written: 0xFF, target: 2},
		{name: "other bits of the number", desc: 0x0C0B1402, change: func(b *bench) { b.setU(20, 2, 0xFFF8|3) }, written: 0xFF, target: 3},
		{name: "pixels", desc: 0x0C0B1402, change: func(b *bench) { b.setU(21, 7, 0x5A) }, written: 0x5A},
		{name: "alpha", desc: 0x0E0B1402, change: func(b *bench) { b.setU(20, 0, 1<<11) }, written: 0xFF, alpha: true},
		{name: "stencil", desc: 0x0E0B1402, change: func(b *bench) { b.setU(20, 0, 1<<14) }, written: 0xFF, stencil: true},
		{name: "bits of mask and depth", desc: 0x0C0B1402, change: func(b *bench) { b.setU(20, 0, 3<<12) }, written: 0xFF},
		{name: "stencil that there is not", desc: 0x0C0B1402, change: func(b *bench) { b.setU(20, 0, 1<<14) }, want: "wrong about stencil references"},
		{name: "no stencil", desc: 0x0E0B1402, stencil: true, want: "wrong about stencil references"},
		{name: "another layer", desc: 0x0C0B1402, change: func(b *bench) { b.setU(20, 0, 5<<16) }, want: "does not have the layer"},
		{name: "other positions", desc: 0x0C0B1402, change: func(b *bench) { b.setU(21, 5, 1) }, want: "doubleword 5 of the header's second register is 0x1; that of r1 was 0x105"},
		{name: "pixels of lanes that do not run", desc: 0x0C0B1402, lanes: 0x3C, change: func(b *bench) { b.setU(21, 7, 0x1F) },
			want: "the header enables lanes 0x3, which the instruction leaves out"},
		{name: "fewer pixels than lanes", desc: 0x0C0B1402, lanes: 0x3C, change: func(b *bench) { b.setU(21, 7, 0x18) }, written: 0x18},
		{name: "a target in the extended descriptor", desc: 0x0C0B1402, ex: 1 << 12, want: "which this machine lacks"},
		{name: "no target", desc: 0x0C0B1402, ex: 1 << 20, want: "which this machine lacks"},
		{name: "number without a header", desc: 0x08031402, ex: 1 << 12, want: "which this machine lacks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTargets(0xFF)
			s.WritesStencil = c.stencil
			in := targetMessage(8, c.desc, c.ex)
			in.SWSB = 0
			if c.lanes != 0 {
				in.Pred = isa.PredNormal
			}
			b := stageBenchOn(t, target.SKL, 8, &s.Stage, in)
			b.Flag[0] = c.lanes
			b.fill(22, 8)
			for r := range 2 {
				for d := range 8 {
					x := uint32(r<<8 | d)
					switch {
					case r == 0 && d == 2 || r == 0 && d == 0:
						x = 0
					case r == 1 && d == 7:
						x = pixels
					}
					b.setU(r, d, x)
					b.setU(20+r, d, x)
				}
			}
			copy(b.Start[:], b.Reg[:])
			if c.change != nil {
				c.change(b)
			}
			want := c.want
			if want == "" {
				want = "ran past the end"
			}
			b.fault(t, want)
			if c.want != "" {
				return
			}
			for lane := range 8 {
				w := s.got[lane]
				if c.written>>lane&1 == 0 {
					if len(w) != 0 {
						t.Errorf("lane %d is written", lane)
					}
					continue
				}
				if len(w) != 1 || w[0].Target != c.target || w[0].HasAlpha != c.alpha {
					t.Fatalf("lane %d: %+v", lane, w)
				}
				color := 22
				if c.alpha {
					color++
				}
				if w[0].Color[0] != filled(color, lane) {
					t.Errorf("lane %d: color %#x", lane, w[0].Color[0])
				}
			}
		})
	}
}
