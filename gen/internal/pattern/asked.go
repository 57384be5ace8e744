package pattern

// Asked calls f with the instructions and literals below the root: what a pattern
// asks for. A pattern covers another, or matches a term, only if each of its words
// is a word of that.
func (n *Node) Asked(f func(*Node)) {
	for _, a := range n.Args {
		if a.Kind != Var {
			f(a)
		}
		a.Asked(f)
	}
}

// Word names an instruction, and tells literals apart by what they match.
func (n *Node) Word() string {
	if n.Kind == Lit {
		return n.literalKey()
	}
	return n.Name
}

// Commuting counts the instructions whose operands may change places.
func (n *Node) Commuting() int {
	c := 0
	n.Walk(func(x *Node) {
		if x.Commutes() {
			c++
		}
	})
	return c
}
