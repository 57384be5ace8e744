// SPDX-License-Identifier: MIT

package value

import (
	"testing"

	"jacquard.example/generated/abi"
)

// TestTableOffsets checks that each table starts at a multiple of its entry size, after the push constants and the
// preceding tables, and that tables that a program does not read take no space.
func TestTableOffsets(t *testing.T) {
	for _, c := range []struct {
		push             uint32
		sizes, addresses uint32
		at               [3]uint32 // sizes, addresses, end
	}{
		{0, 0, 0, [3]uint32{0, 0, 0}},
		{12, 0, 0, [3]uint32{12, 12, 12}},
		{12, 3, 0, [3]uint32{12, 24, 24}},
		{8, 3, 3, [3]uint32{8, 24, 48}},
		{12, 3, 2, [3]uint32{12, 24, 40}},
	} {
		l := Layout{ABI: abi.JacquardCS, PushBytes: c.push, Entries: [abi.NumTables]uint32{abi.BufferSizes: c.sizes, abi.BufferAddresses: c.addresses}}
		for i, want := range c.at {
			if got := l.Table(abi.Table(i)); got != want {
				t.Errorf("%+v: table %d is at %d, want %d", c, i, got, want)
			}
		}
	}
}
