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

// program assembles lines of a shorthand: "add 10 2 {@1}" is r10 = r2 + 1 on eight lanes, "load 10 2 {$0}" is a
// message to r10 with the addresses in r2, "save 2 3" is a message that stores r3, "inv 10 2" is math. A
// leading W means unmasked. Any other line is assembly, including labels.
func program(t *testing.T, lines ...string) []byte {
	t.Helper()
	forms := map[string]string{
		"add":  "add (8|M0) rA.0<1>:d rB.0<8;8,1>:d 1:w",
		"low":  "mov (4|M0) rA.0<1>:d rB.0<4;4,1>:d",
		"high": "mov (4|M0) rA.4<1>:d rB.0<4;4,1>:d",
		"inv":  "math.inv (8|M0) rA.0<1>:f rB.0<8;8,1>:f",
		"load": "send.dc1 (8|M0) rA rB null 0x0 0x02106EFE",
		"save": "send.dc1 (8|M0) null rA rB 0x40 0x02026EFE",
		"end":  "(W) send.ts (8|M0) null r127 null 0x0 0x02000000",
		"nop":  "nop",
		"sync": "sync.nop null",
	}
	var text strings.Builder
	for _, line := range append(lines, "W add 127 126 {@1}", "end {EOT,@1}") {
		w := strings.Fields(line)
		mask := ""
		if w[0] == "W" {
			mask, w = "(W) ", w[1:]
		}
		form, ok := forms[w[0]]
		if !ok || len(w) > 1 && w[1][0] == '(' {
			text.WriteString(line + "\n")
			continue
		}
		for k, letter := range []string{"rA", "rB"} {
			if strings.Contains(form, letter) {
				form = strings.ReplaceAll(form, letter, "r"+w[k+1])
			}
		}
		if strings.HasPrefix(w[len(w)-1], "{") {
			form += " " + w[len(w)-1]
		}
		text.WriteString(mask + form + "\n")
	}
	code, err := isatext.Assemble(isa.TGL, text.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	return code
}

func fill(n int) []string {
	var out []string
	for i := range n {
		out = append(out, "add "+[]string{"60", "61", "62", "63", "64", "65", "66", "67", "68", "69", "70", "71"}[i]+" 80")
	}
	return out
}

func join(parts ...any) []string {
	var out []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out = append(out, p)
		case []string:
			out = append(out, p...)
		}
	}
	return out
}

const ifElse = "(f0.0) if (8|M0) ELSE ENDIF"

// ifsInLoop returns a loop of n ifs, the first of which reads the response of a message at the end of the loop.
func ifsInLoop(n int, read string) []string {
	out := []string{"L:"}
	for i := range n {
		line := "add 50 12 {@1}"
		if i == 0 {
			line = read
		}
		out = append(out, fmt.Sprintf("(f0.0) if (8|M0) E%[1]d E%[1]d", i), line,
			fmt.Sprintf("E%d:", i), fmt.Sprintf("endif (8|M0) N%d", i), fmt.Sprintf("N%d:", i))
	}
	return append(out, "load 10 12 {@1,$0}", "(f0.0) while (8|M0) L")
}

