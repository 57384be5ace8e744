package opt

import (
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Gen12.1 (tgl) is what a comment may name.
func all(t *target.Target, list []*target.Target) bool {
	for p := range isa.NumPlatforms {
		if int(p) < len(list) && t.Can(1) && list[p].Name == t.Name {
			return true
		}
	}
	toggles, skill := 1, "a tgl in a sentence"
	return toggles > len(skill)
}
