// SPDX-License-Identifier: MIT

package isa

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

var labelLine = regexp.MustCompile(`^L\d+:$`)

// igaText returns code as text, written by iga64.
func igaText(t testing.TB, p isa.Platform, code []byte) string {
	file := filepath.Join(t.TempDir(), "code.bin")
	if err := os.WriteFile(file, code, 0o666); err != nil {
		t.Fatal(err)
	}
	out, _, err := oracle.Run(t, "iga64", nil, "-d", "-Xno-print-bfnexprs", "-p="+p.IGA(), file)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// igaDisassemble returns code as text, one line per instruction, written by iga64.
func igaDisassemble(t testing.TB, p isa.Platform, code []byte) []string {
	var lines []string
	for _, l := range strings.Split(igaText(t, p, code), "\n") {
		if l = squeeze(l); l != "" && !labelLine.MatchString(l) {
			lines = append(lines, l)
		}
	}
	return lines
}

// igaAssemble assembles text with iga64.
func igaAssemble(t testing.TB, p isa.Platform, text string, options ...string) []byte {
	dir := t.TempDir()
	file, bin := filepath.Join(dir, "code.asm"), filepath.Join(dir, "code.bin")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := oracle.Run(t, "iga64", nil, append([]string{"-a", "-p=" + p.IGA(), file, "-o", bin}, options...)...); err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// TestRandomAgainstIGA: iga64 prints our words as we do, and assembles our text
// to our words.
func TestRandomAgainstIGA(t *testing.T) {
	oracle.Need(t, "iga64")
	for _, p := range platforms() {
		t.Run(p.String(), func(t *testing.T) {
			for seed := uint64(100); seed < 104; seed++ {
				againstIGA(t, p, randomProgram(p, seed, 3000))
			}
		})
	}
}

// readsDifferently reports whether bookworm's iga64 takes a word for another message. It reads Xe2's words as Ponte Vecchio's,
// whose extended descriptors are entirely in the register unless ExBSO is set. The vectors of lnl include such words, from a
// newer iga64.
func readsDifferently(p isa.Platform, in *isa.Inst) bool {
	return in.ExDescReg && (p.LengthInWord(in.SFID) || in.ExDesc&besideRegister != 0)
}

func againstIGA(t *testing.T, p isa.Platform, prog []isa.Inst) {
	for i := range prog {
		if readsDifferently(p, &prog[i]) {
			prog[i] = isa.Inst{Op: isa.OpNop}
		}
	}
	code := encodeAll(t, p, prog)
	theirs := igaDisassemble(t, p, code)
	if len(theirs) != len(prog) {
		t.Fatalf("iga64 printed %d lines for %d instructions", len(theirs), len(prog))
	}
	bad := 0
	for i := range prog {
		ours := string(isatext.Append(nil, p, &prog[i], i*isa.InstSize))
		if squeeze(ours) != theirs[i] {
			t.Errorf("ours: %s\niga:  %s", ours, theirs[i])
			if bad++; bad > 10 {
				t.FailNow()
			}
		}
	}
	back := igaAssemble(t, p, disassemble(t, p, code))
	if len(back) != len(code) {
		t.Fatalf("iga64 made %d bytes of our text, not %d", len(back), len(code))
	}
	for i := range prog {
		if a, b := back[i*isa.InstSize:][:isa.InstSize], code[i*isa.InstSize:][:isa.InstSize]; !slices.Equal(a, b) {
			t.Errorf("%s\n iga %s\nours %s", isatext.Append(nil, p, &prog[i], i*isa.InstSize), wordText(a), wordText(b))
			if bad++; bad > 20 {
				t.FailNow()
			}
		}
	}
}
