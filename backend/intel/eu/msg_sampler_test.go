// SPDX-License-Identifier: MIT

package eu

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// TestSamplerResponses checks responses with fewer components, and 16-bit components.
func TestSamplerResponses(t *testing.T) {
	s := linearSampler()
	for _, format := range []string{"R8G8B8A8_UNORM", "R32G32B32A32_SINT"} {
		m := samplerImage(t, "2d", format, 1)
		for _, simd := range []int{8, 16} {
			for n := 1; n <= 4; n++ {
				for _, half := range []bool{false, true} {
					regs := simd / 8
					desc := samplerDesc(24, simd, 2*regs, n*regs)
					if half {
						desc = samplerDesc(24, simd, 2*regs, n) | 1<<30
					}
					b := samplerBench(t, target.TGL, m, []*texture.Sampler{s}, send(isa.SFIDSampler, uint8(simd), desc, 0))
					b.Flag[0] = 0
					for l := range simd {
						b.setU(20+l/8, l%8, samplerValue("2d", "u", l))
						b.setU(20+regs+l/8, l%8, samplerValue("2d", "v", l))
					}
					end := 100 + n*regs
					if half {
						end = 100 + n
					}
					b.setU(end, 0, 0x12345678)
					b.exec(t)
					for l := range simd {
						q := texture.Query{Coord: [3]float32{math.Float32frombits(samplerValue("2d", "u", l)), math.Float32frombits(samplerValue("2d", "v", l))}}
						want := m.Sample(s, &q)
						for c := range n {
							switch {
							case !half:
								if got := b.u(100+c*regs, l); got != uint32(want[c]) {
									t.Fatalf("%s SIMD%d %d components: lane %d component %d: %x, want %x", format, simd, n, l,
										c, got, want[c])
								}
							case m.Format.Base == irkind.BaseFloat:
								if got := float64(thread.Half32(b.w(100+c, l))); math.Abs(got-float64(want.Float(c))) > 1.0/4096 {
									t.Fatalf("%s SIMD%d %d halves: lane %d component %d: %g, want %g", format, simd, n, l, c, got,
										want.Float(c))
								}
							default:
								if got := b.w(100+c, l); got != uint16(want[c]) {
									t.Fatalf("%s SIMD%d %d words: lane %d component %d: %x, want %x", format, simd, n, l, c, got, want[c])
								}
							}
						}
					}
					if b.u(end, 0) != 0x12345678 {
						t.Errorf("SIMD%d %d components: the next register was written", simd, n)
					}
				}
			}
		}
	}
}

// TestSamplerHalfLOD checks that levels of detail are floats for every format.
func TestSamplerHalfLOD(t *testing.T) {
	m := samplerImage(t, "2d", "R32_SINT", 1)
	in := send(isa.SFIDSampler, 8, samplerDesc(9, 8, 2, 2)|1<<30, 0)
	b := samplerBench(t, target.TGL, m, []*texture.Sampler{linearSampler()}, in)
	for l := range 8 { // two texels to the right, one texel down
		b.setF(20, l, 2.0/16*float32(l%2))
		b.setF(21, l, 1.0/8*float32(l/2%2))
	}
	b.exec(t)
	for l := range 8 {
		if level, lod := thread.Half32(b.w(100, l)), thread.Half32(b.w(101, l)); level != 1 || lod != 1 {
			t.Errorf("lane %d: level %g, level of detail %g", l, level, lod)
		}
	}
}

