// SPDX-License-Identifier: MIT

package hazards_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/backend/intel/hazards"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// TestMathInOrder pairs, for each rule of math in order and of registers of 64 bytes, a program that violates it with a
// program that satisfies it. want is a part of the message; "" means that the program is correct.
func TestMathInOrder(t *testing.T) {
	const (
		inv2  = "math.inv (16|M0) r2.0<1>:f r3.0<1;1,0>:f\n"
		inv4  = "math.inv (16|M0) r4.0<1>:f r5.0<1;1,0>:f\n"
		set3  = "mov (16|M0) r3.0<1>:f 1.0:f\n"
		readF = "mov (16|M0) r8.0<1>:f r2.0<1;1,0>:f "
		readI = "mov (16|M0) r8.0<1>:d r2.0<1;1,0>:d "
		over2 = "mov (16|M0) r2.0<1>:f 1.0:f "
		over3 = "mov (16|M0) r3.0<1>:d 0:w "
		byte0 = "mov (16|M0) r2.0<2>:ub 1:uw\n"
		byte1 = "mov (16|M0) r2.1<2>:ub 1:uw "
	)
	functions := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "math.inv (16|M0) r%d.0<1>:f r80.0<1;1,0>:f\n", 50+i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, p, want string }{
		{"result", inv2 + readF, "reads r2 before it is written by"},
		{"result needs M", inv2 + readF + "{F@1}", "needs M@1"},
		{"result waited", inv2 + readF + "{M@1}", ""},
		{"result, all waited", inv2 + readI + "{A@1}", ""},
		{"over a result", inv2 + over2, "writes r2 before it is written by"},
		{"over a result, waited", inv2 + over2 + "{M@1}", ""},
		{"over a source", inv2 + over3, "writes r3 before it is read by"},
		{"over a source, waited", inv2 + over3 + "{M@1}", ""},
		{"math after math reads", inv2 + "math.sqt (16|M0) r8.0<1>:f r2.0<1;1,0>:f", "needs M@1"},
		{"math after math over a source", inv2 + "math.sqt (16|M0) r3.0<1>:f r9.0<1;1,0>:f", ""},
		{"math reads a float", set3 + inv2, "needs F@1"},
		{"math reads a float, waited", set3 + strings.TrimSpace(inv2) + " {F@1}", ""},
		{"math without a letter waits for no float", set3 + strings.TrimSpace(inv2) + " {@1}", "needs F@1"},
		{"math without a letter waits for no math", inv2 + "math.sqt (16|M0) r8.0<1>:f r2.0<1;1,0>:f {@1}", "needs M@1"},
		{"another math between", inv2 + inv4 + readF + "{M@2}", ""},
		{"too far", inv2 + inv4 + readF + "{M@3}", "needs M@2"},
		{"other pipes between", inv2 + "mov (16|M0) r60.0<1>:d 0:w\n" + readF + "{M@1}", ""},
		{"eighteen back", inv2 + functions(17) + readF, "needs M@7"},
		{"nineteen back", inv2 + functions(18) + readF, ""},
		{"a message reads", inv2 + "send.ugm (16|M0) r20 r2 null:0 0x0 0x02100500 {$0}", "needs M@1"},
		{"a message reads, waited", inv2 + "send.ugm (16|M0) r20 r2 null:0 0x0 0x02100500 {A@1,$0}", ""},
		{"a flag of math", "cmp (16|M0) (lt)f2.0 null<1>:f r3.0<1;1,0>:f r4.0<1;1,0>:f\n(f2.0) math.inv (16|M0) r8.0<1>:f r9.0<1;1,0>:f", "reads f2.0"},
		{"another flag of math", "cmp (16|M0) (lt)f2.0 null<1>:f r3.0<1;1,0>:f r4.0<1;1,0>:f\n(f3.0) math.inv (16|M0) r8.0<1>:f r9.0<1;1,0>:f", ""},
		{"any lane's flag", "cmp (16|M0) (lt)f3.1 null<1>:f r3.0<1;1,0>:f r4.0<1;1,0>:f\n(f3.1.any) mov (16|M0) r8.0<1>:d 0:w", "reads f3.1"},

		{"64-bit integers are in the integer pipe", "mov (16|M0) r2.0<1>:q r4.0<1;1,0>:d\n" + readF + "{L@1}", "needs I@1"},
		{"64-bit integers, waited", "mov (16|M0) r2.0<1>:q r4.0<1;1,0>:d\n" + readF + "{I@1}", ""},
		{"products are in the integer pipe", "mul (16|M0) r2.0<1>:d r4.0<1;1,0>:d r5.0<1;1,0>:d\n" + readF + "{L@1}", "needs I@1"},
		{"products, waited", "mul (16|M0) r2.0<1>:d r4.0<1;1,0>:d r5.0<1;1,0>:d\n" + readF + "{I@1}", ""},
		{"64-bit floats are in the long pipe", "mov (16|M0) r2.0<1>:df r4.0<1;1,0>:d\n" + readF + "{I@1}", "needs L@1"},
		{"64-bit floats, waited", "mov (16|M0) r2.0<1>:df r4.0<1;1,0>:d\n" + readF + "{L@1}", ""},
		{"from a 64-bit float", "mov (16|M0) r2.0<1>:f r4.0<1;1,0>:df\n" + readI + "{F@1}", ""},

		{"another byte of a word", byte0 + byte1, "writes r2 before it is written by"},
		{"another byte of a word, waited", byte0 + byte1 + "{I@1}", ""},
		{"a byte of another word", "mov (1|M0) r2.0<2>:ub 1:uw\nmov (1|M0) r2.2<2>:ub 1:uw", ""},

		{"the length of a message with a register", "mov (1|M0) a0.2<1>:ud 0x40:ud\nsend.ugm (16|M0) null r20 r30:2 a0.2 0x42000504 {A@1,$0}\nmov (16|M0) r31.0<1>:d 0:w", "writes r31 before it is read by"},
		{"past the length of a message with a register", "mov (1|M0) a0.2<1>:ud 0xC0:ud\nsend.ugm (16|M0) null r20 r30:2 a0.2 0x42000504 {A@1,$0}\nmov (16|M0) r32.0<1>:d 0:w", ""},

		{"a token of wide files", "sync.nop null {$16.dst}", "there is no token $16 with 128 registers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checked(t, isa.LNL, hazards.Options{}, c.p, c.want)
		})
	}
}

