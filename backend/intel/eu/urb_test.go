// SPDX-License-Identifier: MIT

package eu

import (
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// urbBench returns a vertex thread with entries of eight slots and their handles in r20 and r112.
func urbBench(t *testing.T, insts ...isa.Inst) (*bench, *thread.URB) {
	t.Helper()
	u := thread.NewURB(8, 8)
	b := stageBench(t, 8, &thread.Stage{Kind: thread.VertexStage, URB: u}, insts...)
	for i := range 8 {
		b.setU(20, i, u.Handle(i))
		b.setU(112, i, u.Handle(i))
	}
	return b, u
}

// TestURBWrite checks that data go to the entry of each lane's handle, from the descriptor's slot on, one
// doubleword per register.
func TestURBWrite(t *testing.T) {
	w := last(send(isa.SFIDURB, 8, 0x02080047, 6<<6)) // slot 4
	b, u := urbBench(t, w)
	for k := range 6 {
		for i := range 8 {
			b.setU(120+k, i, uint32(100*k+i))
		}
	}
	b.fault(t, "")
	for i := range 8 {
		x, all := u.Slot(i, 4)
		y, some := u.Slot(i, 5)
		n := uint32(i)
		if x != [4]uint32{n, 100 + n, 200 + n, 300 + n} || y != [4]uint32{400 + n, 500 + n} || all != 15 || some != 3 {
			t.Errorf("entry %d: %v %x, %v %x", i, x, all, y, some)
		}
		if _, none := u.Slot(i, 3); none != 0 {
			t.Errorf("entry %d: slot 3 was written", i)
		}
	}
}

// TestURBMasks checks that per-lane offsets are in slots and that channel masks follow them in bits 23:16.
func TestURBMasks(t *testing.T) {
	w := send(isa.SFIDURB, 8, 0x060A8017, 5<<6) // slot 1
	b, u := urbBench(t, w)
	for i := range 8 {
		b.setU(21, i, uint32(i%3))
		b.setU(22, i, uint32(i+1)<<16|0xFF00FFFF)
		for k := range 5 {
			b.setU(60+k, i, uint32(10*k+i+1))
		}
	}
	b.fault(t, "ran past the end")
	for i := range 8 {
		x, written := u.Slot(i, 1+i%3)
		for c := range 4 {
			want := uint32(0)
			if (i+1)>>c&1 != 0 {
				want = uint32(10*c + i + 1)
			}
			if x[c] != want || written>>c&1 != uint8((i+1)>>c&1) {
				t.Errorf("entry %d component %d: %d, want %d", i, c, x[c], want)
			}
		}
	}
}

// TestURBRead checks that a read returns a register for each doubleword, and that the response may overlap the
// payload.
func TestURBRead(t *testing.T) {
	r := send(isa.SFIDURB, 8, 0x045A0018, 0) // slot 1, and an offset for each lane
	r.Dst.Reg = 20
	b, u := urbBench(t, r, syncAll(isa.SyncAllWr, 0))
	for i := range u.Data {
		u.Data[i] = uint32(i)
	}
	for i := range 8 {
		b.setU(21, i, uint32(i%2))
	}
	b.fault(t, "ran past the end")
	for i := range 8 {
		for k := range 5 {
			if got, want := b.u(20+k, i), uint32(i*32+(1+i%2)*4+k); got != want {
				t.Errorf("lane %d dword %d: %d, want %d", i, k, got, want)
			}
		}
	}
}

// TestURBFaults checks the faults of invalid URB messages.
func TestURBFaults(t *testing.T) {
	for _, c := range []struct {
		name     string
		desc, ex uint32
		want     string
	}{
		{"past the entry", 0x02080087, 0x40, "slot 8 is outside the URB entry"},
		{"in the middle of the last slot", 0x02080077, 5 << 6, "slot 8 is outside"},
		{"no header", 0x02000007, 0x40, "needs a header"},
		{"no data", 0x02080007, 0, "0 registers of data"},
		{"nine registers", 0x02080007, 9 << 6, "9 registers of data"},
		{"no room for offsets", 0x020A0007, 0, "-1 registers of data"},
		{"a response", 0x02180007, 0x40, "the response has 1 registers"},
		{"a read with masks", 0x04188008, 0, "cannot have channel masks"},
		{"a read of nothing", 0x02080008, 0, "returns 0 registers"},
		{"vertices in pairs", 0x02080001, 0x40, "URB operation 1 is not supported"},
		{"reserved bit", 0x020C0007, 0x40, "has undefined bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, _ := urbBench(t, send(isa.SFIDURB, 8, c.desc, c.ex))
			b.fault(t, c.want)
		})
	}
	t.Run("handle", func(t *testing.T) {
		b, u := urbBench(t, send(isa.SFIDURB, 8, 0x02080007, 0x40))
		b.setU(20, 3, u.Handle(3)+1)
		b.fault(t, "lane 3: 0x47 is not the handle")
	})
	t.Run("handle 0", func(t *testing.T) {
		b, _ := urbBench(t, send(isa.SFIDURB, 8, 0x02080007, 0x40))
		b.setU(20, 0, 0)
		b.fault(t, "lane 0: 0x0 is not the handle")
	})
	t.Run("offset", func(t *testing.T) {
		b, _ := urbBench(t, send(isa.SFIDURB, 8, 0x040A0017, 0x40))
		b.setU(21, 0, 0xFFFFFFFF) // slot 0
		b.setU(21, 1, 0xFFFFFFF0)
		b.fault(t, "lane 1: slot 4294967281 is outside")
	})
}
