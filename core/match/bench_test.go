// SPDX-License-Identifier: MIT

package match_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/opt"
)

// straight fills a shader with n scalar 32-bit operations in the mix of real shaders (mostly fused and plain float
// arithmetic, some integers) that no rule matches. Unused results are stored.
func straight(p *program, n int) {
	r := rand.New(rand.NewPCG(1, 2))
	var f, i []ir.Src
	for range 8 {
		f = append(f, p.input(1, 32))
		i = append(i, p.input(1, 32))
	}
	pick := func(s []ir.Src) ir.Src { return s[max(0, len(s)-1-r.IntN(12))] }
	for range n {
		switch r.IntN(10) {
		case 0, 1, 2:
			f = append(f, p.b.ALU(op.FFma, pick(f), pick(f), pick(f)))
		case 3, 4:
			f = append(f, p.b.ALU(op.FMul, pick(f), pick(f)))
		case 5, 6:
			f = append(f, p.b.ALU(op.FAdd, pick(f), pick(f)))
		case 7:
			i = append(i, p.b.ALU(op.IAdd, pick(i), pick(i)))
		case 8:
			i = append(i, p.b.ALU(op.IXor, pick(i), pick(f)))
		case 9:
			f = append(f, p.b.ALU(op.BCsel, p.b.ALU(op.ILt, pick(i), pick(i)), pick(f), pick(f)))
		}
	}
	zero := p.b.Imm(0)
	for _, x := range append(f, i...) {
		if p.s.At(x.Val).Used() {
			continue
		}
		p.b.Intrinsic(intrinsic.StoreSSBO, 1, 0, x, zero, zero)
	}
}

// BenchmarkApply runs the main set over 20,000 operations with nothing left to rewrite: the cost of every further run
// in a pipeline.
func BenchmarkApply(b *testing.B) {
	const n = 20000
	p := newProgram()
	straight(p, n)
	if _, err := match.Apply(p.s, p.f, &opt.Set, nil, nil); err != nil {
		b.Fatal(err)
	}
	var pass match.Pass
	pass.Apply(p.s, p.f, &opt.Set, nil, nil)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if changed, err := pass.Apply(p.s, p.f, &opt.Set, nil, nil); changed || err != nil {
			b.Fatal(changed, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/instr")
}

// BenchmarkStep computes only the automaton's states, in shaders of the size of a sample and of twenty thousand
// operations. It reports the fastest of many rounds, since other work on the machine only adds time.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{500, 20000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := newProgram()
			straight(p, n)
			var pass match.Pass
			if _, err := pass.Apply(p.s, p.f, &opt.Set, nil, nil); err != nil {
				b.Fatal(err)
			}
			pass.Steps(p.s, p.f, &opt.Set)
			all := 0
			for b := p.s.FirstBlock(p.f); b != 0; b = p.s.NextBlock(b) {
				for v := p.s.First(b); v != 0; v = p.s.At(v).Next() {
					all++
				}
			}
			least := time.Duration(math.MaxInt64)
			for range b.N {
				for range 400000 / n {
					start := time.Now()
					pass.Steps(p.s, p.f, &opt.Set)
					least = min(least, time.Since(start))
				}
			}
			b.ReportMetric(float64(least.Nanoseconds())/float64(all), "ns/instr")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkRewrite rewrites chains of constant additions; each addition is merged with the previous one.
func BenchmarkRewrite(b *testing.B) {
	const n = 2000
	var pass match.Pass
	b.ReportAllocs()
	for range b.N {
		b.StopTimer()
		p := newProgram()
		x := p.input(1, 32)
		for i := range n {
			x = p.b.ALU(op.IAdd, x, p.b.Imm(uint32(i)))
		}
		p.keep(x)
		b.StartTimer()
		if _, err := pass.Apply(p.s, p.f, &opt.Set, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/rewrite")
}

// TestApplyAllocates: a run over a shader without anything to rewrite allocates no memory.
func TestApplyAllocates(t *testing.T) {
	p := newProgram()
	straight(p, 500)
	var pass match.Pass
	if _, err := pass.Apply(p.s, p.f, &opt.Set, nil, nil); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(20, func() { pass.Apply(p.s, p.f, &opt.Set, nil, nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
