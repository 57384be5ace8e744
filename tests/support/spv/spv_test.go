// SPDX-License-Identifier: MIT

package spv

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// op returns one instruction.
func op(opcode uint32, operands ...uint32) []uint32 {
	return append([]uint32{uint32(len(operands)+1)<<16 | opcode}, operands...)
}

// example declares an entry point, two buffers and two variables without a descriptor.
var example = slices.Concat(
	[]uint32{Magic, 0x10300, 0, 20, 0},
	op(OpCapability, 1),
	op(OpEntryPoint, 5, 9, 0x6e69616d, 0), // GLCompute %9 "main"
	op(OpDecorate, 3, DecorationDescriptorSet, 2),
	op(OpDecorate, 3, DecorationBinding, 7),
	op(OpDecorate, 4, DecorationBinding, 1),
	op(OpDecorate, 5, 24), // Flat
	op(OpVariable, 1, 3, StorageStorageBuffer),
	op(OpVariable, 1, 4, StorageUniform),
	op(OpVariable, 1, 5, StorageUniform), // without a location
	op(OpVariable, 1, 6, 4),              // Workgroup
)

func ExampleInsts() {
	for in := range Insts(example) {
		if in.Op == OpEntryPoint {
			name, _ := String(in.Operands[2:])
			fmt.Println("word", in.Word, name)
		}
	}
	// Output: word 7 main
}

func TestWords(t *testing.T) {
	file := Bytes(example)
	words, err := Words(file)
	if err != nil || !slices.Equal(words, example) {
		t.Errorf("little endian: %v", err)
	}
	var big []byte
	for _, w := range example {
		big = binary.BigEndian.AppendUint32(big, w)
	}
	if words, err = Words(big); err != nil || !slices.Equal(words, example) {
		t.Errorf("big endian: %v", err)
	}
	for _, bad := range [][]byte{nil, file[:16], file[:21], make([]byte, 20)} {
		if _, err := Words(bad); err == nil {
			t.Errorf("%d bytes were taken", len(bad))
		}
	}
}

func TestCheck(t *testing.T) {
	if err := Check(example); err != nil {
		t.Error(err)
	}
	zero := slices.Clone(example)
	zero[5] = OpCapability // an instruction of no words
	for _, bad := range [][]uint32{nil, example[:4], example[1:], example[:6], zero} {
		if Check(bad) == nil {
			t.Errorf("%d words were taken", len(bad))
		}
		for range Insts(bad) { // must end, without a panic
		}
	}
}

func TestDeclarations(t *testing.T) {
	if got, want := Buffers(example), []Slot{{2, 7}, {0, 1}}; !slices.Equal(got, want) {
		t.Errorf("buffers %v, want %v", got, want)
	}
	if got := EntryPoints(example); !slices.Equal(got, []string{"main"}) {
		t.Errorf("entry points %q", got)
	}
}

func TestString(t *testing.T) {
	for _, test := range []struct {
		operands []uint32
		want     string
		rest     int
	}{
		{nil, "", 0},
		{[]uint32{0}, "", 0},
		{[]uint32{0x00636261, 5}, "abc", 1},
		{[]uint32{0x64636261, 0x65, 5, 6}, "abcde", 2},
		{[]uint32{0x64636261}, "abcd", 0}, // no zero at its end
	} {
		got, rest := String(test.operands)
		if got != test.want || len(rest) != test.rest {
			t.Errorf("%#x: %q and %d words", test.operands, got, len(rest))
		}
	}
}

func TestBodyInsts(t *testing.T) {
	words := slices.Concat(example,
		op(OpFunction, 1, 2, 0, 3), op(OpFunctionParam, 1, 4), op(OpLine, 5, 6, 7),
		op(248, 8), op(OpNoLine), op(253), op(OpFunctionEnd),
		op(OpFunction, 1, 9, 0, 3), op(248, 10), op(253), op(OpFunctionEnd))
	if n := BodyInsts(words); n != 4 { // two labels, two returns
		t.Errorf("%d instructions inside of functions, not 4", n)
	}
}

// TestHasFloats: a module has floats of the sizes that it declares.
func TestHasFloats(t *testing.T) {
	words := append(make([]uint32, 5), op(22, 7, 16)...)
	if !HasFloats(words, 16) || HasFloats(words, 32) || HasFloats(words[:5], 16) {
		t.Errorf("16 bits: %v, 32 bits: %v", HasFloats(words, 16), HasFloats(words, 32))
	}
}
