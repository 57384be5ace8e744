// SPDX-License-Identifier: MIT

package pattern

import "strings"

// Shape returns the text of a node with its variables renamed by name, or all called _ if name is nil.
func (n *Node) Shape(name func(string) string) string {
	var b strings.Builder
	n.write(&b, func(v *Node) string {
		if name == nil {
			return "_"
		}
		return name(v.Name)
	})
	return b.String()
}

// Ordered returns a copy of the node in which commutative operands are sorted by their keys,
// bottom up.
func (n *Node) Ordered(key func(*Node) string) *Node {
	c := *n
	c.Args = nil
	for _, a := range n.Args {
		c.Args = append(c.Args, a.Ordered(key))
	}
	if c.Commutes() && key(c.Args[1]) < key(c.Args[0]) {
		c.Args[0], c.Args[1] = c.Args[1], c.Args[0]
	}
	return &c
}
