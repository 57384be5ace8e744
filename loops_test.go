// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"fmt"
	"testing"

	"jacquard.example"
)

// between is a shader whose loop of n iterations has two exits before its body, the first of which is never taken.
const between = loopHead + `    %%15 = load_const.32 value=(0x10000000)
  loop {
    b1:
      %%7 = phi.32 b0: %%0, b7: %%8
      %%13 = phi.32 b0: %%0, b7: %%12
      %%16 = ieq.1 %%7, %%15
    if %%16 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
      %%14 = ige.1 %%7, %%2
    if %%14 {
      b5:
        jump_break
    } else {
      b6:
    }
    b7:
      %%8 = iadd.32 %%7, %%1
      %%9 = load_deref.32 %%6
      %%10 = fsin.32 %%13
      %%11 = u2f32.32 %%7
      %%12 = ffma.32 %%10, %%9, %%11
  }
  b8:
    store_deref.x1 %%6, %%13 write_mask=1
}
`

// TestIterations: a loop has as many iterations as its body runs, wherever it ends.
func TestIterations(t *testing.T) {
	for source, name := range map[string]string{counting: "exit after the body", between: "exits before the body"} {
		for _, n := range []int{97, 300, 5000} {
			for _, target := range jacquard.TargetsOf(jacquard.Compute) {
				p, err := jacquard.Compile(t.Context(), fmt.Appendf(nil, source, n), jacquard.Options{Target: target, Explain: true})
				if err != nil {
					t.Fatal(err)
				}
				loops := p.Variants[0].Cost.Loops
				got := 0
				for _, r := range p.Variants[0].Cost.Remarks {
					if r.Kind == "unrolled_partly" && len(loops) == 1 {
						got = loops[0].Trips * r.N
					}
				}
				if len(loops) == 1 && got == 0 {
					got = loops[0].Trips
				}
				if got != n {
					t.Errorf("%s, for %s: %d iterations, want %d: %+v", name, target, got, n, loops)
				}
			}
		}
	}
}
