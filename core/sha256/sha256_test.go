// SPDX-License-Identifier: MIT

package sha256_test

import (
	"crypto/sha256"
	"math/rand/v2"
	"testing"

	ours "jacquard.example/core/sha256"
)

// TestSum compares hashes with the standard library's, for data of all lengths around a block and for some longer
// data.
func TestSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		if n >= 300 {
			n = 300 + rng.IntN(10000)
		}
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		if got, want := ours.Sum(data), sha256.Sum256(data); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
