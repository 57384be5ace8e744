// SPDX-License-Identifier: MIT

package isa

import (
	"bytes"
	"math/bits"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

// waiters are instructions of the three classes whose scoreboard fields differ.
var waiters = []struct {
	name  string
	texts []string // the first that the platform has
}{
	{"in order", []string{"mov (16|M0) r1.0<1>:f r2.0<1;1,0>:f"}},
	{"math", []string{"math.inv (16|M0) r1.0<1>:f r2.0<1;1,0>:f"}},
	{"send", []string{"send.gtwy (8|M0) r1 r2 null 0x0 0x02000004", "send.gtwy (8|M0) r1 r2 null:0 0x0 0x02000004",
		"send (8|M0) r1:ud r2 0x03 0x02000004", "send.gtwy (8|M0) r1 r2 0x03 0x02000004"}},
}

// igaOffset finds the offsets of words that iga64 refuses.
var igaOffset = regexp.MustCompile(`(?m)^byte offset 0x([0-9a-f]+): error`)

// igaOnly matches annotations that we refuse: a token that an in-order instruction allocates, and NoAccSBSet, which is in no
// manual.
var igaOnly = regexp.MustCompile(`\{\$\d+\}|NoAccSBSet`)

// TestScoreboardAgainstIGA: iga64 reads every value of the scoreboard field as we do, in an instruction of each class, and
// its text assembles to the same word. We refuse only values that iga64 does not write, and igaOnly.
func TestScoreboardAgainstIGA(t *testing.T) {
	oracle.Need(t, "iga64")
	for _, p := range platforms() {
		for _, w := range waiters {
			in, ok := firstOf(p, w.texts)
			if !ok {
				t.Fatalf("%v has none of %q", p, w.texts)
			}
			first, width, taken := scoreboardField(t, p, in)
			if width == 0 {
				continue
			}
			t.Run(p.String()+"/"+w.name, func(t *testing.T) {
				everyValue(t, p, in, first, width, taken)
			})
		}
	}
}

// firstOf returns the instruction of the first text that the platform has.
func firstOf(p isa.Platform, texts []string) (isa.Inst, bool) {
	for _, text := range texts {
		if code, err := isatext.Assemble(p, text); err == nil {
			in, err := isa.Decode(p, code)
			return in, err == nil
		}
	}
	return isa.Inst{}, false
}

// scoreboardField returns the first bit and the width of the scoreboard field of an instruction's word, and the number of
// annotations that it can hold.
func scoreboardField(t *testing.T, p isa.Platform, in isa.Inst) (first, width, taken int) {
	var base, word [isa.InstSize]byte
	if err := isa.Encode(p, &in, base[:]); err != nil {
		t.Fatal(err)
	}
	var differ [isa.InstSize]byte
	for s := range 1 << 13 {
		if in.SWSB = fields.SWSB(s); s == 0 || !in.SWSB.Valid() || isa.Encode(p, &in, word[:]) != nil {
			continue
		}
		taken++
		for i := range differ {
			differ[i] |= base[i] ^ word[i]
		}
	}
	field := uint32(differ[0]) | uint32(differ[1])<<8 | uint32(differ[2])<<16 | uint32(differ[3])<<24
	return bits.TrailingZeros32(field), bits.OnesCount32(field), taken
}

func everyValue(t *testing.T, p isa.Platform, in isa.Inst, first, width, taken int) {
	var base [isa.InstSize]byte
	if err := isa.Encode(p, &in, base[:]); err != nil {
		t.Fatal(err)
	}
	code := make([]byte, 0, isa.InstSize<<width)
	for v := range uint32(1) << width {
		word := base
		for i := range 4 {
			word[i] |= byte(v << first >> (8 * i))
		}
		code = append(code, word[:]...)
	}
	refused := igaRefuses(t, p, code)
	var ours, alone []byte // words that we take, and words that only iga64 takes
	var texts []string
	for at := 0; at < len(code); at += isa.InstSize {
		word := code[at:][:isa.InstSize]
		got, err := isa.Decode(p, word)
		switch {
		case err == nil && refused[at]:
			t.Errorf("%s: iga64 refuses what we take for {%v}", wordText(word), got.SWSB)
		case err == nil:
			texts = append(texts, string(isatext.Append(nil, p, &got, len(ours))))
			ours = append(ours, word...)
		case !refused[at]:
			alone = append(alone, word...)
		}
	}
	for i, theirs := range igaDisassemble(t, p, ours) {
		if squeeze(texts[i]) != theirs {
			t.Errorf("%s\nours: %s\niga:  %s", wordText(ours[i*isa.InstSize:][:isa.InstSize]), texts[i], theirs)
		}
	}
	if back, err := isatext.Assemble(p, strings.Join(texts, "\n")); err != nil || !bytes.Equal(back, ours) {
		t.Errorf("the texts make other words (%v)", err)
	}
	if len(texts) != 1+taken {
		t.Errorf("%d annotations decode, %d encode", len(texts)-1, taken)
	}
	for i, text := range igaDisassemble(t, p, alone) {
		if word := alone[i*isa.InstSize:][:isa.InstSize]; igaWrites(t, p, text, word) {
			t.Errorf("%s: we refuse %s", wordText(word), text)
		}
	}
}

// igaWrites reports whether iga64 assembles a text to the word.
func igaWrites(t *testing.T, p isa.Platform, text string, word []byte) bool {
	if !strings.Contains(text, "{") || igaOnly.MatchString(text) {
		return false
	}
	got, _, err := oracle.IGA{Platform: p.IGA()}.Assemble(t, text)
	return err == nil && bytes.Equal(got, word)
}

// igaRefuses returns the offsets of the words that iga64 refuses.
func igaRefuses(t *testing.T, p isa.Platform, code []byte) map[int]bool {
	file := filepath.Join(t.TempDir(), "code.bin")
	if err := os.WriteFile(file, code, 0o666); err != nil {
		t.Fatal(err)
	}
	_, errs, _ := oracle.Run(t, "iga64", nil, "-d", "-p="+p.IGA(), file)
	out := map[int]bool{}
	for _, m := range igaOffset.FindAllStringSubmatch(string(errs), -1) {
		at, err := strconv.ParseInt(m[1], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[int(at)] = true
	}
	return out
}
