// SPDX-License-Identifier: MIT

package isa

import (
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// program is one block of testdata/NAME.vec, for each platform: words as iga64 -a
// writes them (most significant digit first) beside their text.
type program struct {
	name  string
	words [][]byte
	lines []string // one per word
	text  string   // with labels
}

func loadVectors(t testing.TB, p isa.Platform) []program {
	data, err := os.ReadFile("testdata/" + p.String() + ".vec")
	if err != nil {
		t.Fatal(err)
	}
	var out []program
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if name, ok := strings.CutPrefix(line, "# "); ok {
			out = append(out, program{name: name})
			continue
		}
		to := &out[len(out)-1]
		if strings.HasSuffix(line, ":") {
			to.text += line + "\n"
			continue
		}
		word, text, _ := strings.Cut(line, "  ")
		b, err := hex.DecodeString(word)
		if err != nil || len(b) != isa.InstSize {
			t.Fatalf("bad vector %q", line)
		}
		slices.Reverse(b)
		to.words = append(to.words, b)
		to.lines = append(to.lines, text)
		to.text += text + "\n"
	}
	return out
}

// squeeze makes texts comparable: single blanks, no comments.
func squeeze(s string) string {
	if i := strings.Index(s, "//"); i >= 0 {
		s = s[:i]
	}
	return strings.Join(strings.Fields(s), " ")
}

// forVectors runs a test on the programs of all platforms.
func forVectors(t *testing.T, test func(*testing.T, isa.Platform, program)) {
	for _, on := range platforms() {
		t.Run(on.String(), func(t *testing.T) {
			for _, p := range loadVectors(t, on) {
				test(t, on, p)
			}
		})
	}
}

func TestVectorsAssemble(t *testing.T) {
	forVectors(t, func(t *testing.T, on isa.Platform, p program) {
		code, err := isatext.Assemble(on, p.text)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			return
		}
		for i, w := range p.words {
			if got := code[i*16 : i*16+16]; !slices.Equal(got, w) {
				t.Errorf("%s: %s\n got %s\nwant %s", p.name, p.lines[i], wordText(got), wordText(w))
			}
		}
	})
}

func TestVectorsDecodeEncode(t *testing.T) {
	forVectors(t, func(t *testing.T, on isa.Platform, p program) {
		for i, w := range p.words {
			in, err := isa.Decode(on, w)
			if err != nil {
				t.Errorf("%s: %s: %v", p.name, p.lines[i], err)
				continue
			}
			var out [isa.InstSize]byte
			if err := isa.Encode(on, &in, out[:]); err != nil {
				t.Errorf("%s: %s: %v", p.name, p.lines[i], err)
			} else if !slices.Equal(out[:], w) {
				t.Errorf("%s: %s\n got %s\nwant %s", p.name, p.lines[i], wordText(out[:]), wordText(w))
			}
		}
	})
}

// TestVectorsDisassemble disassembles the vectors' words and assembles the text
// again.
func TestVectorsDisassemble(t *testing.T) {
	forVectors(t, func(t *testing.T, on isa.Platform, p program) {
		code := slices.Concat(p.words...)
		var b strings.Builder
		if err := isatext.Disassemble(on, code, &b); err != nil {
			t.Errorf("%s: %v", p.name, err)
			return
		}
		back, err := isatext.Assemble(on, b.String())
		if err != nil {
			t.Errorf("%s: %v\n%s", p.name, err, b.String())
		} else if !slices.Equal(back, code) {
			t.Errorf("%s: text does not give the bytes back:\n%s", p.name, b.String())
		}
	})
}
