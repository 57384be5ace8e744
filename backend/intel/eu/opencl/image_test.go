// SPDX-License-Identifier: MIT

package opencl

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// picture makes an image of random bytes, or of random floats.
func picture(t *testing.T, dim kind.ImageDim, format string, w, h, d, layers uint32, seed uint64) Image {
	t.Helper()
	f, err := texture.Named(format)
	if err != nil {
		t.Fatal(err)
	}
	m := texture.NewImage(dim, f, w, h, d, layers, 1, 1)
	data := m.Levels[0].Data
	rng := rand.New(rand.NewPCG(seed, 9))
	for i := 0; i+4 <= len(data) || i < len(data) && i == 0; i += 4 {
		v := rng.Uint32()
		if f.Comps[0].Numeric == texture.SFloat && f.Comps[0].Bits == 32 {
			v = math.Float32bits(rng.Float32()*8 - 4)
		}
		binary.LittleEndian.PutUint32(data[i:], v)
	}
	return Image{m}
}

// blank makes an image of zeros.
func blank(t *testing.T, dim kind.ImageDim, format string, w, h, d, layers uint32) Image {
	m := picture(t, dim, format, w, h, d, layers, 0)
	clear(m.Levels[0].Data)
	return m
}

// contents returns the bytes of an argument.
func contents(a Arg) []byte {
	switch v := a.(type) {
	case Buffer:
		return v
	case Image:
		return v.Levels[0].Data
	}
	return nil
}

// imageKernel is a kernel of images.cl, with the arguments that images.c reads and returns.
type imageKernel struct {
	name       string
	local      [3]uint32
	args       func(t *testing.T) []Arg
	reads      []int
	writes     []int
	approx     int // float argument subject to filter rounding, or -1 if none
	approxFrom int // first byte of the rounded floats
}

func imageKernels() []imageKernel {
	return []imageKernel{
		{"fetch", [3]uint32{12, 6, 1}, func(t *testing.T) []Arg {
			return []Arg{picture(t, kind.Dim2D, "R8G8B8A8_UINT", 12, 6, 1, 1, 1), picture(t, kind.Dim2D, "R8G8B8A8_UNORM", 12, 6, 1, 1, 2),
				blank(t, kind.Dim2D, "R16G16B16A16_UINT", 12, 6, 1, 1), make(Buffer, 12*6*16)}
		}, []int{0, 1}, []int{2, 3}, -1, 0},
		{"filter", [3]uint32{items, 1, 1}, func(t *testing.T) []Arg {
			s := texture.DefaultSampler()
			s.Mag, s.Min, s.Unnormalized = texture.Linear, texture.Linear, true
			s.Address = [3]texture.Address{texture.ClampToBorder, texture.ClampToBorder, texture.ClampToBorder}
			return []Arg{picture(t, kind.Dim2D, "R32G32B32A32_SFLOAT", 8, 8, 1, 1, 3), Sampler{&s}, floats(random(2*items, 4)), make(Buffer, 3*items*16)}
		}, []int{0, 2}, []int{3}, 3, items * 16},
		{"shapes", [3]uint32{items, 1, 1}, func(t *testing.T) []Arg {
			return []Arg{picture(t, kind.Dim1D, "R32G32B32A32_SINT", 8, 1, 1, 1, 5), picture(t, kind.DimBuf, "R16_SINT", 8, 1, 1, 1, 6),
				picture(t, kind.Dim2D, "R8G8B8A8_SINT", 5, 3, 1, 4, 7), picture(t, kind.Dim3D, "R8G8B8A8_SINT", 5, 3, 4, 1, 8),
				picture(t, kind.Dim1D, "R32_SINT", 7, 1, 1, 3, 9), make(Buffer, 5*items*16)}
		}, []int{0, 1, 2, 3, 4}, []int{5}, -1, 0},
		{"update", [3]uint32{8, 4, 1}, func(t *testing.T) []Arg {
			return []Arg{picture(t, kind.Dim2D, "R32G32B32A32_SFLOAT", 8, 4, 1, 1, 10)}
		}, []int{0}, []int{0}, -1, 0},
		{"stores", [3]uint32{48, 1, 1}, func(t *testing.T) []Arg {
			return []Arg{blank(t, kind.Dim2D, "R32G32B32A32_SINT", 4, 3, 1, 4), blank(t, kind.Dim3D, "R16G16B16A16_UINT", 4, 3, 3, 1),
				blank(t, kind.Dim1D, "R8_UNORM", 32, 1, 1, 1), blank(t, kind.Dim1D, "R16G16B16A16_SFLOAT", 8, 1, 1, 6), blank(t, kind.DimBuf, "R32_UINT", 40, 1, 1, 1)}
		}, nil, []int{0, 1, 2, 3, 4}, -1, 0},
	}
}