// TestAgreesOnMathInOrder checks that on random programs, this package and the model report the same first error.
func TestAgreesOnMathInOrder(t *testing.T) {
	machine := *target.LNL
	machine.ABI = abi.ZebinGen125
	machine.Has |= target.Int64 | target.Float64
	agreeOn(t, &machine, hazards.Options{}, rand.New(rand.NewPCG(9, 10)), 2, 10, randomInOrderMath)
}

// randomInOrderMath returns an instruction for a machine that executes math in order.
func randomInOrderMath(rng *rand.Rand) string {
	reg := func() int { return 10 + 2*rng.IntN(16) }
	tok, d := rng.IntN(3), rng.IntN(1+rng.IntN(5))
	wait, ooo := "", fmt.Sprintf("{$%d}", tok)
	switch rng.IntN(6) {
	case 0:
		wait = fmt.Sprintf("{$%d.dst}", tok)
	case 1:
		wait = fmt.Sprintf("{$%d.src}", tok)
	default:
		if d > 0 {
			wait = fmt.Sprintf("{%s@%d}", []string{"A", "A", "A", "M", "F", "I", "L"}[rng.IntN(7)], d)
			ooo = fmt.Sprintf("{%s@%d,$%d}", []string{"A", "F", "I"}[rng.IntN(3)], d, tok)
		}
	}
	switch rng.IntN(10) {
	case 0:
		return fmt.Sprintf("send.slm (16|M0) r%d r2 null:0 0x0 0x02100500 %s", reg(), ooo)
	case 1:
		return fmt.Sprintf("send.slm (16|M0) null r2 r%d:1 0x0 0x02000504 %s", reg(), ooo)
	case 2, 3, 4:
		return fmt.Sprintf("math.inv (16|M0) r%d.0<1>:f r%d.0<1;1,0>:f %s", reg(), reg(), wait)
	case 5:
		return fmt.Sprintf("mov (8|M0) r%d.0<1>:q r%d.0<1;1,0>:d %s", reg(), reg(), wait)
	case 6:
		return fmt.Sprintf("mov (8|M0) r%d.0<1>:df r%d.0<1;1,0>:d %s", reg(), reg(), wait)
	case 7:
		return fmt.Sprintf("mov (16|M0) r%d.%d<2>:ub r%d.0<1;1,0>:uw %s", reg(), rng.IntN(2), reg(), wait)
	case 8:
		return fmt.Sprintf("add (16|M0) r%d.0<1>:d r%d.0<1;1,0>:d 1:w %s", reg(), reg(), wait)
	}
	return fmt.Sprintf("add (16|M0) r%d.0<1>:f r%d.0<1;1,0>:f 1.0:f %s", reg(), reg(), wait)
}
