// SPDX-License-Identifier: MIT

package eu

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/sampler"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// samplerShapes are images of every shape, with three levels.
var samplerShapes = map[string]struct {
	dim    irkind.ImageDim
	size   [3]uint32
	layers uint32
}{
	"1d": {irkind.Dim1D, [3]uint32{16, 1, 1}, 1}, "1da": {irkind.Dim1D, [3]uint32{16, 1, 1}, 3},
	"2d": {irkind.Dim2D, [3]uint32{16, 8, 1}, 1}, "2da": {irkind.Dim2D, [3]uint32{16, 8, 1}, 3},
	"3d": {irkind.Dim3D, [3]uint32{8, 8, 4}, 1}, "cube": {irkind.DimCube, [3]uint32{8, 8, 1}, 6}, "cubea": {irkind.DimCube, [3]uint32{8, 8, 1}, 18},
	"buf": {irkind.DimBuf, [3]uint32{16, 1, 1}, 1}, "ms": {irkind.Dim2D, [3]uint32{8, 8, 1}, 1}, "msa": {irkind.Dim2D, [3]uint32{8, 8, 1}, 3},
}

// samplerImage returns an image of a shape, whose contents repeat only after a long distance.
func samplerImage(t testing.TB, shape, format string, samples uint32) *texture.Image {
	t.Helper()
	s := samplerShapes[shape]
	f, err := texture.Named(format)
	if err != nil {
		t.Fatal(err)
	}
	levels := 3
	if shape == "buf" || samples > 1 {
		levels = 1
	}
	m := texture.NewImage(s.dim, f, s.size[0], s.size[1], s.size[2], s.layers, samples, levels)
	x := uint32(12345)
	for _, l := range m.Levels {
		for i := 0; i < len(l.Data); i += f.Bytes {
			var v texture.Texel
			for c := range v {
				x = x*1664525 + 1013904223
				if f.Base == irkind.BaseFloat {
					v.SetFloat(c, float32(x>>8)/(1<<24))
				} else {
					v[c] = uint64(x >> 8)
				}
			}
			f.Encode(l.Data[i:i+f.Bytes], &v)
		}
	}
	return m
}

// samplerValue returns the value of a lane's parameter. The coordinate of a cube that is largest in magnitude is 1 or -1.
func samplerValue(shape, name string, lane int) uint32 {
	l := float64(lane)
	cube := strings.HasPrefix(shape, "cube")
	v := 0.0
	switch name {
	case "u", "v", "r":
		k := strings.Index("uvr", name)
		v = math.Mod(l*0.37+float64(k)*0.21, 1.3) - 0.1
		if cube {
			if v = math.Mod(l*0.61+float64(k)*0.43, 1.8) - 0.9; k == lane%3 {
				v = []float64{1, -1}[lane&1]
			}
		}
	case "ai":
		v = []float64{0, 1.2, 2.5, 1.5, -3, 9, 0.4, 1}[lane%8]
	case "lod":
		v = []float64{0, 0.5, 1.25, 2, 5, -1, 1, 0.75}[lane%8]
	case "bias":
		v = []float64{0, 0.5, -1, 2}[lane%4]
	case "mlod":
		v = []float64{0, 1.5}[lane/4%2]
	case "ref":
		v = []float64{0.1, 0.5, 0.9, 0.3}[lane%4]
	case "dux", "dvy", "dry":
		v = 0.01 * (l + 1)
	case "duy", "dvx", "drx":
		v = 0.015 * (16 - l)
	case "_": // an absent parameter, which must have no effect
		v = math.NaN()
	// Integers.
	case "x":
		return uint32(lane*5+1) % 10
	case "y", "z":
		return uint32(lane*3+len(name)) % 9
	case "layer":
		return uint32(lane) % 4
	case "level":
		return uint32(lane) % 4
	case "offu", "offv":
		return uint32(int32(lane*7%64) - 32)
	case "si":
		return uint32(lane*3) % 5
	case "mcs0":
		return 0x1B // slices of 4 samples, in reverse
	case "mcs1":
		return 0xFFFFFFFF
	case "0":
		return 0
	}
	return math.Float32bits(float32(v))
}

