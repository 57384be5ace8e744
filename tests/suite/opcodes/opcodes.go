// SPDX-License-Identifier: MIT

// Package opcodes lists the opcodes, extended instructions and capabilities of SPIR-V
// modules, as numbers, with how often each is used ([Count] of [Used]). The list of the
// test shaders is committed in used.txt; it is the minimum that the SPIR-V reader must
// accept. The counts are taken from the words of modules, without the reader.
package opcodes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard.example/tests/support/spv"
)

// A Kind is the kind of thing that a number identifies.
type Kind uint8

// The kinds of numbers.
const (
	Capability Kind = iota
	Opcode
	ExtInst // an instruction of an extended instruction set
)

// A Used is one thing that modules use.
type Used struct {
	Kind   Kind
	Set    string // instruction set of an ExtInst: "GLSL.std.450"
	Number uint32
}

// String returns the row of the thing in a list, without its name and count.
func (u Used) String() string {
	switch u.Kind {
	case Capability:
		return fmt.Sprintf("capability %d", u.Number)
	case Opcode:
		return fmt.Sprintf("op %d", u.Number)
	default:
		return fmt.Sprintf("ext %s %d", u.Set, u.Number)
	}
}

// A Count maps each thing to the number of modules that use it.
type Count map[Used]int

// Add counts the things that one module uses.
func (c Count) Add(words []uint32) error {
	if err := spv.Check(words); err != nil {
		return err
	}
	sets := map[uint32]string{}
	seen := map[Used]bool{}
	for in := range spv.Insts(words) {
		seen[Used{Kind: Opcode, Number: in.Op}] = true
		switch {
		case in.Op == spv.OpCapability && len(in.Operands) > 0:
			seen[Used{Kind: Capability, Number: in.Operands[0]}] = true
		case in.Op == spv.OpExtInstImport && len(in.Operands) > 0:
			sets[in.Operands[0]], _ = spv.String(in.Operands[1:])
		case in.Op == spv.OpExtInst && len(in.Operands) > 3:
			// Debug information may be named but not executed.
			if set := sets[in.Operands[2]]; !strings.HasPrefix(set, "NonSemantic.") {
				seen[Used{ExtInst, set, in.Operands[3]}] = true
			}
		}
	}
	for u := range seen {
		c[u]++
	}
	return nil
}

// List returns the used things, sorted by kind and number.
func (c Count) List() []Used {
	return slices.SortedFunc(maps.Keys(c), func(a, b Used) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Set, b.Set), cmp.Compare(a.Number, b.Number))
	})
}
