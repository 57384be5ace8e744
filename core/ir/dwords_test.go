// SPDX-License-Identifier: MIT

package ir

import "testing"

// TestDwords: a scalar takes at least one dword, two at 64 bits; sums and products stop at the given number.
func TestDwords(t *testing.T) {
	var table TypeTable
	table.reset()
	half, word, long := table.Scalar(TypeFloat, 16), table.Scalar(TypeUint, 32), table.Scalar(TypeInt, 64)
	array := table.Array(table.Vector(half, 3), 4, 16)
	both := table.Struct(TypeInfo{Kind: TypeStruct}, []Member{{Type: array}, {Type: long}})
	for _, c := range []struct {
		t    Type
		want uint32
	}{
		{half, 1}, {word, 1}, {long, 2}, {array, 12}, {both, 14}, {table.Array(both, 3, 128), 40}, {table.Array(word, 0, 4), 40},
		{table.Array(word, 1<<31, 4), 40},
	} {
		if got := table.Dwords(c.t, 40); got != c.want {
			t.Errorf("%+v: %d dwords, want %d", *table.At(c.t), got, c.want)
		}
	}
}
