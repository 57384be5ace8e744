// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// vec4Word is a line of testdata/vec4_words.txt: an instruction of a vec4 vertex shader of Haswell and its text, both
// written by Mesa 25.0.7's Vulkan driver (hasvk) for 191 vertex shaders. The labels of branches, the words about messages
// and comments are left out of the texts.
type vec4Word struct {
	word []byte
	text string
}

func vec4Words(t testing.TB) (out []vec4Word) {
	data, err := os.ReadFile("testdata/vec4_words.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		word, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		out = append(out, vec4Word{wordOf(t, word), text})
	}
	if len(out) != 2342 {
		t.Fatalf("%d words", len(out))
	}
	return out
}

// ignored are the bits of words that no field claims, by the part of an instruction that leaves them free. The driver
// writes some of them; the manual says that they are ignored or reserved.
var ignored = []struct {
	what string
	is   func(in *isa.Inst) bool
	bits []string
}{
	// Bit 7 of the opcode's byte is reserved.
	{"every word", func(*isa.Inst) bool { return true }, []string{"7"}},
	// One source: source 1's operand. With an immediate, the driver repeats the immediate's type in source 1's.
	{"one source", func(in *isa.Inst) bool { return alu(in) && sources(in) == 1 && in.Src[0].File != isa.FileImm },
		[]string{"46:42", "127:96"}},
	{"an immediate source 0", func(in *isa.Inst) bool { return alu(in) && in.Src[0].File == isa.FileImm },
		[]string{"46:42", "88:64", "95:91"}},
	// The bit between swizzle and vertical stride, and those beyond source 0's region.
	{"a register as source 0", func(in *isa.Inst) bool { return alu(in) && in.Src[0].File != isa.FileImm }, []string{"95:91"}},
	{"a register as source 0 in Align16", func(in *isa.Inst) bool { return in.Align16 && alu(in) && in.Src[0].File != isa.FileImm },
		[]string{"84"}},
	{"a register as source 1", func(in *isa.Inst) bool { return alu(in) && sources(in) == 2 && in.Src[1].File != isa.FileImm },
		[]string{"127:121"}},
	{"a register as source 1 in Align16", func(in *isa.Inst) bool {
		return in.Align16 && alu(in) && sources(in) == 2 && in.Src[1].File != isa.FileImm
	}, []string{"116"}},
	{"opcodes without a condition", func(in *isa.Inst) bool { return isa.Ops[in.Op].Format == isa.FormatBasic && !isa.Ops[in.Op].CanCMod },
		[]string{"27:24"}},
	{"opcodes of three sources without a condition", func(in *isa.Inst) bool { return ternary(in) && !isa.Ops[in.Op].CanCMod },
		[]string{"27:24"}},
	{"opcodes that do not saturate", func(in *isa.Inst) bool { return (alu(in) || ternary(in)) && !isa.Ops[in.Op].Saturates(isa.HSW) },
		[]string{"31"}},
	// Three sources: the file of the destination, which is always general, and reserved bits. A scalar has no swizzle.
	{"three sources", ternary, []string{"32", "35", "46", "48", "84", "105", "127:126"}},
	{"a scalar source 0 of three", func(in *isa.Inst) bool { return ternary(in) && in.Src[0].HStride == 0 }, []string{"72:65"}},
	{"a scalar source 1 of three", func(in *isa.Inst) bool { return ternary(in) && in.Src[1].HStride == 0 }, []string{"93:86"}},
	{"a scalar source 2 of three", func(in *isa.Inst) bool { return ternary(in) && in.Src[2].HStride == 0 }, []string{"114:107"}},
	// A message: its operands are whole registers, whatever subregister, modifiers and region say.
	{"a message", send, []string{"11:10", "31", "46:44", "52", "62:61", "68:64", "78:77", "88:80", "95:91", "126:125"}},
	{"a message with a computed descriptor", func(in *isa.Inst) bool { return send(in) && in.DescReg }, []string{"100:96", "124:109"}},
	// A branch: its operands mean nothing, as the target is in the immediate.
	{"a branch", branch, []string{"28:24", "31", "41:32", "46:44", "63:48", "88:64", "95:91"}},
	{"a branch of one target", func(in *isa.Inst) bool { return branch(in) && isa.Ops[in.Op].TargetsOn(isa.HSW) == 1 }, []string{"127:112"}},
}

