package jacquard_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/tests/shaders"
)

// TestExplain: the lines of a program cover its code, their costs are the estimate and their
// registers those that the program reports; and asking for them changes no code.
func TestExplain(t *testing.T) {
	ruled, selected, placed := 0, 0, 0
	for _, sh := range shaders.All() {
		source := module(t, sh.Name)
		for _, name := range jacquard.Targets() {
			plain, err := jacquard.Compile(t.Context(), source, jacquard.Options{Target: name})
			if e := (*jacquard.Error)(nil); errors.As(err, &e) {
				continue // the machine lacks something
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
				t.Errorf("%s for %s: %d bytes of %d, %d cycles of %d, %d registers of %d", sh.Name, name, at, len(v.Code), cycles, v.Stats.Cycles, alive, v.Stats.Registers)
			}
		}
	}
	if ruled == 0 || selected < 1000 {
		t.Errorf("%d instructions by rules, %d by rows", ruled, selected)
	}
}

// definition is the start of the text of an instruction with a result.
var definition = regexp.MustCompile(`^%\d+ = `)

// TestExplainNames: an instruction names its IR, the rule that made that, the row that
// selected it and its source line; what the rule replaced has another.
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
	want := []string{"load_ssbo.32 x.comp:3  memory/OP=load_ssbo", "ushr.32 x.comp:4 udiv_power_of_two shift/OP=ushr", "store_ssbo.x1 x.comp:5  memory/OP=store_ssbo"}
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
