// SPDX-License-Identifier: MIT

package eu

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// image returns an image whose bytes count up.
func image(t testing.TB, dim irkind.ImageDim, format string, w, h, d, layers uint32, levels int) *texture.Image {
	t.Helper()
	f, err := texture.Named(format)
	if err != nil {
		t.Fatal(err)
	}
	m := texture.NewImage(dim, f, w, h, d, layers, 1, levels)
	k := 0
	for _, l := range m.Levels {
		for i := range l.Data {
			l.Data[i] = byte(k * 7)
			k++
		}
	}
	return m
}

// imageBench returns a bench with images at binding table indices from 0.
func imageBench(t testing.TB, machine *target.Target, images []*texture.Image, insts ...isa.Inst) *bench {
	t.Helper()
	rules := thread.HazardsStrict
	if !machine.Can(target.SoftwareScoreboard) {
		for i := range insts {
			insts[i].SWSB = 0
		}
	}
	d := &thread.Dispatch{Program: FromInsts(machine, append(insts, endThread())), SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{16, 1, 1}, Options: thread.Options{Hazards: rules}}
	for _, m := range images {
		if m == nil {
			d.Surfaces = append(d.Surfaces, nil)
			continue
		}
		d.Surfaces = append(d.Surfaces, &thread.Surface{Image: m})
	}
	return dispatchBench(t, d)
}

// dispatchBench returns the first thread of a dispatch.
func dispatchBench(t testing.TB, d *thread.Dispatch) *bench {
	t.Helper()
	r, err := newRunner(t.Context(), d, new(thread.Stats))
	if err != nil {
		t.Fatal(err)
	}
	th := r.g.Threads[0]
	r.reset(th, [3]uint32{})
	return &bench{th}
}

// Descriptors of typed messages with n coordinates, for surface 0 and the lower slot group.
func readOf(n, mask uint32) uint32 {
	comps := uint32(0)
	for c := range 4 {
		comps += mask >> c & 1
	}
	return n<<25 | comps<<20 | thread.Dc1TypedRead<<14 | 1<<12 | (^mask&15)<<8
}
func writeOf(n uint32) uint32 { return n<<25 | thread.Dc1TypedWrite<<14 | 1<<12 }
func atomicOf(n, aop, r uint32) uint32 {
	return n<<25 | r<<20 | r<<13 | thread.Dc1TypedAtomic<<14 | aop<<8
}

const upperGroup = 1 << 12 // descriptor bit of a read or write for lanes 8 to 15

// typedShapes gives coordinates of lanes in images of every shape. The first lanes are inside, the others
// outside.
var typedShapes = []struct {
	dim    irkind.ImageDim
	size   [4]uint32 // w, h, d, layers
	coords int
	at     [8][3]uint32
	inside int
}{
	{irkind.Dim1D, [4]uint32{9, 1, 1, 1}, 1, [8][3]uint32{{0}, {1}, {8}, {7}, {9}, {10}, {0xFFFFFFFF}, {0x80000000}}, 4},
	{irkind.DimBuf, [4]uint32{9, 1, 1, 1}, 1, [8][3]uint32{{0}, {1}, {8}, {7}, {9}, {10}, {0xFFFFFFFF}, {0x80000000}}, 4},
	{irkind.Dim1D, [4]uint32{5, 1, 1, 3}, 2, [8][3]uint32{{0, 0}, {4, 0}, {1, 1}, {4, 2}, {5, 0}, {0, 3}, {1, 0xFFFFFFFF}, {0xFFFFFFFF, 1}}, 4},
	{irkind.Dim2D, [4]uint32{5, 3, 1, 1}, 2, [8][3]uint32{{0, 0}, {4, 0}, {1, 1}, {4, 2}, {5, 0}, {0, 3}, {1, 0xFFFFFFFF}, {0xFFFFFFFF, 1}}, 4},
	{irkind.Dim2D, [4]uint32{5, 3, 1, 2}, 3, [8][3]uint32{{0, 0, 0}, {4, 0, 1}, {1, 1, 1}, {4, 2, 0}, {5, 0, 0}, {0, 3, 1}, {1, 1, 2}, {1, 1, 0xFFFFFFFF}}, 4},
	{irkind.Dim3D, [4]uint32{5, 3, 2, 1}, 3, [8][3]uint32{{0, 0, 0}, {4, 0, 1}, {1, 1, 1}, {4, 2, 0}, {5, 0, 0}, {0, 3, 1}, {1, 1, 2}, {1, 1, 0xFFFFFFFF}}, 4},
	{irkind.DimCube, [4]uint32{3, 3, 1, 12}, 3, [8][3]uint32{{0, 0, 0}, {2, 0, 11}, {1, 1, 6}, {2, 2, 5}, {3, 0, 0}, {0, 3, 1}, {1, 1, 12}, {1, 1, 0xFFFFFFFF}}, 4},
}

