// SPDX-License-Identifier: MIT

package modules

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"jacquard.example/generated/kind"
)

// Staged is an entry point of a vertex or fragment module.
type Staged struct {
	ID     string // the hash of the module and the entry point
	Module *Module
	Entry  string
}

// StagedIn returns the entry points of a stage, each once, in the order of their ids.
func StagedIn(modules []Module, stage kind.Stage) (out []Staged) {
	for i := range modules {
		m := &modules[i]
		if m.Invalid != "" {
			continue
		}
		hash := sha256.Sum256(m.SPIRV)
		for _, e := range Entries(m.SPIRV) {
			if Models[e.Model] == stage.String() {
				out = append(out, Staged{ID: hex.EncodeToString(hash[:6]) + " " + e.Name, Module: m, Entry: e.Name})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Staged) int { return strings.Compare(a.ID, b.ID) })
	return slices.CompactFunc(out, func(a, b Staged) bool { return a.ID == b.ID })
}