// samplerLayout is the payload of a message for images of some shapes.
type samplerLayout struct {
	typ    uint32
	name   string
	shapes string
	params string
}

// samplerLayouts lists the payloads of messages in their observed order: message, shape, parameters. The names
// are from the table in IMAGES.md 2.1; integer coordinates are x, y, z and layer; _ is a position that is not
// read.
var samplerLayouts = []samplerLayout{
	{0, "sample", "1d", "u"}, {0, "sample", "1da", "u ai"}, {0, "sample", "2d", "u v"}, {0, "sample", "2da", "u v ai"},
	{0, "sample", "3d cube", "u v r"}, {0, "sample", "cubea", "u v r ai"},
	{0, "sample", "2d", "u v _ _ mlod"}, {0, "sample", "2da", "u v ai _ mlod"}, {0, "sample", "cubea", "u v r ai mlod"}, {0, "sample", "1d", "u _ _ _ mlod"},
	{1, "sample_b", "1d", "bias u"}, {1, "sample_b", "2d", "bias u v"}, {1, "sample_b", "2da", "bias u v ai"}, {1, "sample_b", "3d cube", "bias u v r"},
	{1, "sample_b", "cubea", "bias u v r ai"}, {1, "sample_b", "2d", "bias u v _ _ mlod"},
	{2, "sample_l", "1d", "lod u"}, {2, "sample_l", "1da", "lod u ai"}, {2, "sample_l", "2d", "lod u v"}, {2, "sample_l", "2da", "lod u v ai"},
	{2, "sample_l", "3d cube", "lod u v r"}, {2, "sample_l", "cubea", "lod u v r ai"},
	{3, "sample_c", "2d", "ref u v"}, {3, "sample_c", "2da", "ref u v ai"}, {3, "sample_c", "cube", "ref u v r"}, {3, "sample_c", "cubea", "ref u v r ai"},
	{3, "sample_c", "2d", "ref u v _ _ mlod"},
	{4, "sample_d", "1d", "u dux duy"}, {4, "sample_d", "1da", "u dux duy ai"}, {4, "sample_d", "2d", "u dux duy v dvx dvy"},
	{4, "sample_d", "2da", "u dux duy v dvx dvy ai"}, {4, "sample_d", "3d", "u dux duy v dvx dvy r drx dry"},
	{5, "sample_b_c", "2d", "ref bias u v"}, {5, "sample_b_c", "2da", "ref bias u v ai"}, {5, "sample_b_c", "cube", "ref bias u v r"},
	{6, "sample_l_c", "2d", "ref lod u v"}, {6, "sample_l_c", "2da", "ref lod u v ai"}, {6, "sample_l_c", "cube", "ref lod u v r"},
	{7, "ld", "1d", "x 0 level"}, {7, "ld", "1da", "x layer level"}, {7, "ld", "2d", "x y level"}, {7, "ld", "2da", "x y level layer"},
	{7, "ld", "3d", "x y level z"}, {7, "ld", "2d", "x y"}, {7, "ld", "buf", "x"},
	{8, "gather4", "2d", "u v"}, {8, "gather4", "2da", "u v ai"}, {8, "gather4", "cube", "u v r"}, {8, "gather4", "cubea", "u v r ai"},
	{9, "lod", "1d", "u"}, {9, "lod", "2d", "u v"}, {9, "lod", "3d cube", "u v r"},
	{16, "gather4_c", "2d", "ref u v"}, {16, "gather4_c", "2da", "ref u v ai"}, {16, "gather4_c", "cube", "ref u v r"}, {16, "gather4_c", "cubea", "ref u v r ai"},
	{17, "gather4_po", "2d", "u v offu offv"}, {17, "gather4_po", "2da", "u v offu offv ai"},
	{18, "gather4_po_c", "2d", "ref u v offu offv"}, {18, "gather4_po_c", "2da", "ref u v offu offv ai"},
	{20, "sample_d_c", "2d", "ref u dux duy v dvx dvy"}, {20, "sample_d_c", "2da", "ref u dux duy v dvx dvy ai"},
	{24, "sample_lz", "1d", "u"}, {24, "sample_lz", "2d", "u v"}, {24, "sample_lz", "2da", "u v ai"}, {24, "sample_lz", "3d cube", "u v r"},
	{25, "sample_c_lz", "2d", "ref u v"}, {25, "sample_c_lz", "cubea", "ref u v r ai"},
	{26, "ld_lz", "1d buf", "x"}, {26, "ld_lz", "2d", "x y"}, {26, "ld_lz", "3d", "x y z"}, {26, "ld_lz", "2da", "x y layer"},
	{28, "ld2dms_w", "ms", "si mcs0 mcs1 x y"}, {28, "ld2dms_w", "msa", "si mcs0 mcs1 x y layer"},
	{30, "ld2dms", "ms", "si mcs0 x y"}, {31, "ld2dss", "ms", "si x y"}, {31, "ld2dss", "msa", "si x y layer"},
}

