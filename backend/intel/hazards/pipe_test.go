// SPDX-License-Identifier: MIT

package hazards_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel/hazards"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// ended assembles a program for a machine with pipes, and ends it.
func ended(t *testing.T, p isa.Platform, text string) []byte {
	t.Helper()
	code, err := isatext.Assemble(p, text+"\n(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000000 {EOT}\n")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return code
}

// piped checks a program for a machine with pipes.
func piped(t *testing.T, text, want string) {
	t.Helper()
	checked(t, isa.DG2, hazards.Options{}, text, want)
}

// checked checks a program. want is a part of the error; "" means that the program is correct.
func checked(t *testing.T, p isa.Platform, o hazards.Options, text, want string) {
	t.Helper()
	code := ended(t, p, text)
	err := hazards.Check(p, code, o)
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		var dis strings.Builder
		_ = isatext.Disassemble(p, code, &dis)
		t.Errorf("got %v, want …%s…\n%s", err, want, dis.String())
	}
}

// Instructions that write r2 and read r3, and others.
const (
	f2 = "add (8|M0) r2.0<1>:f r3.0<8;8,1>:f 1.0:f\n"
	i2 = "add (8|M0) r2.0<1>:d r3.0<8;8,1>:d 1:w\n"
	l2 = "add (4|M0) r2.0<1>:q r3.0<4;4,1>:q r5.0<4;4,1>:q\n"

	toFloat = "mov (8|M0) r2.0<1>:f r3.0<8;8,1>:d\n"
	toInt   = "mov (8|M0) r2.0<1>:d r3.0<8;8,1>:f\n"

	load   = "send.ugm (8|M0) r2 r3 null:0 0x0 0x02100500 {$0}\n"
	store  = "send.ugm (8|M0) null r3 r4:1 0x0 0x02000504 {$0}\n"
	invert = "math.inv (8|M0) r2.0<1>:f r3.0<8;8,1>:f {$1}\n"

	sync = "(W) sync.nop null {%s}\n"
)

// Instructions that read r2 and write r8, with a scoreboard field.
func readF(wait string) string { return "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:f " + wait + "\n" }
func readI(wait string) string { return "mov (8|M0) r8.0<1>:d r2.0<8;8,1>:d " + wait + "\n" }

// others returns n instructions of a type that use other registers.
func others(n int, typ string) string {
	var b strings.Builder
	for i := range n {
		if typ == "q" {
			fmt.Fprintf(&b, "mov (4|M0) r%d.0<1>:q r80.0<4;4,1>:q\n", 50+i)
		} else {
			fmt.Fprintf(&b, "mov (8|M0) r%d.0<1>:%s r80.0<8;8,1>:%[2]s\n", 50+i, typ)
		}
	}
	return b.String()
}

// either runs one of two texts.
func either(a, b string) string {
	return "(W&f0.0) jmpi L\n" + a + "(W) jmpi E\nL:\n" + b + "E:\n"
}