// typedOffset returns the offset of the texel at coordinates of a shape, computed independently of package
// texture.
func typedOffset(dim irkind.ImageDim, size [4]uint32, at [3]uint32) int {
	x, y, z := at[0], at[1], at[2]
	if dim == irkind.Dim1D {
		y, z = 0, at[1]
	}
	return int((z*size[1]+y)*size[0] + x)
}

// TestTypedShapes reads, writes and adds at the same coordinates in each shape, with the payload in one piece
// and split in two.
func TestTypedShapes(t *testing.T) {
	for _, machine := range target.All {
		for i, s := range typedShapes {
			for split := 1; split <= s.coords; split++ {
				t.Run(fmt.Sprintf("%s/%v%d/%d", machine, s.dim, i, split), func(t *testing.T) {
					n := uint32(s.coords)
					first, ex := uint32(split), (n-uint32(split))<<6
					read := send(isa.SFIDDC1, 8, readOf(first, 1), ex)
					add := send(isa.SFIDDC1, 8, atomicOf(first, message.AopAdd, 1), ex+1<<6)
					add.Dst.Reg = 101
					add.SWSB = fields.SWSBSet(1)
					write := send(isa.SFIDDC1, 8, writeOf(first), ex+4<<6)
					m := image(t, s.dim, "R32_UINT", s.size[0], s.size[1], s.size[2], s.size[3], 1)
					old := append([]byte(nil), m.Levels[0].Data...)
					set := func(b *bench, data int) {
						for l, at := range s.at {
							for c := range s.coords {
								reg := 20 + c
								if c >= split {
									reg = 60 + c - split
								}
								b.setU(reg, l, at[c])
							}
							for c := range 4 {
								b.setU(60+s.coords-split+c, l, uint32(data+l+100*c))
							}
						}
					}
					b := imageBench(t, machine, []*texture.Image{m}, read, add)
					set(b, 7000)
					b.exec(t)
					for l, at := range s.at {
						want, sum := uint32(0), uint32(0)
						if l < s.inside {
							off := 4 * typedOffset(s.dim, s.size, at)
							want = dw(old, off)
							sum = dw(m.Levels[0].Data, off)
							if sum != want+uint32(7000+l) {
								t.Errorf("lane %d: the sum is %d", l, sum)
							}
						}
						if b.u(100, l) != want || b.u(101, l) != want {
							t.Errorf("lane %d: read %x, atomic returned %x, want %x", l, b.u(100, l), b.u(101, l), want)
						}
					}
					if got := b.Stats.Memory; got != (thread.MemoryCounts{LoadsOutOfBounds: 4, StoresOutOfBounds: 4}) {
						t.Errorf("counts %+v", got)
					}
					copy(m.Levels[0].Data, old)
					b = imageBench(t, machine, []*texture.Image{m}, write)
					set(b, 9000)
					b.exec(t)
					for l, at := range s.at[:s.inside] {
						off := 4 * typedOffset(s.dim, s.size, at)
						if got := dw(m.Levels[0].Data, off); got != uint32(9000+l) {
							t.Errorf("lane %d: wrote %d", l, got)
						}
						copy(m.Levels[0].Data[off:off+4], old[off:])
					}
					if string(old) != string(m.Levels[0].Data) {
						t.Error("another texel has changed")
					}
				})
			}
		}
	}
}

