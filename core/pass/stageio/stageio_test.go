// SPDX-License-Identifier: MIT

package stageio_test

import (
	"fmt"
	"testing"

	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/kind"
)

// TestSlotsAreApart: no two inputs or outputs share a slot.
func TestSlotsAreApart(t *testing.T) {
	seen := map[int32]string{}
	claim := func(what string, from, n int32) {
		for s := from; s < from+n; s++ {
			if seen[s] != "" {
				t.Errorf("%s and %s share slot %d", what, seen[s], s)
			}
			seen[s] = what
		}
	}
	for l := range uint32(2048) {
		claim(fmt.Sprint("location ", l), stageio.Slot(kind.BuiltinNone, l, 0), 1)
	}
	for l := range uint32(8) {
		claim(fmt.Sprint("second color ", l), stageio.Slot(kind.BuiltinNone, l, kind.IODualSource), 1)
	}
	for b := kind.BuiltinPosition; b <= kind.BuiltinSampleMask; b++ {
		claim(b.String(), stageio.Slot(b, 0, 0), 2)
	}
}
