// SPDX-License-Identifier: MIT

package corpus

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/modules"
)

// Pair is a target and the width requested for a module.
type Pair struct {
	Target *target.Target
	SIMD   int
}

func (p Pair) String() string { return fmt.Sprintf("%s SIMD%d", p.Target, p.SIMD) }

// AllPairs returns all targets at all widths, for compute shaders.
func AllPairs(*modules.Module) (out []Pair) {
	for _, machine := range target.All {
		for _, simd := range machine.Widths {
			out = append(out, Pair{machine, simd})
		}
	}
	return out
}

// StagePairs returns all targets that a stage can be compiled for, at all its widths. Vertex threads have one width.
func StagePairs(stage kind.Stage) (out []Pair) {
	for _, machine := range slices.Concat(target.All, target.Partial) {
		if machine.Vertex == nil || stage == kind.StageFragment && machine.Fragment == nil {
			continue
		}
		widths := machine.Widths
		if stage == kind.StageVertex {
			widths = widths[:1]
		}
		for _, simd := range widths {
			out = append(out, Pair{machine, simd})
		}
	}
	return out
}

// SomePairs returns two of AllPairs that a hash of the module's name chooses.
func SomePairs(m *modules.Module) []Pair {
	all := AllPairs(m)
	n := len(all)
	hash := sha256.Sum256([]byte(m.ID()))
	first := int(hash[0]) % n
	second := (first + 1 + int(hash[1])%(n-1)) % n
	return []Pair{all[first], all[second]}
}

// onePair returns one of some pairs, chosen by a hash of the module's name, or nil if there are none.
func onePair(m *modules.Module, pairs []Pair) []Pair {
	if len(pairs) == 0 {
		return nil
	}
	hash := sha256.Sum256([]byte(m.ID()))
	i := int(hash[0]) % len(pairs)
	return pairs[i : i+1]
}