// TestTypedMasks reads each set of components, with a predicate and for either half of 16 lanes, with and
// without selecting the half by the slot group.
func TestTypedMasks(t *testing.T) {
	for mask := uint32(1); mask < 16; mask++ {
		for _, half := range []struct {
			chan0 uint8
			slot  uint32
		}{{0, 0}, {8, 0}, {8, upperGroup}} {
			read := send(isa.SFIDDC1, 8, readOf(2, mask)+half.slot, 0)
			read.Pred, read.ChanOff = isa.PredNormal, half.chan0
			m := image(t, irkind.Dim2D, "R32G32B32A32_SFLOAT", 8, 2, 1, 1, 1)
			b := imageBench(t, target.TGL, []*texture.Image{m}, read)
			b.Flag[0] = 0xA5 << half.chan0
			for l := range 8 {
				b.setU(20, l, uint32(l))
				b.setU(21, l, 1)
				for r := range 4 {
					b.setU(100+r, l, 5)
				}
			}
			b.exec(t)
			k := 0
			for c := range 4 {
				if mask>>c&1 == 0 {
					continue
				}
				for l := range 8 {
					want := uint32(5)
					if 0xA5>>l&1 != 0 {
						want = dw(m.Levels[0].Data, 16*(8+l)+4*c)
					}
					if got := b.u(100+k, l); got != want {
						t.Errorf("mask %x from M%d component %d lane %d: %x, want %x", mask, half.chan0, c, l, got, want)
					}
				}
				k++
			}
		}
	}
}

// TestTypedLevel checks that the fourth coordinate is the level of detail, and that preceding coordinates that
// the shape lacks are ignored.
func TestTypedLevel(t *testing.T) {
	m := image(t, irkind.Dim2D, "R32_UINT", 4, 4, 1, 1, 2)
	b := imageBench(t, target.TGL, []*texture.Image{m}, send(isa.SFIDDC1, 8, readOf(4, 1), 0))
	for l := range 8 {
		b.setU(20, l, 1)
		b.setU(21, l, 1)
		b.setU(22, l, 99)
		b.setU(23, l, uint32(l))
	}
	b.exec(t)
	for l, want := range []uint32{dw(m.Levels[0].Data, 20), dw(m.Levels[1].Data, 12), 0, 0, 0, 0, 0, 0} {
		if got := b.u(100, l); got != want {
			t.Errorf("level %d: %x, want %x", l, got, want)
		}
	}
}

