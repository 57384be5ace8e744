package rules

import (
	"fmt"
	"go/parser"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/gen/internal/pattern"
)

// TestAutomatonIsBounded: search expressions of all shapes would need too many
// states.
func TestAutomatonIsBounded(t *testing.T) {
	ops, _ := base(t)
	names := []string{"iadd", "imul", "iand", "ior", "ixor", "isub", "umin", "umax", "imin", "imax", "ishl", "ushr", "ineg", "inot", "bcsel"}
	r := rand.New(rand.NewPCG(1, 1))
	var write func(depth int) string
	write = func(depth int) string {
		if depth == 0 || r.IntN(5) == 0 {
			return []string{"a", "b", "#c"}[r.IntN(3)]
		}
		o := ops.ByName(names[r.IntN(len(names))])
		s := "(" + o.Name
		for range o.Srcs {
			s += " " + write(depth-1)
		}
		return s + ")"
	}
	var rules []*Rule
	for len(rules) < 3000 {
		find, err := pattern.Parse("(iadd "+write(4)+" "+write(4)+")", pattern.Opcodes{Table: ops})
		if err == nil {
			rules = append(rules, &Rule{Find: find})
		}
	}
	a, err := buildAutomaton(rules)
	if err == nil {
		t.Fatalf("%d states", len(a.states))
	}
	if !strings.Contains(err.Error(), "the tables hold") && !strings.Contains(err.Error(), "too many shapes") {
		t.Error(err)
	}
}

func conditionOf(t *testing.T, text string, options ...string) *condition {
	t.Helper()
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	return &condition{expr: e, options: options}
}

// TestOrderIsBounded: every opcode is expressed in terms of all that follow, and the rule that
// would close the cycle is enabled only where its end is disabled.
func TestOrderIsBounded(t *testing.T) {
	const n = 60
	on, off, free := &Rule{Cond: conditionOf(t, "x", "x")}, &Rule{Cond: conditionOf(t, "!x", "x")}, &Rule{}
	o := &order{entries: map[string][]below{}, steps: maxSteps}
	for i := range n {
		for j := i + 1; j < n; j++ {
			by := free
			if j == n-1 {
				by = on
			}
			if c := o.add([]below{{fmt.Sprint(i), fmt.Sprint(j), by}}); c != nil {
				t.Fatal(c)
			}
		}
	}
	if o.steps < maxSteps/2 {
		t.Fatalf("%d steps are left", o.steps)
	}
	o.add([]below{{fmt.Sprint(n - 1), "0", off}})
	if o.steps >= 0 {
		t.Errorf("%d steps are left", o.steps)
	}
	// Without the condition the cycle is found immediately.
	o = &order{entries: o.entries, steps: maxSteps}
	if c := o.circle(below{fmt.Sprint(n - 2), "1", free}); len(c) < 2 {
		t.Errorf("%v is no circle", c)
	}
}

// TestImpliesIsBounded: conditions over forty options are not tried in all settings.
func TestImpliesIsBounded(t *testing.T) {
	var all []*condition
	for i := range 40 {
		x := fmt.Sprintf("x%d", i)
		all = append(all, conditionOf(t, x, x))
	}
	if (*condition)(nil).implies(all...) {
		t.Error("one of forty options is always on")
	}
	if !all[7].implies(all...) {
		t.Error("an option does not imply itself")
	}
	var list []below
	for _, c := range all {
		list = append(list, below{rule: &Rule{Cond: c}})
	}
	if !together(list) {
		t.Error("forty options cannot be on together")
	}
}

// TestClassesAreBounded: an opcode's operands may have at most as many classes as a byte
// can distinguish.
func TestClassesAreBounded(t *testing.T) {
	ops, _ := base(t)
	var unary []string
	for _, o := range ops.Ops {
		if len(o.Srcs) == 1 {
			unary = append(unary, o.Name)
		}
	}
	build := func(n int) (*automaton, error) {
		var rules []*Rule
		for _, x := range unary {
			for _, y := range unary {
				if len(rules) == n {
					break
				}
				find, err := pattern.Parse(fmt.Sprintf("(vec2 (%s (%s a)) b)", x, y), pattern.Opcodes{Table: ops})
				if err != nil {
					t.Fatal(err)
				}
				rules = append(rules, &Rule{Find: find})
			}
		}
		return buildAutomaton(rules)
	}
	// Operands that no rule matches are a class as well.
	a, err := build(maxClasses - 1)
	if err != nil {
		t.Fatal(err)
	}
	widest := 0
	for _, o := range a.ops {
		for _, c := range o.classes {
			widest = max(widest, len(c))
		}
	}
	if widest != maxClasses {
		t.Errorf("the widest operand has %d classes, want %d", widest, maxClasses)
	}
	if _, err := build(maxClasses); err == nil || !strings.Contains(err.Error(), "classes of operands; the tables hold at most 256") {
		t.Errorf("one class more: %v", err)
	}
}
