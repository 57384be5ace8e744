// SPDX-License-Identifier: MIT

package isa

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// Where words of three sources have swizzles and the write mask: the lowest bit (SKL PRM
// vol. 2a, three-source words). iga64 confirms only the identity and the full mask.
const maskBit = 49

var swizzleBits = [3]uint{65, 86, 107}

// driverWord is an instruction that Mesa's compiler emitted for Gen7.5. The fields in which Gen9 differs are zero. Mesa
// prints it as
//
//	mad(8) g115<1>F g1.4<0,1,0>F g6<4,4,1>.yyywF g2<4,4,1>F {align16}
const (
	driverWord = "0087200C35401801731E00000060015B"
	driverText = "mad (8|M0) r115.0<1>:f r1.4<0;0>:f r6.0<2;1>.yyyw:f r2.0<1>:f"
)

// TestDriversSwizzle decodes a word with a swizzle from another compiler.
func TestDriversSwizzle(t *testing.T) {
	in, err := isa.Decode(isa.SKL, wordOf(t, driverWord))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(isatext.Append(nil, isa.SKL, &in, 0)); got != driverText {
		t.Errorf("%s, want %s", got, driverText)
	}
	code, err := isatext.Assemble(isa.SKL, driverText)
	if err != nil {
		t.Fatal(err)
	}
	want := bitsOf(wordOf(t, driverWord))
	setBits(want, swizzleBits[0], 8, 0xE4) // swizzle of the scalar, which is ignored
	if got := bitsOf(code); got.Cmp(want) != 0 {
		t.Errorf("%s is %x, want %x", driverText, got, want)
	}
}

// TestSwizzles: swizzles and write masks change the bits of words that iga64 confirms
// (TestRandomAgainstIGA) where the manual has them, and nothing else; decoder and text
// give them back.
func TestSwizzles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 49))
	words := 0
	for _, plain := range randomProgram(isa.SKL, 200, 50000) {
		if isa.Ops[plain.Op].Format != isa.FormatTernary || plain.ExecSize < 4 {
			continue
		}
		for range 20 {
			in := plain
			want := choose(t, &in, rng)
			if in.ExecSize == 4 && !swizzled(&in) { // may be one lane
				continue
			}
			words++
			checkSwizzles(t, &in, want)
		}
	}
	if words < 200 {
		t.Errorf("only %d words", words)
	}
}

// choose puts a random write mask and random swizzles into an instruction, and returns
// the word that it has then.
func choose(t *testing.T, in *isa.Inst, rng *rand.Rand) *big.Int {
	word := bitsOf(encodeAll(t, isa.SKL, []isa.Inst{*in}))
	if in.Dst.Type.Size() <= 4 {
		written := uint8(rng.IntN(16))
		in.Dst.Mask = fields.MaskOf(written)
		setBits(word, maskBit, 4, uint64(written))
	}
	for k := range in.Src {
		o := &in.Src[k]
		if o.HStride == 0 || o.Type.Size() > 4 {
			continue
		}
		from := [4]uint8{uint8(rng.IntN(4)), uint8(rng.IntN(4)), uint8(rng.IntN(4)), uint8(rng.IntN(4))}
		o.Swizzle = fields.SwizzleOf(from[0], from[1], from[2], from[3])
		for i, e := range from {
			setBits(word, swizzleBits[k]+2*uint(i), 2, uint64(e))
			if o.Swizzle.Lane(4+i) != 4+int(e) {
				t.Fatalf("lane %d of %v reads element %d", 4+i, from, o.Swizzle.Lane(4+i))
			}
		}
	}
	return word
}

func checkSwizzles(t *testing.T, in *isa.Inst, want *big.Int) {
	text := string(isatext.Append(nil, isa.SKL, in, 0))
	var word [isa.InstSize]byte
	if err := isa.Encode(isa.SKL, in, word[:]); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if got := bitsOf(word[:]); got.Cmp(want) != 0 {
		t.Errorf("%s is %x, want %x", text, got, want)
	}
	if back, err := isa.Decode(isa.SKL, word[:]); err != nil || back != *in {
		t.Errorf("%s is decoded as %+v (%v), want %+v", text, back, err, *in)
	}
	if code, err := isatext.Assemble(isa.SKL, text); err != nil || !slices.Equal(code, word[:]) {
		t.Errorf("%s is assembled as %s (%v), want %s", text, wordText(code), err, wordText(word[:]))
	}
}