// TestTypedConversions reads and writes a texel of each kind of format. The expected values
// come from the definitions of the formats.
func TestTypedConversions(t *testing.T) {
	f := func(v ...float32) (out [4]uint32) {
		for i := range v {
			out[i] = math.Float32bits(v[i])
		}
		return out
	}
	u := func(v ...uint32) (out [4]uint32) { copy(out[:], v); return out }
	for _, c := range []struct {
		format string
		texel  []byte
		value  [4]uint32 // written to make the texel, and returned by reads that convert
		raw    [4]uint32 // returned by reads that do not convert; zeros if all reads convert
		always bool      // no read converts
	}{
		{"R32G32B32A32_SFLOAT", []byte{0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 192, 191, 0, 0, 0, 0}, f(1, 2, -1.5, 0), u(), false},
		{"R32_UINT", []byte{1, 2, 3, 4}, u(0x04030201, 0, 0, 1), u(), false},
		{"R16G16_SINT", []byte{0xFE, 0xFF, 3, 0}, u(0xFFFFFFFE, 3, 0, 1), u(), false},
		{"R16_SFLOAT", []byte{0, 0x3C}, f(1, 0, 0, 1), u(), false},
		{"R8G8B8A8_UINT", []byte{1, 2, 3, 255}, u(1, 2, 3, 255), u(), false},
		{"R8G8B8A8_UNORM", []byte{255, 0, 51, 102}, f(1, 0, 0.2, 0.4), u(0x663300FF, 0, 0, 1), false},
		{"R8G8_SNORM", []byte{127, 0x81}, f(1, -1, 0, 1), u(0x817F, 0, 0, 1), false},
		{"R16_SNORM", []byte{1, 0x80}, f(-1, 0, 0, 1), u(0x8001, 0, 0, 1), false},
		{"R16G16B16A16_UNORM", []byte{255, 255, 0, 0, 0x33, 0x33, 255, 255}, f(1, 0, 0.2, 1), u(0xFFFF, 0xFFFF3333, 0, 1), false},
		{"R8_UNORM", []byte{51}, f(0.2, 0, 0, 1), u(51, 0, 0, 1), false},
		{"A2B10G10R10_UNORM_PACK32", []byte{0xFF, 0x03, 0, 0xC0}, f(1, 0, 0, 1), u(0xC00003FF, 0, 0, 1), true},
		{"A2B10G10R10_UINT_PACK32", []byte{0x01, 0x08, 0x30, 0x40}, u(1, 2, 3, 1), u(0x40300801, 0, 0, 1), true},
		{"B10G11R11_UFLOAT_PACK32", []byte{0xC0, 0x03, 0, 0}, f(1, 0, 0, 1), u(0x3C0, 0, 0, 1), true},
	} {
		for _, machine := range narrow() {
			m := image(t, irkind.Dim2D, c.format, 1, 1, 1, 1, 1)
			b := imageBench(t, machine, []*texture.Image{m}, send(isa.SFIDDC1, 8, writeOf(2), 4<<6))
			b.Active = 1
			for k, v := range c.value {
				b.setU(60+k, 0, v)
			}
			b.exec(t)
			if got := m.Levels[0].Data; string(got) != string(c.texel) {
				t.Errorf("%s: %s wrote % x, want % x", machine, c.format, got, c.texel)
			}
			copy(m.Levels[0].Data, c.texel)
			b = imageBench(t, machine, []*texture.Image{m}, send(isa.SFIDDC1, 8, readOf(2, 15), 0))
			b.Active = 1
			b.exec(t)
			want := c.value
			if c.raw != u() && (c.always && machine != target.DG2 || machine == target.SKL) {
				want = c.raw
			}
			if got := [4]uint32{b.u(100, 0), b.u(101, 0), b.u(102, 0), b.u(103, 0)}; got != want {
				t.Errorf("%s: %s read %x, want %x", machine, c.format, got, want)
			}
		}
	}
}

// TestTypedAtomics checks every operation, with and without a result, and the order of the operands of
// compare-and-write.
func TestTypedAtomics(t *testing.T) {
	for aop := uint32(1); aop < 16; aop++ {
		for _, format := range []string{"R32_UINT", "R32_SINT"} {
			for r := range uint32(2) {
				operands := uint32(1)
				switch aop {
				case message.AopInc, message.AopDec, message.AopPreDec:
					operands = 0
				case message.AopCmpWr:
					operands = 2
				}
				m := image(t, irkind.Dim2D, format, 2, 1, 1, 1, 1)
				in := send(isa.SFIDDC1, 8, atomicOf(2, aop, r), operands<<6)
				b := imageBench(t, target.TGL, []*texture.Image{m}, in)
				b.Active = 1
				binary.LittleEndian.PutUint32(m.Levels[0].Data[4:], 12)
				b.setU(20, 0, 1)
				b.setU(60, 0, 12)
				b.setU(61, 0, 0xFFFFFFF0)
				b.setU(100, 0, 5)
				b.exec(t)
				want := uint32(message.AtomicInt(&thread.Message{Aop: uint8(aop), Size: 4}, 12, 12, 0xFFFFFFF0))
				ret := uint32(5)
				if r == 1 {
					if ret = 12; aop == message.AopPreDec {
						ret = 11
					}
				}
				if got := dw(m.Levels[0].Data, 4); got != want || b.u(100, 0) != ret {
					t.Errorf("%s operation %d leaves %d and returns %d, want %d and %d", format, aop, got, b.u(100, 0), want, ret)
				}
			}
		}
	}
}