// TestSamplerHalfParams checks that a 16-bit parameter takes one register for all lanes.
func TestSamplerHalfParams(t *testing.T) {
	m := samplerImage(t, "2d", "R32_SFLOAT", 1)
	s := linearSampler()
	for _, machine := range target.All {
		for _, simd := range []int{8, 16} {
			in := send(isa.SFIDSampler, uint8(simd), samplerDesc(24, simd, 2, simd/8)|1<<29, 0)
			b := samplerBench(t, machine, m, []*texture.Sampler{s}, in)
			halves := []uint32{0x3800, 0x3400, 0x3A00, 0x3000} // 0.5, 0.25, 0.75, 0.125
			for l := 0; l < simd; l += 2 {
				for k := range 2 {
					b.setU(20+k, l/2, halves[(l+k)%4]|halves[(l+1+k)%4]<<16)
				}
			}
			run(b.Thread, 10)
			if !machine.Can(target.SamplerHalfParams) {
				if b.Err == nil || !strings.Contains(b.Err.Error(), "no sampler messages with 16-bit parameters") {
					t.Errorf("%s: %v", machine, b.Err)
				}
				continue
			}
			if b.Err != nil {
				t.Fatal(b.Err)
			}
			floats := []float32{0.5, 0.25, 0.75, 0.125}
			for l := range simd {
				q := texture.Query{Coord: [3]float32{floats[l%4], floats[(l+1)%4]}}
				if want := m.Sample(s, &q); b.u(100, l) != uint32(want[0]) {
					t.Errorf("%s SIMD%d lane %d: %x, want %x", machine, simd, l, b.u(100, l), want[0])
				}
			}
		}
	}
}

// TestSamplerSizes queries the size of each shape.
func TestSamplerSizes(t *testing.T) {
	for shape, want := range map[string][4]uint32{
		"1d": {16, 0, 0, 3}, "1da": {16, 3, 0, 3}, "2d": {16, 8, 0, 3}, "2da": {16, 8, 3, 3}, "3d": {8, 8, 4, 3},
		"cube": {8, 8, 1, 3}, "cubea": {8, 8, 3, 3}, "buf": {16, 0, 0, 1}, "none": {},
	} {
		for _, machine := range target.All {
			var m *texture.Image
			if shape != "none" {
				m = samplerImage(t, shape, "R32_SFLOAT", 1)
			}
			want := want
			if machine.Can(target.SingleLayerArrays) { // a single layer counts as an array
				switch shape {
				case "1d":
					want[1] = 1
				case "2d":
					want[2] = 1
				}
			}
			in := send(isa.SFIDSampler, 8, 0x0242A000, 0)
			in.NoMask = true
			b := samplerBench(t, machine, m, nil, in)
			for c := range 4 {
				b.setU(100+c, 7, 55)
			}
			b.exec(t)
			for c := range 4 {
				if got := b.u(100+c, 7); got != want[c] {
					t.Errorf("%s %s: component %d is %d, want %d", machine, shape, c, got, want[c])
				}
			}
		}
	}
	cubes := samplerImage(t, "cubea", "R32_UINT", 1)
	b := samplerBench(t, target.TGL, thread.StorageSurface(cubes).Image, nil, send(isa.SFIDSampler, 8, 0x0242A000, 0))
	b.exec(t)
	if b.u(102, 0) != 18 || cubes.Dim != irkind.DimCube {
		t.Errorf("storage image of three cubes: %d layers", b.u(102, 0))
	}
	b = samplerBench(t, target.TGL, samplerImage(t, "2d", "R32_SFLOAT", 1), nil, send(isa.SFIDSampler, 8, 0x0242A000, 0))
	b.setU(20, 4, 1)
	run(b.Thread, 10)
	if b.Err == nil || b.Err.Kind != thread.FaultUnsupported || !strings.Contains(b.Err.Error(), "resinfo of level 1") {
		t.Errorf("level 1: %v", b.Err)
	}
}

