// SPDX-License-Identifier: MIT

package interp

import (
	"testing"

	"pgregory.net/rapid"

	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// randomType draws a type that a buffer may have, with or without layout decorations.
func randomType(t *rapid.T, tt *ir.TypeTable, depth int) ir.Type {
	scalar := tt.Scalar(ir.TypeUint, rapid.SampledFrom([]uint8{8, 16, 32, 64}).Draw(t, "bits"))
	stride := func() uint32 {
		return rapid.SampledFrom([]uint32{0, 8, 16, 64, 1 << 20}).Draw(t, "stride")
	}
	n := uint32(rapid.IntRange(1, 4).Draw(t, "n"))
	what := rapid.IntRange(0, 5).Draw(t, "what")
	if depth == 0 {
		what %= 3
	}
	switch what {
	case 0, 1:
		return tt.Vector(scalar, n)
	case 2:
		column := tt.Vector(tt.Scalar(ir.TypeFloat, rapid.SampledFrom([]uint8{16, 32, 64}).Draw(t, "bits")), max(n, 2))
		return tt.Intern(ir.TypeInfo{
			Kind: ir.TypeMatrix, Elem: column, Len: uint32(rapid.IntRange(2, 4).Draw(t, "columns")), Stride: stride(),
			RowMajor: rapid.Bool().Draw(t, "rows"),
		})
	case 3:
		return tt.Array(randomType(t, tt, depth-1), n*n*n, stride())
	}
	members := make([]ir.Member, n)
	for i := range members {
		at := ir.NoOffset
		if rapid.Bool().Draw(t, "placed") {
			at = uint32(rapid.IntRange(0, 100).Draw(t, "at"))
		}
		members[i] = ir.Member{Type: randomType(t, tt, depth-1), Offset: at}
	}
	return tt.Struct(ir.TypeInfo{}, members)
}

// TestLayoutsAgree compares the interpreter's layouts of types with the compiler's; they are implemented independently.
func TestLayoutsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := ir.New()
		typ := randomType(t, &s.Types, 4)
		var m layouts
		m.start(&s.Types)
		for l, mode := range map[layout]kind.Mode{laidOut: kind.ModeSSBO, packed: kind.ModeShared, inDwords: kind.ModeShaderTemp} {
			want := s.LayoutOf(mode)
			for x := ir.Type(1); x <= typ; x++ {
				e := m.extent(l, x)
				size, align := want.Size(x)
				if e.size < 1<<31 && e.size != uint64(size) || e.align != uint64(align) {
					t.Fatalf("type %d of mode %s: size %d, align %d; the compiler has %d, %d", x, mode, e.size, e.align, size, align)
				}
				switch info := s.Types.At(x); {
				case info.Kind == ir.TypeStruct:
					for i := range int(info.Len) {
						if at := m.member(l, x, i); at < 1<<31 && at != uint64(want.Offset(x, i)) {
							t.Fatalf("member %d of type %d of mode %s: at %d; the compiler has %d", i, x, mode, at, want.Offset(x, i))
						}
					}
				case want.RowMajor(x):
					if e.across != uint64(want.Stride(x)) {
						t.Fatalf("type %d of mode %s: rows %d bytes apart; the compiler has %d", x, mode, e.across, want.Stride(x))
					}
				case info.Kind == ir.TypeArray || info.Kind == ir.TypeMatrix:
					if e.step != uint64(want.Stride(x)) {
						t.Fatalf("type %d of mode %s: elements %d bytes apart; the compiler has %d", x, mode, e.step, want.Stride(x))
					}
				}
			}
		}
	})
}
