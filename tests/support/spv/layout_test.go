// SPDX-License-Identifier: MIT

package spv

import (
	"slices"
	"testing"
)

// TestLayout: bindings in the order of their numbers, with the elements of arrays of arrays, used or not.
func TestLayout(t *testing.T) {
	const u32, three, pair, runtime = 1, 2, 3, 4
	words := slices.Clone(example[:5])
	words = append(words, op(OpDecorate, 10, DecorationBinding, 5)...)
	words = append(words, op(OpDecorate, 11, DecorationBinding, 2)...)
	words = append(words, op(OpDecorate, 12, DecorationDescriptorSet, 1)...)
	words = append(words, op(OpConstant, u32, three, 3)...)
	words = append(words, op(OpTypeArray, pair, 20, three)...)
	words = append(words, op(OpTypeArray, 5, pair, three)...)
	words = append(words, op(OpTypeRuntimeArray, runtime, 20)...)
	words = append(words, op(OpTypePointer, 6, StorageUniform, 5)...)
	words = append(words, op(OpTypePointer, 7, StorageUniform, 20)...)
	words = append(words, op(OpTypePointer, 8, StorageUniform, runtime)...)
	words = append(words, op(OpVariable, 6, 10, StorageUniform)...)
	words = append(words, op(OpVariable, 7, 11, StorageUniform)...)
	words = append(words, op(OpVariable, 8, 12, StorageUniform)...)
	want := []Descriptors{{Slot{0, 2}, 1}, {Slot{0, 5}, 9}, {Slot{1, 0}, 0}}
	if got := Layout(words); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