// TestNullSurface checks that reads return zeros, writes are dropped, and atomics return
// zeros.
func TestNullSurface(t *testing.T) {
	add := send(isa.SFIDDC1, 8, atomicOf(2, message.AopAdd, 1), 1<<6)
	add.Dst.Reg = 110
	b := imageBench(t, target.TGL, []*texture.Image{nil}, send(isa.SFIDDC1, 8, readOf(2, 15), 0), add,
		send(isa.SFIDDC1, 8, writeOf(2), 4<<6))
	for r := 100; r <= 110; r++ {
		b.setU(r, 3, 9)
	}
	b.exec(t)
	if b.u(100, 3) != 0 || b.u(103, 3) != 0 || b.u(110, 3) != 0 || b.u(104, 3) != 9 {
		t.Errorf("got %d %d %d", b.u(100, 3), b.u(103, 3), b.u(110, 3))
	}
}

// TestTypedTraps runs messages that violate a rule.
func TestTypedTraps(t *testing.T) {
	twoD := func(format string) *texture.Image { return image(t, irkind.Dim2D, format, 4, 4, 1, 1, 1) }
	ms := twoD("R32_UINT")
	ms.Samples = 4
	wide := send(isa.SFIDDC1, 16, readOf(2, 1), 0)
	high := send(isa.SFIDDC1, 8, readOf(2, 1)+upperGroup, 0)
	highAtomic := send(isa.SFIDDC1, 8, atomicOf(2, message.AopAdd, 1)+1<<12, 1<<6)
	third := high
	third.ChanOff, third.NoMask = 16, true
	for _, c := range []struct {
		name  string
		in    isa.Inst
		image *texture.Image
		want  string
	}{
		{"16 lanes", wide, twoD("R32_UINT"), "the message has 8 lanes, but the instruction has 16"},
		{"header", send(isa.SFIDDC1, 8, readOf(3, 1)|1<<19, 0), twoD("R32_UINT"), "have no header"},
		{"slot group", send(isa.SFIDDC1, 8, readOf(2, 1)-1<<12, 0), twoD("R32_UINT"), "slot group 0"},
		{"slot group 3", send(isa.SFIDDC1, 8, readOf(2, 1)+2<<12, 0), twoD("R32_UINT"), "slot group 3"},
		{"upper lanes", high, twoD("R32_UINT"), "the slot group is lanes 8 to 15, but the instruction's lanes start at M0"},
		{"upper lanes of an atomic", highAtomic, twoD("R32_UINT"), "the instruction's lanes start at M0"},
		{"third lanes", third, twoD("R32_UINT"), "the instruction's lanes start at M16"},
		{"five coordinates", send(isa.SFIDDC1, 8, readOf(5, 1), 0), twoD("R32_UINT"), "at most 4 coordinates"},
		{"no coordinate", send(isa.SFIDDC1, 8, writeOf(4), 0), twoD("R32_UINT"), "takes 4 and coordinates"},
		{"one coordinate", send(isa.SFIDDC1, 8, readOf(1, 1), 0), twoD("R32_UINT"), "needs 2"},
		{"no layer", send(isa.SFIDDC1, 8, readOf(2, 1), 0), image(t, irkind.Dim2D, "R32_UINT", 4, 4, 1, 3, 1), "needs 3"},
		{"response", send(isa.SFIDDC1, 8, readOf(2, 3)-1<<20, 0), twoD("R32_UINT"), "the response has 1 registers, but the message returns 2"},
		{"response of a write", send(isa.SFIDDC1, 8, writeOf(2)+1<<20, 4<<6), twoD("R32_UINT"), "the message returns 0"},
		{"no component", send(isa.SFIDDC1, 8, readOf(2, 1)|15<<8, 0), twoD("R32_UINT"), "no component"},
		{"masked write", send(isa.SFIDDC1, 8, writeOf(2)|8<<8, 3<<6), twoD("R32_UINT"), "typed writes of some components"},
		{"atomic 0", send(isa.SFIDDC1, 8, atomicOf(2, 0, 1), 1<<6), twoD("R32_UINT"), "unknown atomic 0"},
		{"atomic on r16", send(isa.SFIDDC1, 8, atomicOf(2, message.AopAdd, 1), 1<<6), twoD("R16_UINT"), "do not support operation 7 on the format R16_UINT"},
		{"float sum", send(isa.SFIDDC1, 8, atomicOf(2, message.AopAdd, 1), 1<<6), twoD("R32_SFLOAT"), "do not support operation 7 on the format R32_SFLOAT"},
		{"format", send(isa.SFIDDC1, 8, readOf(2, 1), 0), twoD("R8G8B8A8_SRGB"), "typed reads do not support the format R8G8B8A8_SRGB"},
		{"format of a write", send(isa.SFIDDC1, 8, writeOf(2), 4<<6), twoD("R8G8B8A8_SRGB"), "typed writes do not support the format R8G8B8A8_SRGB"},
		{"write only", send(isa.SFIDDC1, 8, readOf(2, 1), 0), twoD("R5G6B5_UNORM_PACK16"), "typed reads do not support"},
		{"samples", send(isa.SFIDDC1, 8, readOf(2, 1), 0), ms, "has 4 samples"},
		{"untyped", send(isa.SFIDDC1, 16, 0x04205E00, 0), twoD("R32_UINT"), "an untyped message accesses surface 0"},
		{"bindless", send(isa.SFIDDC1, 8, readOf(2, 1)|thread.BtiBindless, 0), twoD("R32_UINT"), "no surface with the handle 0x00000000"},
		{"index", send(isa.SFIDDC1, 8, readOf(2, 1)|7, 0), twoD("R32_UINT"), "no surface at binding table index 7"},
	} {
		b := imageBench(t, target.TGL, []*texture.Image{c.image}, c.in)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, b.Err, c.want)
		}
	}
	b, _ := memBench(t, send(isa.SFIDDC1, 8, readOf(2, 1)|3, 0))
	b.Group.Machine.Typed = make([]thread.TypedSurface, 4)
	run(b.Thread, 10)
	if b.Err == nil || b.Err.Kind != thread.FaultMessage || !strings.Contains(b.Err.Error(), "a buffer without a format") {
		t.Errorf("a typed message on a buffer: %v", b.Err)
	}
}

