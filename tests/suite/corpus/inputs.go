// SPDX-License-Identifier: MIT

package corpus

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"jacquard.example/core/interp"
	"jacquard.example/core/ir"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle/lavapipe"
	"jacquard.example/tests/support/picture"
	"jacquard.example/tests/support/synth"
)

// inputs holds the data that a shader runs on, for each of its declarations.
type inputs struct {
	buffers []interp.Buffer
	images  []interp.Image
	push    []byte
	outputs []output
	// The kind of resource of each of buffers, and the type of each of images.
	bufferKinds []lavapipe.Kind
	imageTypes  []ir.TypeInfo
	aimed       bool // the value that a result is compared with is close to it
}

const (
	bufferBytes    = 4096 // minimum size of a buffer
	maxBufferBytes = 1 << 16
	pushBytes      = 256
	maxElements    = 32 // maximum length of an array of descriptors
)

// imageSizes are the minimum numbers of texels in each direction. There are at least as many texels as invocations.
var imageSizes = map[kind.ImageDim][3]uint32{
	kind.Dim1D: {64}, kind.DimBuf: {64}, kind.Dim2D: {16, 16}, kind.DimRect: {16, 16}, kind.DimMs: {16, 16}, kind.Dim3D: {16, 16, 4}, kind.DimCube: {16, 16},
}

// style selects the distribution of generated numbers.
type style uint8

const (
	tame style = iota // integers from 0 to 63, floats from -4 to 4
	bold              // any integers, integral floats, and floats from 0 to 1
	unit              // integers from 1 to 7, floats from -1 to 1: what most functions are defined for
)

// newInputs generates data that depends only on the shader's declarations, the style and the number. Push constants,
// which often bound a loop, have no bold integers.
func newInputs(s *ir.Shader, as style, number uint64) *inputs {
	in := &inputs{push: generateWords(pushBytes, 0, 1)}
	for x := range s.Vars(kind.ModePushConstant) {
		numbers := rand.New(rand.NewPCG(number<<32, 1))
		for _, n := range synth.Scalars(s, s.LayoutOf(kind.ModePushConstant), s.Var(x).Type, 0, pushBytes) {
			if n.Kind == ir.TypeFloat || as != bold {
				makeUp(n, in.push, numbers, as)
			}
		}
	}
	seen := map[[3]uint32]bool{}
	for x := range s.Vars(kind.ModeUBO | kind.ModeSSBO | kind.ModeImage | kind.ModeUniform) {
		v := s.Var(x)
		n, _ := s.Types.Descriptors(v.Type)
		if n == 0 {
			n = 4
		}
		n = min(n, maxElements)
		element := s.Types.Innermost(v.Type)
		t := s.Types.At(element)
		for e := range n {
			k := [3]uint32{v.Set, v.Binding, e}
			if seen[k] {
				continue
			}
			seen[k] = true
			seed := number<<32 | uint64(len(seen))
			if v.Mode&(kind.ModeImage|kind.ModeUniform) != 0 {
				in.addImage(s, t, k, seed, as)
			} else {
				in.addBuffer(s, x, element, k, seed, as)
			}
		}
	}
	return in
}

// addBuffer adds a buffer with numbers of its type, and arbitrary words in the padding.
func (in *inputs) addBuffer(s *ir.Shader, x ir.Var, t ir.Type, at [3]uint32, seed uint64, as style) {
	mode := s.Var(x).Mode
	lay := s.LayoutOf(mode)
	size, _ := lay.Size(t)
	data := generateWords(int(min(max(bufferBytes, ir.RoundUp(size, 16)), maxBufferBytes)), seed, 2)
	numbers := rand.New(rand.NewPCG(seed, 1))
	fields := synth.Scalars(s, lay, t, 0, uint32(len(data)))
	for _, n := range fields {
		makeUp(n, data, numbers, as)
	}
	class := lavapipe.Uniform
	if mode == kind.ModeSSBO {
		class = lavapipe.Storage
		in.outputs = append(in.outputs, output{index: len(in.buffers), scalars: fields})
	}
	in.buffers = append(in.buffers, interp.Buffer{Set: at[0], Binding: at[1], Element: at[2], Data: data})
	in.bufferKinds = append(in.bufferKinds, class)
}

