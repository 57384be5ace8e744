// SPDX-License-Identifier: MIT

package isa

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/stages"
)

// vec4Features are vertex shaders with what the shaders of this project have little of.
var vec4Features = []string{`#version 450
layout(location = 0) in ivec4 a;
layout(location = 1) in uvec4 b;
layout(location = 0) flat out ivec4 x;
layout(location = 1) flat out uvec4 y;
layout(location = 2) flat out vec4 z;
void main() {
	gl_Position = vec4(a);
	x = bitfieldInsert(a, a.wzyx, 3, 5) + bitfieldExtract(a.yxwz, a.x & 7, 9) + bitCount(a) + findMSB(a) + findLSB(a.zwxy) * a.w;
	uint carry, borrow, high, low;
	y = bitfieldReverse(b) ^ (b / 7u) ^ (b.wzyx % (b | 1u));
	y.y += 100000u / (b.w | 1u);
	y.x += uaddCarry(b.x, b.y, carry) + usubBorrow(b.z, b.w, borrow);
	umulExtended(b.x, b.z, high, low);
	y.zw ^= uvec2(high + carry, low + borrow) >> (b.xy & 31u);
	z = vec4(unpackHalf2x16(b.x), unpackHalf2x16(b.w)) + vec4(a << 2) * uintBitsToFloat(b) + vec4(packHalf2x16(vec2(a.xy)));
}`, `#version 450
layout(location = 0) in vec4 a;
layout(location = 1) in ivec4 n;
layout(set = 0, binding = 0) uniform U { vec4 table[16]; mat3 m; float odd; };
layout(set = 0, binding = 1) buffer B { vec4 data[]; };
layout(push_constant) uniform P { vec2 offset; float scale; vec3 k; };
layout(location = 0) out vec4 x[3];
out float gl_ClipDistance[6];
void main() {
	vec4 list[12];
	for (int i = 0; i < 12; i++) list[(i * 5) % 12] = a * float(i) + table[i & n.w];
	for (int i = 0; i < n.x; i++) {
		if (i == n.y) continue;
		list[(i + n.z) & 7].yz += data[i].xw * scale;
		if (list[i & 3].x > 4.0) break;
	}
	gl_Position = vec4(m * a.xyz, odd) + list[n.x & 7];
	gl_PointSize = abs(a.x);
	for (int i = 0; i < 6; i++) gl_ClipDistance[i] = a[i & 3] - float(i);
	data[n.z].zw = list[n.y & 7].xy;
	x[0] = vec4(offset, k.zx) * a.wzyx - clamp(list[2], 0.0, 1.0);
	x[1] = vec4(dot(a, list[1]), dot(a.xyz, k), dot(offset, a.zw), length(a.xy));
	x[2] = mix(sin(a), pow(abs(a), table[3].wwww), greaterThan(a, table[n.w & 15])) + floor(a) * fract(a.y) + vec4(0.5, 1.0, -2.0, 0.1);
}`}

// compiledWords are the words of compiledForVec4, once they are there.
var compiledWords []vec4Word

// compiledForVec4 returns the distinct words of vertex shaders compiled for Haswell, with their texts. They are legal.
func compiledForVec4(t *testing.T) []vec4Word {
	if compiledWords == nil {
		compiledWords = compileForVec4(t)
	}
	return slices.Clone(compiledWords)
}

