// SPDX-License-Identifier: MIT

package opcodes

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/eval"
)

// withoutFormulas are the opcodes whose meaning has no formula. TestFormulas runs the
// formulas of all others; the list may only get shorter.
var withoutFormulas = []string{
	"fexp2", "flog2", "fsin", "fcos", "fpow", "ldexp", "frexp_sig", "frexp_exp",
	"fddx", "fddx_fine", "fddx_coarse", "fddy", "fddy_fine", "fddy_coarse",
}

// TestWithoutFormula compares the opcodes that have no formula at some size, which the reference page lists, with the
// list of expected ones.
func TestWithoutFormula(t *testing.T) {
	var got []string
	for _, o := range loadProject(t).Ops {
		what, err := o.WithoutFormula()
		if err != nil {
			t.Fatal(err)
		}
		if what != "" {
			got = append(got, o.Name)
		}
	}
	for _, name := range got {
		if !slices.Contains(withoutFormulas, name) {
			t.Errorf("%s has no formula", name)
		}
	}
	for _, name := range withoutFormulas {
		if !slices.Contains(got, name) {
			t.Errorf("%s has a formula: take it off the list", name)
		}
	}
}

// TestFormulas evaluates every formula on values with z3 and compares with the
// interpreter of the same meaning.
func TestFormulas(t *testing.T) {
	z3 := tool(t, "z3", "z3")
	tab := loadProject(t)
	r := rand.New(rand.NewPCG(11, 12))
	var script strings.Builder
	var what []string
	for _, o := range tab.Ops {
		if slices.Contains(withoutFormulas, o.Name) {
			continue
		}
		for _, size := range o.execSizes() {
			for range 12 {
				args := samples(r, o, size)
				terms := make([][]string, len(args))
				for i, a := range args {
					typ := o.Srcs[i].Type(size)
					for _, x := range a {
						terms[i] = append(terms[i], eval.SMTConst(x, typ))
					}
				}
				formulas, err := o.Meaning[size].SMT(terms)
				if err != nil {
					t.Fatal(err)
				}
				got, err := o.Run(size, args)
				if err != nil {
					t.Fatal(err)
				}
				for k, f := range formulas {
					fmt.Fprintf(&script, "(simplify (= %s %s))\n", f, eval.SMTConst(got[k], o.Out.Type(size)))
					what = append(what, fmt.Sprintf("%s@%d %#x: component %d is %#x", o.Name, size, args, k, got[k]))
				}
			}
		}
	}
	cmd := exec.Command(z3, "-in")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("z3: %v\n%.2000s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(what) {
		t.Fatalf("%d answers to %d questions:\n%.2000s", len(lines), len(what), out)
	}
	t.Logf("%d values of formulas", len(what))
	bad := 0
	for i, l := range lines {
		if l != "true" {
			t.Errorf("%s; z3 says %s", what[i], l)
			if bad++; bad > 20 {
				break
			}
		}
	}
}
