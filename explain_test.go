// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/shaders"
)

// TestExplain: the lines of a program cover its code, their costs add up to the estimate, and no line has more
// registers than the program reports. Asking for them does not change the code.
func TestExplain(t *testing.T) {
	ruled, selected, placed := 0, 0, 0
	for _, sh := range shaders.All() {
		source := module(t, sh.Name)
		for _, name := range jacquard.TargetsOf(jacquard.Compute) {
			plain, err := jacquard.Compile(t.Context(), source, jacquard.Options{Target: name})
			if e := (*jacquard.Error)(nil); errors.As(err, &e) {
				continue // the machine lacks a feature
			}
			if err != nil {
				t.Fatal(sh.Name, err)
			}
			p, err := jacquard.Compile(t.Context(), source, jacquard.Options{Target: name, Explain: true})
			if err != nil {
				t.Fatal(sh.Name, err)
			}
			v := &p.Variants[0]
			if string(v.Code) != string(plain.Variants[0].Code) || len(plain.Variants[0].Lines) != 0 {
				t.Errorf("%s for %s: the code depends on whether it is explained", sh.Name, name)
			}
			at, cycles, alive := 0, 0, 0
			for _, l := range v.Lines {
				if l.Offset != at {
					t.Fatalf("%s for %s: a line for offset %#x, want %#x", sh.Name, name, l.Offset, at)
				}
				at += 16
				cycles += (l.Wait + l.Issue) * l.Times
				alive = max(alive, l.Registers)
				if l.Rule != "" {
					ruled++
				}
				if l.Row != "" {
					selected++
				}
				if l.Line != 0 {
					placed++
				}
				if (l.Row != "" || l.Rule != "" || l.Line != 0) && l.IR == "" {
					t.Errorf("%s for %s at %#x: %+v belongs to no instruction", sh.Name, name, l.Offset, l)
				}
			}
			if at != len(v.Code) || cycles != v.Stats.Cycles || alive == 0 || alive > v.Stats.Registers {
				t.Errorf("%s for %s: %d bytes of %d, %d cycles of %d, %d registers of %d", sh.Name, name, at, len(v.Code), cycles,
					v.Stats.Cycles, alive, v.Stats.Registers)
			}
		}
	}
	if ruled == 0 || selected < 1000 {
		t.Errorf("%d instructions by rules, %d by rows", ruled, selected)
	}
}

// definition is the start of the text of an instruction with a result.
var definition = regexp.MustCompile(`^%\d+ = `)