func compileForVec4(t *testing.T) (words []vec4Word) {
	modules := map[string][]byte{}
	for _, s := range stages.Shaders(t) {
		if s.Stage == kind.StageVertex {
			modules[s.Name] = s.Module
		}
	}
	for i, source := range vec4Features {
		module, err := oracle.GLSL(t, "vert", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		modules[fmt.Sprint("feature ", i)] = module
	}
	seen := map[string]bool{}
	for name, module := range modules {
		o := jacquard.Options{File: name, Target: jacquard.Target(isa.HSW.String()), Verify: true}
		prog, err := jacquard.Compile(t.Context(), module, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		code := prog.Variants[0].Code
		for _, bad := range legal.Check(isa.HSW, code) {
			t.Errorf("%s: %v", name, bad)
		}
		for ; len(code) > 0; code = code[isa.InstSize:] {
			word := code[:isa.InstSize]
			if seen[string(word)] {
				continue
			}
			seen[string(word)] = true
			in, err := isa.Decode(isa.HSW, word)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			words = append(words, vec4Word{word, string(isatext.Append(nil, isa.HSW, &in, 0))})
		}
	}
	slices.SortFunc(words, func(a, b vec4Word) int { return bytes.Compare(a.word, b.word) })
	return words
}

// TestVec4CompiledElder: intel-gen4disasm reads the words that we emit for Haswell as we mean them. Of opcodes that it does
// not know, the opcode is the one of the driver's words of that name, or iga64's, and it reads the rest of the word with the opcode of
// an instruction that has the same number of sources.
func TestVec4CompiledElder(t *testing.T) {
	oracle.Need(t, "intel-gen4disasm")
	opcode := func(word []byte) byte { return word[0] & 0x7F }
	opcodes, known := map[string]byte{}, map[uint8]byte{} // by name; by number of sources
	for _, w := range vec4Words(t) {
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Fatal(err)
		}
		opcodes[isa.Ops[in.Op].Name] = opcode(w.word)
		if in.Op == isa.OpMov || in.Op == isa.OpAdd || in.Op == isa.OpMad {
			known[isa.Ops[in.Op].NumSrc] = opcode(w.word)
		}
	}
	words := compiledForVec4(t)
	replaced := map[string]bool{}
	for i := range words {
		w := &words[i]
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(elderLacks, in.Op) {
			continue
		}
		name := isa.Ops[in.Op].Name
		at, ok := opcodes[name]
		if !ok {
			at = opcode(igaWord(t, name, int(isa.Ops[in.Op].NumSrc)))
			opcodes[name] = at
		}
		if at != opcode(w.word) {
			t.Errorf("%s: the opcode of %s is %#x", wordText(w.word), name, at)
		}
		w.word = bytes.Clone(w.word)
		w.word[0] = w.word[0]&^0x7F | known[isa.Ops[in.Op].NumSrc]
		replaced[name] = true
	}
	texts := elderWords(t, words)
	if len(texts) <= len(words) {
		t.Fatalf("%d texts of %d words", len(texts), len(words))
	}
	modes := map[bool]int{}
	for i, w := range words {
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Fatalf("%s: %v", w.text, err)
		}
		vector := in.Align16 || ternary(&in)
		if in.Op == isa.OpMad { // it takes all types for F, as mad has; TestVec4Driver compares those of other opcodes
			for _, o := range []*isa.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
				o.Type = isa.TypeF
			}
		}
		for k := range in.Src {
			if ternary(&in) && in.Src[k].HStride == 0 { // it prints the swizzle of a scalar, not that it is one
				in.Src[k].HStride = 1
			}
		}
		elderAgrees(t, w, &in, texts[i])
		modes[vector]++
	}
	t.Logf("%d words in Align16, %d in Align1; opcodes unknown to intel-gen4disasm: %v", modes[true], modes[false], len(replaced))
	if modes[true] < 400 || modes[false] < 5 || len(replaced) < 5 {
		t.Error("that is too few")
	}
}

// igaWord returns iga64's word of an instruction in access mode Align1.
func igaWord(t *testing.T, name string, sources int) []byte {
	t.Helper()
	oracle.Need(t, "iga64")
	text := name + " (8|M0) r1.0<1>:ud" + strings.Repeat(" r2.0<8;8,1>:ud", sources) + "\n"
	word, _, err := oracle.IGA{Platform: isa.HSW.IGA()}.Assemble(t, text)
	if err != nil || len(word) != isa.InstSize {
		t.Fatalf("%s: %v, %d bytes", text, err, len(word))
	}
	return word
}

// TestVec4CompiledIGA: iga64 reads the words in access mode Align1 that we emit for Haswell as we do.
func TestVec4CompiledIGA(t *testing.T) {
	iga := oracle.IGA{Platform: isa.HSW.IGA()}
	var codes [][]byte
	var want []string
	for _, w := range compiledForVec4(t) {
		in, err := isa.Decode(isa.HSW, w.word)
		if err != nil {
			t.Fatal(err)
		}
		if in.Align16 || ternary(&in) || branch(&in) {
			continue
		}
		codes, want = append(codes, w.word), append(want, w.text)
	}
	texts, errs := iga.DisassembleAll(t, codes)
	back, said := iga.AssembleAll(t, texts)
	for i := range codes {
		switch {
		case errs[i] != nil:
			t.Errorf("%s: %v", want[i], errs[i])
		case said[i] != nil || !bytes.Equal(back[i], codes[i]):
			t.Errorf("%s: %v; iga64 assembles %s to another word", want[i], said[i], texts[i])
		}
		code, err := isatext.Assemble(isa.HSW, want[i])
		if err != nil || !bytes.Equal(code, codes[i]) {
			t.Errorf("%s: %v; another word", want[i], err)
		}
		if got, mine := normal(texts[i]), normal(want[i]); got != mine {
			t.Errorf("iga64 reads %s\nwe read %s", got, mine)
		}
	}
	if len(codes) < 5 {
		t.Errorf("only %d words", len(codes))
	}
}

// normal returns the text of an instruction without comments and differences of layout.
func normal(text string) string {
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "L0:"), "//")
	return strings.Join(strings.Fields(text), "")
}
