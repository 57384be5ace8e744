// SPDX-License-Identifier: MIT

package ra_test

import (
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// TestRematerialized checks that of 100 live registers computed from one register, the ones that do not fit are
// rematerialized. They are spilled instead if their operand or the float mode has changed since, if masked results
// are read across lanes or in the next iteration, or if the operation is predicated or runs on the math unit.
func TestRematerialized(t *testing.T) {
	u := mir.V(1, ud)
	add := func(b *mir.Builder, dst mir.Operand, n int) { b.Emit(isa.OpAdd, dst, u, mir.UD(uint32(n))) }
	for _, c := range []struct {
		name    string
		compute func(b *mir.Builder, dst mir.Operand, n int)
		between func(b *mir.Builder)
		across  bool // read in all lanes
		around  bool // read in the next iteration of a loop
		again   bool
	}{
		{"from one register", add, nil, false, false, true},
		{"its operand changes", add, func(b *mir.Builder) { b.Mov(u, mir.FixedScalar(1, 4, ud)) }, false, false, false},
		{"the float mode changes", add, func(b *mir.Builder) {
			b.ScalarMode()
			b.Emit(isa.OpOr, mir.Arch(isa.ARFCR0, 0, ud), mir.Arch(isa.ARFCR0, 0, ud).WithStride(0), mir.UD(16))
			b.Vector()
		}, false, false, false},
		{"read across lanes", add, nil, true, false, false},
		{"read in the next iteration", add, nil, false, true, false},
		{"unmasked", func(b *mir.Builder, dst mir.Operand, n int) {
			add(b, dst, n)
			b.F.At(b.F.Blocks[0].Last).NoMask = true
		}, nil, true, false, true},
		{"under a predicate", func(b *mir.Builder, dst mir.Operand, n int) {
			b.Sel(0, false, dst, u, mir.UD(uint32(n)))
		}, nil, false, false, false},
		{"from the payload", func(b *mir.Builder, dst mir.Operand, n int) {
			b.Emit(isa.OpAdd, dst, mir.FixedScalar(1, 8, ud), mir.UD(uint32(n)))
		}, nil, false, false, true},
		{"from the payload, which is written", func(b *mir.Builder, dst mir.Operand, n int) {
			b.Emit(isa.OpAdd, dst, mir.FixedScalar(1, 8, ud), mir.UD(uint32(n)))
		}, func(b *mir.Builder) { b.Mov(mir.Fixed(1, ud), mir.UD(0)).Exec = 8 }, false, false, false},
		{"by the math unit", func(b *mir.Builder, dst mir.Operand, n int) {
			b.Insert(mir.Inst{Op: isa.OpMath, Math: isa.MathInv, Exec: 16, Dst: dst.As(isa.TypeF), Src: [3]mir.Operand{u.As(isa.TypeF), mir.Null(isa.TypeF)}})
		}, nil, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mir.New(16, isa.TGL.Registers())
			f.Name, f.Payload = "main", 2
			b := mir.Builder{F: f}
			b.Vector()
			f.NewReg(1, 4)
			b.Mov(u, mir.FixedScalar(1, 0, ud))
			var sums []mir.Operand
			for range 100 {
				sums = append(sums, mir.V(f.NewReg(1, 4), ud))
			}
			if c.around {
				f.Append(f.NewBlock(), mir.Inst{Op: mir.OpLoop, Exec: 16, SideEff: true})
				b.AtEnd(1)
				for _, x := range sums {
					b.Cmp(isa.CModEQ, 0, mir.Null(ud), x, mir.UD(7))
				}
			}
			for n := range sums {
				c.compute(&b, sums[n], n)
			}
			if c.between != nil {
				c.between(&b)
			}
			for _, x := range sums {
				if c.across {
					x = mir.Scalar(mir.Reg(x.Num), 36, ud)
				}
				b.Cmp(isa.CModEQ, 0, mir.Null(ud), x, mir.UD(7))
			}
			b.Cmp(isa.CModEQ, 0, mir.Null(ud), u, mir.UD(7))
			if c.around {
				f.Append(f.NewBlock(), mir.Inst{Op: isa.OpWhile, Exec: 16, SideEff: true, Pred: isa.PredNormal})
				f.NewBlock()
			}
			f.BuildCFG()
			f.MarkSingle()
			old := f.Clone()
			st, err := new(ra.Allocator).Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}})
			if err != nil {
				t.Fatal(err)
			}
			if c.again && (st.Spills+st.Fills != 0 || st.Again < 30) || !c.again && (st.Spills == 0 || st.Again != 0) {
				t.Errorf("%d spills, %d fills, %d operations again", st.Spills, st.Fills, st.Again)
			}
			if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
				t.Error(err)
			}
		})
	}
}
