// SPDX-License-Identifier: MIT

package diff

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

func compared(t *testing.T, old, new string) string {
	t.Helper()
	p, ok := isa.PlatformByName("tgl")
	if !ok {
		t.Fatal("no platform")
	}
	var code [2][]byte
	for i, text := range []string{old, new} {
		var err error
		if code[i], err = isatext.Assemble(p, text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	lines, err := Compare(p, &Version{Code: code[0]}, &Version{Code: code[1]})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(string(marks[l.Op]) + " " + l.Text + "\n")
	}
	return b.String()
}

// TestCompare compares short programs.
func TestCompare(t *testing.T) {
	const old = `mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud
add (16|M0) r4.0<1>:ud r3.0<8;8,1>:ud r2.0<8;8,1>:ud {@1}
mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud r3.0<8;8,1>:ud
send.dc1 (8|M0) null r3 r6 0x40 0x02026E00 {$3}
`
	for _, c := range []struct{ name, old, new, want string }{
		{"the same", old, old, `  mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud
  add (16|M0) r4.0<1>:ud r3.0<8;8,1>:ud r2.0<8;8,1>:ud {@1}
  mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud r3.0<8;8,1>:ud
  send.dc1 (8|M0) null r3 r6 0x40 0x02026E00 {$3}
`},
		{"registers, tokens and distances", old, `mov (8|M0) r13.0<1>:ud r1.0<8;8,1>:ud
add (16|M0) r3.0<1>:ud r13.0<8;8,1>:ud r2.0<8;8,1>:ud
mul (8|M0) r5.0<1>:ud r4.0<8;8,1>:ud r13.0<8;8,1>:ud {@2}
send.dc1 (8|M0) null r13 r5 0x40 0x02026E00 {$0}
`, `  mov (8|M0) r13.0<1>:ud r1.0<8;8,1>:ud
  add (16|M0) r3.0<1>:ud r13.0<8;8,1>:ud r2.0<8;8,1>:ud
  mul (8|M0) r5.0<1>:ud r4.0<8;8,1>:ud r13.0<8;8,1>:ud {@2}
  send.dc1 (8|M0) null r13 r5 0x40 0x02026E00 {$0}
`},
		{"operands that are swapped", old, `mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud
add (16|M0) r4.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud
mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud r3.0<8;8,1>:ud
send.dc1 (8|M0) null r3 r6 0x40 0x02026E00 {$3}
`, `  mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud
- add (16|M0) r4.0<1>:ud r3.0<8;8,1>:ud r2.0<8;8,1>:ud {@1}
+ add (16|M0) r4.0<1>:ud r2.0<8;8,1>:ud r3.0<8;8,1>:ud
  mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud r3.0<8;8,1>:ud
  send.dc1 (8|M0) null r3 r6 0x40 0x02026E00 {$3}
`},
		{"an instruction more, whose result is used", old, `mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud
add (16|M0) r4.0<1>:ud r3.0<8;8,1>:ud r2.0<8;8,1>:ud
shl (8|M0) r9.0<1>:ud r3.0<8;8,1>:ud 0x2:ud
mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud r9.0<8;8,1>:ud
send.dc1 (8|M0) null r3 r6 0x40 0x02026E00 {$3}
`, `  mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud
  add (16|M0) r4.0<1>:ud r3.0<8;8,1>:ud r2.0<8;8,1>:ud
+ shl (8|M0) r9.0<1>:ud r3.0<8;8,1>:ud 0x2:ud
- mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud r3.0<8;8,1>:ud
+ mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:ud r9.0<8;8,1>:ud
  send.dc1 (8|M0) null r3 r6 0x40 0x02026E00 {$3}
`},
		{"a payload of which the second register differs", `mov (16|M0) r4.0<1>:ud r1.0<0;1,0>:ud
send.dc1 (16|M0) null r4 r8 0x80 0x04025E01 {$0}
`, `mov (16|M0) r4.0<1>:ud r1.0<0;1,0>:ud
mov (8|M0) r5.0<1>:ud 0x0:ud
send.dc1 (16|M0) null r4 r8 0x80 0x04025E01 {$0}
`, `  mov (16|M0) r4.0<1>:ud r1.0<0;1,0>:ud
+ mov (8|M0) r5.0<1>:ud 0x0:ud
- send.dc1 (16|M0) null r4 r8 0x80 0x04025E01 {$0}
+ send.dc1 (16|M0) null r4 r8 0x80 0x04025E01 {$0}
`},
		{"registers of the old version only", `mov (8|M0) r10.0<1>:ud 0x1:ud
shl (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud 0x2:ud
not (8|M0) r12.0<1>:ud r11.0<8;8,1>:ud
`, `mov (8|M0) r20.0<1>:ud 0x1:ud
not (8|M0) r21.0<1>:ud r20.0<8;8,1>:ud
`, `  mov (8|M0) r20.0<1>:ud 0x1:ud
- shl (8|M0) r139.0<1>:ud r20.0<8;8,1>:ud 0x2:ud
- not (8|M0) r21.0<1>:ud r139.0<8;8,1>:ud
+ not (8|M0) r21.0<1>:ud r20.0<8;8,1>:ud
`},
		{"a constant, of which nothing that follows is different", `mul (8|M0) r10.0<1>:f r1.0<8;8,1>:f 16.0:f
math.exp (8|M0) r11.0<1>:f r10.0<8;8,1>:f
`, `mul (8|M0) r20.0<1>:f r1.0<8;8,1>:f 32.0:f
math.exp (8|M0) r21.0<1>:f r20.0<8;8,1>:f
`, `- mul (8|M0) r20.0<1>:f r1.0<8;8,1>:f 16.0:f
+ mul (8|M0) r20.0<1>:f r1.0<8;8,1>:f 32.0:f
  math.exp (8|M0) r21.0<1>:f r20.0<8;8,1>:f
`},
		{"flags", `cmp (8|M0) (lt)f0.0 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
cmp (8|M0) (lt)f1.0 null<1>:ud r2.0<8;8,1>:ud r1.0<8;8,1>:ud
(f0.0) sel (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
(f1.0) sel (8|M0) r4.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
`, `cmp (8|M0) (lt)f1.1 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
cmp (8|M0) (lt)f0.0 null<1>:ud r2.0<8;8,1>:ud r1.0<8;8,1>:ud
(f1.1) sel (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
(f1.1) sel (8|M0) r4.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
`, `  cmp (8|M0) (lt)f1.1 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
  cmp (8|M0) (lt)f0.0 null<1>:ud r2.0<8;8,1>:ud r1.0<8;8,1>:ud
  (f1.1) sel (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
- (f0.0) sel (8|M0) r4.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
+ (f1.1) sel (8|M0) r4.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
`},
		{"waits, and a flag of the old version only", `(f0.0) cmp (8|M0) (lt)f0.0 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
(W) sync.nop null {$3.dst}
cmp (8|M0) (ge)f0.1 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
(f0.1) sel (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
`, `(f0.0) cmp (8|M0) (lt)f0.0 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
(W) sync.allrd null
(f0.0) sel (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
(W) sync.bar null
`, `  (f0.0) cmp (8|M0) (lt)f0.0 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
- cmp (8|M0) (ge)f2.1 null<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
- (f2.1) sel (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
+ (f0.0) sel (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud r2.0<8;8,1>:ud
+ (W) sync.bar null
`},
		{"a register that one branch reuses", `mov (8|M0) r3.0<1>:ud 0x1:ud
(f0.0) if (8|M0) L1 L2
mov (8|M0) r3.0<1>:ud 0x2:ud
add (8|M0) r4.0<1>:ud r3.0<8;8,1>:ud 0x3:ud
else (8|M0) L2 L2
L1:
add (8|M0) r4.0<1>:ud r3.0<8;8,1>:ud 0x4:ud
L2:
endif (8|M0) L3
L3:
mov (8|M0) r5.0<1>:ud r4.0<8;8,1>:ud
`, `mov (8|M0) r13.0<1>:ud 0x1:ud
(f0.0) if (8|M0) L1 L2
mov (8|M0) r14.0<1>:ud 0x2:ud
add (8|M0) r4.0<1>:ud r14.0<8;8,1>:ud 0x3:ud
else (8|M0) L2 L2
L1:
add (8|M0) r4.0<1>:ud r13.0<8;8,1>:ud 0x4:ud
L2:
endif (8|M0) L3
L3:
mov (8|M0) r5.0<1>:ud r4.0<8;8,1>:ud
`, ""},
	} {
		got := compared(t, c.old, c.new)
		if c.want == "" && strings.Contains("\n"+got, "\n- ") || c.want != "" && got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
	}
}

// TestWrite writes parts with lines around them.
func TestWrite(t *testing.T) {
	var lines []Line
	for i, c := range "sssssosssssssnosssss" {
		op := map[rune]Op{'s': Same, 'o': Old, 'n': New}[c]
		lines = append(lines, Line{Op: op, Text: fmt.Sprint("line ", i)})
	}
	for context, want := range map[int]string{
		0: "@@ -6,1 +6,0 @@\n- line 5\n@@ -14,1 +13,1 @@\n+ line 13\n- line 14\n",
		1: "@@ -5,3 +5,2 @@\n  line 4\n- line 5\n  line 6\n@@ -13,3 +12,3 @@\n  line 12\n+ line 13\n- line 14\n  line 15\n",
	} {
		var b strings.Builder
		Write(&b, lines, context)
		if b.String() != want {
			t.Errorf("context %d:\n%swant\n%s", context, b.String(), want)
		}
	}
	for context, parts := range map[int]int{3: 2, 4: 1, 100: 1} {
		var b strings.Builder
		Write(&b, lines, context)
		if n := strings.Count(b.String(), "@@ -"); n != parts {
			t.Errorf("context %d: %d parts, want %d\n%s", context, n, parts, b.String())
		}
	}
	var b strings.Builder
	if Write(&b, lines[:5], 3); b.Len() > 0 {
		t.Errorf("equal lines are written: %s", b.String())
	}
}

// rotated returns code with other register numbers: it rotates the registers starting at the first register that is
// written before it is read, so that the registers after a cut come first. No operand has registers on both sides of the
// cut. ok is false if there is no such cut.
func rotated(t *testing.T, p isa.Platform, code []byte) (out []byte, ok bool) {
	t.Helper()
	var list []isa.Inst
	seen, crossed := [numGRF]bool{}, [numGRF + 1]bool{}
	start := 0
	err := isatext.Walk(p, code, func(_ int, in *isa.Inst, _ bool) error {
		if in == nil {
			return nil
		}
		list = append(list, *in)
		reads, writes := operands(p, in)
		for _, x := range append(reads, writes...) {
			for k := 1; k < x.count && !x.flag; k++ {
				crossed[min(int(*x.at)+k, numGRF)] = true
			}
		}
		for _, x := range reads {
			for k := range x.count {
				if u := int(*x.at) + k; !x.flag && u < numGRF && !seen[u] {
					start = max(start, u+1)
				}
			}
		}
		for _, x := range writes {
			for k := range x.count {
				if !x.flag {
					seen[min(int(*x.at)+k, numGRF-1)] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	cut := start + 5
	for cut < numGRF && crossed[cut] || crossed[min(start, numGRF)] {
		if cut++; cut >= numGRF {
			return nil, false
		}
	}
	for i := range list {
		in := &list[i]
		reads, writes := operands(p, in)
		for _, x := range append(reads, writes...) {
			switch u := int(*x.at); {
			case x.flag || u < start:
			case u >= cut:
				*x.at = uint8(u - cut + start)
			default:
				*x.at = uint8(u + numGRF - cut)
			}
		}
		word := make([]byte, isa.InstSize)
		if err := isa.Encode(p, in, word); err != nil {
			return nil, false
		}
		out = append(out, word...)
	}
	return out, true
}

// TestRenumbered: a shader does not differ from itself, nor from the same code with other registers.
func TestRenumbered(t *testing.T) {
	p, _ := isa.PlatformByName(string(jacquard.DefaultTarget))
	renumbered := 0
	for file, code := range shaders(t) {
		versions := [][]byte{code}
		if other, ok := rotated(t, p, code); ok {
			versions = append(versions, other)
			renumbered++
		}
		for i, version := range versions {
			lines, err := Compare(p, &Version{Code: code}, &Version{Code: version})
			if err != nil {
				t.Fatal(err)
			}
			for k, l := range lines {
				if l.Op != Same {
					t.Errorf("%s, version %d: line %d: %s %s", file, i, k, l.Op, l.Text)
					break
				}
			}
		}
	}
	if renumbered < 50 {
		t.Errorf("%d shaders renumbered", renumbered)
	}
}
