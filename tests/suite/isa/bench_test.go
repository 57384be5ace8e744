// SPDX-License-Identifier: MIT

package isa

import (
	"slices"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

func benchInsts(b *testing.B) ([]isa.Inst, []byte) {
	var insts []isa.Inst
	var code []byte
	for _, p := range loadVectors(b, isa.TGL) {
		for _, w := range p.words {
			in, err := isa.Decode(isa.TGL, w)
			if err != nil {
				b.Fatal(err)
			}
			insts = append(insts, in)
		}
		code = slices.Concat(code, slices.Concat(p.words...))
	}
	return insts, code
}

func BenchmarkEncode(b *testing.B) {
	insts, _ := benchInsts(b)
	var out [isa.InstSize]byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := isa.Encode(isa.TGL, &insts[i%len(insts)], out[:]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	insts, code := benchInsts(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := isa.Decode(isa.TGL, code[i%len(insts)*isa.InstSize:]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendText(b *testing.B) {
	insts, _ := benchInsts(b)
	var text []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		text = isatext.Append(text[:0], isa.TGL, &insts[i%len(insts)], 0)
	}
}

// TestNoAllocations checks that encoding and decoding do not allocate.
func TestNoAllocations(t *testing.T) {
	in, err := isa.Decode(isa.TGL, loadVectors(t, isa.TGL)[0].words[4])
	if err != nil {
		t.Fatal(err)
	}
	var out [isa.InstSize]byte
	if n := testing.AllocsPerRun(100, func() {
		if isa.Encode(isa.TGL, &in, out[:]) != nil {
			t.Fatal("no encoding")
		}
		if _, err := isa.Decode(isa.TGL, out[:]); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
