package main

import (
	"testing"

	"jacquard.example/tests/support/spv"
)

// TestUsesSubgroups: modules with capabilities of group operations are known.
func TestUsesSubgroups(t *testing.T) {
	const header, shader = 5, 1
	for c, want := range map[uint32]bool{shader: false, 60: false, 61: true, 64: true, 68: true, 69: false, 4423: true, 4431: true} {
		words := make([]uint32, header, header+4)
		words[0] = 0x07230203
		words = append(words, 2<<16|17, shader, 2<<16|17, c)
		if got := usesSubgroups(spv.Bytes(words)); got != want {
			t.Errorf("capability %d: %v", c, got)
		}
	}
}
