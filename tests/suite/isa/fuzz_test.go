// SPDX-License-Identifier: MIT

package isa

import (
	"slices"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/support/variants"
)

// FuzzDecode checks that no bytes crash the decoder. A decoded instruction prints; if it encodes again, the result
// decodes to the same instruction; and if the assembler accepts its text, it gives the encoder's bytes.
func FuzzDecode(fuzz *testing.F) {
	f := variants.Of(fuzz)
	for _, p := range platforms() {
		for _, v := range loadVectors(f, p) {
			for _, w := range v.words {
				f.Add(uint8(p), w)
			}
		}
		f.Add(uint8(p), []byte{0x40, 0, 0, 0x21, 0, 2, 0, 3})
	}
	f.Fuzz(func(t *testing.T, n uint8, code []byte) {
		p := isa.Platform(n % isa.NumPlatforms)
		in, err := isa.Decode(p, code)
		if err != nil {
			return
		}
		text := isatext.Append(nil, p, &in, 0)
		var out [isa.InstSize]byte
		if isa.Encode(p, &in, out[:]) != nil {
			return
		}
		again, err := isa.Decode(p, out[:])
		if err != nil {
			t.Fatalf("% x encoded as % x: %v", code, out, err)
		}
		in.Size = isa.InstSize
		in.NoMask = in.NoMask || isa.Ops[in.Op].Scalar
		if again != in {
			t.Fatalf("% x encoded as % x:\n%+v\n%+v", code, out, in, again)
		}
		if again.Op == isa.OpCalla || isa.Ops[again.Op].Targets > 0 {
			return // the text refers to labels that it does not define
		}
		if back, err := isatext.Assemble(p, string(text)); err == nil {
			if b := isatext.Append(nil, p, &again, 0); string(b) != string(trimCompacted(text)) {
				t.Fatalf("%s became %s", text, b)
			}
			if in, err := isa.Decode(p, back); err != nil {
				t.Fatalf("%s: %v", text, err)
			} else if b := isatext.Append(nil, p, &in, 0); string(b) != string(trimCompacted(text)) {
				t.Fatalf("%s became %s", text, b)
			}
		}
	})
}

// trimCompacted removes the Compacted option from a text.
func trimCompacted(text []byte) []byte {
	for _, old := range []string{" {Compacted}", "Compacted,", ",Compacted"} {
		if i := indexBytes(text, old); i >= 0 {
			return slices.Concat(text[:i], text[i+len(old):])
		}
	}
	return text
}

func indexBytes(b []byte, s string) int {
	for i := 0; i+len(s) <= len(b); i++ {
		if string(b[i:i+len(s)]) == s {
			return i
		}
	}
	return -1
}

// FuzzAssemble checks that no text crashes the assembler, and that an accepted text disassembles and assembles to the
// same bytes.
func FuzzAssemble(fuzz *testing.F) {
	f := variants.Of(fuzz)
	for _, p := range platforms() {
		for _, v := range loadVectors(f, p) {
			f.Add(uint8(p), v.text)
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		p := isa.Platform(n % isa.NumPlatforms)
		code, err := isatext.Assemble(p, text)
		if err != nil {
			if e, ok := err.(*isatext.Error); !ok || e.Line < 1 || e.Col < 1 {
				t.Fatalf("error without a position: %v", err)
			}
			return
		}
		for pc := 0; pc < len(code); pc += isa.InstSize {
			if _, err := isa.Decode(p, code[pc:]); err != nil {
				t.Fatalf("offset %#x of %q: %v", pc, text, err)
			}
		}
	})
}
