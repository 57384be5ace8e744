// SPDX-License-Identifier: MIT

package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestKeepQuads: invocations killed by OpKill continue as helpers while their quad is alive. Derivatives after a loop
// are defined, and the loop ends even though its condition would not end it for the killed invocations.
func TestKeepQuads(t *testing.T) {
	src := fragmentHead + `
    %2 = load_const.32 value=(0x3f800000)
    %3 = load_const.32 value=(0x40000000)
    %4 = f2i32.32 %1.x
    %5 = load_const.32 value=(0x1)
    %6 = iand.32 %4, %5
    %7 = ine.1 %6, %0
    %8 = feq.1 %1.y, %2
    %9 = ior.1 %7, %8
    %10 = fge.1 %1.x, %3
    %11 = KILLED
  if %11 {
    b1:
      jump_halt
  } else {
    b2:
  }
  b3:
  loop {
    b4:
      %12 = phi.32 b3: %0, b7: %14
    if %11 {
      b5:
    } else {
      b6:
        jump_break
    }
    b7:
      %14 = iadd.32 %12, %5
  }
  b8:
    %15 = fmul.32 %1.x, %3
    %16 = fddx.32 %15
    %17 = is_helper_invocation.1
    %18 = b2i32.32 %17
    store_output.x1 %16, %0 range=1 write_mask=1
    store_output.x1 %18, %0 base=1 range=1 write_mask=1 value_base=int
}
`
	for _, c := range []struct {
		killed string
		keep   bool
		live   uint64
		helped []int // the helpers at the end
	}{
		{"ior.1 %9, %9", true, 1<<0 | 1<<4, []int{1, 2, 3, 5, 6, 7}},
		{"ior.1 %9, %10", true, 1 << 0, []int{1, 2, 3}}, // the whole second quad is dead
		{"ior.1 %9, %9", false, 1<<0 | 1<<4, nil},
	} {
		t.Run(fmt.Sprint(c.killed, c.keep), func(t *testing.T) {
			src := strings.Replace(src, "KILLED", c.killed, 1)
			live, f, _, err := runStage(t, src, 0, &Call{KeepQuads: c.keep, MaxSteps: 1 << 16})
			if err != nil {
				t.Fatal(err)
			}
			if live != c.live {
				t.Errorf("live: %b", live)
			}
			var helped []int
			for l := range 8 {
				if f.out[[3]int{l, 1, 0}] != 0 {
					helped = append(helped, l)
				}
			}
			if !slices.Equal(helped, c.helped) {
				t.Errorf("helpers: %v", helped)
			}
			if got := f.number(0, 0, 0); (got == 2) != c.keep {
				t.Errorf("derivative %v", got)
			}
		})
	}
}
