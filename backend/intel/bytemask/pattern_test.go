// SPDX-License-Identifier: MIT

package bytemask

import (
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// on32 has the registers of the machines, and on64 some of twice the size.
var (
	on32 = mir.New(32, isa.TGL.Registers())
	on64 = mir.New(32, &isa.RegFile{Registers: 64, Bytes: 64})
	full = Whole(on32.GRF)
)

var types = map[uint]isa.Type{1: isa.TypeUB, 2: isa.TypeUW, 4: isa.TypeUD, 8: isa.TypeUQ}

func mov(exec, size, stride, off uint) *mir.Inst {
	o := mir.Operand{File: mir.VReg, Num: 1, Type: types[size], Stride: uint8(stride), Off: uint32(off)}
	return &mir.Inst{Op: isa.OpMov, Exec: uint8(exec), Dst: o, Src: [3]mir.Operand{o}}
}

// bytesOf computes a pattern, for registers of grf bytes, byte by byte.
func bytesOf(grf, exec, size, stride, off, reg uint) Mask {
	var m Mask
	if stride == 0 {
		exec = 1
	}
	for lane := range exec {
		for b := range size {
			if at := off + lane*stride*size + b; at/grf == reg {
				m |= 1 << (at % grf)
			}
		}
	}
	return m
}

// TestL02TwoPatterns checks that the patterns for writes and reads differ, and that each is conservative in its
// own direction.
func TestL02TwoPatterns(t *testing.T) {
	write := func(in *mir.Inst, reg uint) Mask { return DstWritePattern(on32, in, reg) }
	read := func(in *mir.Inst, src int, reg uint) Mask { return SrcReadPattern(on32, in, src, reg) }
	in := mov(8, 4, 1, 0)
	in.Dst = in.Dst.As(isa.TypeUW).WithStride(2).At(2) // the dword of each lane becomes its high word
	if w, r := write(in, 0), read(in, 0, 0); w != 0xCCCCCCCC || r != full {
		t.Errorf("written %#x, read %#x", w, r)
	}
	in.Dst, in.Src[0] = in.Src[0], in.Dst
	if w, r := write(in, 0), read(in, 0, 0); w != full || r != 0xCCCCCCCC {
		t.Errorf("the other way: written %#x, read %#x", w, r)
	}
	in.Pred = isa.PredNormal // no lane is known to be active, and every lane may be
	if w, r := write(in, 0), read(in, 0, 0); w != 0 || r != 0xCCCCCCCC {
		t.Errorf("predicated: written %#x, read %#x", w, r)
	}
}

// TestL03OperandIdentity checks that a pattern depends on the index of the source. A message that writes bytes
// has two equal operands: its offsets, which are read completely, and its data, of which the low bytes of each
// doubleword are read.
func TestL03OperandIdentity(t *testing.T) {
	for code, want := range byteMasks {
		in := byteWrite(uint32(code), 8, false, [3]uint8{1, 1, 0})
		if in.Src[0] != in.Src[1] {
			t.Fatal("the operands differ")
		}
		if a, b := SrcReadPattern(on32, in, 0, 0), SrcReadPattern(on32, in, 1, 0); a != full || b != want {
			t.Errorf("size code %d: got %#x and %#x, want %#x and %#x", code, a, b, full, want)
		}
	}
	in := mov(8, 4, 1, 0) // one register, two regions
	in.Src[1] = in.Src[0]
	in.Src[1].Stride = 0
	if a, b := SrcReadPattern(on32, in, 0, 0), SrcReadPattern(on32, in, 1, 0); a != full || b != 0xF {
		t.Errorf("got %#x and %#x", a, b)
	}
}

func TestL04PeriodicMask(t *testing.T) {
	for _, c := range []struct {
		count, step, bits, offset uint
		want                      Mask
	}{
		{3, 4, 1, 0, 0x111}, {8, 4, 4, 0, full}, {0, 4, 4, 0, 0}, {8, 4, 2, 0, 0x33333333}, {8, 4, 1, 0, 0x11111111},
		{16, 4, 2, 2, 0xCCCCCCCC}, {5, 2, 1, 0, 0x155}, {1, 0, 4, 28, 0xF0000000}, {7, 8, 8, 0, full},
	} {
		if got := PeriodicMask(on32.GRF, c.count, c.step, c.bits, c.offset); got != c.want {
			t.Errorf("PeriodicMask(%d, %d, %d, %d) = %#x, want %#x", c.count, c.step, c.bits, c.offset, got, c.want)
		}
	}
}

func TestL05Windows(t *testing.T) {
	if got := PeriodicMask(on32.GRF, 8, 4, 4, 40); got != 0 {
		t.Errorf("a pattern beyond the window gives %#x", got)
	}
	for _, x := range []struct {
		in   *mir.Inst
		want []Mask
	}{
		{mov(8, 4, 1, 16), []Mask{0xFFFF0000, 0x0000FFFF, 0}},
		{mov(8, 2, 2, 16), []Mask{0x33330000, 0x00003333, 0}},
	} {
		for reg, want := range x.want {
			if w, r := DstWritePattern(on32, x.in, uint(reg)), SrcReadPattern(on32, x.in, 0, uint(reg)); w != want || r != want {
				t.Errorf("register %d: written %#x, read %#x, want %#x", reg, w, r, want)
			}
		}
	}
}

// TestL06Exhaustive compares patterns with the individual bytes. They must be exact, and therefore neither too
// large for writes nor too small for reads.
func TestL06Exhaustive(t *testing.T) {
	for _, f := range []*mir.Func{on32, on64} {
		exhaustive(t, f)
	}
}

func exhaustive(t *testing.T, f *mir.Func) {
	grf := uint(f.GRF.Bytes())
	for off := uint(0); off < 2*grf; off++ {
		for _, size := range []uint{1, 2, 4, 8} {
			for _, stride := range []uint{0, 1, 2, 4, 8} {
				for exec := uint(1); exec <= 32; exec *= 2 {
					for reg := uint(0); reg <= 8; reg++ {
						in := mov(exec, size, stride, off)
						at := bytesOf(grf, exec, size, stride, off%grf, reg)
						if got := SrcReadPattern(f, in, 0, reg); got != at {
							t.Fatalf("%d bytes: read off %d size %d stride %d exec %d reg %d: %#x, want %#x",
								grf, off, size, stride, exec, reg, got, at)
						}
						if stride == 0 {
							continue
						}
						if got := DstWritePattern(f, in, reg); got != at {
							t.Fatalf("%d bytes: write off %d size %d stride %d exec %d reg %d: %#x, want %#x",
								grf, off, size, stride, exec, reg, got, at)
						}
					}
				}
			}
		}
	}
}

// TestRows checks that a region of rows reads exactly the elements of its lanes.
func TestRows(t *testing.T) {
	for _, f := range []*mir.Func{on32, on64} {
		rows(t, f)
	}
}

func rows(t *testing.T, f *mir.Func) {
	grf, n := uint(f.GRF.Bytes()), 0
	for _, size := range []uint{1, 2, 4, 8} {
		for rows := range 256 {
			for _, h := range []uint{0, 1, 2, 4} {
				v, w := mir.Rows(rows).VStride(), mir.Rows(rows).Width()
				stride, packed, ok := mir.RegionOf(v, w, h)
				if !ok || packed == 0 {
					continue
				}
				for exec := 2 * w; exec <= 32; exec *= 2 {
					for off := uint(0); off < grf; off += size {
						in := mov(exec, size, uint(stride), off)
						in.Src[0].Rows = packed
						want, end := [400]Mask{}, uint(0)
						for lane := range exec {
							at := off + (lane/w*v+lane%w*h)*size
							for b := at; b < at+size; b++ {
								want[b/grf] |= 1 << (b % grf)
							}
							end = max(end, at+size)
						}
						for reg := range want {
							if got := SrcReadPattern(f, in, 0, uint(reg)); got != want[reg] {
								t.Fatalf("%d bytes at %d <%d;%d,%d> exec %d reg %d: %#x, want %#x", size, off, v, w, h, exec, reg,
									got, want[reg])
							}
						}
						if got := f.SrcBytes(in, 0); uint(got) != end-off {
							t.Fatalf("%d bytes <%d;%d,%d> exec %d: spans %d, want %d", size, v, w, h, exec, got, end-off)
						}
						n++
					}
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d regions", n)
	}
}

func TestL07OutOfRange(t *testing.T) {
	in := mov(16, 4, 1, 0)
	if w, r := DstWritePattern(on32, in, 2), SrcReadPattern(on32, in, 0, 2); w != 0 || r != 0 {
		t.Errorf("beyond the end: written %#x, read %#x", w, r)
	}
	r := mir.V(1, isa.TypeUD)
	in = &mir.Inst{Op: isa.OpSend, Exec: 16, SFID: isa.SFIDDC1, Dst: r, Src: [3]mir.Operand{r, r}, Len: [3]uint8{1, 2, 3}}
	for i, pattern := range []func(reg uint) Mask{
		func(reg uint) Mask { return SrcReadPattern(on32, in, 0, reg) },
		func(reg uint) Mask { return SrcReadPattern(on32, in, 1, reg) },
		func(reg uint) Mask { return DstWritePattern(on32, in, reg) },
	} {
		if end := uint(in.Len[i]); pattern(end-1) != full || pattern(end) != 0 || pattern(end+1) != 0 {
			t.Errorf("operand %d of a message, of %d registers: %#x, %#x, %#x", i, end, pattern(end-1), pattern(end), pattern(end+1))
		}
	}
}

// TestL08Predication checks every opcode, predicate and condition modifier. A predicated instruction does not
// definitely write anything, except that sel writes all lanes; every instruction without a predicate does.
func TestL08Predication(t *testing.T) {
	made := map[isa.Op]*mir.Inst{}
	for op := isa.Op(0); op < isa.NumOps; op++ {
		in := mov(8, 4, 1, 0)
		in.Op = op
		made[op] = in
	}
	for _, op := range []isa.Op{isa.OpSend, isa.OpSendc} {
		made[op].SFID, made[op].Len = isa.SFIDDC1, [3]uint8{1, 0, 1}
	}
	for op, in := range made {
		for pred := isa.PredNone; pred <= isa.PredAll32H; pred++ {
			for _, cmod := range []isa.CMod{isa.CModNone, isa.CModGE} {
				for _, inv := range []bool{false, true} {
					in.Pred, in.PredInv, in.CMod = pred, inv, cmod
					want := full
					if pred != 0 && op != isa.OpSel {
						want = 0
					}
					if got := DstWritePattern(on32, in, 0); on32.DstBytes(in) != 0 && got != want {
						t.Errorf("%v, predicate %v, inverted %v, condition %v: surely writes %#x, want %#x", op, pred, inv, cmod, got, want)
					}
				}
			}
		}
	}
}

// TestL09Sends checks that a message reads and writes as many whole registers as it encodes, regardless of its
// lanes and types.
func TestL09Sends(t *testing.T) {
	for _, op := range []isa.Op{isa.OpSend, isa.OpSendc} {
		for _, exec := range []uint8{1, 8, 16} {
			for _, typ := range []isa.Type{isa.TypeUD, isa.TypeUW, isa.TypeUB} {
				r := mir.V(1, typ)
				in := &mir.Inst{Op: op, Exec: exec, SFID: isa.SFIDDC1, Dst: r, Src: [3]mir.Operand{r, r}, Len: [3]uint8{2, 3, 4}}
				for reg := range uint(6) {
					for i, got := range []Mask{SrcReadPattern(on32, in, 0, reg), SrcReadPattern(on32, in, 1, reg), DstWritePattern(on32, in, reg)} {
						want := Mask(0)
						if reg < uint(in.Len[i]) {
							want = full
						}
						if got != want {
							t.Errorf("%v(%d) %v, operand %d, register %d: %#x, want %#x", op, exec, typ, i, reg, got, want)
						}
					}
				}
			}
		}
	}
}

// byteWrite returns a scattered write of 1<<code bytes per lane.
func byteWrite(code, simd uint32, header bool, lens [3]uint8) *mir.Inst {
	r := mir.V(1, isa.TypeUD)
	in := &mir.Inst{Op: isa.OpSend, Exec: uint8(simd), Msg: mir.Msg{Name: message.ByteWrite, Space: message.Buffer, Bytes: 1 << code}, Src: [3]mir.Operand{r, r}, Len: lens}
	if header {
		in.Len[0]++
	}
	return in
}

var byteMasks = []Mask{0x11111111, 0x33333333, full} // by the code of the size

// TestL10ByteScatteredData checks that in a second payload, which is the data, only the bytes that go to memory
// are read.
func TestL10ByteScatteredData(t *testing.T) {
	for code, want := range byteMasks {
		for _, simd := range []uint32{8, 16} {
			for _, header := range []bool{false, true} {
				n := uint8(simd / 8)
				in := byteWrite(uint32(code), simd, header, [3]uint8{n, n, 0})
				for reg := range uint(4) {
					data, front := want, full
					if reg >= uint(n) {
						data = 0
					}
					if reg >= uint(in.Len[0]) {
						front = 0
					}
					if got := SrcReadPattern(on32, in, 1, reg); got != data {
						t.Errorf("SIMD%d, size code %d, data register %d: %#x, want %#x", simd, code, reg, got, data)
					}
					if got := SrcReadPattern(on32, in, 0, reg); got != front {
						t.Errorf("SIMD%d, header %v, address register %d: %#x, want %#x", simd, header, reg, got, front)
					}
				}
			}
		}
	}
}

// TestL11ByteScatteredPayload checks that in a single payload the data follows the header, if there is one, and the
// offsets: without a header, it starts at register 1 at SIMD8 and at register 2 at SIMD16.
func TestL11ByteScatteredPayload(t *testing.T) {
	for code, data := range byteMasks {
		for _, c := range []struct {
			simd   uint32
			header bool
			want   [6]Mask
		}{
			{8, false, [6]Mask{full, data}},
			{8, true, [6]Mask{full, full, data}},
			{16, false, [6]Mask{full, full, data, data}},
			{16, true, [6]Mask{full, full, full, data, data}},
		} {
			in := byteWrite(uint32(code), c.simd, c.header, [3]uint8{uint8(c.simd / 4), 0, 0})
			for reg, want := range c.want {
				if got := SrcReadPattern(on32, in, 0, uint(reg)); got != want {
					t.Errorf("SIMD%d, header %v, size code %d, register %d: %#x, want %#x", c.simd, c.header, code, reg, got, want)
				}
			}
			if got := SrcReadPattern(on32, in, 1, 0); got != 0 {
				t.Errorf("SIMD%d: a payload that there is not: %#x", c.simd, got)
			}
		}
	}
	// Only byte writes have such data.
	for name := range message.Name(message.NumNames) {
		in := byteWrite(0, 8, false, [3]uint8{1, 1, 0})
		in.Msg.Name = name
		if got := SrcReadPattern(on32, in, 1, 0); (got == full) != (name != message.ByteWrite && name != message.A64ByteWrite) {
			t.Errorf("message %v: %#x", name, got)
		}
	}
}

func TestL12L13Vectors(t *testing.T) {
	// By size and stride, for 1, 2, 4, 8, 16 and 32 lanes.
	for _, c := range []struct {
		size, stride uint
		want         [6]Mask
	}{
		{1, 1, [6]Mask{1, 3, 0xF, 0xFF, 0xFFFF, full}},
		{1, 2, [6]Mask{1, 5, 0x55, 0x5555, 0x55555555, 0x55555555}},
		{1, 4, [6]Mask{1, 0x11, 0x1111, 0x11111111, 0x11111111, 0x11111111}},
		{1, 8, [6]Mask{1, 0x101, 0x01010101, 0x01010101, 0x01010101, 0x01010101}},
		{2, 1, [6]Mask{3, 0xF, 0xFF, 0xFFFF, full, full}},
		{2, 2, [6]Mask{3, 0x33, 0x3333, 0x33333333, 0x33333333, 0x33333333}},
		{2, 4, [6]Mask{3, 0x303, 0x03030303, 0x03030303, 0x03030303, 0x03030303}},
		{2, 8, [6]Mask{3, 0x00030003, 0x00030003, 0x00030003, 0x00030003, 0x00030003}},
		{4, 1, [6]Mask{0xF, 0xFF, 0xFFFF, full, full, full}},
		{4, 2, [6]Mask{0xF, 0xF0F, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F, 0x0F0F0F0F}},
		{4, 4, [6]Mask{0xF, 0x000F000F, 0x000F000F, 0x000F000F, 0x000F000F, 0x000F000F}},
		{8, 1, [6]Mask{0xFF, 0xFFFF, full, full, full, full}},
		{8, 2, [6]Mask{0xFF, 0x00FF00FF, 0x00FF00FF, 0x00FF00FF, 0x00FF00FF, 0x00FF00FF}},
		{8, 4, [6]Mask{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}},
	} {
		for k, want := range c.want {
			if got := DstWritePattern(on32, mov(1<<k, c.size, c.stride, 0), 0); got != want {
				t.Errorf("size %d stride %d, %d lanes: %#x, want %#x", c.size, c.stride, 1<<k, got, want)
			}
		}
	}
}

func TestL14Uniform(t *testing.T) {
	for _, size := range []uint{1, 2, 4, 8} {
		if got, want := SrcReadPattern(on32, mov(16, size, 0, 8), 0, 0), Mask(1<<size-1)<<8; got != want {
			t.Errorf("%d bytes: %#x, want %#x", size, got, want)
		}
	}
}

func TestL16Straddle(t *testing.T) {
	for reg, want := range []Mask{0xF0000000, 0x0FFFFFFF} {
		if got := DstWritePattern(on32, mov(8, 4, 1, 28), uint(reg)); got != want {
			t.Errorf("register %d: %#x, want %#x", reg, got, want)
		}
	}
	for reg, want := range []Mask{0xCCCCCCCC, 0xCCCCCCCC, 0} {
		if got := DstWritePattern(on32, mov(16, 2, 2, 2), uint(reg)); got != want {
			t.Errorf("mov(16) r.1<2>:hf, register %d: %#x, want %#x", reg, got, want)
		}
	}
	for reg, want := range []Mask{0x33333330, 0x33333333, 0x3} {
		if got := DstWritePattern(on32, mov(16, 2, 2, 4), uint(reg)); got != want {
			t.Errorf("byte offset 4, register %d: %#x, want %#x", reg, got, want)
		}
	}
}
