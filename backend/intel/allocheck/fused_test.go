package allocheck_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// TestFusedFlag: a predicate guards only if its flag holds the lanes where it is read. What
// else the check accepts and rejects, the tests of package guard say.
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
		f := mir.New(16)
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