// TestPipes pairs, for each rule of pipes, a program that violates it with a program that satisfies it. want is a part of
// the message; "" means that the program is correct.
func TestPipes(t *testing.T) {
	for _, c := range []struct{ name, p, want string }{
		// Which pipe executes an instruction.
		{"floats", f2 + readI(""), "reads r2 before it is written by 0x0000"},
		{"floats need F", f2 + readI("{I@1}"), "needs F@1"},
		{"floats waited", f2 + readI("{F@1}"), ""},
		{"integers need I", i2 + readF("{F@1}"), "needs I@1"},
		{"integers waited", i2 + readF("{I@1}"), ""},
		{"long need L", l2 + readI("{A@2}"), "needs L@1"},
		{"long waited", l2 + readI("{L@1}"), ""},
		{"long to int need L", "mov (4|M0) r2.0<1>:d r3.0<4;4,1>:q\n" + readI("{I@1}"), "needs L@1"},
		{"long to int waited", "mov (4|M0) r2.0<1>:d r3.0<4;4,1>:q\n" + readI("{L@1}"), ""},
		{"int to long needs L", "mov (4|M0) r2.0<1>:q r3.0<4;4,1>:d\n" + readI("{I@1}"), "needs L@1"},
		{"double to float need L", "mov (4|M0) r2.0<1>:f r3.0<4;4,1>:df\n" + readI("{F@1}"), "needs L@1"},
		{"int to float needs F", toFloat + readI("{I@1}"), "needs F@1"},
		{"int to float waited", toFloat + readI("{F@1}"), ""},
		{"float to int needs I", toInt + readF("{F@1}"), "needs I@1"},
		{"float to int waited", toInt + readF("{I@1}"), ""},
		{"comparison of floats with an integer null is integer", "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:f r4.0<8;8,1>:f\nmov (8|M0) r3.0<1>:f 0:f {F@1}", "needs I@1"},
		{"and waited", "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:f r4.0<8;8,1>:f\nmov (8|M0) r3.0<1>:f 0:f {I@1}", ""},
		{"comparison with a float null is float", "cmp (8|M0) (lt)f0.0 null<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\nmov (8|M0) r3.0<1>:f 0:f", ""},
		{"half floats are floats", "add (8|M0) r2.0<1>:hf r3.0<8;8,1>:hf r4.0<8;8,1>:hf\n" + readI("{F@1}"), ""},
		{"product of doublewords needs L", "mul (8|M0) r2.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d\n" + readI("{I@1}"), "needs L@1"},
		{"product of doublewords waited", "mul (8|M0) r2.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d\n" + readI("{L@1}"), ""},
		{"product with words is integer", "mul (8|M0) r2.0<1>:d r3.0<8;8,1>:d r4.0<16;8,2>:uw\n" + readF("{I@1}"), ""},
		{"product with words needs I", "mul (8|M0) r2.0<1>:d r3.0<8;8,1>:d r4.0<16;8,2>:uw\n" + readF("{L@1}"), "needs I@1"},
		{"product of floats is float", "mul (8|M0) r2.0<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\n" + readI("{F@1}"), ""},
		{"mad of doublewords needs L", "mad (8|M0) r2.0<1>:d r3.0<8;1>:d r4.0<8;1>:d r5.0<1>:d\n" + readI("{I@1}"), "needs L@1"},
		{"mad of words is integer", "mad (8|M0) r2.0<1>:d r3.0<8;1>:d r4.0<8;1>:w r5.0<1>:w\n" + readF("{I@1}"), ""},

		// What a distance counts.
		{"all", f2 + readI("{A@1}"), ""},
		{"all count each pipe alone", f2 + i2[:len(i2)-1] + " {F@1}\n" + readF("{A@2}"), "needs I@1"},
		{"all, the nearest of each pipe", f2 + others(1, "d") + readI("{A@1}"), ""},
		{"another pipe does not count", f2 + others(3, "d") + readI("{F@1}"), ""},
		{"another pipe does not count, too far", f2 + others(3, "d") + readI("{F@4}"), "needs F@1"},
		{"its own pipe counts", f2 + others(2, "f") + readI("{F@3}"), ""},
		{"its own pipe counts, too far", f2 + others(2, "f") + readI("{F@4}"), "needs F@3"},
		{"smaller than needed", f2 + others(2, "f") + readI("{F@1}"), ""},
		{"own pipe", f2 + readF("{@1}"), ""},
		{"own pipe, integer", i2 + readI("{@1}"), ""},
		{"own pipe, long", l2 + "mov (4|M0) r8.0<1>:q r2.0<4;4,1>:q {@1}", ""},
		{"own pipe is not another one", f2 + readI("{@1}"), "needs F@1"},
		{"own pipe or that of the sources", toInt + "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:d {@1}", "needs I@1"},
		{"that of the sources or own pipe", f2 + "mov (8|M0) r2.0<1>:f r8.0<8;8,1>:d {@1}", "needs F@1"},
		{"a float and an integer source", f2 + "add (8|M0) r8.0<1>:f r2.0<8;8,1>:f r9.0<8;8,1>:d {@1}", "needs F@1"},
		{"a sync has no own pipe", f2 + fmt.Sprintf(sync, "@1") + readF(""), "needs F@1"},
		{"a sync of a pipe", f2 + fmt.Sprintf(sync, "F@1") + readI(""), ""},
		{"sends are not counted", f2 + store + readI("{F@2}"), "needs F@1"},
		{"nops may not be counted", i2 + "nop\n" + readF("{I@2}"), "needs I@1"},
		{"branches may not be counted", i2 + "(W) jmpi L\nL:\n" + readF("{I@2}"), "needs I@1"},
		{"a branch between", i2 + "(W) jmpi L\nL:\n" + readF("{I@1}"), ""},

		// Instructions far back.
		{"ten back", f2 + others(9, "f") + readI(""), "needs F@7"},
		{"eleven back", f2 + others(10, "f") + readI(""), ""},
		{"far back in another pipe", f2 + others(13, "d") + readI(""), "needs F@1"},
		{"fourteen back in the long pipe", l2 + others(13, "q") + readI(""), "needs L@7"},
		{"fifteen back in the long pipe", l2 + others(14, "q") + readI(""), ""},

		// Reads and writes of results and sources.
		{"result of the own pipe", f2 + readF(""), "reads r2"},
		{"over a result of the own pipe", f2 + "mov (8|M0) r2.0<1>:f 0:f", "writes r2 before it is written by"},
		{"over a result of the own pipe, waited", f2 + "mov (8|M0) r2.0<1>:f 0:f {@1}", ""},
		{"over a result of another pipe", f2 + "mov (8|M0) r2.0<1>:d 0:d {I@1}", "needs F@1"},
		{"over a result of another pipe, waited", f2 + "mov (8|M0) r2.0<1>:d 0:d {F@1}", ""},
		{"over a source of the own pipe", f2 + "mov (8|M0) r3.0<1>:f 0:f", ""},
		{"over a source of another pipe", f2 + "mov (8|M0) r3.0<1>:d 0:d", "writes r3 before it is read by"},
		{"over a source of another pipe, waited", f2 + "mov (8|M0) r3.0<1>:d 0:d {F@1}", ""},
		{"over other bytes of a source", "mov (4|M0) r2.0<1>:f r3.0<4;4,1>:f\nmov (4|M0) r3.4<1>:d 0:d", ""},
		{"over some bytes of a source", "mov (4|M0) r2.0<1>:f r3.1<4;4,1>:f\nmov (4|M0) r3.4<1>:d 0:d", "writes r3"},
		{"over a source read before a wait for a later one", f2 + others(1, "f") + "mov (8|M0) r3.0<1>:d 0:d {F@1}", ""},
		{"other bytes of a result", "mov (4|M0) r2.0<1>:f 0:f\nmov (4|M0) r8.0<1>:d r2.4<4;4,1>:d", ""},

		// Out-of-order instructions.
		{"payload", "mov (8|M0) r3.0<1>:f 0:f\n" + load, "needs F@1"},
		{"payload, waited", "mov (8|M0) r3.0<1>:f 0:f\n" + strings.Replace(load, "{$0}", "{A@1,$0}", 1), ""},
		{"payload of two pipes", "mov (8|M0) r3.0<1>:f 0:f\nmov (8|M0) r4.0<1>:d 0:d\n" + strings.Replace(store, "{$0}", "{A@1,$0}", 1), ""},
		{"message over a source", "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:f\n" + load, "writes r2 before it is read by"},
		{"message over a source, waited", "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:f\n" + strings.Replace(load, "{$0}", "{A@1,$0}", 1), ""},
		{"message over a result", i2 + load, "writes r2 before it is written by"},
		{"math reads", "mov (8|M0) r3.0<1>:f 0:f\n" + invert, "needs F@1"},
		{"math with its own pipe", "mov (8|M0) r3.0<1>:f 0:f\n" + strings.Replace(invert, "{$1}", "{@1,$1}", 1), ""},
		{"math, the integer pipe", "mov (8|M0) r3.0<1>:d 0:d\n" + strings.Replace(invert, "{$1}", "{@1,$1}", 1), "needs I@1"},
		{"math over a source", "mov (8|M0) r8.0<1>:f r2.0<8;8,1>:f\n" + invert, "writes r2 before it is read by"},
		{"result of a message", load + readF("{A@1}"), "needs $0.dst"},
		{"result of a message, waited", load + readF("{$0.dst}"), ""},
		{"over a payload", store + "mov (8|M0) r4.0<1>:d 0:d", "needs $0.src"},
		{"over a payload, waited", store + "mov (8|M0) r4.0<1>:d 0:d {$0.src}", ""},
		{"over a longer payload", strings.Replace(store, "r4:1", "r4:2", 1) + "mov (8|M0) r5.0<1>:d 0:d", "needs $0.src"},
		{"result of math", invert + readF(""), "needs $1.dst"},
		{"token and own pipe", load + "mov (8|M0) r4.0<1>:f 0:f\nadd (8|M0) r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f {@1,$0.dst}", ""},
		{"token and another pipe", load + "mov (8|M0) r4.0<1>:d 0:d\nadd (8|M0) r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f {@1,$0.dst}", "needs I@1"},
		{"token and a sync", load + "mov (8|M0) r4.0<1>:d 0:d\n" + fmt.Sprintf(sync, "I@1") + "add (8|M0) r8.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f {$0.dst}", ""},

		// Control flow.
		{"on one arm", "(f0.0) if (8|M0) E E\n" + f2 + "E:\nendif (8|M0) N\nN:\n" + readI("{I@1}"), "needs F@1"},
		{"on one arm, waited", "(f0.0) if (8|M0) E E\n" + f2 + "E:\nendif (8|M0) N\nN:\n" + readI("{F@1}"), ""},
		{"two arms, two pipes", either(f2, i2) + readI("{F@1}"), "needs I@1"},
		{"two arms, two pipes, waited", either(f2, i2) + readI("{A@1}"), ""},
		{"the shorter arm counts", either(f2+others(2, "f"), f2) + readI("{F@3}"), "needs F@1"},
		{"around a loop", "L:\n" + readI("{I@1}") + f2 + "(f0.0) while (8|M0) L", "needs F@1"},
		{"around a loop, waited", "L:\n" + readI("{F@1}") + f2 + "(f0.0) while (8|M0) L", "needs I@1"},
		{"around a loop, waited for reads too", "L:\n" + readI("{F@1}") + strings.Replace(f2, "1.0:f", "1.0:f {I@1}", 1) + "(f0.0) while (8|M0) L", ""},

		// Unmasked instructions do not rely on the waits of masked ones.
		{"a masked instruction waited", "(W) " + f2 + readI("{F@1}") + "(W) " + readI("{I@1}"), "needs F@1, unmasked"},
		{"an unmasked sync waited", "(W) " + f2 + fmt.Sprintf(sync, "F@1") + readI("") + "(W) " + readI("{I@1}"), ""},
	} {
		t.Run(c.name, func(t *testing.T) { piped(t, c.p, c.want) })
	}
}
