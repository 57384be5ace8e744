// SPDX-License-Identifier: MIT

package isa

// This file and random_test.go need nothing but generated/isa: the generator's tests run them on other platforms.

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

func encodeAll(t testing.TB, p isa.Platform, prog []isa.Inst) []byte {
	code := make([]byte, len(prog)*isa.InstSize)
	for i := range prog {
		if err := isa.Encode(p, &prog[i], code[i*isa.InstSize:]); err != nil {
			t.Fatalf("%+v: %v", prog[i], err)
		}
	}
	return code
}

func disassemble(t testing.TB, p isa.Platform, code []byte) string {
	var b strings.Builder
	if err := isatext.Disassemble(p, code, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// platforms returns all platforms of the tables.
func platforms() (out []isa.Platform) {
	for p := range isa.Platform(isa.NumPlatforms) {
		out = append(out, p)
	}
	return out
}

// TestRandomRoundTrip: decoding undoes encoding, and assembling undoes
// disassembling, for random instructions of every opcode.
func TestRandomRoundTrip(t *testing.T) {
	for _, p := range platforms() {
		t.Run(p.String(), func(t *testing.T) {
			for seed := uint64(0); seed < 10; seed++ {
				roundTrip(t, p, randomProgram(p, seed, 2000))
			}
		})
	}
}

func roundTrip(t *testing.T, p isa.Platform, prog []isa.Inst) {
	code := encodeAll(t, p, prog)
	for i := range prog {
		in, err := isa.Decode(p, code[i*isa.InstSize:])
		if err != nil {
			t.Fatalf("%+v: %v", prog[i], err)
		}
		if in != prog[i] {
			t.Fatalf("decoded\n%+v from\n%+v", in, prog[i])
		}
	}
	text := disassemble(t, p, code)
	back, err := isatext.Assemble(p, text)
	if err != nil {
		t.Fatalf("%v: %s", err, lineOf(text, err))
	}
	for i := range prog {
		if a, b := back[i*isa.InstSize:][:isa.InstSize], code[i*isa.InstSize:][:isa.InstSize]; !slices.Equal(a, b) {
			t.Fatalf("%s\n got %s\nwant %s", isatext.Append(nil, p, &prog[i], i*isa.InstSize), wordText(a), wordText(b))
		}
	}
}

func lineOf(text string, err error) string {
	if e, ok := err.(*isatext.Error); ok {
		return strings.Split(text, "\n")[e.Line-1]
	}
	return ""
}

func wordText(b []byte) string {
	r := slices.Clone(b)
	slices.Reverse(r)
	return strings.ToUpper(hex.EncodeToString(r))
}

// TestEveryForm: random programs have every format that a platform's opcodes have, and operands of every kind that its
// words can encode, so that the other tests cover them.
func TestEveryForm(t *testing.T) {
	for _, p := range platforms() {
		t.Run(p.String(), func(t *testing.T) {
			want, got := map[isa.Format]bool{}, map[isa.Format]bool{}
			for op := range isa.Op(isa.NumOps) {
				if isa.Ops[op].Exists(p) {
					want[isa.Ops[op].Format] = true
				}
			}
			kinds := map[string]int{}
			for _, in := range randomProgram(p, 1, 4000) {
				f := isa.Ops[in.Op].Format
				got[f] = true
				for _, k := range []struct {
					name string
					is   bool
				}{
					{"immediate of 32 bits", f == isa.FormatBasic && (in.Src[0].File == isa.FileImm || in.Src[1].File == isa.FileImm)},
					{"immediate of three sources", f == isa.FormatTernary && in.Src[0].File == isa.FileImm},
					{"indirect destination", in.Dst.Indirect},
					{"indirect source 0", in.Src[0].Indirect},
					{"indirect source 1", in.Src[1].Indirect},
					{"descriptor in a register", in.DescReg},
					{"extended descriptor in a register", in.ExDescReg},
					{"two targets", in.UIP != 0},
					{"target in a register", f == isa.FormatBranch && in.Src[0].File == isa.FileGRF},
				} {
					if k.is {
						kinds[k.name]++
					}
				}
			}
			for f := range want {
				if !got[f] {
					t.Errorf("no instruction of format %d", f)
				}
			}
			n, m := 9, newMachine(p)
			if !m.imm3 {
				n--
			}
			if !m.exDescReg {
				n--
			}
			if len(kinds) != n {
				t.Errorf("only %v", kinds)
			}
		})
	}
}
