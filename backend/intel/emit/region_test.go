// SPDX-License-Identifier: MIT

package emit

import (
	"testing"

	"jacquard.example/backend/intel/bytemask"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// on32 encodes for the registers of the machines, and on64 for some of twice the size.
var (
	on32 = encoder(isa.TGL.Registers())
	on64 = encoder(&isa.RegFile{Registers: 64, Bytes: 64})
)

func encoder(file *isa.RegFile) *Emitter {
	f := mir.New(32, file)
	return &Emitter{f: f, grf: f.GRF}
}

// lane returns the byte address, counted from GRF 0, of a lane's element in a region.
func (e *Emitter) lane(r *isa.Operand, i int) int {
	width := int(r.Width)
	if width == 0 { // three-source operand: the strides determine the width of a row
		width = 1
		if r.HStride > 0 {
			width = int(r.VStride / r.HStride)
		}
	}
	return int(e.grf.Start(uint32(r.Reg))) + int(r.Sub) + (i/width*int(r.VStride)+i%width*int(r.HStride))*r.Type.Size()
}

// TestL15OneStride checks that the lanes of an encoded operand are equidistant by the operand's stride, without
// breaks between rows. So the lanes read exactly the bytes that liveness assumes.
func TestL15OneStride(t *testing.T) {
	for _, e := range []*Emitter{on32, on64} {
		oneStride(t, e)
	}
}

func oneStride(t *testing.T, e *Emitter) {
	regions, grf := 0, int(e.grf.Bytes())
	first := 10 * grf
	for _, op := range []isa.Op{isa.OpMov, isa.OpMad} {
		for _, typ := range []isa.Type{isa.TypeUB, isa.TypeUW, isa.TypeUD, isa.TypeUQ} {
			for _, stride := range []uint8{0, 1, 2, 4, 8} {
				for off := 0; off < grf; off += typ.Size() {
					for exec := 1; exec <= 32; exec *= 2 {
						o := mir.Fixed(10, typ).WithStride(stride).At(uint32(off))
						in := &mir.Inst{Op: op, Exec: uint8(exec), Dst: mir.Fixed(40, typ), Src: [3]mir.Operand{o, o, o}}
						var raw isa.Inst
						if e.convert(in, &raw) != nil {
							continue // three-source operands have fewer strides
						}
						regions++
						seen := [8]bytemask.Mask{}
						for i := range exec {
							at := e.lane(&raw.Src[0], i)
							if want := first + off + i*int(stride)*typ.Size(); at != want {
								t.Fatalf("%v(%d) %v stride %d at %d: lane %d is at byte %d, want %d: <%d;%d,%d>", op, exec, typ,
									stride, off, i, at, want,
									raw.Src[0].VStride, raw.Src[0].Width, raw.Src[0].HStride)
							}
							for b := at - first; b < at-first+typ.Size(); b++ {
								if b/grf < len(seen) {
									seen[b/grf] |= 1 << (b % grf)
								}
							}
						}
						for reg, want := range seen {
							if got := bytemask.SrcReadPattern(e.f, in, 0, uint(reg)); got != want {
								t.Fatalf("%v(%d) %v stride %d at %d: register %d: %#x counts as read, %#x is", op, exec, typ,
									stride, off, reg, got, want)
							}
						}
					}
				}
			}
		}
	}
	if regions < 1000 {
		t.Errorf("only %d regions", regions)
	}
}

// TestRows checks that every region of rows that the validator accepts is encoded unchanged. Three-source
// operands have no rows.
func TestRows(t *testing.T) {
	n := 0
	for v := uint(0); v <= 32; v++ {
		for _, w := range []uint{1, 2, 4, 8, 16} {
			for h := uint(0); h <= 4; h++ {
				if _, rows, ok := mir.RegionOf(v, w, h); !ok || rows == 0 {
					continue
				}
				o := mir.Fixed(10, isa.TypeUW).WithRegion(v, w, h)
				in := &mir.Inst{Op: isa.OpMov, Exec: 16, Dst: mir.Fixed(40, isa.TypeUW), Src: [3]mir.Operand{o}}
				var raw isa.Inst
				if err := on32.convert(in, &raw); err != nil {
					t.Fatal(err)
				}
				for i := range 16 {
					at := on32.lane(&raw.Src[0], i)
					if want := 320 + 2*(i/int(w)*int(v)+i%int(w)*int(h)); at != want || at != 320+int(o.LaneOffset(uint32(i))) {
						t.Fatalf("<%d;%d,%d>: lane %d is at byte %d, want %d", v, w, h, i, at, want)
					}
				}
				in = &mir.Inst{Op: isa.OpMad, Exec: 16, Dst: mir.Fixed(40, isa.TypeF), Src: [3]mir.Operand{o, o, o}}
				if on32.convert(in, &raw) == nil {
					t.Errorf("three sources have the region <%d;%d,%d>", v, w, h)
				}
				n++
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d regions", n)
	}
}