// TestTypedFloatExchange checks that float texels can be exchanged if the machine supports it, and that the
// message faults otherwise.
func TestTypedFloatExchange(t *testing.T) {
	for _, machine := range target.All {
		m := image(t, irkind.Dim2D, "R32_SFLOAT", 1, 1, 1, 1, 1)
		b := imageBench(t, machine, []*texture.Image{m}, send(isa.SFIDDC1, 8, atomicOf(2, message.AopMov, 1), 1<<6))
		b.Active = 1
		b.setF(60, 0, 3)
		run(b.Thread, 10)
		switch {
		case !machine.Can(target.TypedFloatExchange):
			if b.Err == nil || b.Err.Kind != thread.FaultMessage {
				t.Errorf("%s: %v", machine, b.Err)
			}
		case b.Err != nil || dw(m.Levels[0].Data, 0) != math.Float32bits(3):
			t.Errorf("%s: %v", machine, b.Err)
		}
	}
}

// TestTypedAddresses checks that an unmasked message faults if any of its coordinates was computed under a
// mask.
func TestTypedAddresses(t *testing.T) {
	for part := range 3 {
		var insts []isa.Inst
		for r := range uint8(3) {
			in := arith(isa.OpMov, 8, dst(20+r, isa.TypeUD), imm(isa.TypeUD, 0))
			in.NoMask = int(r) != part
			if r == 2 {
				in.Dst.Reg = 60
			}
			insts = append(insts, in)
		}
		read := send(isa.SFIDDC1, 8, readOf(2, 1), 1<<6)
		read.NoMask, read.SWSB = true, fields.SWSBDist(1)
		d := &thread.Dispatch{Program: FromInsts(target.TGL, append(insts, read, endThread())), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{5, 1, 1},
			Surfaces: []*thread.Surface{{Image: image(t, irkind.Dim3D, "R32_UINT", 2, 2, 2, 1, 1)}},
			Options:  thread.Options{Addresses: true, Hazards: thread.HazardsLenient}}
		b := dispatchBench(t, d)
		run(b.Thread, 20)
		if b.Err == nil || b.Err.Kind != thread.FaultUndefined || !strings.Contains(b.Err.Error(), "address of lane 5") {
			t.Errorf("coordinate %d: %v", part, b.Err)
		}
	}
}
