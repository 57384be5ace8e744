package isa

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

// TestDamagedWords: words with flipped bits are refused or are what iga64 takes them
// for. A word that only iga64 refuses breaks a restriction. Encoding again what a word
// means gives a word that means the same.
func TestDamagedWords(t *testing.T) {
	oracle.Need(t, "iga64")
	labels := regexp.MustCompile(`(?m)^L\d+:$`)
	for _, p := range platforms() {
		t.Run(p.String(), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 7))
			file := filepath.Join(t.TempDir(), "w.bin")
			var both, refused, alone int
			for _, in := range randomProgram(p, 77, 600) {
				code := encodeAll(t, p, []isa.Inst{in})
				for range 1 + rng.IntN(3) {
					b := rng.IntN(8 * isa.InstSize)
					code[b/8] ^= 1 << (b % 8)
				}
				got, err := isa.Decode(p, code)
				if err != nil {
					refused++
					continue
				}
				switch {
				case got.Size != isa.InstSize: // TestCompactAgainstIGA has these
					continue
				case isa.Ops[got.Op].Format == isa.FormatBranch: // whose targets lie outside of the program
					continue
				case got.Op == isa.OpIllegal, got.Op == isa.OpMovi: // iga64 prints no options of the one, no subregister of the other's null source
					continue
				}
				text := isa.AppendText(nil, p, &got, 0)
				var again [isa.InstSize]byte
				if err := isa.Encode(p, &got, again[:]); err == nil {
					if back, err := isa.Decode(p, again[:]); err != nil || back != got {
						t.Errorf("%s: %s is %+v, and encoded again %+v (%v)", wordText(code), text, got, back, err)
					}
				}
				if err := os.WriteFile(file, code, 0o666); err != nil {
					t.Fatal(err)
				}
				out, _, err := oracle.Run(t, "iga64", nil, "-d", "-p="+p.IGA(), file)
				if err != nil {
					if alone++; len(legal.Check(p, code)) == 0 {
						t.Errorf("%s: iga64 refuses what we take for %s", wordText(code), text)
					}
					continue
				}
				both++
				if theirs := squeeze(labels.ReplaceAllString(string(out), "")); squeeze(string(text)) != theirs {
					t.Errorf("%s\nours: %s\niga:  %s", wordText(code), text, theirs)
				}
			}
			if both < 200 || refused < 50 {
				t.Errorf("only %d words that both take and %d that we refuse; the test shows little", both, refused)
			}
			t.Logf("%d words that both take, %d that we refuse, %d that only iga64 refuses", both, refused, alone)
		})
	}
}
