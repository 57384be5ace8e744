// SPDX-License-Identifier: MIT

package swsb_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/swsb"
	"jacquard.example/generated/isa"
)

// fl returns a register of floats.
func fl(n int) mir.Operand { return mir.Fixed(n, isa.TypeF) }

// TestSeveralPipes checks the waits on a machine that executes floats, integers and long operations in separate pipes (GENS.md
// 7; the rules of package hazards, which has other authors).
func TestSeveralPipes(t *testing.T) {
	add := func(b *mir.Builder, dst, a, c mir.Operand) *mir.Inst { return b.Emit(isa.OpAdd, dst, a, c) }
	waitOn(t, swsb.Machine{Pipes: swsb.ThreePipes}, []waitCase{
		{"a read of the own pipe's result", func(_ *mir.Func, b *mir.Builder) {
			add(b, r(2), r(1), r(1))
			add(b, fl(3), fl(1), fl(1))
			add(b, r(4), r(2), r(2))
		}, "- - I@1"},
		{"a read of another pipe's result", func(_ *mir.Func, b *mir.Builder) {
			add(b, r(2), r(1), r(1))
			add(b, r(3), r(1), r(1))
			add(b, fl(4), fl(2), fl(2))
		}, "- - I@2"},
		{"a write over a source of another pipe", func(_ *mir.Func, b *mir.Builder) {
			add(b, fl(4), fl(2), fl(2))
			add(b, r(2), r(1), r(1))
		}, "- F@1"},
		{"a write over a source of the own pipe", func(_ *mir.Func, b *mir.Builder) {
			add(b, r(4), r(2), r(2))
			add(b, r(2), r(1), r(1))
		}, "- -"},
		{"a write over another pipe's result", func(_ *mir.Func, b *mir.Builder) {
			add(b, fl(2), fl(1), fl(1))
			add(b, r(2), r(1), r(1))
		}, "- F@1"},
		{"results of two pipes", func(_ *mir.Func, b *mir.Builder) {
			add(b, r(2), r(1), r(1))
			add(b, fl(3), fl(1), fl(1))
			add(b, fl(5), fl(1), fl(1))
			add(b, r(4), r(2), r(3))
		}, "- - - A@1"},
		{"a conversion is executed in the pipe of its destination", func(_ *mir.Func, b *mir.Builder) {
			b.Mov(fl(2), r(1))
			add(b, r(3), r(2), r(2))
		}, "- F@1"},
		{"a product of doublewords is long", func(_ *mir.Func, b *mir.Builder) {
			b.Emit(isa.OpMul, r(2), r(1), r(1))
			add(b, r(3), r(2), r(2))
		}, "- L@1"},
		{"a long operation takes longer", func(_ *mir.Func, b *mir.Builder) {
			b.Emit(isa.OpMul, r(2), r(1), r(1))
			for k := range 12 {
				b.Emit(isa.OpMul, r(20+k), r(1), r(1))
			}
			add(b, r(3), r(2), r(2))
		}, "- - - - - - - - - - - - - L@7"},
		{"a message waits for all pipes", func(_ *mir.Func, b *mir.Builder) {
			add(b, fl(2), fl(1), fl(1))
			load(b, 3, 2)
		}, "- @1,set0"},
		{"a token and a distance in the pipe of the sources", func(_ *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			add(b, fl(4), fl(1), fl(1))
			add(b, fl(5), fl(3), fl(4))
		}, "set0 - @1,$0.dst"},
		{"a token and a distance in another pipe", func(_ *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			add(b, r(4), r(1), r(1))
			add(b, fl(5), fl(3), fl(4))
		}, "set0 - {$0.dst} I@1"},
		{"a token and a distance of a conversion", func(_ *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			add(b, r(4), r(1), r(1))
			add(b, fl(5), r(3), r(4))
		}, "set0 - {$0.dst} I@1"},
		{"math after the pipe of its sources", func(_ *mir.Func, b *mir.Builder) {
			add(b, fl(2), fl(1), fl(1))
			b.MathOp(isa.MathInv, fl(3), fl(2))
		}, "- @1,set0"},
		{"math after another pipe", func(_ *mir.Func, b *mir.Builder) {
			add(b, r(2), r(1), r(1))
			b.MathOp(isa.MathInv, fl(3), fl(2))
		}, "- {I@1} set0"},
		{"a flag of another pipe", func(f *mir.Func, b *mir.Builder) {
			add(b, mir.Null(isa.TypeF), fl(1), fl(2)).CMod = isa.CModLT
			add(b, r(3), r(1), r(1)).Pred = isa.PredNormal
		}, "- F@1"},
		{"a flag of the own pipe", func(f *mir.Func, b *mir.Builder) {
			add(b, mir.Null(ud), r(1), r(2)).CMod = isa.CModLT
			add(b, r(3), r(1), r(1)).Pred = isa.PredNormal
		}, "- -"},
		{"branches are not counted", func(f *mir.Func, b *mir.Builder) {
			add(b, r(2), r(1), r(1))
			f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 8, Pred: isa.PredNormal, SideEff: true})
			f.NewBlock()
			b.AtEnd(1)
			add(b, r(3), r(2), r(2))
			f.NewBlock()
			f.Append(2, mir.Inst{Op: isa.OpEndif, Exec: 8, SideEff: true})
		}, "- - I@1 -"},
		{"the instruction after a change of the float mode waits for all pipes", func(_ *mir.Func, b *mir.Builder) {
			b.Exec, b.NoMask = 1, true
			cr0 := mir.Arch(isa.ARFCR0, 0, ud)
			b.Emit(isa.OpOr, cr0, cr0.WithStride(0), mir.UD(1))
			add(b, r(2), r(1), r(1))
			add(b, r(3), r(1), r(1))
		}, "- A@1 I@2"},
	})
}

