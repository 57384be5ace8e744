// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// send returns a message: payloads r20 (and r60 if ex is not 0), response r100.
func send(sfid isa.SFID, n uint8, desc, ex uint32) isa.Inst {
	in := isa.Inst{Op: isa.OpSend, ExecSize: n, SFID: sfid, Desc: desc, ExDesc: ex, SWSB: fields.SWSBSet(0),
		Dst: isa.Operand{File: isa.FileARF}, Src: [3]isa.Operand{{File: isa.FileGRF, Reg: 20}, {File: isa.FileARF}}}
	if thread.DescResp(desc) > 0 {
		in.Dst = dst(100, isa.TypeUD)
	}
	if ex != 0 {
		in.Src[1] = isa.Operand{File: isa.FileGRF, Reg: 60}
	}
	return in
}

// memBench returns a bench with a surface at index 3 and a mapping at mapAddr, both with dword i at offset 4·i.
const mapAddr = 0x1_2345_0000

func memBench(t *testing.T, insts ...isa.Inst) (*bench, []byte) {
	t.Helper()
	b := newBench(t, 16, thread.HazardsStrict, insts...)
	data := make([]byte, 1024)
	for i := 0; i < len(data)/4; i++ {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i)*0x01010101)
	}
	m := b.Group.Machine
	m.Surfaces = []*thread.Surface{nil, nil, nil, {Data: data}}
	m.Maps = []thread.Mapping{{Addr: mapAddr, Data: data}}
	return b, data
}

func dw(data []byte, off int) uint32 { return binary.LittleEndian.Uint32(data[off:]) }

// TestUntypedRead reads with every component mask and both widths.
func TestUntypedRead(t *testing.T) {
	for mask := 1; mask < 16; mask++ {
		for _, simd := range []int{8, 16} {
			regs := simd / 8
			n := 0
			for c := 0; c < 4; c++ {
				n += mask >> c & 1
			}
			desc := uint32(regs)<<25 | uint32(n*regs)<<20 | 1<<14 | uint32(3-regs)<<12 | uint32(^mask&15)<<8 | 3
			b, _ := memBench(t, send(isa.SFIDDC1, uint8(simd), desc, 0))
			for i := 0; i < simd; i++ {
				b.setU(20, i, uint32(16*i))
			}
			b.exec(t)
			k := 0
			for c := 0; c < 4; c++ {
				if mask>>c&1 == 0 {
					continue
				}
				for i := 0; i < simd; i++ {
					if got, want := b.u(100+k*regs, i), uint32(4*i+c)*0x01010101; got != want {
						t.Fatalf("SIMD%d mask %x component %d lane %d: %x, want %x", simd, mask, c, i, got, want)
					}
				}
				k++
			}
		}
	}
}

func TestUntypedWriteMasked(t *testing.T) {
	w := send(isa.SFIDDC1, 16, 0x04025C03, 0x100) // x and y
	w.Pred = isa.PredNormal
	b, data := memBench(t, w)
	b.Flag[0] = 0x8001
	for i := 0; i < 16; i++ {
		b.setU(20, i, uint32(8*i))
		b.setU(60, i, uint32(100+i))
		b.setU(62, i, uint32(200+i))
	}
	b.exec(t)
	for i := 0; i < 16; i++ {
		x, y := uint32(2*i)*0x01010101, uint32(2*i+1)*0x01010101
		if i == 0 || i == 15 {
			x, y = uint32(100+i), uint32(200+i)
		}
		if dw(data, 8*i) != x || dw(data, 8*i+4) != y {
			t.Errorf("lane %d: %x %x", i, dw(data, 8*i), dw(data, 8*i+4))
		}
	}
}

func TestOutOfBounds(t *testing.T) {
	b, data := memBench(t, send(isa.SFIDDC1, 8, 0x02106E03, 0), send(isa.SFIDDC1, 8, 0x02026E03, 0x40))
	for i := 0; i < 8; i++ {
		b.setU(20, i, uint32(1024-16+4*i))
		b.setU(100, i, 7)
		b.setU(60, i, 9)
	}
	b.exec(t)
	for i := 0; i < 8; i++ {
		want := uint32(0)
		if i < 4 {
			want = uint32(252+i) * 0x01010101
		}
		if b.u(100, i) != want {
			t.Errorf("lane %d: %x", i, b.u(100, i))
		}
	}
	if dw(data, 1020) != 9 || b.Stats.Memory != (thread.MemoryCounts{LoadsOutOfBounds: 4, StoresOutOfBounds: 4}) {
		t.Errorf("last dword %d, counts %+v", dw(data, 1020), b.Stats.Memory)
	}
}

