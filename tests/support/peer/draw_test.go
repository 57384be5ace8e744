// SPDX-License-Identifier: MIT

package peer

import (
	"bytes"
	"testing"

	"jacquard.example/backend/run/runner"
	"jacquard.example/tests/support/spv"
)

// TestPushed: a range names a descriptor by its number in the set, among the descriptors that the shader declares, with
// the elements of arrays counted one by one.
func TestPushed(t *testing.T) {
	b := func(set, binding, element uint32, x byte) runner.Binding {
		return runner.Binding{Set: set, Binding: binding, Element: element, Data: bytes.Repeat([]byte{x}, 64)}
	}
	c := &runner.DrawCall{PushConstants: []byte{1, 2, 3, 4}, Bindings: []runner.Binding{
		b(0, 9, 1, 0x91), b(0, 9, 0, 0x90), b(0, 12, 0, 0xC0), b(0, 3, 0, 0x30), b(1, 5, 0, 0x50)}}
	layout := []spv.Descriptors{{Slot: spv.Slot{Set: 0, Binding: 9}, Count: 2}, {Slot: spv.Slot{Set: 0, Binding: 12}, Count: 1}, {Slot: spv.Slot{Set: 1, Binding: 5}, Count: 1}} // binding 3 is of the other stage
	const text = `Push constant ranges:
    RANGE0 (4B): Vulkan push constants and API params
    RANGE1 (2B): UBO (set=0 binding=1 start=32B)
    RANGE2 (2B): UBO (set=0 binding=2 start=0B)
    RANGE3 (2B): UBO (set=1 binding=0 start=0B)
    RANGE4 (2B): UBO (set=0 binding=3 start=0B)
    RANGE5 (3B): NULL
`
	want := []byte{1, 2, 3, 4, 0x91, 0x91, 0xC0, 0xC0, 0x50, 0x50, 0, 0, 0, 0, 0}
	if got := pushed(&Binary{Assembly: text, layout: layout}, c); !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
}