// sampled computes a message's result in a lane from its named parameters.
func sampled(m *texture.Image, s *texture.Sampler, shape, name, params string, lane int) texture.Texel {
	names := strings.Fields(params)
	has := func(n string) bool { return slices.Contains(names, n) }
	at := func(n string, l int) uint32 {
		if !has(n) {
			return 0
		}
		return samplerValue(shape, n, l)
	}
	f := func(n string, l int) float32 { return math.Float32frombits(at(n, l)) }
	if has("x") {
		sample := at("si", lane)
		if strings.HasPrefix(name, "ld2dms") {
			if sample = 3 - sample; at("si", lane) > 3 {
				sample = 99
			}
		}
		y, layer := int64(at("y", lane)), int64(at("layer", lane))
		b := m.Bytes(int(at("level", lane)), int64(at("x", lane)), y, int64(at("z", lane)), layer, int64(sample))
		if b == nil {
			return texture.Texel{}
		}
		return m.Format.Decode(b)
	}
	q := texture.Query{Layer: f("ai", lane), LOD: f("lod", lane), Bias: f("bias", lane), MinLOD: f("mlod", lane),
		Compare: has("ref"), Ref: f("ref", lane)}
	for i, n := range []string{"u", "v", "r"} {
		q.Coord[i] = f(n, lane)
		q.Ddx[i], q.Ddy[i] = f("d"+n+"x", lane), f("d"+n+"y", lane)
		switch name {
		case "sample", "sample_b", "sample_c", "sample_b_c", "lod":
			quad := lane / 4 * 4
			q.Ddx[i], q.Ddy[i], q.Grad = f(n, quad+1)-f(n, quad), f(n, quad+2)-f(n, quad), true
		case "sample_d", "sample_d_c":
			q.Grad = true
		}
	}
	switch {
	case name == "lod":
		var x texture.Texel
		level, lod := m.QueryLOD(s, &q)
		x.SetFloat(0, level)
		x.SetFloat(1, lod)
		return x
	case strings.HasPrefix(name, "gather4"):
		q.Offset = [3]int32{int32(at("offu", lane)), int32(at("offv", lane))}
		return m.Gather(s, &q, 0)
	}
	return m.Sample(s, &q)
}

// samplerDesc returns the descriptor of a message for surface 0 and sampler state 0.
func samplerDesc(typ uint32, simd, mlen, rlen int) uint32 {
	return uint32(mlen)<<25 | uint32(rlen)<<20 | uint32(simd/8)<<17 | typ<<12
}

// samplerBench returns a bench with an image at surface 0 and sampler states.
func samplerBench(t testing.TB, machine *target.Target, m *texture.Image, states []*texture.Sampler, insts ...isa.Inst) *bench {
	t.Helper()
	b := imageBench(t, machine, []*texture.Image{m}, insts...)
	b.Group.Machine.Samplers = states
	return b
}

