// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"
	"strings"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/pattern"
)

// closure returns the tables of lowerings and of operations that rules make; tests check them against the passes.
func (t *tables) closure() *emit.File {
	f := emit.NewFile("legal", "")
	f.Struct("Sized is an opcode at sizes of its unsized operands. Sizes is 0 if it has none.", "Sized", `
		Op op.Op
		Sizes op.Sizes`)
	f.Struct("Lowering lists opcodes and the opcodes that a pass lowers them to.", "Lowering", `
		Pass string
		Takes, Leaves []Sized`)
	f.Struct("Product lists the operations that rewrite rules make on a target.", "Product", `
		Target string
		Ops []Sized`)
	var lowerings, made emit.Rows
	for _, l := range t.lowerings {
		lowerings.F("{\nPass: %q,\nTakes: %s,\nLeaves: %s,\n},\n", l.Name, t.sized(set(l.takes)), t.sized(set(l.leaves)))
	}
	for _, m := range t.made {
		made.F("{Target: %q, Ops: %s},\n", m.target, t.sized(m.forms))
	}
	f.Table("Lowerings are the passes on which rewrite rules rely.", "Lowerings", "[...]Lowering", &lowerings)
	f.Table("Products are the operations that rewrite rules make, all of which can be selected in the end.", "Products", "[...]Product",
		&made)
	return f
}

func set(list []form) map[form]bool {
	out := map[form]bool{}
	for _, f := range list {
		out[f] = true
	}
	return out
}

// sized returns opcodes with their sizes in the order of the tables.
func (t *tables) sized(of map[form]bool) string {
	var out []string
	for _, o := range t.ops.Ops {
		sizes, found := pattern.Sizes(0), false
		for _, f := range formsOf(o) {
			if of[f] {
				sizes, found = sizes|pattern.SizeSet(f.size), true
			}
		}
		if found {
			out = append(out, fmt.Sprintf("{op.%s, %#02x}", o.GoName, uint8(sizes)))
		}
	}
	return "[]Sized{" + strings.Join(out, ", ") + "}"
}