// TestImages runs Intel's code for kernels with images and samplers on each device, by default and for each
// width, and compares the results with a C program that computes the same.
func TestImages(t *testing.T) {
	reference := filepath.Join(t.TempDir(), "images")
	source := filepath.Join(sources, "images.c")
	if _, _, err := oracle.Run(t, "cc", nil, "-std=c11", "-O1", "-ffp-contract=off", "-o", reference, source, "-lm"); err != nil {
		t.Fatal(err)
	}
	want := map[string][]byte{}
	for _, k := range imageKernels() {
		var input []byte
		args := k.args(t)
		for _, i := range k.reads {
			input = append(input, contents(args[i])...)
		}
		out, err := oracle.RunProgram(t, reference, input, k.name)
		if err != nil {
			t.Fatal(err)
		}
		want[k.name] = out
	}
	for i, c := range []struct {
		name    string
		options []string
	}{{"default", nil}, {"SIMD8", []string{"-DWIDTH=8"}}, {"SIMD16", []string{"-DWIDTH=16"}}, {"SIMD32", []string{"-DWIDTH=32"}}} {
		t.Run(c.name, func(t *testing.T) {
			onDevice(t, i+1, func(t *testing.T, d device) {
				m := d.compile(t, "images", c.options...)
				for _, k := range imageKernels() {
					t.Run(k.name, func(t *testing.T) {
						schedules(t, func(t *testing.T, opts eu.Options) {
							args := k.args(t)
							launchKernel(t, m, k.name, opts, [3]uint32{1, 1, 1}, k.local, args...)
							k.compare(t, args, want[k.name])
						})
					})
				}
				testSizes(t, m)
			})
		})
	}
}

// compare compares a kernel's results with the C program's output.
func (k *imageKernel) compare(t *testing.T, args []Arg, want []byte) {
	t.Helper()
	for _, i := range k.writes {
		got := contents(args[i])
		if len(want) < len(got) {
			t.Fatalf("the C program has written %d bytes too few", len(got)-len(want))
		}
		for j := 0; j < len(got); j++ {
			if i == k.approx && j >= k.approxFrom && j%4 == 0 {
				x, y := Buffer(got).f(j/4), Buffer(want).f(j/4)
				if math.Abs(float64(x-y)) > 1e-5 {
					t.Fatalf("argument %d: float %d is %g, want %g", i, j/4, x, y)
				}
				j += 3
				continue
			}
			if got[j] != want[j] {
				t.Fatalf("argument %d: byte %d is %x, want %x", i, j, got[j], want[j])
			}
		}
		want = want[len(got):]
	}
	if len(want) != 0 {
		t.Errorf("the C program has written %d more bytes", len(want))
	}
}

// testSizes checks image sizes, which the host passes as arguments.
func testSizes(t *testing.T, m *module) {
	out := make(Buffer, 24)
	launchKernel(t, m, "sizes", eu.Options{Hazards: eu.HazardsLenient}, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1},
		blank(t, kind.Dim2D, "R8_UINT", 4, 5, 1, 6), blank(t, kind.Dim3D, "R8_UINT", 4, 2, 8, 1), out)
	for i, want := range []uint32{4, 5, 6, 4, 2, 8} {
		if out.u(i) != want {
			t.Errorf("size %d is %d, want %d", i, out.u(i), want)
		}
	}
}