// linearSampler returns a sampler that interpolates in every dimension.
func linearSampler() *texture.Sampler {
	return &texture.Sampler{Mag: texture.Linear, Min: texture.Linear, Mip: texture.Linear, MaxLOD: 10, CompareOp: texture.LessOrEqual,
		Address: [3]texture.Address{texture.Repeat, texture.ClampToEdge, texture.MirroredRepeat}}
}

// TestSamplerPayloads sends every message in every observed layout, at SIMD8 and SIMD16, with the payload in
// one piece and split in two, with and without a header.
func TestSamplerPayloads(t *testing.T) {
	seen := map[uint32]bool{}
	for _, row := range samplerLayouts {
		seen[row.typ] = true
		for _, shape := range strings.Fields(row.shapes) {
			names := strings.Fields(row.params)
			for _, simd := range []int{8, 16} {
				regs := simd / 8
				if simd == 16 && (len(names) > 5 || strings.HasPrefix(row.name, "sample_d")) {
					continue
				}
				for split := 0; split <= 2; split++ {
					header := split == 2 && len(names)*regs < 11
					t.Run(fmt.Sprintf("%s/%s/%s/%d/%d", row.name, shape, row.params, simd, split), func(t *testing.T) {
						samples := uint32(1)
						if strings.HasPrefix(shape, "ms") {
							samples = 4
						}
						format := "R8G8B8A8_UNORM"
						if slices.Contains(names, "ref") {
							format = "R32_SFLOAT"
						}
						m := samplerImage(t, shape, format, samples)
						// Source 0 has only the first register (the header, if there is one) and source 1 the rest, or
						// source 0 has all.
						payload := len(names) * regs
						if header {
							payload++
						}
						first := payload
						if split > 0 && payload > 1 {
							first = 1
						}
						in := send(isa.SFIDSampler, uint8(simd), samplerDesc(row.typ, simd, first, 4*regs), uint32(payload-first)<<6)
						if header {
							in.Desc |= 1 << 19
						}
						s := linearSampler()
						b := samplerBench(t, target.TGL, m, []*texture.Sampler{s}, in)
						put := func(k, lane int, v uint32) {
							reg := 20 + k
							if k >= first {
								reg = 60 + k - first
							}
							b.setU(reg, lane, v)
						}
						at := 0
						if header {
							put(0, 3, b.u(0, 3)&^31)
							at = 1
						}
						for _, n := range names {
							for l := range simd {
								put(at+l/8, l%8, samplerValue(shape, n, l))
							}
							at += regs
						}
						b.exec(t)
						for l := range simd {
							want := sampled(m, s, shape, row.name, row.params, l)
							for c := range 4 {
								if got := b.u(100+c*regs, l); got != uint32(want[c]) {
									t.Fatalf("lane %d component %d: %x (%g), want %x (%g)", l, c, got, math.Float32frombits(got),
										want[c], want.Float(c))
								}
							}
						}
					})
				}
			}
		}
	}
	for typ := range uint32(32) {
		if has := sampler.SamplerRows[typ].Run != nil && typ != 10 && typ != 11 && typ != 29; has != seen[typ] {
			t.Errorf("message %d: in the table %t, tested %t", typ, has, seen[typ])
		}
	}
}

// TestSamplerCost checks that the cost of a message is independent of where its payload is split.
func TestSamplerCost(t *testing.T) {
	p := FromInsts(target.TGL, []isa.Inst{send(isa.SFIDSampler, 8, samplerDesc(0, 8, 5, 4), 0), send(isa.SFIDSampler, 8, samplerDesc(0, 8, 1, 4), 4<<6)})
	if one, two := p.Ops[0].Cost, p.Ops[1].Cost; one != two || one.Result != 760 || one.Source != 18 {
		t.Errorf("%+v and %+v", one, two)
	}
}