// TestExplainNames: an instruction names its IR, the rule that created that, the row that selected it and its source
// line; an instruction that the rule replaced has another.
func TestExplainNames(t *testing.T) {
	const shader = `shader compute "main"
workgroup_size 16 1 1
var @1 "data" ssbo u32
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=ssbo type=u32 var=@1
    %1 = load_deref.32 %0 !"x.comp":3:5
    %2 = load_const.32 value=(0x10)
    %3 = udiv.32 %1, %2 !"x.comp":4:9
    store_deref.x1 %0, %3 write_mask=1 !"x.comp":5:2
}
`
	p, err := jacquard.Compile(t.Context(), []byte(shader), jacquard.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, l := range p.Variants[0].Lines {
		op, _, _ := strings.Cut(strings.TrimSpace(definition.ReplaceAllString(l.IR, "")), " ")
		if l.Line != 0 {
			found = append(found, op+" "+l.File+":"+string(rune('0'+l.Line))+" "+l.Rule+" "+l.Row)
		}
	}
	want := []string{"load_ssbo.32 x.comp:3  load_buffer/LOAD=load_ssbo", "ushr.32 x.comp:4 udiv_power_of_two shift/OP=ushr", "store_ssbo.x1 x.comp:5  store_ssbo"}
	t.Log(found)
	for _, w := range want {
		n := 0
		for _, f := range found {
			if f == w {
				n++
			}
		}
		if n == 0 {
			t.Errorf("no instruction is explained by %q", w)
		}
	}
}

// TestExplainWaits: as many registers are live at an instruction that only waits as at the next one.
func TestExplainWaits(t *testing.T) {
	waits := 0
	for _, name := range []string{"mandelbrot", "matmul", "scratch_array", "loop_nested"} {
		p, err := jacquard.Compile(t.Context(), module(t, name), jacquard.Options{Explain: true})
		if err != nil {
			t.Fatal(name, err)
		}
		v := &p.Variants[0]
		for i, l := range v.Lines[:len(v.Lines)-1] {
			in, err := isa.Decode(isa.TGL, v.Code[l.Offset:])
			if err != nil {
				t.Fatal(name, err)
			}
			if in.Op != isa.OpSync || in.Sync != isa.SyncNop || strings.HasPrefix(l.IR, "barrier") {
				continue // a fence's wait reads its reply
			}
			waits++
			if next := v.Lines[i+1].Registers; l.Registers != next {
				t.Errorf("%s at %#x: %d registers before a wait, %d after it", name, l.Offset, l.Registers, next)
			}
		}
	}
	if waits < 20 {
		t.Errorf("%d waits", waits)
	}
}

// loopHead is the beginning of a shader with a loop whose bound is n.
const loopHead = `shader compute "main"
workgroup_size 16 1 1
struct S1 "B" block {
  [0 x f32, 4] "a" offset=0
}
var @1 "x" ssbo S1
fn 1 "main"() entry {
  b0:
    %%0 = load_const.32 value=(0x0)
    %%1 = load_const.32 value=(0x1)
    %%2 = load_const.32 value=(0x%x)
    %%3 = load_local_invocation_index.32
    %%4 = deref_var.32 modes=ssbo type=S1 var=@1
    %%5 = deref_struct.32 %%4 modes=ssbo type=[0 x f32, 4]
    %%6 = deref_array.32 %%5, %%3 modes=ssbo type=f32
`

// counting is a shader whose loop runs n times.
const counting = loopHead + `  loop {
    b1:
      %%7 = phi.32 b0: %%0, b4: %%8
      %%13 = phi.32 b0: %%0, b4: %%12
      %%8 = iadd.32 %%7, %%1
      %%9 = load_deref.32 %%6
      %%10 = fsin.32 %%13
      %%11 = u2f32.32 %%7
      %%12 = ffma.32 %%10, %%9, %%11
      %%14 = ige.1 %%8, %%2
    if %%14 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
  }
  b5:
    store_deref.x1 %%6, %%12 write_mask=1
}
`

// TestEstimateGrows: the estimate of a counted loop grows in proportion to the trip count and assumes none, also if the
// machine IR is read from text.
func TestEstimateGrows(t *testing.T) {
	last := 0
	for _, n := range []int{5, 50, 500, 5000} {
		source := fmt.Appendf(nil, counting, n)
		p, err := jacquard.Compile(t.Context(), source, jacquard.Options{SIMD: 16})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Variants[0].Stats
		if s.Cycles < 4*last || s.Cycles > 40*last && last != 0 || s.AssumedLoops != 0 {
			t.Errorf("%d iterations: %d cycles, %d loops assumed; %d cycles for a tenth", n, s.Cycles, s.AssumedLoops, last)
		}
		last = s.Cycles
		var text []byte
		_, err = jacquard.Compile(t.Context(), source, jacquard.Options{SIMD: 16, Trace: func(x *jacquard.Step) {
			if x.SIMD != 0 {
				text = x.Text()
			}
		}, StopAfter: "select"})
		if err != nil {
			t.Fatal(err)
		}
		again, err := jacquard.Compile(t.Context(), text, jacquard.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := again.Variants[0].Stats; got.Cycles != s.Cycles || got.AssumedLoops != 0 {
			t.Errorf("%d iterations: %d cycles from the text of machine IR, not %d; %d loops assumed", n, got.Cycles, s.Cycles,
				got.AssumedLoops)
		}
	}
}
