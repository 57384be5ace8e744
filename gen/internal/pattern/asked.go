// SPDX-License-Identifier: MIT

package pattern

// Asked calls f with the instructions and literals below the root, which a pattern requires. A pattern covers another,
// or matches a term, only if each of its words is a word of the other.
func (n *Node) Asked(f func(*Node)) {
	for _, a := range n.Args {
		if a.Kind != Var {
			f(a)
		}
		a.Asked(f)
	}
}

// Word returns the name of an instruction, or a key for the values that a literal matches.
func (n *Node) Word() string {
	if n.Kind == Lit {
		return n.literalKey()
	}
	return n.Name
}

// Commuting counts the instructions whose operands may be exchanged.
func (n *Node) Commuting() int {
	c := 0
	n.Walk(func(x *Node) {
		if x.Commutes() {
			c++
		}
	})
	return c
}