// TestCheck pairs, for each rule, a program that violates it with a program that satisfies it.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		p    []string
		want string // part of the message; "" if the program is correct
	}{
		{"read in order", join("add 10 2", "add 11 10"), "reads r10 before it is written by 0x0000"},
		{"read in order, waited", join("add 10 2", "add 11 10 {@1}"), ""},
		{"the distance is too large", join("add 10 2", "add 11 10 {@2}"), "needs @1"},
		{"the distance is smaller than needed", join("add 10 2", "add 50 2", "add 11 10 {@1}"), ""},
		{"another instruction waited", join("add 10 2", "add 50 2 {@1}", "add 11 10"), ""},
		{"a sync waited", join("add 10 2", "sync {@1}", "add 11 10"), ""},
		{"ten back", join("add 10 2", fill(9), "add 11 10"), "needs @7"},
		{"eleven back", join("add 10 2", fill(10), "add 11 10"), ""},
		{"seven stands for older ones", join("add 10 2", fill(8), "add 11 10 {@7}"), ""},
		{"sync is not counted", join("add 10 2", "sync", "add 11 10 {@2}"), "needs @1"},
		{"send is not counted", join("add 10 2", "load 20 3 {$0}", "add 11 10 {@2}"), "needs @1"},
		{"nop may not be counted", join("add 10 2", "nop", "add 11 10 {@2}"), "needs @1"},
		{"write in order", join("add 10 2", "add 10 3"), "writes r10 before it is written by"},
		{"write in order, waited", join("add 10 2", "add 10 3 {@1}"), ""},
		{"write to the other half", join("low 10 2", "high 10 3"), ""},
		{"read of the other half", join("low 10 2", "mov (4|M0) r11.0<1>:d r10.4<4;4,1>:d"), ""},
		{"read of the same half", join("low 10 2", "mov (4|M0) r11.0<1>:d r10.0<4;4,1>:d"), "reads r10"},
		{"read of more than the other half", join("low 10 2", "mov (4|M0) r11.0<1>:d r10.3<4;4,1>:d"), "reads r10"},
		{"payload of which a half is written", join("low 2 3", "load 10 2 {$0}"), "reads r2"},
		{"write over a source in order", join("add 10 2", "add 2 3"), ""},

		{"payload", join("add 2 3", "load 10 2 {$0}"), "reads r2 before it is written by"},
		{"payload, waited", join("add 2 3", "load 10 2 {@1,$0}"), ""},
		{"message over a result", join("add 10 3", "load 10 2 {$0}"), "writes r10 before it is written by"},
		{"message over a source", join("add 11 10", "load 10 2 {$0}"), "writes r10 before it is read by"},
		{"message over a source, waited", join("add 11 10", "load 10 2 {@1,$0}"), ""},
		{"math over a source", join("add 11 10", "inv 10 2 {$0}"), "writes r10 before it is read by"},
		{"math reads", join("add 2 3", "inv 10 2 {$0}"), "reads r2"},

		{"result of a message", join("load 10 2 {$0}", "add 11 10"), "needs $0.dst"},
		{"result of a message, waited", join("load 10 2 {$0}", "add 11 10 {$0.dst}"), ""},
		{"result of a message, its payload waited", join("load 10 2 {$0}", "add 11 10 {$0.src}"), "needs $0.dst"},
		{"another token", join("load 10 2 {$0}", "load 12 3 {$1}", "add 11 10 {$1.dst}"), "needs $0.dst"},
		{"both in one field", join("load 10 2 {$0}", "add 12 3", "add (8|M0) r11.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d {@1,$0.dst}"), ""},
		{"result of math", join("inv 10 2 {$3}", "add 11 10"), "needs $3.dst"},
		{"over the result of a message", join("load 10 2 {$0}", "add 10 3"), "needs $0.dst"},
		{"over a payload", join("save 2 3 {$5}", "add 3 4"), "needs $5.src"},
		{"over a payload, waited", join("save 2 3 {$5}", "add 3 4 {$5.src}"), ""},
		{"the result implies the payload", join("load 10 2 {$0}", "add 2 3 {$0.dst}"), ""},
		{"message over the result of a message", join("load 10 2 {$0}", "load 10 3 {$1}"), "needs $0.dst"},
		{"message over a payload", join("load 10 2 {$0}", "load 2 3 {$1}"), "needs $0.src"},
		{"the token is taken again", join("load 10 2 {$0}", "load 20 10 {$0}"), ""},
		{"no token", join("load 10 2", "add 11 10"), "needs a token"},
		{"sync.allwr", join("load 10 2 {$3}", "sync.allwr null", "add 11 10"), ""},
		{"sync.allwr of another token", join("load 10 2 {$3}", "sync.allwr 0x4", "add 11 10"), "needs $3.dst"},
		{"sync.allrd", join("load 10 2 {$3}", "sync.allrd null", "add 11 10"), "needs $3.dst"},
		{"sync.allrd for a payload", join("save 2 3 {$5}", "sync.allrd null", "add 3 4"), ""},
		{"no distance waits for a message", join("load 10 2 {$0}", fill(12), "add 11 10"), "needs $0.dst"},

		{"a0", join("(W) mov (1|M0) a0.0<1>:ud 0x02106EFE:ud", "send.dc1 (8|M0) r10 r2 null 0x0 a0.0 {$0}"), "reads a0"},
		{"a0, waited", join("(W) mov (1|M0) a0.0<1>:ud 0x02106EFE:ud", "send.dc1 (8|M0) r10 r2 null 0x0 a0.0 {@1,$0}"), ""},
		{"lengths from a0", join("(W) or (1|M0) a0.0<1>:ud r9.0<0;1,0>:ud 0x02206EFE:ud", "send.dc1 (8|M0) r10 r2 null 0x0 a0.0 {@1,$0}", "add 12 11"), "needs $0.dst"},
		{"indirect", join("load 10 2 {$0}", "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud"), "reads r10"},
		{"control register", join("(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFCF:ud", "add 10 2"), "runs while a control register is written"},
		{"control register, waited", join("(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFCF:ud", "add 10 2 {@1}"), ""},

		// Control flow.
		{"on one arm", join(ifElse, "add 10 2", "else (8|M0) ENDIF ENDIF", "ELSE:", "add 12 3", "ENDIF:", "endif (8|M0) L", "L:", "add 11 10"), "reads r10"},
		{"on one arm, distance of the other", join(ifElse, "add 10 2", "else (8|M0) ENDIF ENDIF", "ELSE:", "add 12 3", "add 13 3", "ENDIF:", "endif (8|M0) L", "L:", "add 11 10 {@5}"), "needs @"},
		{"on one arm, waited", join(ifElse, "add 10 2", "else (8|M0) ENDIF ENDIF", "ELSE:", "add 12 3", "ENDIF:", "endif (8|M0) L", "L:", "add 11 10 {@3}"), ""},
		{"waited on one arm only", join("load 10 2 {$0}", ifElse, "add 11 10 {$0.dst}", "else (8|M0) ENDIF ENDIF", "ELSE:", "add 12 3", "ENDIF:", "endif (8|M0) L", "L:", "add 11 10 {@3}"), "needs $0.dst"},
		{"around a loop", join("L:", "add 11 10 {@3}", "add 10 12", "(f0.0) while (8|M0) L"), "reads r10"},
		{"around a loop, waited", join("L:", "add 11 10 {@2}", "add 10 12", "(f0.0) while (8|M0) L"), ""},
		{"a message around a loop", join("L:", "add 11 10 {@7}", "load 10 12 {@1,$0}", "(f0.0) while (8|M0) L"), "reads r10"},
		{"a message around a loop, not read at its start", ifsInLoop(2, "add 11 10 {@1}"), "needs $0.dst"},
		{"a message around a long loop", ifsInLoop(70, "add 11 10 {@1}"), "needs $0.dst"},
		{"a message around a long loop, waited", ifsInLoop(70, "add 11 10 {@1,$0.dst}"), ""},
		{"halt may not be counted", join("add 10 2", "halt (8|M0) L L", "L:", "add 11 10 {@2}"), "needs @1"},

		// Unmasked instructions do not rely on the waits of masked ones.
		{"a masked instruction waited", join("W load 10 2 {$0}", "add 11 10 {$0.dst}", "W add 12 10"), "needs $0.dst, unmasked"},
		{"a masked instruction waited by distance", join("W add 10 2", "add 11 10 {@1}", "W add 12 10"), "needs @2, unmasked"},
		{"an unmasked sync waited", join("W load 10 2 {$0}", "W sync {$0.dst}", "add 11 10", "W add 12 10"), ""},
		{"the first is masked", join("load 10 2 {$0}", "add 11 10 {$0.dst}", "W add 12 10"), ""},

		{"unsupported control flow", join("(W) call (8|M0) r5.0 L", "L:"), "the control flow of call is not supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := program(t, c.p...)
			err := hazards.Check(isa.TGL, code, hazards.Options{})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				var dis strings.Builder
				_ = isatext.Disassemble(isa.TGL, code, &dis)
				t.Errorf("got %v, want …%s…\n%s", err, c.want, dis.String())
			}
		})
	}
}

// TestIndirect checks that Options.Indirect limits the registers of an indirect source.
func TestIndirect(t *testing.T) {
	code := program(t, "load 10 2 {$0}", "mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud")
	at := func(first int) error {
		return hazards.Check(isa.TGL, code, hazards.Options{Indirect: func(pc int) (int, int) {
			if pc != isa.InstSize {
				t.Errorf("asked for the instruction at 0x%04x", pc)
			}
			return first, 2
		}})
	}
	if err := at(11); err != nil {
		t.Error(err)
	}
	if at(9) == nil {
		t.Error("r9 and r10 may be read, but nothing waits for r10")
	}
}