// TestByteScattered checks that elements of each size may begin at any byte.
func TestByteScattered(t *testing.T) {
	for c, size := range []int{1, 2, 4} {
		b, data := memBench(t, send(isa.SFIDDC0, 16, 0x04210103|uint32(c)<<10, 0), send(isa.SFIDDC0, 16, 0x04030103|uint32(c)<<10, 0x80))
		for i := 0; i < 16; i++ {
			b.setU(20, i, uint32(size*(i+5)+3))
			b.setU(60, i, 0xA0B0C0D0+uint32(i))
		}
		old := append([]byte(nil), data...)
		b.exec(t)
		for i := 0; i < 16; i++ {
			var want, wrote uint32
			for k := 0; k < size; k++ {
				want |= uint32(old[size*(i+5)+3+k]) << (8 * k)
				wrote |= uint32(data[size*(i+5)+3+k]) << (8 * k)
			}
			if got := b.u(100, i); got != want {
				t.Errorf("%d bytes, lane %d: read %x, want %x", size, i, got, want)
			}
			if want := (0xA0B0C0D0 + uint32(i)) & (1<<(8*size) - 1); wrote != want {
				t.Errorf("%d bytes, lane %d: wrote %x, want %x", size, i, wrote, want)
			}
		}
	}
}

func TestA64(t *testing.T) {
	set := func(b *bench, n, step int) {
		for i := 0; i < n; i++ {
			a := mapAddr + uint64(step*i)
			b.setU(20, 2*i, uint32(a))
			b.setU(20, 2*i+1, uint32(a>>32))
		}
	}
	t.Run("untyped", func(t *testing.T) {
		b, data := memBench(t, send(isa.SFIDDC1, 16, 0x08445CFD, 0), send(isa.SFIDDC1, 16, 0x08065EFD, 0x80))
		set(b, 16, 8)
		for i := 0; i < 16; i++ {
			b.setU(60, i, uint32(70+i))
		}
		b.exec(t)
		for i := 0; i < 16; i++ {
			if b.u(100, i) != uint32(2*i)*0x01010101 || b.u(102, i) != uint32(2*i+1)*0x01010101 || dw(data, 8*i) != uint32(70+i) {
				t.Errorf("lane %d: %x %x %x", i, b.u(100, i), b.u(102, i), dw(data, 8*i))
			}
		}
	})
	t.Run("scattered", func(t *testing.T) {
		b, data := memBench(t,
			send(isa.SFIDDC1, 16, 0x084415FF, 0),    // two dwords
			send(isa.SFIDDC1, 16, 0x080690FF, 0x80)) // a byte
		set(b, 16, 12)
		for i := 0; i < 16; i++ {
			b.setU(60, i, uint32(0xAB00+i))
		}
		b.exec(t)
		for i := 0; i < 16; i++ {
			if b.u(100, i) != uint32(3*i)*0x01010101 || b.u(102, i) != uint32(3*i+1)*0x01010101 || data[12*i] != byte(i) ||
				data[12*i+1] != byte(3*i) {
				t.Errorf("lane %d: %x %x, byte %x %x", i, b.u(100, i), b.u(102, i), data[12*i], data[12*i+1])
			}
		}
	})
	t.Run("qword", func(t *testing.T) {
		b, _ := memBench(t, send(isa.SFIDDC1, 8, 0x042402FF, 0))
		set(b, 8, 8)
		b.exec(t)
		for i := 0; i < 16; i++ {
			if b.u(100, i) != uint32(i)*0x01010101 {
				t.Errorf("dword %d: %x", i, b.u(100, i))
			}
		}
	})
	t.Run("block", func(t *testing.T) {
		w := send(isa.SFIDDC1, 16, 0x020D40FF, 0x40)
		w.NoMask = true
		r := send(isa.SFIDDC1, 16, 0x022D0BFF-1<<11, 0)
		r.NoMask = true
		b, data := memBench(t, r, w)
		set(b, 1, 0)
		for i := 0; i < 4; i++ {
			b.setU(60, i, uint32(900+i))
		}
		b.exec(t)
		for i := 0; i < 16; i++ {
			if b.u(100, i) != uint32(i)*0x01010101 {
				t.Errorf("dword %d: %x", i, b.u(100, i))
			}
		}
		if dw(data, 0) != 900 || dw(data, 12) != 903 || dw(data, 16) != 4*0x01010101 {
			t.Errorf("wrote %d %d %x", dw(data, 0), dw(data, 12), dw(data, 16))
		}
	})
	t.Run("unmapped", func(t *testing.T) {
		b, _ := memBench(t, send(isa.SFIDDC1, 16, 0x08245EFD, 0))
		set(b, 15, 4)
		run(b.Thread, 10)
		if b.Err == nil || b.Err.Kind != thread.FaultMemory || !strings.Contains(b.Err.Error(), "lane 15") {
			t.Errorf("got %v", b.Err)
		}
	})
}

