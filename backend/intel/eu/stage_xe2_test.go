// SPDX-License-Identifier: MIT

package eu

import (
	"fmt"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/target"
)

// stageText returns a thread of a stage on Xe2 that runs text, which must end itself. Register r has 256·r + d in doubleword d.
func stageText(t *testing.T, lanes int, s *thread.Stage, text string) *bench {
	t.Helper()
	code, err := isatext.Assemble(target.LNL.Platform, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	b := stageCode(t, lanes, s, code)
	for r := 20; r < 128; r++ {
		for l := range 16 {
			b.setU(r, l, uint32(r<<8|l))
		}
	}
	return b
}

// stageCode returns a thread of a stage on Xe2.
func stageCode(t *testing.T, lanes int, s *thread.Stage, code []byte) *bench {
	t.Helper()
	return dispatchBench(t, &thread.Dispatch{Program: Load(target.LNL, code), SIMD: lanes, Groups: [3]uint32{1, 1, 1},
		LocalSize: [3]uint32{uint32(lanes), 1, 1}, Stage: s, Options: thread.Options{StepLimit: 1000, Hazards: thread.HazardsStrict}})
}

// urbText returns a vertex thread of 16 lanes with entries of eight slots and their handles in r20 and r127.
func urbText(t *testing.T, text string) (*bench, *thread.URB) {
	u := thread.NewURB(16, 7)
	b := stageText(t, 16, &thread.Stage{Kind: thread.VertexStage, URB: u}, text)
	for l := range 16 {
		b.setU(20, l, u.Address(l))
		b.setU(127, l, u.Address(l))
	}
	return b, u
}

// TestURBXe2 stores and loads consecutive doublewords and channels of entries.
func TestURBXe2(t *testing.T) {
	b, u := urbText(t, `send.urb (16|M0) null r20 r60:8 0x0 0x02024504 {$0}
send.urb (16|M0) null r20 r70:2 0x50000 0x0202A506 {$1}
sync.nop null {$0.src}
send.urb (16|M0) r100 r20 null:0 0x4000 0x02403500 {$2}
sync.nop null {$2.dst}
send.urb (16|M0) null r127 r112:1 0x60000 0x02020504 {EOT}
`)
	b.fault(t, "")
	for l := range 16 {
		n := uint32(l)
		for slot, want := range map[int]struct {
			x       [4]uint32
			written uint8
		}{
			0: {[4]uint32{60<<8 | n, 61<<8 | n, 62<<8 | n, 63<<8 | n}, 15}, 1: {[4]uint32{64<<8 | n, 65<<8 | n, 66<<8 | n, 67<<8 | n}, 15},
			2: {}, 5: {[4]uint32{0, 70<<8 | n, 0, 71<<8 | n}, 10}, 6: {[4]uint32{112<<8 | n}, 1},
		} {
			if x, written := u.Slot(l, slot); x != want.x || written != want.written {
				t.Errorf("entry %d, slot %d: %x %x, want %x %x", l, slot, x, written, want.x, want.written)
			}
		}
		for k := range 4 {
			if got := b.u(100+k, l); got != uint32(61+k)<<8|n {
				t.Errorf("lane %d loads %x", l, got)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{"send.urb (16|M0) null r20 r60:8 0x0 0x04024504 {$0}", "the payload has 10 registers, but the message takes 9"},
		{"send.urb (16|M0) null r20 r60:4 0x60000 0x02024504 {$0}", "the payload has 5 registers, but the message takes 9"},
		{"send.urb (16|M0) null r20 r60:8 0x60000 0x02024504 {$0}", "lane 0: the address 0x1070 is outside of the URB entries"},
		{"send.urb (16|M0) null r20 r60:1 0xFFFF0000 0x02020504 {$0}", "lane 0: the address 0xff0 is outside"},
		{"send.urb (16|M0) null r20 r60:1 0x1000 0x02020504 {$0}", "is not a multiple of 4"},
		{"send.urb (32|M0) null r20 r60:1 0x0 0x02020504 {$0}", "at most 16 lanes, not 32"},
		{"send.urb (16|M0) null r20 r60:1 0x0 0x62020504 {$0}", "no surfaces"},
		{"send.urb (16|M0) null r20 r60:2 0x0 0x02020704 {$0}", "data size 3"},
		{"send.urb (16|M0) null r20 r60:1 0x0 0x0208D504 {$0}", "transposed"},
		{"send.urb (16|M0) null r20 r60:4 0x0 0x02080007 {$0}", "the URB has 32-bit addresses"},
		{"(W) send.gtwy (16|M0) null r127 null:0 0x0 0x02000000 {EOT}", "a vertex thread ends with a message that is not a URB write"},
	} {
		lanes, _ := urbText(t, c.text)
		lanes.fault(t, c.want)
	}
}

// TestTargetXe2 checks every form of render-target write, with all parts of the payload in order.
func TestTargetXe2(t *testing.T) {
	for _, c := range []struct {
		text                  string
		lanes, first, n, each int
		mask, depth, stencil  bool
		target                int
		parts                 [6]int // registers of alpha, mask, colors, second colors, depth and stencil
	}{
		{text: "(16|M0) null r20 r60:3 0x0 0x02031000", lanes: 16, n: 16, each: 1, parts: [6]int{2: 20}},
		{text: "(32|M0) null r20 r60:6 0x0 0x04031100", lanes: 32, n: 32, each: 2, parts: [6]int{2: 20}},
		{text: "(16|M16) null r20 null:0 0x0 0x08031800", lanes: 32, first: 16, n: 16, each: 1, parts: [6]int{2: 20}},
		{text: "(16|M0) null r20 r60:3 0x400000 0x02031002", lanes: 16, n: 16, each: 1, target: 2, parts: [6]int{2: 20}},
		{text: "(16|M0) null r20 null:0 0x208000 0x0A031001", lanes: 16, n: 16, each: 1, target: 1, parts: [6]int{20, 0, 21}},
		{text: "(16|M0) null r20 null:0 0x7000 0x0E031000", lanes: 16, n: 16, each: 1, mask: true, depth: true, stencil: true,
			parts: [6]int{0, 20, 21, 0, 25, 26}},
		{text: "(32|M0) null r20 null:0 0x3000 0x16031100", lanes: 32, n: 32, each: 2, mask: true, depth: true, parts: [6]int{0, 20, 21, 0, 29}},
		{text: "(16|M0) null r20 null:0 0x2000 0x12031200", lanes: 32, n: 16, each: 1, depth: true, parts: [6]int{0, 0, 20, 24, 28}},
		{text: "(16|M16) null r20 null:0 0x1000 0x12031A00", lanes: 32, first: 16, n: 16, each: 1, mask: true, parts: [6]int{0, 20, 21, 25}},
	} {
		s := newTargets(0xFFFFFFFF)
		s.WritesMask, s.WritesDepth, s.WritesStencil = c.mask, c.depth, c.stencil
		b := stageText(t, c.lanes, &s.Stage, "sendc.rc "+c.text+" {$0}\n")
		b.fault(t, "ran past the end")
		for lane := range c.lanes {
			if lane < c.first || lane >= c.first+c.n {
				if len(s.got[lane]) != 0 {
					t.Errorf("%s: lane %d is written", c.text, lane)
				}
				continue
			}
			if len(s.got[lane]) != 1 {
				t.Fatalf("%s: lane %d is written %d times", c.text, lane, len(s.got[lane]))
			}
			l, got := lane-c.first, s.got[lane][0]
			want := thread.TargetWrite{Surface: c.target, Target: c.target, Last: true, Mask: 0xFFFF,
				Dual: c.parts[3] > 0, HasAlpha: c.parts[0] > 0}
			at := func(reg, k int) uint32 { // registers of the payload are counted from r20
				if k, first := reg+k*c.each+l/16-20, int(b.Prog.Ops[0].Send.Msg.Mlen); k >= first {
					return b.u(60+k-first, l%16)
				}
				return b.u(reg+k*c.each, l)
			}
			if c.parts[0] > 0 {
				want.Alpha = at(c.parts[0], 0)
			}
			if c.mask {
				want.Mask = uint16(b.u(c.parts[1], lane/2) >> (lane % 2 * 16))
			}
			for k := range 4 {
				want.Color[k] = at(c.parts[2], k)
				if c.parts[3] > 0 {
					want.Second[k] = at(c.parts[3], k)
				}
			}
			if c.depth {
				want.Depth = at(c.parts[4], 0)
			}
			if c.stencil {
				want.Stencil = uint8(b.u(c.parts[5], l/4) >> (l % 4 * 8))
			}
			if got != want {
				t.Errorf("%s: lane %d: %+v, want %+v", c.text, lane, got, want)
			}
		}
	}
	for _, c := range []struct {
		text, want string
		lanes      int
	}{
		{"(16|M0) null r20 r60:6 0x0 0x04031000", "the payload has 8 registers, but the message takes 4", 16},
		{"(32|M0) null r20 r60:3 0x0 0x02031100", "the payload has 4 registers, but the message takes 8", 32},
		{"(16|M0) null r20 r60:3 0x0 0x02031400", "unknown form 4", 16},
		{"(32|M0) null r20 r60:6 0x0 0x04031900", "starts at the first", 32},
		{"(16|M0) null r20 r60:4 0x2000 0x02031000", "wrong about the parts", 16},
		{"(16|M0) null r20 r60:3 0x1000000 0x02031000", "undefined bits", 16},
		{"(16|M0) null r20 r60:3 0x0 0x020B1000", "with a header are not supported", 16},
		{"(16|M16) null r20 r60:3 0x0 0x02031000", "the message writes lanes 0 to 15, but the instruction has M16", 32},
		{"(32|M0) null r20 r60:6 0x0 0x04031100", "the thread has 16 lanes", 16},
	} {
		s := newTargets(0xFFFFFFFF)
		stageText(t, c.lanes, &s.Stage, fmt.Sprintf("sendc.rc %s {$0}\n", c.text)).fault(t, c.want)
	}
}
