// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// TestFusedFlag checks that a predicate guards an instruction only if its flag holds the active lanes when it
// is read. The tests of package guard cover the rest of the check.
func TestFusedFlag(t *testing.T) {
	one := func(op isa.Op, dst, src mir.Operand) mir.Inst {
		return mir.Inst{Op: op, Exec: 1, NoMask: true, Dst: dst.WithStride(1), Src: [3]mir.Operand{src.WithStride(0)}}
	}
	counter := mir.FixedScalar(10, 0, isa.TypeUD)
	f1, lanes := mir.Flag(2).Whole(), mir.Arch(isa.ARFCE0, 0, isa.TypeUD)
	count := one(isa.OpAdd, counter, counter)
	count.Src[1] = mir.UD(1)
	count.Pred, count.Flag = isa.PredAny16H, 2
	inverse, f0, wide := count, count, count
	inverse.PredInv, f0.Flag, wide.Pred = true, 0, isa.PredAny8H
	load := one(isa.OpMov, f1, lanes)
	for _, c := range []struct {
		name string
		body []mir.Inst
		ok   bool
	}{
		{"loaded", []mir.Inst{load, count}, true},
		{"not loaded", []mir.Inst{count}, false},
		{"another flag", []mir.Inst{load, f0}, false},
		{"the inverse", []mir.Inst{load, inverse}, false},
		{"fewer lanes", []mir.Inst{load, wide}, false},
		{"overwritten", []mir.Inst{load, one(isa.OpMov, f1, mir.UD(1)), count}, false},
		{"from another register", []mir.Inst{one(isa.OpMov, f1, mir.FixedScalar(11, 0, isa.TypeUD)), count}, false},
	} {
		f := mir.New(16, isa.TGL.Registers())
		f.Append(0, one(isa.OpMov, counter, mir.UD(0)))
		b := f.NewBlock()
		f.Append(b, mir.Inst{Op: mir.OpLoop, Exec: 16, SideEff: true})
		for _, in := range c.body {
			f.Append(b, in)
		}
		f.Append(f.NewBlock(), mir.Inst{Op: isa.OpWhile, Exec: 16, Pred: isa.PredNormal, SideEff: true})
		f.Append(f.NewBlock(), mir.Inst{Op: isa.OpMov, Exec: 16, Dst: mir.Fixed(20, isa.TypeUD), Src: [3]mir.Operand{counter}})
		f.BuildCFG()
		err := allocheck.CheckFused(f)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "reads r10.0") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestFusedSavedFlag checks that saving and restoring a flag around a guard preserves it, and that a flag that
// was spoiled before it was saved remains spoiled.
func TestFusedSavedFlag(t *testing.T) {
	one := func(op isa.Op, dst, src mir.Operand) mir.Inst {
		return mir.Inst{Op: op, Exec: 1, NoMask: true, Dst: dst.WithStride(1), Src: [3]mir.Operand{src.WithStride(0)}}
	}
	f0, lanes := mir.Flag(0).Whole(), mir.Arch(isa.ARFCE0, 0, isa.TypeUD)
	home, other := mir.FixedScalar(10, 4, isa.TypeUD), mir.FixedScalar(10, 8, isa.TypeUD)
	save, load, restore := one(isa.OpMov, home, f0), one(isa.OpMov, f0, lanes), one(isa.OpMov, f0, home)
	for _, c := range []struct {
		name string
		body []mir.Inst
		ok   bool
	}{
		{"restored", []mir.Inst{save, load, restore}, true},
		{"not restored", []mir.Inst{save, load}, false},
		{"restored from elsewhere", []mir.Inst{save, load, one(isa.OpMov, f0, other)}, false},
		{"saved too late", []mir.Inst{load, save, restore}, false},
		{"home overwritten", []mir.Inst{save, load, one(isa.OpMov, home, mir.UD(1)), restore}, false},
	} {
		f := mir.New(16, isa.TGL.Registers())
		cmp := mir.Inst{Op: isa.OpCmp, Exec: 16, CMod: isa.CModNE, Dst: mir.Null(isa.TypeUD), Src: [3]mir.Operand{mir.Fixed(20, isa.TypeUD), mir.UD(0)}}
		f.Append(0, cmp)
		cmp.Flag = 2
		f.Append(0, cmp)
		f.Append(0, mir.Inst{Op: isa.OpIf, Exec: 16, Pred: isa.PredNormal, Flag: 2, SideEff: true})
		b := f.NewBlock()
		for _, in := range c.body {
			f.Append(b, in)
		}
		f.Append(f.NewBlock(), mir.Inst{Op: isa.OpEndif, Exec: 16, SideEff: true})
		f.Append(f.NewBlock(), mir.Inst{Op: isa.OpMov, Exec: 16, Pred: isa.PredNormal, Dst: mir.Fixed(22, isa.TypeUD),
			Src: [3]mir.Operand{mir.UD(1)}})
		f.BuildCFG()
		err := allocheck.CheckFused(f)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "reads f0") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestFusedHalts checks that lanes in the else of an if that all lanes enter together do not wait while the
// first arm runs, although lanes are halted in that arm. They do wait if lanes may have been halted earlier:
// before the if, or in an earlier iteration of a loop.
func TestFusedHalts(t *testing.T) {
	temporary := mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: mir.Fixed(30, isa.TypeUD), Src: [3]mir.Operand{mir.UD(1)}}
	for _, c := range []struct {
		name                  string
		uniform, before, loop bool
		ok                    bool
	}{
		{"an if that all take", true, false, false, true},
		{"an if that lanes part in", false, false, false, false},
		{"a halt before", true, true, false, false},
		{"in a loop", true, false, true, false},
	} {
		f := mir.New(16, isa.TGL.Registers())
		b := 0
		put := func(in mir.Inst) { f.Append(b, in) }
		next := func() { b = f.NewBlock() }
		branch := func(op isa.Op, pred isa.Pred, uniform bool) {
			put(mir.Inst{Op: op, Exec: 16, Pred: pred, Uniform: uniform, SideEff: true})
			next()
		}
		if c.before {
			branch(isa.OpHalt, isa.PredNormal, false)
		}
		put(mir.Inst{Op: isa.OpMov, Exec: 16, Dst: mir.Fixed(30, isa.TypeUD), Src: [3]mir.Operand{mir.UD(1)}})
		if c.loop {
			next()
			put(mir.Inst{Op: mir.OpLoop, Exec: 16, Uniform: true, SideEff: true})
			put(mir.Inst{Op: isa.OpMov, Exec: 16, Dst: mir.Fixed(30, isa.TypeUD), Src: [3]mir.Operand{mir.UD(2)}})
		}
		branch(isa.OpIf, isa.PredNormal, c.uniform)
		put(temporary)
		branch(isa.OpHalt, isa.PredNormal, false)
		branch(isa.OpElse, isa.PredNone, false)
		put(mir.Inst{Op: isa.OpMov, Exec: 16, Dst: mir.Fixed(40, isa.TypeUD), Src: [3]mir.Operand{mir.Fixed(30, isa.TypeUD)}})
		next()
		branch(isa.OpEndif, isa.PredNone, false)
		if c.loop {
			branch(isa.OpWhile, isa.PredNormal, false)
		}
		put(mir.Inst{Op: mir.OpHaltTarget, Exec: 16, SideEff: true})
		f.BuildCFG()
		err := allocheck.CheckFused(f)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(), "reads r30.0") {
			t.Errorf("%s: %v in\n%s", c.name, err, f)
		}
	}
}