// TestSamplerSamples checks the number of samples, and reads all of them through the control surface.
func TestSamplerSamples(t *testing.T) {
	for _, samples := range []uint32{1, 2, 4, 8, 16} {
		m := samplerImage(t, "ms", "R32_UINT", samples)
		info := send(isa.SFIDSampler, 8, samplerDesc(11, 8, 1, 1)|1<<19, 0)
		info.Dst.Reg = 90
		mcs := send(isa.SFIDSampler, 8, samplerDesc(29, 8, 2, 4), 0)
		mcs.Src[0].Reg = 23
		mcs.Dst.Reg = 21
		ld := send(isa.SFIDSampler, 8, samplerDesc(28, 8, 5, 1), 0)
		ld.SWSB = fields.SWSBSet(1)
		wait := isa.Inst{Op: isa.OpSync, Sync: isa.SyncAllWr, ExecSize: 1}
		mcs.SWSB = fields.SWSBSet(2)
		// The last two of ld_mcs's four response registers overwrite its coordinates, so ld uses others.
		insts := []isa.Inst{info, mcs, wait}
		for k := range 2 {
			mv := arith(isa.OpMov, 8, dst(uint8(23+k), isa.TypeUD), packed(uint8(40+k), isa.TypeUD))
			insts = append(insts, mv)
		}
		ld.SWSB = fields.SWSBDist(1)
		insts = append(insts, ld)
		b := samplerBench(t, target.TGL, m, nil, insts...)
		b.Opts.Hazards = thread.HazardsLenient
		b.setU(20, 2, 0xE000)
		b.setU(20, 3, b.u(0, 3)&^31)
		for l := range 8 {
			for _, r := range []int{23, 40} {
				b.setU(r, l, uint32(l))
				b.setU(r+1, l, uint32(7-l))
			}
		}
		run(b.Thread, 1) // the header and the sample's number share a register
		for l := range 8 {
			b.setU(20, l, uint32(l*3)%samples)
		}
		b.exec(t)
		if b.u(90, 0) != samples {
			t.Errorf("%d samples: sampleinfo %d", samples, b.u(90, 0))
		}
		for l := range 8 {
			at := 4 * (((7-l)*8+l)*int(samples) + l*3%int(samples))
			if got, want := b.u(100, l), dw(m.Levels[0].Data, at); got != want {
				t.Errorf("%d samples: lane %d: %x, want %x", samples, l, got, want)
			}
		}
	}
}

// TestSamplerQuads checks that derivatives come from all lanes of a quad, enabled or not, and that nothing is
// written for disabled lanes.
func TestSamplerQuads(t *testing.T) {
	m := samplerImage(t, "2d", "R32_SFLOAT", 1)
	s := linearSampler()
	in := send(isa.SFIDSampler, 8, samplerDesc(0, 8, 2, 1), 0)
	b := samplerBench(t, target.TGL, m, []*texture.Sampler{s}, in)
	b.Active = 0x88
	for l := range 8 {
		b.setF(20, l, 0.1+0.05*float32(l%2))
		b.setF(21, l, 0.2+0.15*float32(l/2%2))
		b.setU(100, l, 9)
	}
	b.exec(t)
	x0, x1 := float32(0.1), float32(0.1)+0.05
	y0, y1 := float32(0.2), float32(0.2)+0.15
	q := texture.Query{Coord: [3]float32{x1, y1}, Grad: true, Ddx: [3]float32{x1 - x0}, Ddy: [3]float32{0, y1 - y0}}
	want := m.Sample(s, &q)
	for l := range 8 {
		w := uint32(9)
		if l%4 == 3 {
			w = uint32(want[0])
		}
		if got := b.u(100, l); got != w {
			t.Errorf("lane %d: %x, want %x", l, got, w)
		}
	}
	// Coordinates written in only some lanes of the quad are detected.
	for masked := range 2 {
		var insts []isa.Inst
		for r := range uint8(2) {
			mv := arith(isa.OpMov, 8, dst(20+r, isa.TypeUD), imm(isa.TypeUD, 0))
			mv.NoMask = int(r) != masked
			insts = append(insts, mv)
		}
		in := in
		in.SWSB = fields.SWSBDist(1)
		d := &thread.Dispatch{Program: FromInsts(target.TGL, append(insts, in, endThread())), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{6, 1, 1},
			Surfaces: []*thread.Surface{{Image: m}}, Samplers: []*texture.Sampler{s},
			Options: thread.Options{Addresses: true, Hazards: thread.HazardsLenient}}
		b := dispatchBench(t, d)
		run(b.Thread, 20)
		if b.Err == nil || b.Err.Kind != thread.FaultUndefined ||
			!strings.Contains(b.Err.Error(), fmt.Sprintf("need parameter %d of lane 6", masked)) {
			t.Errorf("parameter %d: %v", masked, b.Err)
		}
	}
}