func swizzled(in *isa.Inst) bool {
	return in.Src[0].Swizzle|in.Src[1].Swizzle|in.Src[2].Swizzle != 0
}

// bitsOf returns a word as a number.
func bitsOf(word []byte) *big.Int {
	high, low := binary.LittleEndian.Uint64(word[8:]), binary.LittleEndian.Uint64(word)
	n := new(big.Int).SetUint64(high)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(low))
}

// setBits sets width bits starting at at.
func setBits(word *big.Int, at, width uint, v uint64) {
	for i := range width {
		word.SetBit(word, int(at+i), uint(v>>i&1))
	}
}

// TestSwizzleRefused tests swizzles and write masks where words have none.
func TestSwizzleRefused(t *testing.T) {
	for _, c := range []struct {
		p          isa.Platform
		text, want string
	}{
		{isa.ICL, "mad (8|M0) r10.0<1>:f r12.0<8;1>.xxyy:f r13.0<8;1>:f r14.0<1>:f", "these words have no swizzle"},
		{isa.TGL, "mad (8|M0) r10.0<1>.xy:f r12.0<8;1>:f r13.0<8;1>:f r14.0<1>:f", "no write mask"},
		{isa.SKL, "add (8|M0) r10.0<1>.xy:f r12.0<8;8,1>:f r13.0<8;8,1>:f", "no write mask"},
		{isa.SKL, "mad (8|M0) r10.0<1>:f r12.0<0;0>.xxyy:f r13.0<2;1>:f r14.0<1>:f", "of vectors"},
		{isa.SKL, "mad (2|M0) r10.0<1>:f r12.0<2;1>.xxxx:f r13.0<2;1>:f r14.0<1>:f", "four lanes or more"},
		{isa.SKL, "mad (1|M0) r10.0<1>:f r12.0<2;1>.yyyy:f r13.0<2;1>:f r14.0<1>:f", "four lanes or more"},
		{isa.SKL, "mad (4|M0) r10.0<1>:df r12.0<2;1>.yyww:df r13.0<2;1>:df r14.0<1>:df", "2 or 4 bytes"},
		{isa.SKL, "mad (4|M0) r10.0<1>.xy:df r12.0<2;1>:df r13.0<2;1>:df r14.0<1>:df", "2 or 4 bytes"},
		{isa.SKL, "mad (4|M0) r10.0<1>.z:f r12.0<2;1>:f r13.0<2;1>:f r14.0<1>:f", "an execution size of 1"},
		{isa.SKL, "mad (8|M0) r10.0<1>.yx:f r12.0<2;1>:f r13.0<2;1>:f r14.0<1>:f", "in order"},
		{isa.SKL, "mad (8|M0) r10.0<1>.xx:f r12.0<2;1>:f r13.0<2;1>:f r14.0<1>:f", "in order"},
		{isa.SKL, "mad (8|M0) r10.0<1>:f r12.0<2;1>.xyz:f r13.0<2;1>:f r14.0<1>:f", "four of x, y, z, w"},
		{isa.SKL, "mad (8|M0) r10.0<1>:f r12.0<2;1>.xyza:f r13.0<2;1>:f r14.0<1>:f", "four of x, y, z, w"},
	} {
		if _, err := isatext.Assemble(c.p, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.p, c.text, err, c.want)
		}
	}
}

// TestMaskOfNothing checks that a write mask without any of four elements is not taken for a single lane.
func TestMaskOfNothing(t *testing.T) {
	const text = "mad (4|M0) r1.0<1>.:f r2.0<2;1>:f r3.0<2;1>:f r4.0<1>:f"
	code, err := isatext.Assemble(isa.SKL, text)
	if err != nil {
		t.Fatal(err)
	}
	in, err := isa.Decode(isa.SKL, code)
	if err != nil {
		t.Fatal(err)
	}
	if in.ExecSize != 4 || in.Dst.Mask != fields.MaskOf(0) {
		t.Errorf("%d lanes from r%d.%d with %v of four written", in.ExecSize, in.Dst.Reg, in.Dst.Sub, in.Dst.Mask)
	}
	if got := string(isatext.Append(nil, isa.SKL, &in, 0)); got != text {
		t.Errorf("got  %s\nwant %s", got, text)
	}
}
