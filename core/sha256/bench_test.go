// SPDX-License-Identifier: MIT

package sha256_test

import (
	"testing"

	ours "jacquard.example/core/sha256"
)

// BenchmarkSum measures megabytes per second.
func BenchmarkSum(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		ours.Sum(data)
	}
}
