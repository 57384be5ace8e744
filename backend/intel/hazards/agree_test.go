// SPDX-License-Identifier: MIT

package hazards_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/hazards"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// TestAgreesWithModel checks that on straight-line programs with random waits, this package and the model of
// the execution units report the same first error.
func TestAgreesWithModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	wrong := 0
	const count = 3000
	for n := range count {
		reg := func() int { return 10 + rng.IntN(6) }
		var lines []string
		for range 3 + rng.IntN(10) {
			tok := rng.IntN(3)
			ooo := fmt.Sprintf("{$%d}", tok)
			inOrder := ""
			if d := rng.IntN(9); d > 0 && d < 8 {
				ooo = fmt.Sprintf("{@%d,$%d}", d, tok)
				inOrder = fmt.Sprintf("{@%d}", d)
			}
			switch rng.IntN(4) {
			case 0:
				inOrder = fmt.Sprintf("{$%d.dst}", tok)
			case 1:
				if rng.IntN(3) == 0 {
					inOrder = fmt.Sprintf("{$%d.src}", tok)
				}
			}
			switch rng.IntN(8) {
			case 0:
				lines = append(lines, fmt.Sprintf("load %d 2 %s", reg(), ooo))
			case 1:
				lines = append(lines, fmt.Sprintf("save 2 %d %s", reg(), ooo))
			case 2:
				lines = append(lines, fmt.Sprintf("inv %d %d %s", reg(), reg(), ooo))
			case 3:
				lines = append(lines, "sync "+inOrder)
			case 4:
				lines = append(lines, "nop")
			default:
				lines = append(lines, fmt.Sprintf("add %d %d %s", reg(), reg(), inOrder))
			}
		}
		code := program(t, lines...)
		_, runErr := eu.Run(context.Background(), &eu.Dispatch{
			Program: eu.Load(target.TGL, code), SIMD: 8, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{8, 1, 1}, SLMSize: 64,
		})
		err := hazards.Check(isa.TGL, code, hazards.Options{})
		var fault *eu.Fault
		var found *hazards.Error
		at, said := -1, -1
		if errors.As(runErr, &fault) {
			if fault.Kind != eu.FaultHazard {
				t.Fatalf("the model fails otherwise: %v", fault)
			}
			at = fault.Offset
		}
		if errors.As(err, &found) {
			said = found.PC
			wrong++
		}
		if at != said {
			t.Fatalf("program %d: the model reports %v, this package %v\n%s", n, runErr, err, strings.Join(lines, "\n"))
		}
	}
	t.Logf("%d of %d programs break a rule", wrong, count)
	if wrong < count/10 || wrong > count*9/10 {
		t.Errorf("%d of %d programs break a rule: too one-sided", wrong, count)
	}
}
