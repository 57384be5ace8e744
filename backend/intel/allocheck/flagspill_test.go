// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"math/rand"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/mirgen"
)

// manyFlags gives each instruction that uses a physical flag a random one of n virtual flags, which are cleared at
// the start. All loops get the first of them as their condition.
func manyFlags(f *mir.Func, n int, rng *rand.Rand) {
	flags := make([]mir.Flag, n)
	start := f.Blocks[0].First
	for k := range flags {
		flags[k] = f.NewFlag()
		clear := mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: flags[k].Whole(), Src: [3]mir.Operand{mir.UD(0)}}
		if start == 0 {
			f.Append(0, clear)
		} else {
			f.Before(start, clear)
		}
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			switch {
			case in.Op == isa.OpWhile && in.Pred != 0:
				in.Flag = flags[0]
			case (in.ReadsFlag() || in.WritesFlag()) && in.Flag.Reg() == 0:
				in.Flag = flags[rng.Intn(n)]
			}
		}
	}
}

// flagMoves returns the flag moves that one function has and another does not.
func flagMoves(f, old *mir.Func) (out []mir.ID) {
	had := map[mir.ID]bool{}
	for b := range old.Blocks {
		for i := old.Blocks[b].First; i != 0; i = old.Next(i) {
			had[i] = true
		}
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			if in := f.At(i); in.Op == isa.OpMov && !had[i] && (f.IsFlag(&in.Dst) || f.IsFlag(&in.Src[0])) {
				out = append(out, i)
			}
		}
	}
	return out
}

// TestSpilledFlags checks that random functions with more flags than the machine keep their meaning, and that
// they lose it if one of the inserted flag moves is removed.
func TestSpilledFlags(t *testing.T) {
	var a ra.Allocator
	spilled, damaged, found := 0, 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewSource(int64(seed)))
		f := mirgen.Random(seed)
		manyFlags(f, 2+rng.Intn(6), rng)
		if err := validate.Func(f); err != nil {
			t.Fatal(err)
		}
		old := f.Clone()
		if _, err := a.Allocate(f, ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}}); err != nil {
			continue // too many registers are live at once
		}
		if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
			t.Errorf("%s: %v\n== before\n%s== after\n%s", f.Name, err, old, f)
			return
		}
		moves := flagMoves(f, old)
		if len(moves) == 0 {
			continue
		}
		spilled++
		for range 3 {
			g := f.Clone()
			g.Remove(moves[rng.Intn(len(moves))])
			damaged++
			if allocheck.Check(old, g, allocheck.Options{}) != nil {
				found++
			}
		}
	}
	t.Logf("%d with spilled flags; %d of %d damaged ones are found", spilled, found, damaged)
	if spilled < 100 || found < damaged/2 {
		t.Error("too few to show anything")
	}
}
