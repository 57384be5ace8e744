// SPDX-License-Identifier: MIT

package ra_test

import (
	"testing"
	"time"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/tests/support/mirgen"
)

// TestL01PartialWrites checks that 8- and 16-bit values that a loop assembles part by part and then reads have
// the same live ranges as values written at once. If one part is never written, all of them are carried around
// the loop.
func TestL01PartialWrites(t *testing.T) {
	const values = 12
	loop := func(size uint32, parts uint32) int {
		f := mir.New(16, isa.TGL.Registers())
		b := mir.Builder{F: f}
		b.Vector()
		var regs []mir.Operand
		for range values {
			x := mir.V(f.NewReg(1, 4), ud)
			b.Mov(x, mir.UD(0))
			regs = append(regs, x)
		}
		f.NewBlock()
		f.Append(1, mir.Inst{Op: mir.OpLoop, Exec: 16, SideEff: true})
		b.AtEnd(1)
		for _, x := range regs {
			for part := range parts {
				typ := map[uint32]isa.Type{1: isa.TypeUB, 2: isa.TypeUW, 4: ud}[size]
				b.Mov(x.As(typ).WithStride(uint8(4/size)).At(part*size), mir.UW(7))
			}
			b.Emit(isa.OpCmp, mir.Null(ud), x, mir.UD(3)).SideEff = true
		}
		f.NewBlock()
		f.Append(2, mir.Inst{Op: isa.OpWhile, Exec: 16, Pred: isa.PredNormal, SideEff: true})
		f.NewBlock()
		f.BuildCFG()
		var l ra.Live
		l.Compute(f)
		for _, x := range regs {
			if carried := parts*size < 4; l.LiveIn(1, mir.Reg(x.Num)) != carried {
				t.Errorf("%d parts of %d bytes: v%d is live around the loop: %v", parts, size, x.Num, !carried)
			}
		}
		return l.Pressure(f)
	}
	whole := loop(4, 1)
	for _, size := range []uint32{1, 2} {
		if got := loop(size, 4/size); got != whole {
			t.Errorf("parts of %d bytes need %d registers, whole values %d", size, got, whole)
		}
		if got := loop(size, 4/size-1); got < 2*values {
			t.Errorf("parts of %d bytes, one of them missing, need %d registers, and %d values of 2 are live at once", size, got, values)
		}
	}
}

// TestUnreadParts checks that the parts of a message's response that nothing reads live until the first read of
// another part, by which time the message has arrived. If nothing is read, they end with the message. If another
// message fills them later, they live until that one.
func TestUnreadParts(t *testing.T) {
	for _, c := range []struct {
		name   string
		reads  []uint32 // parts
		twice  bool
		unread int // a part that is not read
		ends   int32
	}{
		{"one read", []uint32{3, 3}, false, 0, 4},
		{"not the first", []uint32{1, 3, 1}, false, 2, 4},
		{"two messages", []uint32{3, 3}, true, 0, 9},
		{"none read", nil, false, 0, 3},
	} {
		f := mir.New(8, isa.TGL.Registers())
		b := mir.Builder{F: f}
		b.Vector()
		load := mir.Inst{Op: isa.OpSend, Exec: 8, SFID: isa.SFIDDC1,
			Msg: mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 4}, Dst: mir.V(f.NewReg(4, 4), ud)}
		load.Src[0], load.Len = mir.Fixed(1, ud), [3]uint8{1, 0, 4}
		b.Mov(mir.Fixed(2, ud), mir.UD(0))
		def := b.Insert(load)
		r := mir.Reg(load.Dst.Num)
		f.Reg(r).Def = def
		for _, part := range c.reads {
			b.Mov(mir.Fixed(2, ud), load.Dst.At(f.GRF.Start(part)))
		}
		if c.twice {
			b.Insert(load)
			f.Reg(r).Def = 0
		}
		f.BuildCFG()
		var l ra.Live
		l.Compute(f)
		if got := l.EndOf(r, c.unread); got != c.ends {
			t.Errorf("%s: part %d lives until %d, want %d", c.name, c.unread, got, c.ends)
		}
	}
}

// TestL18Cost checks that liveness allocates no memory once warm, and that part-by-part writes cost at most a
// few times as much as writes at once.
func TestL18Cost(t *testing.T) {
	var l ra.Live
	f := mirgen.Random(2)
	l.Compute(f)
	if n := testing.AllocsPerRun(10, func() { l.Compute(f) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	run := func(parts int) time.Duration {
		f := mir.New(16, isa.TGL.Registers())
		b := mir.Builder{F: f}
		b.Vector()
		for range 4000 {
			x := mir.V(f.NewReg(1, 4), isa.TypeUB).WithStride(4)
			if parts == 1 {
				x = x.As(ud).WithStride(1)
			}
			b.Mov(x, mir.UW(7))
			b.Emit(isa.OpCmp, mir.Null(ud), x, mir.UD(3)).SideEff = true
		}
		f.BuildCFG()
		best := time.Hour
		for range 10 {
			start := time.Now()
			l.Compute(f)
			best = min(best, time.Since(start))
		}
		return best
	}
	whole, part := run(1), run(4)
	t.Logf("%v whole, %v in parts", whole, part)
	if part > 4*whole {
		t.Errorf("registers that are written in parts take %v, whole ones %v", part, whole)
	}
}
