// SPDX-License-Identifier: MIT

package whole

import (
	"encoding/binary"
	"math/bits"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/generated/build"
	"jacquard.example/generated/op"
)

// TestMultiplyByConstant: a product with a constant is right for every power of two
// and its neighbors, of either sign: the machine multiplies by 16 bits, signed or
// unsigned, and any other product is composed.
func TestMultiplyByConstant(t *testing.T) {
	var constants []uint32
	for n := range 32 {
		for _, more := range []uint32{^uint32(1), ^uint32(0), 0, 1, 2} {
			k := uint32(1)<<n + more
			constants = append(constants, k, -k)
		}
	}
	in := make([]byte, randomLanes*randomRecord)
	numbers := []uint32{0, 1, 2, 3, 0xffff, 0x10000, 0x10001, 0x7fffffff, 0x80000000, 0x80000001, 0xffff8000, 0xffff7fff, 0xffffffff, 0x12345678, 0xdeadbeef}
	for lane := range randomLanes {
		binary.LittleEndian.PutUint32(in[lane*randomRecord:], numbers[lane%len(numbers)])
	}
	for at := 0; at < len(constants); at += 64 {
		some := constants[at:min(at+64, len(constants))]
		s := ir.New()
		s.Info.WorkgroupSize = [3]uint32{randomLanes, 1, 1}
		f := s.NewFunc("main")
		s.Func(f).Entry = true
		x := &randomShader{s: s, b: build.New(s)}
		x.b.AtEnd(s.FirstBlock(f))
		x.lane = x.b.LoadLocalInvocationIndex(32)
		v := x.b.LoadSSBO(1, 32, x.b.Imm(0), x.b.IMul(x.lane, x.b.Imm(randomRecord)), 0, 4, 0)
		for _, k := range some {
			x.store(x.b.IMul(v, x.b.Imm(k)), result{op: op.IMul, bits: 32})
		}
		x.interpret(t, s, in) // for the binding table
		out := x.compiled(t, 16, in)
		for i, k := range some {
			for lane := range randomLanes {
				n := numbers[lane%len(numbers)]
				if got := binary.LittleEndian.Uint32(out[(i*randomLanes+lane)*randomSlot:]); got != n*k {
					t.Fatalf("%#x * %#x = %#x, want %#x", n, k, got, n*k)
				}
			}
		}
	}
}

