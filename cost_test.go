// SPDX-License-Identifier: MIT

package jacquard

import (
	"strings"
	"testing"

	"jacquard.example/tests/shaders"
	"jacquard.example/tests/support/spv"
)

// TestCost: the costs of all shaders agree with their statistics and lines, and only a program compiled with Explain
// has them.
func TestCost(t *testing.T) {
	spilled, arrays := 0, 0
	loops, merged := 0, 0
	for _, source := range shaders.All() {
		name := source.Name
		words, err := shaders.Module(name)
		if err != nil {
			t.Fatal(err)
		}
		module := spv.Bytes(words)
		p, err := Compile(t.Context(), module, Options{Explain: true})
		if err != nil {
			continue
		}
		v := &p.Variants[0]
		c := v.Cost
		if p.Width.SIMD != v.SIMD || p.Width.Text == "" || (p.Width.Reason == WidthSpills) != strings.Contains(p.Width.Text, "spills,") {
			t.Errorf("%s: SIMD%d is %+v", name, v.SIMD, p.Width)
		}
		most := 0
		for _, l := range v.Lines {
			most = max(most, l.Registers)
		}
		held := 0
		for _, x := range c.Peak.Live {
			held += x.Registers
		}
		if c.Peak.Registers != most || held < most {
			t.Errorf("%s: a peak of %d registers, %d by value; the most of a line is %d", name, c.Peak.Registers, held, most)
		}
		stores, fills, cycles := 0, 0, 0
		for _, x := range c.Spilled {
			stores, fills, cycles = stores+x.Stores, fills+x.Fills, cycles+x.Cycles
			if (x.Stores == 0) != (x.How != InScratch) || x.Live < 64 {
				t.Errorf("%s: %+v", name, x)
			}
			spilled++
		}
		if stores != v.Stats.Spills || fills != v.Stats.Fills || cycles > v.Stats.Cycles || (fills > 0) != (cycles > 0) {
			t.Errorf("%s: %d stores, %d fills, %d cycles; the statistics have %+v", name, stores, fills, cycles, v.Stats)
		}
		assumed := 0
		for _, l := range c.Loops {
			if l.Trips == 0 {
				assumed++
			}
			if l.Cycles <= 0 || l.Cycles > v.Stats.Cycles {
				t.Errorf("%s: %+v", name, l)
			}
			loops++
		}
		if assumed != v.Stats.AssumedLoops {
			t.Errorf("%s: %d loops of unknown count, want %d", name, assumed, v.Stats.AssumedLoops)
		}
		for _, r := range c.Remarks {
			if r.Kind == "merged" && r.N >= 2*r.Times {
				merged++
			}
		}
		arrays += len(c.Arrays)
		if len(c.Arrays) > 0 && v.Scratch == 0 {
			t.Errorf("%s: arrays without scratch: %+v", name, c.Arrays)
		}
		if q, err := Compile(t.Context(), module, Options{}); err != nil || q.Variants[0].Cost != nil || q.Width != (Width{}) {
			t.Errorf("%s: facts without Explain, %v", name, err)
		}
	}
	t.Logf("%d spilled values, %d arrays, %d loops, %d places of merged accesses", spilled, arrays, loops, merged)
	if spilled < 50 || arrays < 3 || loops < 50 || merged < 20 {
		t.Error("too few of these are in the shaders")
	}
}