// TestSamplerWithoutParameters checks that Options.Addresses does not fault on a query that takes only a
// header.
func TestSamplerWithoutParameters(t *testing.T) {
	m := samplerImage(t, "2d", "R32_SFLOAT", 4)
	header := arith(isa.OpMov, 8, dst(20, isa.TypeUD), packed(0, isa.TypeUD))
	info := send(isa.SFIDSampler, 8, samplerDesc(11, 8, 1, 1)|1<<19, 0)
	info.SWSB = fields.SWSBDist(1)
	insts := []isa.Inst{header, info}
	for i := range insts {
		insts[i].NoMask = true
	}
	b := dispatchBench(t, &thread.Dispatch{Program: FromInsts(target.TGL, append(insts, endThread())), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{5, 1, 1},
		Surfaces: []*thread.Surface{{Image: m}}, Options: thread.Options{Addresses: true, Hazards: thread.HazardsLenient}})
	b.setU(0, 2, 0xE000) // one component
	b.setU(0, 3, b.u(0, 3)&^31)
	b.exec(t)
	if got := b.u(100, 0); got != 4 {
		t.Errorf("%d samples, want 4", got)
	}
}

// TestSamplerTraps runs messages that violate a rule.
func TestSamplerTraps(t *testing.T) {
	two := samplerImage(t, "2d", "R32_SFLOAT", 1)
	s := []*texture.Sampler{linearSampler()}
	msg := func(typ uint32, simd, mlen, rlen int) isa.Inst {
		return send(isa.SFIDSampler, uint8(simd), samplerDesc(typ, simd, mlen, rlen), 0)
	}
	set := func(in isa.Inst, bits uint32) isa.Inst { in.Desc |= bits; return in }
	wide := msg(24, 8, 2, 4)
	wide.ExecSize = 16
	long := msg(4, 8, 11, 4)
	long = set(long, 1<<19)
	long.ExDesc = 1 << 6
	long.Src[1] = isa.Operand{File: isa.FileGRF, Reg: 60}
	coarse := msg(0, 8, 2, 4)
	coarse.ExDesc = 1 << 11
	for _, c := range []struct {
		name  string
		in    isa.Inst
		image *texture.Image
		want  string
	}{
		{"message 12", msg(12, 8, 2, 4), two, "unknown sampler message 12"},
		{"SIMD4x2", send(isa.SFIDSampler, 8, 0x02418000, 0), two, "SIMD mode 0"},
		{"SIMD32", send(isa.SFIDSampler, 8, samplerDesc(24, 24, 2, 4), 0), two, "SIMD mode 3"},
		{"lanes", wide, two, "the message has 8 lanes, but the instruction has 16"},
		{"gradients of 16 lanes", msg(4, 16, 6, 8), two, "sample_d has at most 8 lanes"},
		{"12 registers", long, two, "the payload has 12 registers; the sampler takes at most 11"},
		{"12 registers of parameters", msg(1, 16, 12, 8), two, "the payload has 12 registers"},
		{"half a parameter", msg(24, 16, 3, 8), two, "the parameters have 3 registers; each takes 2"},
		{"too many", msg(24, 8, 5, 4), two, "sample_lz has 5 parameters, but takes at most 4"},
		{"too few", set(msg(6, 8, 1, 4), 1<<19), two, "sample_l_c has 0 parameters, but needs 1"},
		{"no lod", set(msg(10, 8, 1, 4), 1<<19), two, "resinfo has 0 parameters"},
		{"no header", msg(11, 8, 1, 1), two, "sampleinfo needs a header"},
		{"response", msg(24, 16, 4, 3), two, "the response has 3 registers, want 1 to 4 components of 2"},
		{"long response", msg(24, 8, 2, 5), two, "the response has 5 registers"},
		{"no response", msg(24, 8, 2, 0), two, "the response has 0 registers"},
		{"bindless", set(msg(24, 8, 2, 4), thread.BtiBindless), two, "no surface with the handle 0x00000000"},
		{"coarse", coarse, two, "has more than a length"},
		{"reserved", set(msg(24, 8, 2, 4), 1<<31), two, "bit 31"},
		{"no state", set(msg(24, 8, 2, 4), 3<<8), two, "no sampler state at index 3"},
		{"no surface", set(msg(24, 8, 2, 4), 5), two, "no surface at binding table index 5"},
		{"sampled buffer", msg(24, 8, 1, 4), samplerImage(t, "buf", "R32_SFLOAT", 1), "sample_lz does not access buffers"},
		{"sampled samples", msg(24, 8, 2, 4), samplerImage(t, "ms", "R32_SFLOAT", 4), "sample_lz does not access surfaces of 4 samples"},
		{"ld of samples", msg(7, 8, 3, 4), samplerImage(t, "ms", "R32_SFLOAT", 4), "ld does not access surfaces of 4 samples"},
		{"gathered volume", msg(8, 8, 3, 4), samplerImage(t, "3d", "R32_SFLOAT", 1), "gather4 does not access images of shape"},
		{"cube with gradients", msg(4, 8, 9, 4), samplerImage(t, "cube", "R32_SFLOAT", 1), "sample_d does not access cubes"},
		{"mcs of a volume", msg(29, 8, 3, 4), samplerImage(t, "3d", "R32_SFLOAT", 1), "ld_mcs does not access images of shape"},
		{"halves of integers", set(msg(26, 8, 2, 4), 1<<29), two, "16-bit integer parameters"},
	} {
		b := samplerBench(t, target.TGL, c.image, s, c.in)
		run(b.Thread, 10)
		if b.Err == nil || !strings.Contains(b.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, b.Err, c.want)
		}
	}
	// Coordinates of a cube that were not divided.
	b := samplerBench(t, target.TGL, samplerImage(t, "cube", "R32_SFLOAT", 1), s, msg(24, 8, 3, 4))
	b.setF(20, 0, 2)
	run(b.Thread, 10)
	if b.Err == nil || !strings.Contains(b.Err.Error(), "the coordinates of a cube, 2, 0 and 0, are not divided") {
		t.Errorf("cube: %v", b.Err)
	}
	// Header offsets of a message to which the sampler adds none.
	b = headerBench(t, target.TGL, 9, 4, 0x100, nil, two, s...)
	run(b.Thread, 10)
	if b.Err == nil || !strings.Contains(b.Err.Error(), "offsets in the header of lod") {
		t.Errorf("offsets: %v", b.Err)
	}
	// A buffer.
	b, _ = memBench(t, msg(24, 8, 2, 4))
	b.Group.Machine.Surfaces = b.Group.Machine.Surfaces[3:]
	b.Group.Machine.Typed = make([]thread.TypedSurface, 1)
	run(b.Thread, 10)
	if b.Err == nil || !strings.Contains(b.Err.Error(), "a buffer without a format") {
		t.Errorf("buffer: %v", b.Err)
	}
}

// TestSamplerNull checks that the null surface reads as zero.
func TestSamplerNull(t *testing.T) {
	for _, typ := range []uint32{0, 7, 8, 24} {
		b := samplerBench(t, target.TGL, nil, []*texture.Sampler{linearSampler()}, send(isa.SFIDSampler, 8, samplerDesc(typ, 8, 3, 4), 0))
		for c := range 4 {
			b.setU(100+c, 2, 8)
		}
		b.exec(t)
		for c := range 4 {
			if b.u(100+c, 2) != 0 {
				t.Errorf("message %d component %d: %x", typ, c, b.u(100+c, 2))
			}
		}
	}
}
