// SPDX-License-Identifier: MIT

package rewriting

import (
	"fmt"
	"slices"

	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
)

// termIndex lists rules by the opcode of their root and the rarest word that they require; the word is empty if there is none.
type termIndex map[*opcodes.Op]map[string][]*rules.Rule

// word returns the key of a term's opcode or constant in the index, or "" for a variable.
func (x *term) word() string {
	switch {
	case x.op != nil:
		return x.op.Name
	case x.isConst():
		return constWord(x.bits, x.size)
	}
	return ""
}

func constWord(bits uint64, size int) string { return fmt.Sprintf("%d:%x", size, bits) }

func (t termIndex) add(c rules.Rarity, r *rules.Rule) {
	words := []string{""}
	if n := c.Rarest(r.Find); n != nil {
		words = []string{n.Name}
		if n.Kind == pattern.Lit { // a constant of each size
			words = words[:0]
			for _, size := range r.Typing.Set(n.Class).List() {
				if bits, ok := n.Bits(size); ok {
					words = append(words, constWord(bits, size))
				}
			}
		}
	}
	m := t[r.Find.Code]
	if m == nil {
		m = map[string][]*rules.Rule{}
		t[r.Find.Code] = m
	}
	for _, w := range words {
		m[w] = append(m[w], r)
	}
}

// matching returns the rules that may match a term, in the order of the table.
func (t termIndex) matching(x *term) []*rules.Rule {
	m := t[x.op]
	if m == nil {
		return nil
	}
	out := slices.Clone(m[""])
	seen := map[*term]bool{}
	words := map[string]bool{}
	var walk func(x *term, depth int)
	walk = func(x *term, depth int) {
		if seen[x] || depth > pattern.MaxDepth {
			return
		}
		seen[x] = true
		if w := x.word(); w != "" && !words[w] {
			words[w] = true
			out = append(out, m[w]...)
		}
		for _, a := range x.args {
			walk(a, depth+1)
		}
	}
	for _, a := range x.args {
		walk(a, 1)
	}
	slices.SortFunc(out, func(a, b *rules.Rule) int { return a.Number - b.Number })
	return out
}
