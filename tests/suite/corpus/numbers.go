package corpus

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/core/texture"
	"jacquard.example/generated/kind"
)

// scalar is a number in a buffer.
type scalar struct {
	at   uint32
	bits uint8
	kind ir.TypeKind
}

// scalars are the numbers of a type at an offset of a variable's memory, which
// has a size. An array of runtime size goes to its end.
func scalars(s *ir.Shader, v ir.Var, t ir.Type, at, size uint32) (out []scalar) {
	lay := s.LayoutOf(s.Var(v).Mode)
	var walk func(t ir.Type, at uint32)
	walk = func(t ir.Type, at uint32) {
		if at >= size {
			return
		}
		x := s.Types.At(t)
		switch x.Kind {
		case ir.TypeStruct:
			for i, m := range s.Types.Members(t) {
				walk(m.Type, ir.SatAdd(at, lay.Offset(t, i)))
			}
		case ir.TypeArray:
			stride := max(lay.Stride(t), 1)
			n := x.Len
			if n == 0 {
				n = (size - at) / stride
			}
			for i := range min(n, size/stride+1) {
				walk(x.Elem, at+i*stride)
			}
		case ir.TypeMatrix:
			k, bits, rows := s.Types.ScalarOf(x.Elem)
			for i := range x.Len {
				for j := range rows {
					col, row := i, j
					if x.RowMajor {
						col, row = j, i
					}
					out = appendScalar(out, scalar{at + col*lay.Stride(t) + row*lay.Scalar(bits), bits, k}, size)
				}
			}
		case ir.TypeVector, ir.TypeInt, ir.TypeUint, ir.TypeFloat:
			k, bits, n := s.Types.ScalarOf(t)
			for i := range n {
				out = appendScalar(out, scalar{at + i*lay.Scalar(bits), bits, k}, size)
			}
		}
	}
	walk(t, at)
	return out
}

func appendScalar(list []scalar, n scalar, size uint32) []scalar {
	if n.at+uint32(n.bits)/8 > size {
		return list
	}
	return append(list, n)
}

// get reads the number.
func (n scalar) get(data []byte) uint64 {
	switch b := data[n.at:]; n.bits {
	case 8:
		return uint64(b[0])
	case 16:
		return uint64(binary.LittleEndian.Uint16(b))
	case 32:
		return uint64(binary.LittleEndian.Uint32(b))
	default:
		return binary.LittleEndian.Uint64(b)
	}
}

// put makes a number up.
func (n scalar) put(data []byte, rng *rand.Rand, as style) {
	var x uint64
	if n.kind == ir.TypeFloat {
		x = floatBits(madeUpFloat(rng, as), n.bits)
	} else {
		x = madeUpInt(rng, n.bits, n.kind == ir.TypeInt, as)
	}
	n.set(data, x)
}

func (n scalar) set(data []byte, x uint64) {
	switch b := data[n.at:]; n.bits {
	case 8:
		b[0] = byte(x)
	case 16:
		binary.LittleEndian.PutUint16(b, uint16(x))
	case 32:
		binary.LittleEndian.PutUint32(b, uint32(x))
	case 64:
		binary.LittleEndian.PutUint64(b, x)
	}
}

func floatBits(f float64, bits uint8) uint64 {
	switch bits {
	case 16:
		return uint64(num.F64ToF16(f, 0))
	case 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

func floatOf(x uint64, bits uint8) float64 {
	switch bits {
	case 16:
		return float64(num.F16ToF32(uint16(x)))
	case 32:
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

func madeUpInt(rng *rand.Rand, bits uint8, signed bool, as style) uint64 {
	mask := ^uint64(0) >> (64 - bits)
	x := rng.Uint64N(64)
	switch as {
	case tame:
		return x & mask
	case unit:
		return 1 + x%7
	}
	switch rng.Uint32N(4) {
	case 0:
		x = rng.Uint64() & mask >> rng.Uint32N(uint32(bits))
	case 1:
		if signed {
			x = -x
		}
	}
	return x & mask
}

func madeUpFloat(rng *rand.Rand, as style) float64 {
	switch as {
	case unit:
		return float64(float32(rng.Float64()*2 - 1))
	case bold:
		switch rng.Uint32N(4) {
		case 0:
			return float64(rng.IntN(17) - 8)
		case 1:
			return rng.Float64()
		}
	}
	return float64(float32(rng.Float64()*8 - 4))
}

// output is a buffer or an image that a shader may write: an image if there is
// a format.
type output struct {
	index   int
	scalars []scalar
	format  *texture.Format
}

// number is a result: how it is to be read, and what it may be off by at least
// because its format holds no more.
type number struct {
	float bool
	bits  uint8
	slack float64 // absolute
	share float64 // of the number
}

// results are all numbers of the outputs, always in the same order.
func (in *inputs) results() (numbers []number, values []uint64) {
	for _, o := range in.outputs {
		if o.format == nil {
			for _, n := range o.scalars {
				numbers = append(numbers, number{float: n.kind == ir.TypeFloat, bits: n.bits})
				values = append(values, n.get(in.buffers[o.index].Data))
			}
			continue
		}
		data := in.images[o.index].Data
		var as [4]number
		for c := range as {
			as[c] = component(o.format, c)
		}
		for at := 0; at+o.format.Bytes <= len(data); at += o.format.Bytes {
			texel := o.format.Decode(data[at : at+o.format.Bytes])
			for c := range texel {
				if o.format.Has(c) {
					numbers = append(numbers, as[c])
					values = append(values, texel[c])
				}
			}
		}
	}
	return numbers, values
}

// component says how component c of a format's texels is to be compared.
func component(f *texture.Format, c int) number {
	n := number{float: f.Base == kind.BaseFloat, bits: 64}
	if !n.float {
		return n
	}
	n.bits = 32
	for _, x := range f.Comps {
		if x.Name != "RGBA"[c] {
			continue
		}
		switch x.Numeric {
		case texture.UNorm, texture.SNorm:
			n.slack = 1.01 / (math.Ldexp(1, int(x.Bits)-1) - 1)
			if x.Numeric == texture.UNorm {
				n.slack = 1.01 / (math.Ldexp(1, int(x.Bits)) - 1)
			}
		case texture.SFloat, texture.UFloat:
			if x.Bits < 32 {
				n.share = math.Ldexp(1, -min(int(x.Bits)-6, 10))
			}
		}
	}
	return n
}