func alu(in *isa.Inst) bool {
	f := isa.Ops[in.Op].Format
	return f == isa.FormatBasic || f == isa.FormatMath
}
func ternary(in *isa.Inst) bool { return isa.Ops[in.Op].Format == isa.FormatTernary }
func send(in *isa.Inst) bool    { return isa.Ops[in.Op].Format == isa.FormatSend }
func branch(in *isa.Inst) bool  { return isa.Ops[in.Op].Format == isa.FormatBranch }

// sources returns the number of an instruction's sources.
func sources(in *isa.Inst) int {
	if isa.Ops[in.Op].Format == isa.FormatMath {
		return in.Math.Sources()
	}
	return int(isa.Ops[in.Op].NumSrc)
}

// free returns the bits of an instruction's word that no field claims.
func free(in *isa.Inst) *big.Int {
	out := new(big.Int)
	for _, x := range ignored {
		if !x.is(in) {
			continue
		}
		for _, r := range x.bits {
			hi, lo := 0, 0
			if n, _ := fmt.Sscanf(r, "%d:%d", &hi, &lo); n == 1 {
				lo = hi
			}
			for b := lo; b <= hi; b++ {
				out.SetBit(out, b, 1)
			}
		}
	}
	return out
}

// TestVec4Words: every word of the driver decodes, and encodes to itself except for bits that no field claims. Each other
// bit counts: without it, the word is another instruction or none.
func TestVec4Words(t *testing.T) {
	bad := 0
	for _, w := range vec4Words(t) {
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Errorf("%s %s: %v", wordText(w.word), w.text, err)
			continue
		}
		var out [isa.InstSize]byte
		if err := isa.Encode(isa.HSW, &in, out[:]); err != nil {
			t.Errorf("%s %s: %v", wordText(w.word), w.text, err)
			continue
		}
		ignore := free(&in)
		if diff := new(big.Int).AndNot(new(big.Int).Xor(bitsOf(w.word), bitsOf(out[:])), ignore); diff.Sign() != 0 {
			t.Errorf("%s %s: encoded as %s", wordText(w.word), w.text, wordText(out[:]))
		}
		for b := range 8 * isa.InstSize {
			flipped := slices.Clone(w.word)
			flipped[b/8] ^= 1 << (b % 8)
			other, err := isa.Decode(isa.HSW, flipped)
			if claimed := err != nil || other != in; claimed == (ignore.Bit(b) == 1) {
				bad++
				if bad < 20 {
					t.Errorf("%s %s: bit %d: claimed by a field: %v (%v)", wordText(w.word), w.text, b, claimed, err)
				}
			}
		}
	}
}

// label is the target of a branch at address 0.
var label = regexp.MustCompile(` L(-?\d+)`)

// TestVec4Text: the text of every word assembles to the word, except for bits that no field claims.
func TestVec4Text(t *testing.T) {
	same, all := 0, 0
	for _, w := range vec4Words(t) {
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Fatal(err)
		}
		text := label.ReplaceAllString(string(isatext.Append(nil, isa.HSW, &in, 0)), " $1")
		back, err := isatext.Assemble(isa.HSW, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		all++
		if slices.Equal(back, w.word) {
			same++
		}
		if diff := new(big.Int).AndNot(new(big.Int).Xor(bitsOf(w.word), bitsOf(back)), free(&in)); diff.Sign() != 0 {
			t.Errorf("%s %s: %s is assembled as %s", wordText(w.word), w.text, text, wordText(back))
		}
	}
	if same < 2000 {
		t.Errorf("only %d of %d words are the same with all bits", same, all)
	}
	t.Logf("%d of %d words are the same with all bits", same, all)
}
