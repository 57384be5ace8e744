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
	"jacquard.example/generated/rules/opt"
	"jacquard.example/generated/rules/option"
)

// grow adds n random instructions whose operands are earlier values, constants and inputs.
func (p *program) grow(r *rand.Rand, n int) {
	pool := []ir.Src{}
	for _, bits := range []uint8{1, 8, 16, 32, 64} {
		pool = append(pool, p.input(1+uint8(r.IntN(3)), bits), p.input(1, bits), p.b.ImmN(bits, random(r, bits)))
	}
	pick := func(bits, comps uint8) ir.Src {
		for try := 0; ; try++ {
			at := r.IntN(len(pool))
			if r.IntN(2) == 0 {
				at = max(0, len(pool)-1-r.IntN(4))
			}
			x := pool[at]
			if p.s.At(x.Val).Bits != bits {
				if try < 60 {
					continue
				}
				x = p.b.ImmN(bits, random(r, bits))
			}
			wide := int(p.s.At(x.Val).Comps)
			y := ir.Src{Val: x.Val, N: comps}
			for i := range 8 {
				y.Swz = y.Swz.With(i, uint8(r.IntN(wide)))
			}
			return y
		}
	}
	sizes := []uint8{1, 8, 16, 32, 64}
	for range n {
		o := op.Op(r.IntN(int(op.Count)))
		info := o.Info()
		if info.Has(op.Derivative) || info.Has(op.Approximate) || wide(info) {
			continue
		}
		exec := sizes[r.IntN(len(sizes))]
		if info.Sizes != 0 && info.Sizes&op.SizeOf(exec) == 0 {
			continue
		}
		comps := 1 + uint8(max(0, r.IntN(6)-3))
		var src []ir.Src
		for _, d := range info.Src[:info.NumSrc] {
			bits, c := d.Bits, d.Comps
			if bits == 0 {
				bits = exec
			}
			if c == 0 {
				c = comps
			}
			src = append(src, pick(bits, c))
		}
		if info.Out.Comps != 0 {
			comps = info.Out.Comps
		}
		pool = append(pool, p.b.ALUN(o, comps, src...))
	}
	last := pool[len(pool)-1]
	for i := len(pool) - 1; p.s.At(last.Val).IsConst() && i > 0; i-- {
		last = pool[i]
	}
	p.keep(ir.Src{Val: last.Val, Swz: ir.Identity, N: p.s.At(last.Val).Comps})
}

// wide reports whether an operation has an operand or a result with more than four components.
func wide(info *op.Info) bool {
	w := info.Out.Comps > 4
	for _, x := range info.Src[:info.NumSrc] {
		w = w || x.Comps > 4
	}
	return w
}

// exactOptions returns the options that enable only exact rules.
func exactOptions() *option.Set {
	o := &option.Set{}
	for x := option.Option(0); x < option.Count; x++ {
		o.Set(x, true)
	}
	for i := range opt.Set.Rows {
		if r := opt.Set.Rule(i); r.Always && r.Cond != 0 {
			for x := option.Option(0); x < option.Count; x++ {
				out := make([]bool, opt.Set.NumConds)
				opt.Set.Conds(option.Of(x), out)
				if out[r.Cond-1] {
					o.Set(x, false)
				}
			}
		}
	}
	return o
}

