// SPDX-License-Identifier: MIT

// Package leaveout chooses sets of optional passes to leave out, by [Set]. Results must be correct without any such set,
// but there are too many sets to try all. Tests choose one for each program by the program's number, so that failures can
// be repeated.
package leaveout

import (
	"fmt"
	"hash/fnv"

	"jacquard.example"
)

// shares are the approximate percentages of passes in a set.
var shares = [...]uint32{6, 25, 50, 75, 94}

// Set returns a set of optional passes, always the same for a key. The choice for a pass does not depend on the other
// passes.
func Set(key string) (names []string) {
	share := shares[hash(key)%uint32(len(shares))]
	for _, name := range jacquard.OptionalPasses() {
		if hash(key, name)%100 < share {
			names = append(names, name)
		}
	}
	return names
}

func hash(parts ...string) uint32 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q", parts)
	x := h.Sum64()
	return uint32(x ^ x>>32)
}