func TestBlocks(t *testing.T) {
	hdr := func(in isa.Inst) isa.Inst { in.NoMask = true; return in }
	b, data := memBench(t,
		hdr(send(isa.SFIDDC0, 8, 0x02280303, 0)),    // 4 OWords
		hdr(send(isa.SFIDDC0, 8, 0x020A0203, 0x40))) // 2 OWords
	b.setU(20, 2, 3)
	for i := 0; i < 8; i++ {
		b.setU(60, i, uint32(500+i))
	}
	b.exec(t)
	for i := 0; i < 16; i++ {
		if got := b.u(100, i); got != uint32(12+i)*0x01010101 {
			t.Errorf("dword %d: %x", i, got)
		}
	}
	if dw(data, 48) != 500 || dw(data, 76) != 507 || dw(data, 80) != 20*0x01010101 {
		t.Errorf("wrote %d %d %x", dw(data, 48), dw(data, 76), dw(data, 80))
	}
	// The header's offset for the constant cache is in dwords.
	b, _ = memBench(t, hdr(send(isa.SFIDDCRO, 8, 0x02184203, 0)))
	b.setU(20, 2, 20)
	b.exec(t)
	if got := b.u(100, 0); got != 5*0x01010101 {
		t.Errorf("constant: %x", got)
	}
}

func TestAtomics(t *testing.T) {
	type c struct {
		name    string
		aop     uint32
		old     uint32
		a, b    uint32
		want    uint32
		ret     uint32
		operand int
	}
	for _, c := range []c{
		{"and", 1, 12, 10, 0, 8, 12, 1}, {"or", 2, 12, 10, 0, 14, 12, 1}, {"xor", 3, 12, 10, 0, 6, 12, 1},
		{"mov", 4, 12, 10, 0, 10, 12, 1}, {"inc", 5, 12, 0, 0, 13, 12, 0}, {"dec", 6, 12, 0, 0, 11, 12, 0},
		{"add", 7, 12, 10, 0, 22, 12, 1}, {"sub", 8, 12, 10, 0, 2, 12, 1}, {"revsub", 9, 12, 10, 0, math.MaxUint32 - 1, 12, 1},
		{"imax", 10, math.MaxUint32, 10, 0, 10, math.MaxUint32, 1}, {"imin", 11, math.MaxUint32, 10, 0, math.MaxUint32, math.MaxUint32, 1},
		{"umax", 12, math.MaxUint32, 10, 0, math.MaxUint32, math.MaxUint32, 1}, {"umin", 13, math.MaxUint32, 10, 0, 10, math.MaxUint32, 1},
		{"cmpwr equal", 14, 12, 12, 99, 99, 12, 2}, {"cmpwr not", 14, 12, 13, 99, 12, 12, 2}, {"predec", 15, 12, 0, 0, 11, 11, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			desc := 0x0210B003 | c.aop<<8
			b, data := memBench(t, send(isa.SFIDDC1, 8, desc, uint32(c.operand)<<6))
			binary.LittleEndian.PutUint32(data[40:], c.old)
			b.Active = 1
			b.setU(20, 0, 40)
			b.setU(60, 0, c.a)
			b.setU(61, 0, c.b)
			b.exec(t)
			if dw(data, 40) != c.want || b.u(100, 0) != c.ret {
				t.Errorf("memory %d, returned %d; want %d, %d", dw(data, 40), b.u(100, 0), c.want, c.ret)
			}
		})
	}
	// All lanes add to one address; each receives the sum of the lanes before it.
	b, data := memBench(t, send(isa.SFIDDC1, 16, 0x0420A703, 0x80))
	binary.LittleEndian.PutUint32(data, 0)
	for i := 0; i < 16; i++ {
		b.setU(60, i, uint32(i))
	}
	b.exec(t)
	if dw(data, 0) != 120 || b.u(100, 15) != 105 {
		t.Errorf("sum %d, last lane saw %d", dw(data, 0), b.u(100, 15))
	}
}

