// SPDX-License-Identifier: MIT

package interp_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/text"
)

// patient is a context that is done after its state has been queried a number of times.
type patient struct {
	context.Context
	looks int
}

func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return context.Canceled
	}
	return nil
}

const head = "shader compute \"main\"\nworkgroup_size 32 1 1\n"

// endless are shaders that do not end before the limit of steps.
var endless = map[string]string{
	"empty loop": head + "fn 1 \"main\"() entry {\nb0:\nloop {\nb1:\n}\nb2:\n}\n",
	"loop without stores": head + `fn 1 "main"() entry {
b0:
  %0 = load_const.32 value=(0x1)
  loop {
  b1:
    %1 = phi.32 b0: %0, b1: %2
    %2 = iadd.32 %1, %0
  }
  b2:
}
`,
	"continue": head + "fn 1 \"main\"() entry {\nb0:\nloop {\nb1:\njump_continue\n}\nb2:\n}\n",
	"barriers": head + "fn 1 \"main\"() entry {\nb0:\nloop {\nb1:\nbarrier execution_scope=workgroup memory_scope=workgroup\n}\nb2:\n}\n",
}

func TestCancel(t *testing.T) {
	const looks, stretch = 20, 1 << 10
	for name, src := range endless {
		t.Run(name, func(t *testing.T) {
			s, err := text.Parse([]byte(src))
			if err != nil {
				t.Fatal(err)
			}
			stats, err := interp.Run(&patient{t.Context(), looks}, s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 8, MaxSteps: 1 << 21})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("it ended with %v", err)
			}
			if stats.Steps > (looks+1)*stretch {
				t.Errorf("%d steps between %d looks at the context", stats.Steps, looks)
			}
		})
	}
}

// TestCancelHeavy: an instruction that does a lot of work counts as several steps.
func TestCancelHeavy(t *testing.T) {
	many := head + "fn 1 \"main\"() entry {\nb0:\n}\n"
	for _, c := range []struct {
		name, src string
		groups    uint32
		looks     int
	}{
		{"groups that do nothing", many, 1 << 31, 20},
		{"groups with memory", strings.Replace(many, "fn 1", "scratch_size 1000000\nfn 1", 1), 1 << 31, 200},
		{"copies", head + `struct S1 "" block {
  [4194304 x u32, 4] "" offset=0
}
var @1 "" ssbo S1
var @2 "" ssbo S1 binding=1
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=ssbo type=S1 var=@1
    %1 = deref_var.32 modes=ssbo type=S1 var=@2
    copy_deref %0, %1
}
`, 1, 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := text.Parse([]byte(c.src))
			if err != nil {
				t.Fatal(err)
			}
			_, err = interp.Run(&patient{t.Context(), c.looks}, s, &interp.Call{Groups: [3]uint32{c.groups, 1, 1}, Width: 8, MaxSteps: 1 << 21})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}
