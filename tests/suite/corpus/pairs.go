package corpus

import (
	"crypto/sha256"
	"fmt"

	"jacquard.example/generated/target"
)

// Pair is what a module is compiled for: a target, and a width that it is asked to
// take.
type Pair struct {
	Target *target.Target
	SIMD   int
}

func (p Pair) String() string { return fmt.Sprintf("%s SIMD%d", p.Target, p.SIMD) }

// widths are the widths that modules are compiled at.
var widths = []int{8, 16, 32}

// AllPairs are all targets at all widths.
func AllPairs(*Module) (out []Pair) {
	for _, machine := range target.All {
		for _, simd := range widths {
			out = append(out, Pair{machine, simd})
		}
	}
	return out
}

// SomePairs are two of AllPairs that a hash of the module's name chooses.
func SomePairs(m *Module) []Pair {
	all := AllPairs(m)
	n := len(all)
	hash := sha256.Sum256([]byte(m.ID()))
	first := int(hash[0]) % n
	second := (first + 1 + int(hash[1])%(n-1)) % n
	return []Pair{all[first], all[second]}
}
