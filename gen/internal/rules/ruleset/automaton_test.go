// SPDX-License-Identifier: MIT

package ruleset

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
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
	var list []*rules.Rule
	for len(list) < 3000 {
		find, err := pattern.Parse("(iadd "+write(4)+" "+write(4)+")", pattern.Opcodes{Table: ops})
		if err == nil {
			list = append(list, &rules.Rule{Find: find})
		}
	}
	a, err := buildAutomaton(list)
	if err == nil {
		t.Fatalf("%d states", len(a.states))
	}
	if !strings.Contains(err.Error(), "the tables hold") && !strings.Contains(err.Error(), "too many shapes") {
		t.Error(err)
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
		var list []*rules.Rule
		for _, x := range unary {
			for _, y := range unary {
				if len(list) == n {
					break
				}
				find, err := pattern.Parse(fmt.Sprintf("(vec2 (%s (%s a)) b)", x, y), pattern.Opcodes{Table: ops})
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, &rules.Rule{Find: find})
			}
		}
		return buildAutomaton(list)
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
