// SPDX-License-Identifier: MIT

package value

import (
	"slices"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
)

// TestJoinRanges checks that overlapping candidates, and candidates separated by few registers, are joined, and
// that candidates of other entries or further apart are not.
func TestJoinRanges(t *testing.T) {
	list := []candidate{{1, 0, 1, 1}, {0, 8, 10, 1}, {0, 0, 2, 1}, {0, 1, 4, 1}, {0, 4 + rangeGap, 7, 1}, {0, 30, 31, 1}, {0, 9, 9, 1}}
	want := []candidate{{0, 0, 10, 5}, {0, 30, 31, 1}, {1, 0, 1, 1}}
	if got := joined(list); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRangeOffset checks that ranges start at register boundaries, after the push constants and tables.
func TestRangeOffset(t *testing.T) {
	l := Layout{ABI: abi.JacquardFS, GRF: mir.SizeOf(isa.TGL.Registers()), PushBytes: 12, Ranges: []mir.Range{{Entry: 0, Start: 64, Bytes: 96}, {Entry: 2, Bytes: 32}}}
	for i, want := range []uint32{32, 128, 160} {
		if got := l.RangeOffset(i); got != want {
			t.Errorf("range %d is at %d, want %d", i, got, want)
		}
	}
	l.GRF = mir.SizeOf(&isa.RegFile{Bytes: 64})
	if got := l.RangeOffset(0); got != 64 {
		t.Errorf("range 0 is at %d in registers of 64 bytes", got)
	}
	l.Ranges = nil
	if got := l.RangeOffset(0); got != 12 {
		t.Errorf("without ranges the push data ends at %d, want 12", got)
	}
}
