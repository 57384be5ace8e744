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
)

// inputs are what a shader is run on: data for everything that it declares.
type inputs struct {
	buffers []interp.Buffer
	images  []interp.Image
	push    []byte
}

const (
	bufferBytes = 4096
	pushBytes   = 256
	maxElements = 4 // of an array of descriptors
	imageSize   = 8 // texels in each direction
)

// newInputs makes data up: small integers and floats of ordinary size, always
// the same. Push constants, which often bound a loop, are integers only.
func newInputs(s *ir.Shader) *inputs {
	in := &inputs{push: madeUp(pushBytes, 0, 1)}
	seen := map[[3]uint32]bool{}
	for x := range s.Vars(kind.ModeUBO | kind.ModeSSBO | kind.ModeImage | kind.ModeUniform) {
		v := s.Var(x)
		n := uint32(1)
		t := s.Types.At(v.Type)
		if t.Kind == ir.TypeArray {
			n = min(max(t.Len, 1), maxElements)
			t = s.Types.At(t.Elem)
		}
		for e := range n {
			k := [3]uint32{v.Set, v.Binding, e}
			if seen[k] {
				continue
			}
			seen[k] = true
			seed := uint64(len(seen))
			if v.Mode&(kind.ModeImage|kind.ModeUniform) != 0 {
				in.images = append(in.images, newImage(s, t, v.Set, v.Binding, e, seed))
				continue
			}
			in.buffers = append(in.buffers, interp.Buffer{Set: v.Set, Binding: v.Binding, Element: e, Data: madeUp(bufferBytes, seed, 2)})
		}
	}
	return in
}

// newImage makes an image, a sampler, or both. Data is enough
// for texels of any format.
func newImage(s *ir.Shader, t *ir.TypeInfo, set, binding, element uint32, seed uint64) interp.Image {
	m := interp.Image{Set: set, Binding: binding, Element: element}
	if t.Kind != ir.TypeImage {
		sampler := texture.DefaultSampler()
		m.Sampler = &sampler
	}
	if t.Kind == ir.TypeSampler {
		return m
	}
	m.Dim, m.Format = t.Dim, t.Format
	m.Width, m.Samples = imageSize, 1
	if t.Dim != kind.Dim1D && t.Dim != kind.DimBuf {
		m.Height = imageSize
	}
	if t.Dim == kind.Dim3D {
		m.Depth = imageSize
	}
	layers := uint32(1)
	if t.Dim == kind.DimCube {
		layers = 6
	}
	if t.Arrayed {
		layers *= 2
	}
	m.Layers = layers
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
	const texelBytes = 16 // of the largest format
	m.Data = madeUp(int(m.Width*max(m.Height, 1)*max(m.Depth, 1)*layers*m.Samples)*texelBytes, seed, 2)
	return m
}

// madeUp makes n bytes of words: integers if kinds is 1, else floats as well.
func madeUp(n int, seed uint64, kinds uint32) []byte {
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
	out := &inputs{push: in.push}
	for _, b := range in.buffers {
		b.Data = append([]byte(nil), b.Data...)
		out.buffers = append(out.buffers, b)
	}
	for _, m := range in.images {
		m.Data = append([]byte(nil), m.Data...)
		out.images = append(out.images, m)
	}
	return out
}

// differs says where two results differ. Floats may differ in their last bits:
// passes fuse and reorder where the shader allows it.
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

// differ returns the first byte where two results differ, -1 for none.
func differ(a, b []byte) int {
	for at := 0; at+4 <= len(a); at += 4 {
		x, y := binary.LittleEndian.Uint32(a[at:]), binary.LittleEndian.Uint32(b[at:])
		if x != y && !closeFloats(x, y) {
			return at
		}
	}
	return -1
}

func closeFloats(a, b uint32) bool {
	x, y := float64(math.Float32frombits(a)), float64(math.Float32frombits(b))
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	const ordinary = 1e-30 // below it a word is more likely an integer
	return math.Abs(x) > ordinary && math.Abs(y) > ordinary && math.Abs(x-y) <= 1e-4*math.Abs(y)
}
