// SPDX-License-Identifier: MIT

package random

import (
	"testing"

	"jacquard.example/tests/support/randprog"
)

// TestReduce: a program that fails as long as it contains a switch left by continue is reduced to little more than a
// loop with such a switch.
func TestReduce(t *testing.T) {
	reduced := 0
	for seed := range uint64(40) {
		p := randprog.Generate(seed)
		fails := func() bool { return featuresOf(p)["continue in a switch"] > 0 }
		if !fails() {
			continue
		}
		reduced++
		Reduce(p, 1<<20, fails)
		if !fails() || !p.Valid() {
			t.Errorf("seed %d: the reduced program does not fail, or is not a program\n%s", seed, GLSL(p))
		}
		statements := map[randprog.StmtKind]int{}
		p.Stmts(func(s *randprog.Stmt) {
			if !s.Keep {
				statements[s.Kind]++
			}
		})
		n := statements[randprog.For] + statements[randprog.While] + statements[randprog.DoWhile] + statements[randprog.Forever]
		if n != 1 || statements[randprog.Switch] != 1 || statements[randprog.Continue] != 1 ||
			statements[randprog.Decl]+statements[randprog.Assign]+statements[randprog.If] > 0 {
			t.Errorf("seed %d: %v\n%s", seed, statements, GLSL(p))
		}
	}
	if reduced < 5 {
		t.Errorf("only %d programs have such a switch", reduced)
	}
}

// TestGenerate: a seed yields one program, which the reducer considers valid.
func TestGenerate(t *testing.T) {
	for seed := range uint64(100) {
		p, q := randprog.Generate(seed), randprog.Generate(seed)
		if GLSL(p) != GLSL(q) || randprog.C(p) != randprog.C(q) {
			t.Errorf("seed %d makes different programs", seed)
		}
		if !p.Valid() {
			t.Errorf("seed %d: %s", seed, GLSL(p))
		}
	}
}