// TestMultiplyOfBounded: a product is right whatever the known bounds of its factors:
// just below 16 bits, just above, and where several bounds combine.
func TestMultiplyOfBounded(t *testing.T) {
	type expr struct {
		name  string
		build func(b *build.Builder, x, y ir.Src) ir.Src
		value func(x, y uint32) uint32
	}
	imm := func(b *build.Builder, v ir.Src, o func(a, b ir.Src) ir.Src, k uint32) ir.Src { return o(v, b.Imm(k)) }
	choose := func(c bool, a, b uint32) uint32 {
		if c {
			return a
		}
		return b
	}
	exprs := []expr{
		{"and", func(b *build.Builder, x, y ir.Src) ir.Src { return b.IAnd(x, b.Imm(0x1ffff)) }, func(x, y uint32) uint32 { return x & 0x1ffff }},
		{"sum", func(b *build.Builder, x, y ir.Src) ir.Src {
			return b.IAdd(imm(b, x, b.IAnd, 0xffff), imm(b, y, b.IAnd, 0xffff))
		},
			func(x, y uint32) uint32 { return x&0xffff + y&0xffff }},
		{"or, sum", func(b *build.Builder, x, y ir.Src) ir.Src {
			return b.IAdd(b.IOr(imm(b, x, b.IAnd, 0xaaaa), imm(b, y, b.IAnd, 0x5555)), b.Imm(0x5000))
		}, func(x, y uint32) uint32 { return (x&0xaaaa | y&0x5555) + 0x5000 }},
		{"xor, sum", func(b *build.Builder, x, y ir.Src) ir.Src {
			return b.IAdd(b.IXor(imm(b, x, b.IAnd, 0xaaaa), imm(b, y, b.IAnd, 0x5555)), b.Imm(0x5000))
		}, func(x, y uint32) uint32 { return (x&0xaaaa ^ y&0x5555) + 0x5000 }},
		{"shift left", func(b *build.Builder, x, y ir.Src) ir.Src { return b.IShl(imm(b, x, b.IAnd, 0xff), b.Imm(9)) },
			func(x, y uint32) uint32 { return x & 0xff << 9 }},
		{"shift right", func(b *build.Builder, x, y ir.Src) ir.Src { return b.UShr(x, b.Imm(15)) }, func(x, y uint32) uint32 { return x >> 15 }},
		{"shift right by 16", func(b *build.Builder, x, y ir.Src) ir.Src { return b.UShr(x, b.Imm(16)) }, func(x, y uint32) uint32 { return x >> 16 }},
		{"smaller", func(b *build.Builder, x, y ir.Src) ir.Src { return b.UMin(x, b.Imm(0x10001)) }, func(x, y uint32) uint32 { return min(x, 0x10001) }},
		{"larger", func(b *build.Builder, x, y ir.Src) ir.Src {
			return b.UMax(imm(b, x, b.IAnd, 0xff), imm(b, y, b.IAnd, 0x1ffff))
		},
			func(x, y uint32) uint32 { return max(x&0xff, y&0x1ffff) }},
		{"chosen", func(b *build.Builder, x, y ir.Src) ir.Src {
			return b.BCsel(b.ULt(x, y), imm(b, x, b.IAnd, 0xff), imm(b, y, b.IAnd, 0x1ffff))
		}, func(x, y uint32) uint32 { return choose(x < y, x&0xff, y&0x1ffff) }},
		{"chosen, other way", func(b *build.Builder, x, y ir.Src) ir.Src {
			return b.BCsel(b.ULt(x, y), imm(b, x, b.IAnd, 0x1ffff), imm(b, y, b.IAnd, 0xff))
		}, func(x, y uint32) uint32 { return choose(x < y, x&0x1ffff, y&0xff) }},
		{"product", func(b *build.Builder, x, y ir.Src) ir.Src {
			return b.IMul(imm(b, x, b.IAnd, 0x1ff), imm(b, y, b.IAnd, 0xff))
		},
			func(x, y uint32) uint32 { return (x & 0x1ff) * (y & 0xff) }},
		{"words", func(b *build.Builder, x, y ir.Src) ir.Src { return b.U2U32(b.U2U16(x)) }, func(x, y uint32) uint32 { return x & 0xffff }},
		{"bits", func(b *build.Builder, x, y ir.Src) ir.Src { return b.BitCount(x) }, func(x, y uint32) uint32 { return uint32(bits.OnesCount32(x)) }},
	}
	values := func(lane int) (x, y uint32) {
		some := []uint32{0, ^uint32(0), 0xffff, 0x10000, 0x1ffff, 0xaaaa5555, 0x5555aaaa, 0x8000ffff, 0xffff8000, 0xdeadbeef}
		return some[lane%len(some)], some[(lane*3+1)%len(some)]
	}
	in := make([]byte, randomLanes*randomRecord)
	for lane := range randomLanes {
		x, y := values(lane)
		binary.LittleEndian.PutUint32(in[lane*randomRecord:], x)
		binary.LittleEndian.PutUint32(in[lane*randomRecord+4:], y)
	}
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{randomLanes, 1, 1}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	x := &randomShader{s: s, b: build.New(s)}
	x.b.AtEnd(s.FirstBlock(f))
	x.lane = x.b.LoadLocalInvocationIndex(32)
	record := x.b.IMul(x.lane, x.b.Imm(randomRecord))
	read := func(at uint32) ir.Src { return x.b.LoadSSBO(1, 32, x.b.Imm(0), x.b.IAdd(record, x.b.Imm(at)), 0, 4, 0) }
	v, w := read(0), read(4)
	for _, e := range exprs {
		x.store(x.b.IMul(e.build(x.b, v, w), w), result{op: op.IMul, bits: 32})
	}
	x.interpret(t, s, in) // for the binding table
	out := x.compiled(t, 16, in)
	for i, e := range exprs {
		for lane := range randomLanes {
			a, b := values(lane)
			if got, want := binary.LittleEndian.Uint32(out[(i*randomLanes+lane)*randomSlot:]), e.value(a, b)*b; got != want {
				t.Errorf("%s of %#x and %#x, times the second: %#x, want %#x", e.name, a, b, got, want)
			}
		}
	}
}