// TestRandomPrograms rewrites random exact arithmetic: its results stay bit for bit the same, with and without
// lowering, and a second run changes nothing.
func TestRandomPrograms(t *testing.T) {
	lower := exactOptions()
	rewrites := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 11))
		p := newProgram()
		if seed%2 == 0 {
			p.s.Info.DenormPreserve = 7
		}
		p.grow(r, 6+r.IntN(30))
		opts := lower
		if seed%3 == 0 {
			opts = nil
		}
		was := string(text.Print(p.s))
		var in []map[ir.Value][]uint64
		var before [][]uint64
		for range 4 {
			in = append(in, p.values(r))
			before = append(before, p.eval(t, p.kept(), in[len(in)-1]))
		}
		bits := p.s.At(p.kept().Val).Bits
		log := ""
		stats := &match.Stats{Trace: func(_ *match.Set, rule *match.Rule, _ ir.Value, _ ir.Src) {
			rewrites++
			log += "  " + rule.Name + "\n"
		}}
		if _, err := match.Apply(p.s, p.f, &opt.Set, opts, stats); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, was)
		}
		now := string(text.Print(p.s))
		if again, _ := match.Apply(p.s, p.f, &opt.Set, opts, nil); again {
			t.Fatalf("seed %d: a second run changes the shader again:\n%s\n%s", seed, was, now)
		}
		for i := range before {
			after := p.eval(t, p.kept(), in[i])
			for c := range after {
				if after[c] != before[i][c] && canonical(after[c], bits) != canonical(before[i][c], bits) {
					t.Fatalf("seed %d: component %d was %#x and is %#x\n%s\nfired:\n%s%s", seed, c, before[i][c], after[c], was, log, now)
				}
			}
		}
	}
	if rewrites < 3000 {
		t.Errorf("only %d rewrites: the programs say little", rewrites)
	}
}

// TestNoRewriteWithoutLeave: a rule that relaxes behavior does not fire if one of the matched instructions does not
// allow that, or the shader's float controls forbid it.
func TestNoRewriteWithoutLeave(t *testing.T) {
	all := uint16(kind.FloatNan | kind.FloatInf | kind.FloatNsz | kind.FloatDenorm | kind.FloatContract | kind.FloatReassoc |
		kind.FloatTransform)
	for _, c := range []struct {
		name         string
		outer, inner uint16
		preserve     uint8
		want         bool
	}{
		{"both allow", all, all, 0, true},
		{"the root does not", all &^ uint16(kind.FloatReassoc), all, 0, false},
		{"the inner one does not", all, all &^ uint16(kind.FloatReassoc), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram()
			a := p.input(1, 32)
			p.b.Float = c.inner
			x := p.b.ALU(op.FAdd, a, p.b.ImmN(32, 0x40000000))
			p.b.Float = c.outer
			p.keep(p.b.ALU(op.FAdd, x, p.b.ImmN(32, 0x40400000)))
			got, err := match.Apply(p.s, p.f, &opt.Set, nil, nil)
			if err != nil || got != c.want {
				t.Fatalf("changed %v, %v; want %v\n%s", got, err, c.want, text.Print(p.s))
			}
		})
	}
	// A conversion involves two widths. Widening the half of an integer flushes a denormal if the shader asks for that
	// at 16 bits; unpacking it does not.
	for _, sizes := range []uint8{0, 1, 2, 4} {
		p := newProgram()
		p.s.Info.DenormFlush = sizes
		p.b.Float = all
		p.keep(p.b.ALU(op.F2F32, p.b.ALU(op.Unpack32_2x16SplitX, p.input(1, 32))))
		if got, _ := match.Apply(p.s, p.f, &opt.Set, nil, nil); got != (sizes&3 == 0) {
			t.Errorf("DenormFlushToZero %03b: changed %v\n%s", sizes, got, text.Print(p.s))
		}
	}
	// The new instruction allows the relaxations that both old ones allow.
	p := newProgram()
	p.b.Float = all &^ uint16(kind.FloatNan)
	x := p.b.ALU(op.FAdd, p.input(1, 32), p.b.ImmN(32, 0x40000000))
	p.b.Float = all &^ uint16(kind.FloatInf)
	p.keep(p.b.ALU(op.FAdd, x, p.b.ImmN(32, 0x40400000)))
	if _, err := match.Apply(p.s, p.f, &opt.Set, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := p.s.At(p.kept().Val).Float, all&^uint16(kind.FloatNan|kind.FloatInf); got != want {
		t.Errorf("the sum may give up %#x, want %#x", got, want)
	}
	// a + 0 = a ignores the sign of zero, which the shader may want preserved.
	for _, size := range []uint8{0, 2} {
		p := newProgram()
		p.s.Info.SignedZeroInfNaN = size
		p.b.Float = all
		p.keep(p.b.ALU(op.FAdd, p.input(1, 32), p.b.ImmN(32, 0)))
		if got, _ := match.Apply(p.s, p.f, &opt.Set, nil, nil); got != (size == 0) {
			t.Errorf("SignedZeroInfNanPreserve %d: changed %v", size, got)
		}
	}
}
