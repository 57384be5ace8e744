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
	"jacquard.example/generated/abi"
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
		if agree(t, n, runErr, hazards.Check(isa.TGL, code, hazards.Options{}), strings.Join(lines, "\n")) {
			wrong++
		}
	}
	twoSided(t, wrong, count)
}

// twoSided checks that many random programs are correct and many are not.
func twoSided(t *testing.T, wrong, count int) {
	t.Helper()
	t.Logf("%d of %d programs break a rule", wrong, count)
	if wrong < count/10 || wrong > count*9/10 {
		t.Errorf("%d of %d programs break a rule: too one-sided", wrong, count)
	}
}

// agree checks that the model and this package report the same instruction of program n, or none. It reports whether they
// report one.
func agree(t *testing.T, n int, runErr, err error, text string) bool {
	t.Helper()
	var fault *eu.Fault
	var found *hazards.Error
	at, said := -1, -1
	if errors.As(runErr, &fault) {
		if fault.Kind != eu.FaultHazard {
			t.Fatalf("the model fails otherwise: %v\n%s", fault, text)
		}
		at = fault.Offset
	}
	if errors.As(err, &found) {
		said = found.PC
	}
	if at != said {
		t.Fatalf("program %d: the model reports %v, this package %v\n%s", n, runErr, err, text)
	}
	return said >= 0
}

// TestAgreesOnPipes does the same for a machine with several pipes.
func TestAgreesOnPipes(t *testing.T) {
	machine := *target.TGL
	machine.Platform, machine.ABI = isa.DG2, abi.ZebinGen125
	machine.Has |= target.Pipes | target.Int64
	agreeOn(t, &machine, hazards.Options{}, rand.New(rand.NewPCG(7, 8)), 3, 14, randomPiped)
}

// agreeOn checks random programs of least to least+more-1 instructions for a machine with pipes, whose threads have as many
// lanes as a register has doublewords.
func agreeOn(t *testing.T, machine *target.Target, o hazards.Options, rng *rand.Rand, least, more int, random func(*rand.Rand) string) {
	t.Helper()
	lanes := machine.Registers.Bytes / 4
	wrong := 0
	const count = 4000
	for n := range count {
		var text strings.Builder
		for range least + rng.IntN(more) {
			text.WriteString(random(rng) + "\n")
		}
		code := ended(t, machine.Platform, text.String())
		_, runErr := eu.Run(context.Background(), &eu.Dispatch{
			Program: eu.Load(machine, code), SIMD: lanes, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{uint32(lanes), 1, 1}, SLMSize: 64,
		})
		if agree(t, n, runErr, hazards.Check(machine.Platform, code, o), text.String()) {
			wrong++
		}
	}
	twoSided(t, wrong, count)
}

// randomPiped returns an instruction for a machine with pipes. It waits for its own pipe only where this is that of its
// sources too.
func randomPiped(rng *rand.Rand) string {
	reg := func() int { return 10 + 2*rng.IntN(12) }
	tok, d := rng.IntN(3), rng.IntN(1+rng.IntN(7))
	distance := func(pipe string) string { return fmt.Sprintf("%s@%d", pipe, d) }
	ooo := func(pipe string) string {
		if d == 0 {
			return fmt.Sprintf("{$%d}", tok)
		}
		return fmt.Sprintf("{%s,$%d}", distance(pipe), tok)
	}
	inOrder := ""
	switch rng.IntN(7) {
	case 0:
		inOrder = fmt.Sprintf("{$%d.dst}", tok)
	case 1:
		inOrder = fmt.Sprintf("{$%d.src}", tok)
	case 2:
	default:
		if d > 0 {
			inOrder = "{" + distance([]string{"A", "A", "A", "F", "I", "L"}[rng.IntN(6)]) + "}"
		}
	}
	own := inOrder
	if d > 0 && rng.IntN(2) == 0 {
		if own = "{" + distance("") + "}"; rng.IntN(3) == 0 {
			own = fmt.Sprintf("{%s,$%d.dst}", distance(""), tok)
		}
	}
	switch rng.IntN(12) {
	case 0:
		return fmt.Sprintf("send.slm (8|M0) r%d r2 null:0 0x0 0x02100500 ", reg()) + ooo("A")
	case 1:
		return fmt.Sprintf("send.slm (8|M0) null r2 r%d:1 0x0 0x02000504 ", reg()) + ooo("A")
	case 2:
		return fmt.Sprintf("math.inv (8|M0) r%d.0<1>:f r%d.0<8;8,1>:f ", reg(), reg()) + ooo("")
	case 3:
		return "(W) sync.nop null " + inOrder
	case 4:
		return "nop"
	case 5:
		return fmt.Sprintf("mov (8|M0) r%d.0<1>:d r%d.0<8;8,1>:f ", reg(), reg()) + inOrder
	case 6:
		return fmt.Sprintf("mov (8|M0) r%d.0<1>:f r%d.0<8;8,1>:d ", reg(), reg()) + inOrder
	case 7:
		return fmt.Sprintf("add (8|M0) r%d.0<1>:q r%d.0<4;4,1>:q 1:w ", reg(), reg()) + own
	case 8, 9:
		return fmt.Sprintf("add (8|M0) r%d.0<1>:f r%d.0<8;8,1>:f 1.0:f ", reg(), reg()) + own
	default:
		return fmt.Sprintf("add (8|M0) r%d.0<1>:d r%d.0<8;8,1>:d 1:w ", reg(), reg()) + own
	}
}
