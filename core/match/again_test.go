// SPDX-License-Identifier: MIT

package match_test

import (
	"math/rand/v2"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/text"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
	"jacquard.example/generated/rules/option"
)

// disturb changes a program as other passes do: it replaces uses of a value with an earlier value, removes unused values,
// and adds or recomputes operations.
func (p *program) disturb(r *rand.Rand) {
	s := p.s
	var list []ir.Value
	for v := s.First(s.FirstBlock(p.f)); v != p.store; v = s.At(v).Next() {
		list = append(list, v)
	}
	for i := range 1 + r.IntN(4) {
		at := r.IntN(len(list))
		v := list[at]
		in := s.At(v)
		switch to := list[r.IntN(at+1)]; {
		case i == 0 && in.Kind == kind.ALU: // recompute: another instruction with the same operation
			var src []ir.Src
			for k := range int(in.NSrc) {
				src = append(src, s.Src(v, k))
			}
			p.b.After(v)
			p.b.Float = in.Float
			x := p.b.ALUN(in.ALUOp(), in.Comps, src...)
			for u := range s.Uses(v) {
				if r.IntN(2) == 0 {
					s.SetUse(u, ir.Src{Val: x.Val, Swz: s.UseSrc(u).Swz, N: 1})
				}
			}
		case s.At(to).Bits == in.Bits && s.At(to).Comps == in.Comps && to != v:
			s.ReplaceUses(v, s.All(to))
		}
	}
	p.b.Before(p.store)
	p.b.Float = 0
	for range 3 { // new operations at the end
		k := p.kept()
		y := list[r.IntN(len(list))]
		if bits := s.At(k.Val).Bits; s.At(y).Bits != bits || s.At(y).Comps != k.N || r.IntN(3) == 0 {
			y = p.b.ImmN(bits, []uint64{0, 1, 3, 16, 255, ^uint64(0)}[r.IntN(6)]).Val
		}
		if s.At(k.Val).Bits == 1 {
			break
		}
		ops := []op.Op{op.IAdd, op.ISub, op.IMul, op.IAnd, op.IOr, op.IXor, op.UMin, op.IMax}
		p.s.SetSrc(p.store, 0, p.b.ALU(ops[r.IntN(len(ops))], k, s.All(y)))
	}
	for again := true; again; {
		again = false
		for v := s.First(s.FirstBlock(p.f)); v != 0; {
			next := s.At(v).Next()
			if s.At(v).Kind == kind.ALU && !s.At(v).Used() {
				s.Remove(v)
				again = true
			}
			v = next
		}
	}
}

// TestSecondRun: a second run of a pass over a program tries rules only where something has changed since, and does the
// same rewrites as a pass that tries all rules.
func TestSecondRun(t *testing.T) {
	changes := 0
	pass, everywhere, stats := new(match.Pass), new(match.Pass), new(match.Stats)
	for seed := range uint64(3000) {
		var p [2]*program
		var r [2]*rand.Rand
		for i := range p {
			p[i], r[i] = newProgram(), rand.New(rand.NewPCG(seed, 12))
			p[i].grow(r[i], 6+r[i].IntN(30))
		}
		for round := range 5 {
			was := string(text.Print(p[0].s))
			changed, err := pass.Apply(p[0].s, p[0].f, &opt.Set, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := everywhere.Apply(p[1].s, p[1].f, &opt.Set, nil, stats); err != nil {
				t.Fatal(err)
			}
			if got, want := string(text.Print(p[0].s)), string(text.Print(p[1].s)); got != want {
				t.Fatalf("seed %d, round %d:\n%s\nis\n%s\nwant\n%s", seed, round, was, got, want)
			}
			if changed && round > 0 {
				changes++
			}
			for i, x := range [...]*match.Pass{pass, everywhere} {
				if seed%4 == 3 { // a set whose states another run cannot reuse
					if _, err := x.Apply(p[i].s, p[i].f, &late.Set, nil, nil); err != nil {
						t.Fatal(err)
					}
				}
				p[i].disturb(r[i])
			}
		}
	}
	if changes < 3000 {
		t.Errorf("only %d later runs change anything: the programs say little", changes)
	}
}

// TestSecondRunElsewhere: knowledge from an earlier run is not used with other options or float controls, nor after a
// run of another set.
func TestSecondRunElsewhere(t *testing.T) {
	pass := new(match.Pass)
	p := newProgram()
	run := func(what string, set *match.Set, opts *option.Set, want bool) {
		t.Helper()
		if got, err := pass.Apply(p.s, p.f, set, opts, nil); err != nil || got != want {
			t.Errorf("%s: changed %v, %v; want %v\n%s", what, got, err, want, text.Print(p.s))
		}
	}
	p.s.Info.SignedZeroInfNaN = 2
	p.b.Float = uint16(kind.FloatNan | kind.FloatInf | kind.FloatNsz | kind.FloatDenorm)
	x := p.b.ALU(op.FSub, p.input(1, 32), p.input(1, 32))
	p.keep(p.b.ALU(op.FAdd, x, p.b.Imm(0)))
	run("first", &opt.Set, nil, false)
	run("again", &opt.Set, nil, false)
	p.s.Info.SignedZeroInfNaN = 0
	run("floats", &opt.Set, nil, true)
	run("options", &opt.Set, option.Of(option.LowerFsub), true)
	p.b.Before(p.store)
	p.s.SetSrc(p.store, 0, p.b.ALU(op.IMul, p.kept(), p.b.Imm(1)))
	run("another set", &beforeffma.Set, nil, false)
	run("after another set", &opt.Set, nil, true)
}