// addImage adds an image, a sampler, or both.
func (in *inputs) addImage(s *ir.Shader, t *ir.TypeInfo, at [3]uint32, seed uint64, as style) {
	m := interp.Image{Set: at[0], Binding: at[1], Element: at[2]}
	if t.Kind != ir.TypeImage {
		sampler := texture.DefaultSampler()
		m.Sampler = &sampler
	}
	if t.Kind != ir.TypeSampler {
		in.fill(s, &m, t, seed, as)
		if t.Storage {
			in.outputs = append(in.outputs, output{index: len(in.images), format: texture.Of(m.Format)})
		}
	}
	in.images = append(in.images, m)
	in.imageTypes = append(in.imageTypes, *t)
}

// fill gives an image its shape and its texels.
func (in *inputs) fill(s *ir.Shader, m *interp.Image, t *ir.TypeInfo, seed uint64, as style) {
	m.Dim, m.Format = t.Dim, t.Format
	size := imageSizes[t.Dim]
	for i, n := range s.Info.WorkgroupSize {
		if size[i] != 0 && t.Dim != kind.DimCube {
			size[i] = max(size[i], n*(2-uint32(min(i, 1)))) // two workgroups are side by side
		}
	}
	m.Width, m.Height = size[0], size[1]
	m.Depth, m.Samples = size[2], 1
	m.Layers = 1
	if t.Dim == kind.DimCube {
		m.Layers = 6
	}
	if t.Arrayed {
		m.Layers *= 2
	}
	if t.Multisampled {
		m.Samples = 4
	}
	if m.Format == kind.FormatUnknown {
		switch base, _, _ := s.Types.ScalarOf(t.Elem); base {
		case ir.TypeInt:
			m.Format = kind.FormatRgba32i
		case ir.TypeUint:
			m.Format = kind.FormatRgba32ui
		default:
			m.Format = kind.FormatRgba32f
		}
	}
	f := texture.Of(m.Format)
	m.Data = make([]byte, int(m.Width*max(m.Height, 1)*max(m.Depth, 1)*m.Layers*m.Samples)*f.Bytes)
	numbers := rand.New(rand.NewPCG(seed, 1))
	for at := 0; at < len(m.Data); at += f.Bytes {
		var texel texture.Texel
		for c := range texel {
			switch f.Base {
			case kind.BaseFloat:
				texel.SetFloat(c, float32(generateFloat(numbers, as)))
			default:
				texel[c] = generateInt(numbers, 32, f.Base == kind.BaseInt, as)
			}
		}
		f.Encode(m.Data[at:at+f.Bytes], &texel)
	}
}

// generateWords generates at least n bytes of words: integers if kinds is 1, otherwise floats as well.
func generateWords(n int, seed uint64, kinds uint32) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	var data []byte
	for len(data) < n {
		w := rng.Uint32N(64)
		if rng.Uint32N(kinds) == 1 {
			w = math.Float32bits(rng.Float32()*8 - 4)
		}
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return data
}

func (in *inputs) clone() *inputs {
	out := *in
	out.buffers, out.images = nil, nil
	for _, b := range in.buffers {
		b.Data = append([]byte(nil), b.Data...)
		out.buffers = append(out.buffers, b)
	}
	for _, m := range in.images {
		m.Data = append([]byte(nil), m.Data...)
		out.images = append(out.images, m)
	}
	return &out
}

// differs returns an error that locates a difference of two results. Floats may differ in their last bits, since passes
// fuse and reorder where the shader allows it.
func (in *inputs) differs(want *inputs) error {
	for i, b := range in.buffers {
		if at := differ(b.Data, want.buffers[i].Data); at >= 0 {
			return fmt.Errorf("writes something else to a buffer")
		}
	}
	for i, m := range in.images {
		if at := differ(m.Data, want.images[i].Data); at >= 0 {
			return fmt.Errorf("writes something else to an image")
		}
	}
	return nil
}

// differ returns the first byte where two results differ, or -1 for none.
func differ(a, b []byte) int {
	for at := 0; at+4 <= len(a); at += 4 {
		x, y := binary.LittleEndian.Uint32(a[at:]), binary.LittleEndian.Uint32(b[at:])
		if x != y && !picture.CloseFloats(x, y) {
			return at
		}
	}
	return -1
}
