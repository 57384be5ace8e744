// SPDX-License-Identifier: MIT

package lower_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
)

const (
	d  = isa.TypeD
	w  = isa.TypeW
	uw = isa.TypeUW
	hf = isa.TypeHF
)

// TestAlign16 checks the lowering of operands of three-source instructions.
func TestAlign16(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(fn *mir.Func, b *mir.Builder)
		want  []string
	}{
		{"vectors and doublewords stay where they are", func(fn *mir.Func, b *mir.Builder) {
			v := mir.V(fn.NewReg(2, 4), f)
			b.Emit(isa.OpMad, v.At(64), v.Minus(), mir.Scalar(fn.NewScalar(8), 4, f), mir.FixedScalar(1, 12, f).Absolute())
		}, []string{"mad(16) v1+64<1>:f -v1:f v2+4<0>:f (abs)r1+12<0>:f"}},
		{"one lane writes any doubleword", func(fn *mir.Func, b *mir.Builder) {
			b.ScalarMode()
			s := fn.NewScalar(16)
			b.Emit(isa.OpBfe, mir.V(s, ud).At(12), mir.V(s, ud), mir.Scalar(s, 4, ud), mir.FixedScalar(2, 20, ud))
		}, []string{"(W) bfe(1) v1+12<1>:ud v1<0>:ud v1+4<0>:ud r2+20<0>:ud"}},
		{"halves are packed, and what becomes of them spread", func(fn *mir.Func, b *mir.Builder) {
			half := func() mir.Operand { return mir.V(fn.NewReg(1, 4), hf).WithStride(2) }
			b.Emit(isa.OpMad, half(), half().Minus(), half(), mir.Scalar(fn.NewScalar(4), 0, hf)).Sat = true
		}, []string{
			"mov(16) v5<1>:uw v2<2>:uw", "mov(16) v6<1>:uw v3<2>:uw", "mov(16) v7<1>:uw v4<0>:uw",
			"mad(16) (sat) v8<1>:hf -v5:hf v6:hf v7:hf", "mov(16) v1<2>:uw v8:uw",
		}},
		{"halves of one lane are computed in eight", func(fn *mir.Func, b *mir.Builder) {
			b.ScalarMode()
			s := mir.Scalar(fn.NewScalar(4), 0, hf)
			b.Emit(isa.OpMad, s.WithStride(2), s, s, s)
		}, []string{
			"(W) mov(8) v2<1>:uw v1<0>:uw", "(W) mov(8) v3<1>:uw v1<0>:uw", "(W) mov(8) v4<1>:uw v1<0>:uw",
			"(W) mad(8) v5<1>:hf v2:hf v3:hf v4:hf", "(W) mov(1) v1<2>:uw v5<0>:uw",
		}},
		{"immediates and words become doublewords", func(fn *mir.Func, b *mir.Builder) {
			b.Emit(isa.OpBfe, mir.V(fn.NewReg(1, 4), d), mir.ImmOp(7, w), mir.Fixed(2, w).Minus(), mir.Fixed(4, d))
		}, []string{
			"(W) mov(1) v2<1>:d 0x7:w", "mov(16) v3<1>:d -r2:w", "bfe(16) v1<1>:d v2<0>:d v3:d r4:d",
		}},
		{"architecture registers, strides and other offsets", func(fn *mir.Func, b *mir.Builder) {
			b.Exec = 8
			b.Mov(mir.Arch(isa.ARFAcc0, 0, f), mir.Fixed(8, f))
			b.Emit(isa.OpMad, mir.Arch(isa.ARFAcc0, 0, f), mir.Arch(isa.ARFAcc0, 0, f).Minus(), mir.Fixed(2, f).WithStride(2),
				mir.Fixed(6, f).At(8))
		}, []string{
			"mov(8) acc0<1>:f r8:f", "mov(8) v1<1>:ud acc0:ud", "mov(8) v2<1>:ud r2<2>:ud", "mov(8) v3<1>:ud r6+8:ud",
			"mad(8) v4<1>:f -v1:f v2:f v3:f", "mov(8) acc0<1>:ud v4:ud",
		}},
		{"a result that nobody wants has a place", func(fn *mir.Func, b *mir.Builder) {
			b.Emit(isa.OpMad, mir.Null(f), mir.Fixed(2, f), mir.Fixed(4, f), mir.Fixed(6, f)).CMod = isa.CModLT
		}, []string{"mad(16) (lt)f0.0 v1<1>:f r2:f r4:f r6:f"}},
		{"the condition of csel chooses, wherever the result goes", func(fn *mir.Func, b *mir.Builder) {
			in := b.Emit(isa.OpCsel, mir.Fixed(8, f).At(4), mir.Fixed(2, f), mir.Fixed(4, f), mir.Fixed(6, f))
			in.Exec, in.CMod = 4, isa.CModGT
		}, []string{"csel(4) (gt)f0.0 v1<1>:f r2:f r4:f r6:f", "mov(4) r8+4<1>:ud v1:ud"}},
		{"predicate and condition belong to the final write", func(fn *mir.Func, b *mir.Builder) {
			in := b.Emit(isa.OpMad, mir.Fixed(8, f).At(4), mir.Fixed(2, f), mir.Fixed(4, f), mir.Fixed(6, f))
			in.Exec, in.Pred = 4, isa.PredNormal
			in.PredInv, in.CMod = true, isa.CModGT
		}, []string{"mad(4) v1<1>:f r2:f r4:f r6:f", "(~f0.0) mov(4) (gt)f0.0 r8+4<1>:f v1:f"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := mir.New(16, isa.TGL.Registers())
			b := mir.Builder{F: fn}
			b.Vector()
			c.build(fn, &b)
			lower.Align16(fn)
			if err := validate.Func(fn); err != nil {
				t.Error(err)
			}
			if got, want := lines(fn), strings.Join(c.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestAlign16Operands checks that after the pass a word can encode any sources and destination, and that the
// same bytes are written.
func TestAlign16Operands(t *testing.T) {
	var sources []mir.Operand
	for _, typ := range []isa.Type{f, d, ud, hf, w, uw} {
		sources = append(sources, mir.Fixed(20, typ), mir.Fixed(30, typ).WithStride(2), mir.Fixed(40, typ).At(4).Minus(),
			mir.FixedScalar(50, 8, typ), mir.FixedScalar(50, 2*uint32(typ.Size()), typ).Absolute(),
			mir.FixedScalar(51, 2, typ).At(uint32(typ.Size())-2))
		if !typ.IsFloat() || typ.Size() == 4 {
			sources = append(sources, mir.ImmOp(0x1234, typ).Minus())
		}
	}
	n := 0
	for _, exec := range []uint8{1, 4, 8, 16} {
		for k := range sources {
			for _, pred := range []isa.Pred{0, isa.PredNormal} {
				for _, stride := range []uint8{1, 2} {
					x, y := sources[k], sources[(k*7+int(exec))%len(sources)]
					if x.Type.IsFloat() != y.Type.IsFloat() || x.Type.IsFloat() && x.Type != y.Type {
						y = sources[k]
					}
					z := x
					z.Neg = !z.Neg
					fn := mir.New(16, isa.TGL.Registers())
					typ := x.Type
					if !typ.IsFloat() {
						typ = d
					}
					in := mir.Inst{Op: isa.OpMad, Exec: exec, NoMask: exec == 1, Pred: pred,
						Dst: mir.Fixed(60, typ).WithStride(stride).At(uint32(k%3) * 4), Src: [3]mir.Operand{x, y, z}}
					fn.Append(0, in)
					want := simulate(fn)
					lower.Align16(fn)
					if err := validate.Func(fn); err != nil {
						t.Fatal(err)
					}
					for i := fn.Blocks[0].First; i != 0; i = fn.Next(i) {
						if in := fn.At(i); in.Op == isa.OpMad {
							if msg := unnamed(fn, in); msg != "" {
								t.Fatalf("%s: %s", fn.Text(i), msg)
							}
						}
					}
					if got := simulate(fn); !bytes.Equal(got, want) {
						t.Fatalf("mad(%d) %v: other bytes are written by\n%s", exec, in, fn)
					}
					n++
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d instructions", n)
	}
}

// unnamed describes a property of a three-source instruction that an Align16 word cannot encode. It is empty if
// there is none.
func unnamed(fn *mir.Func, in *mir.Inst) string {
	at := func(o *mir.Operand) (off, align uint32) {
		if o.File == mir.GRF {
			return o.Off, 32
		}
		return o.Off, uint32(fn.Reg(mir.Reg(o.Num)).Align)
	}
	for k := range in.Src {
		o := &in.Src[k]
		if !o.IsReg() || o.Type != in.Src[0].Type || o.Type == w || o.Type == uw {
			return fmt.Sprintf("source %d is not a register of the common type", k)
		}
		off, align := at(o)
		switch {
		case o.Stride == 0 && o.Type.Size() == 4 && off%4 == 0 && align%4 == 0:
		case o.Stride == 1 && in.Exec >= 4 && off%16 == 0 && align%16 == 0:
		default:
			return fmt.Sprintf("source %d is neither packed nor a doubleword", k)
		}
	}
	off, align := at(&in.Dst)
	// One lane is one of four, and uses the mask, the flag and the predicate of the first.
	first := off%16 == 0 && align%16 == 0
	scalar := in.Exec == 1 && in.Dst.Type.Size() == 4 && off%4 == 0 && align%4 == 0 && (first || in.NoMask && in.Pred == 0 && in.CMod == 0)
	if !in.Dst.IsReg() || in.Dst.Stride != 1 || !scalar && (in.Exec < 4 || off%16 != 0 || align%16 != 0) {
		return "the destination is not packed"
	}
	return ""
}

// simulate executes moves and three-source instructions, with a predicate that is set in the odd lanes, and returns the
// registers starting at r60. Instead of multiplying and adding, mad mixes the bits of its sources.
func simulate(fn *mir.Func) []byte {
	regs := map[uint32][]byte{}
	file := make([]byte, 128*32)
	for i := range file {
		file[i] = byte(i*37 + i>>5)
	}
	bytesOf := func(o *mir.Operand) []byte {
		if o.File == mir.GRF {
			return file[o.Num*32:]
		}
		if regs[o.Num] == nil {
			regs[o.Num] = make([]byte, fn.Reg(mir.Reg(o.Num)).Bytes)
		}
		return regs[o.Num]
	}
	place := func(o *mir.Operand, lane int) uint32 {
		return o.Off + uint32(lane)*uint32(o.Stride)*uint32(o.Type.Size())
	}
	read := func(o *mir.Operand, lane int) uint32 {
		x := o.Num
		if o.File != mir.Imm {
			b := bytesOf(o)[place(o, lane):]
			x = uint32(b[0]) | uint32(b[1])<<8
			if o.Type.Size() == 4 {
				x |= uint32(b[2])<<16 | uint32(b[3])<<24
			}
		}
		sign := uint32(1) << (8*o.Type.Size() - 1)
		switch {
		case o.Type.IsFloat():
			if o.Abs {
				x &^= sign
			}
			if o.Neg {
				x ^= sign
			}
		default:
			if o.Type == w {
				x = uint32(int32(int16(x)))
			}
			if o.Abs && int32(x) < 0 {
				x = -x
			}
			if o.Neg {
				x = -x
			}
		}
		return x
	}
	for i := fn.Blocks[0].First; i != 0; i = fn.Next(i) {
		in := fn.At(i)
		for lane := range int(in.Exec) {
			if in.Pred != 0 && lane&1 == 0 {
				continue
			}
			x := read(&in.Src[0], lane)
			if in.Op == isa.OpMad {
				x = x*3 ^ read(&in.Src[1], lane)*5 ^ read(&in.Src[2], lane)*7
			}
			b := bytesOf(&in.Dst)[place(&in.Dst, lane):]
			for k := range in.Dst.Type.Size() {
				b[k] = byte(x >> (8 * k))
			}
		}
	}
	return file[60*32:]
}