// TestFloatAtomics checks that minimum, maximum and compare-and-write exist, but no sums.
func TestFloatAtomics(t *testing.T) {
	for _, c := range []struct {
		desc uint32
		want float32
	}{{0x0206D103, 7}, {0x0206D203, 0.5}} {
		b, data := memBench(t, send(isa.SFIDDC1, 8, c.desc, 0x40))
		b.Active = 3
		binary.LittleEndian.PutUint32(data, math.Float32bits(1))
		b.setF(60, 0, 0.5)
		b.setF(60, 1, 7)
		b.exec(t)
		if got := math.Float32frombits(dw(data, 0)); got != c.want {
			t.Errorf("%#x leaves %g, want %g", c.desc, got, c.want)
		}
	}
	for _, desc := range []uint32{0x0206D403, 0x0216F403, 0x0206D503, 0x0206D003, 0x0206D603} {
		b, _ := memBench(t, send(isa.SFIDDC1, 8, desc, 0x40))
		run(b.Thread, 10)
		if b.Err == nil || b.Err.Kind != thread.FaultMessage || !strings.Contains(b.Err.Error(), "no float atomic") {
			t.Errorf("%#x gives %v", desc, b.Err)
		}
	}
}

func TestScratch(t *testing.T) {
	w, r := send(isa.SFIDDC0, 16, 0x020F1001, 0x80), send(isa.SFIDDC0, 16, 0x022C1001, 0)
	w.Pred = isa.PredNormal
	b, _ := memBench(t, w, r)
	b.Flag[0] = 0x0F0F
	b.setU(20, 5, b.ScratchBase)
	for i := 0; i < 16; i++ {
		b.setU(60, i, uint32(300+i))
	}
	b.exec(t)
	for i := 0; i < 16; i++ {
		want := uint32(0)
		if 0x0F0F>>i&1 != 0 {
			want = uint32(300 + i)
		}
		if b.u(100, i) != want {
			t.Errorf("lane %d: %d, want %d", i, b.u(100, i), want)
		}
	}
	// A thread cannot access another thread's space.
	b, _ = memBench(t, send(isa.SFIDDC0, 16, 0x022C1001, 0))
	b.setU(20, 5, b.ScratchBase+2048)
	run(b.Thread, 10)
	if b.Err == nil || b.Err.Kind != thread.FaultMemory {
		t.Errorf("got %v", b.Err)
	}
	// Dword scattered with the scratch header.
	b, _ = memBench(t, send(isa.SFIDDC0, 16, 0x020AC3FD, 0x100), send(isa.SFIDDC0, 16, 0x0228C3FD, 0x80))
	b.setU(20, 5, b.ScratchBase)
	for i := 0; i < 16; i++ {
		b.setU(60, i, uint32(3*i))
		b.setU(62, i, uint32(40+i))
	}
	b.exec(t)
	for i := 0; i < 16; i++ {
		if b.u(100, i) != uint32(40+i) || dw(b.Scratch, 12*i) != uint32(40+i) {
			t.Errorf("lane %d: %d", i, b.u(100, i))
		}
	}
}

func TestMessageTraps(t *testing.T) {
	for _, c := range []struct {
		in   isa.Inst
		want string
	}{
		{send(isa.SFIDDC1, 16, 0x04205EFE+1<<25, 0), "the message takes 2"},
		{send(isa.SFIDDC1, 16, 0x04305E03, 0), "the message returns 2"},
		{send(isa.SFIDDC1, 16, 0x04205E00, 0), "no surface at binding table index 0"},
		{send(isa.SFIDDC1, 16, 0x02106E03, 0), "has 8 lanes, but the instruction has 16"},
		{send(isa.SFIDDC1, 16, 0x0407C003, 0), "unknown data cache 1 message"},
		{send(isa.SFIDDC0, 16, 0x04014003, 0), "unknown data cache 0 message"},
		{send(isa.SFIDGateway, 1, 0x02000003, 0), "unknown gateway message"},
		{send(isa.SFIDGateway, 1, 0x02000004, 0), "names barrier"},
		{send(isa.SFIDURB, 8, 0x02080007, 0x40), "has no URB entries"},
		{send(isa.SFIDRC, 8, 0x08031400, 0), "has no render targets"},
		{send(isa.SFIDPixInterp, 8, 0x02202000, 0), "has no pixel interpolator"},
		{send(isa.SFIDDC1, 16, 0x04205EFC, 0), "bindless"},
		{send(isa.SFID(13), 8, 0x02000000, 0), "no shared function 13"},
	} {
		b, _ := memBench(t, c.in)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%08x: %v, want %q", c.in.Desc, b.Err, c.want)
		}
	}
	b, _ := memBench(t, send(isa.SFIDDC1, 8, 0x02106E03, 0))
	b.setU(20, 3, 2)
	run(b.Thread, 10)
	if b.Err == nil || !strings.Contains(b.Err.Error(), "lane 3: address 0x2 is not aligned") {
		t.Errorf("got %v", b.Err)
	}
}
