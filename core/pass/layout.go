package pass

import (
	"jacquard.example/core/ir"
)

// layout gives sizes and offsets to types. Types with explicit layout say
// themselves; the others (private and workgroup memory) are packed with natural
// alignment: a scalar to its size, but at least minBytes, which also is what a
// bool takes; vectors to their components.
type layout struct {
	tt       *ir.TypeTable
	minBytes uint32
}

func (l *layout) scalar(bits uint8) uint32 {
	if bits == 1 {
		bits = 32
	}
	return max(uint32(bits)/8, l.minBytes)
}

// size returns the bytes of a type and its alignment.
func (l *layout) size(t ir.Type) (size, align uint32) {
	x := l.tt.At(t)
	switch x.Kind {
	case ir.TypeArray, ir.TypeMatrix:
		_, a := l.size(x.Elem)
		return satMul(l.stride(t), x.Len), a
	case ir.TypeStruct:
		align = 1
		for _, m := range l.tt.Members(t) {
			s, a := l.size(m.Type)
			at := m.Offset
			if at == ir.NoOffset {
				at = roundUp(size, a)
			}
			size = max(size, satAdd(at, s))
			align = max(align, a)
		}
		return roundUp(size, align), align
	}
	_, bits, n := l.tt.ScalarOf(t)
	b := l.scalar(bits)
	return b * n, b
}

// stride returns the bytes between elements of an array or matrix.
func (l *layout) stride(t ir.Type) uint32 {
	x := l.tt.At(t)
	if x.Stride != 0 {
		return x.Stride
	}
	s, a := l.size(x.Elem)
	return roundUp(s, a)
}

// offset returns where a member of a struct starts.
func (l *layout) offset(t ir.Type, member int) uint32 {
	ms := l.tt.Members(t)
	if ms[member].Offset != ir.NoOffset {
		return ms[member].Offset
	}
	at := uint32(0)
	for i, m := range ms {
		s, a := l.size(m.Type)
		at = roundUp(at, a)
		if i == member {
			return at
		}
		at = satAdd(at, s)
	}
	return at
}

const tooLarge = 1<<32 - 64

func satAdd(a, b uint32) uint32 {
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

func roundUp(x, to uint32) uint32 { return satAdd(x, to-1) / to * to } // to is positive
