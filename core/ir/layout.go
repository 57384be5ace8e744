package ir

import "jacquard.example/generated/kind"

// Layout gives sizes and offsets to types. Types with explicit layout say
// themselves; the others (private and workgroup memory) are packed with natural
// alignment: a scalar to its size, but at least MinBytes, which also is what a
// bool takes; vectors to their components.
type Layout struct {
	Types    *TypeTable
	MinBytes uint32 // smallest size of a scalar
}

// Scalar returns the bytes of a scalar of a size in bits.
func (l Layout) Scalar(bits uint8) uint32 {
	if bits == 1 {
		bits = 32
	}
	return max(uint32(bits)/8, l.MinBytes)
}

// Size returns the bytes of a type and its alignment.
func (l Layout) Size(t Type) (size, align uint32) {
	x := l.Types.At(t)
	switch x.Kind {
	case TypeArray, TypeMatrix:
		_, a := l.Size(x.Elem)
		return satMul(l.Stride(t), x.Len), a
	case TypeStruct:
		align = 1
		for _, m := range l.Types.Members(t) {
			s, a := l.Size(m.Type)
			at := m.Offset
			if at == NoOffset {
				at = RoundUp(size, a)
			}
			size = max(size, SatAdd(at, s))
			align = max(align, a)
		}
		return RoundUp(size, align), align
	}
	_, bits, n := l.Types.ScalarOf(t)
	b := l.Scalar(bits)
	return b * n, b
}

// Stride returns the bytes between elements of an array or matrix.
func (l Layout) Stride(t Type) uint32 {
	x := l.Types.At(t)
	if x.Stride != 0 {
		return x.Stride
	}
	s, a := l.Size(x.Elem)
	return RoundUp(s, a)
}

// Offset returns where a member of a struct starts.
func (l Layout) Offset(t Type, member int) uint32 {
	ms := l.Types.Members(t)
	if ms[member].Offset != NoOffset {
		return ms[member].Offset
	}
	at := uint32(0)
	for i, m := range ms {
		s, a := l.Size(m.Type)
		at = RoundUp(at, a)
		if i == member {
			return at
		}
		at = SatAdd(at, s)
	}
	return at
}

// LayoutOf returns how memory of a mode is laid out where types do not say it:
// private memory in whole dwords.
func (s *Shader) LayoutOf(m kind.Mode) Layout {
	if m&(kind.ModeFunctionTemp|kind.ModeShaderTemp) != 0 {
		return Layout{&s.Types, 4}
	}
	return Layout{&s.Types, 1}
}

const tooLarge = 1<<32 - 64

// SatAdd adds two sizes; sums that do not fit stay at a size that no limit
// allows.
func SatAdd(a, b uint32) uint32 {
	if s := uint64(a) + uint64(b); s < tooLarge {
		return uint32(s)
	}
	return tooLarge
}

func satMul(a, b uint32) uint32 {
	if s := uint64(a) * uint64(b); s < tooLarge {
		return uint32(s)
	}
	return tooLarge
}

// RoundUp returns the next multiple of to, which is positive.
func RoundUp(x, to uint32) uint32 { return SatAdd(x, to-1) / to * to }