// waitCase is a function and its waits, as [listing] has them.
type waitCase struct {
	name  string
	build func(f *mir.Func, b *mir.Builder)
	want  string
}

// waitOn checks the waits of functions of eight lanes on a machine.
func waitOn(t *testing.T, on swsb.Machine, cases []waitCase) {
	var x swsb.Inserter
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := mir.New(8, isa.DG2.Registers())
			b := mir.Builder{F: f}
			b.Vector()
			c.build(f, &b)
			f.BuildCFG()
			x.Insert(f, on)
			if got := listing(f); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestMathInOrder checks the waits on a machine that executes math in order, computes 64-bit integers in the integer pipe, and
// writes bytes in words.
func TestMathInOrder(t *testing.T) {
	inv := func(b *mir.Builder, dst, src int) { b.MathOp(isa.MathInv, fl(dst), fl(src)) }
	add := func(b *mir.Builder, dst, a, c mir.Operand) *mir.Inst { return b.Emit(isa.OpAdd, dst, a, c) }
	waitOn(t, swsb.Machine{Pipes: swsb.FourPipes, Words: true}, []waitCase{
		{"a read of a result of math", func(_ *mir.Func, b *mir.Builder) {
			inv(b, 2, 1)
			inv(b, 4, 3)
			add(b, fl(5), fl(2), fl(2))
		}, "- - M@2"},
		{"math reads another pipe's result", func(_ *mir.Func, b *mir.Builder) {
			add(b, fl(2), fl(1), fl(1))
			inv(b, 3, 2)
		}, "- F@1"},
		{"math reads a result of math", func(_ *mir.Func, b *mir.Builder) {
			inv(b, 2, 1)
			inv(b, 3, 2)
		}, "- M@1"},
		{"a write over a source of math", func(_ *mir.Func, b *mir.Builder) {
			inv(b, 3, 2)
			add(b, fl(2), fl(1), fl(1))
		}, "- M@1"},
		{"math writes over a source of another pipe", func(_ *mir.Func, b *mir.Builder) {
			add(b, fl(3), fl(2), fl(2))
			inv(b, 2, 1)
		}, "- F@1"},
		{"a token and a distance of math", func(_ *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			inv(b, 4, 1)
			inv(b, 5, 3)
			inv(b, 6, 4)
		}, "set0 - $0.dst M@2"},
		{"a token, and a distance in another pipe", func(_ *mir.Func, b *mir.Builder) {
			load(b, 3, 2)
			add(b, fl(3), fl(1), fl(1))
			b.MathOp(isa.MathPow, fl(5), fl(3), fl(4))
		}, "set0 $0.dst F@1"},
		{"math takes longer than other instructions", func(_ *mir.Func, b *mir.Builder) {
			for k := range 18 {
				inv(b, 20+k, 1)
			}
			add(b, fl(5), fl(20), fl(20))
		}, strings.Repeat("- ", 18) + "M@7"},
		{"math is complete", func(_ *mir.Func, b *mir.Builder) {
			for k := range 19 {
				inv(b, 20+k, 1)
			}
			add(b, fl(5), fl(20), fl(20))
		}, strings.Repeat("- ", 19) + "-"},
		{"64-bit integers", func(_ *mir.Func, b *mir.Builder) {
			add(b, mir.Fixed(2, isa.TypeQ), mir.Fixed(6, isa.TypeQ), mir.Fixed(8, isa.TypeQ))
			add(b, fl(10), fl(2), fl(2))
		}, "- I@1"},
		{"two bytes of a word", func(_ *mir.Func, b *mir.Builder) {
			b.Exec, b.NoMask = 1, true
			b.Mov(mir.Fixed(2, isa.TypeUB), mir.FixedScalar(3, 0, isa.TypeUD))
			b.Mov(mir.Fixed(2, isa.TypeUB).At(1), mir.FixedScalar(4, 0, isa.TypeUD))
			b.Mov(mir.Fixed(2, isa.TypeUB).At(2), mir.FixedScalar(4, 0, isa.TypeUD))
		}, "- I@1 -"},
	})
}
