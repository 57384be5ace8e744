// SPDX-License-Identifier: MIT

package opt

// spans holds sets of disjoint spans of numbers, all in one array. A set is identified by its root, or 0 for the
// empty set. The sets are treaps: the hash of a node's number is its priority, so that equal inputs produce
// equal trees.
type spans struct{ nodes []spanNode }

type spanNode struct{ lo, hi, left, right int32 }

// reset empties all sets.
func (s *spans) reset() { s.nodes = append(s.nodes[:0], spanNode{}) }

// node returns a set of one span.
func (s *spans) node(lo, hi int32) int32 {
	s.nodes = append(s.nodes, spanNode{lo: lo, hi: hi})
	return int32(len(s.nodes) - 1)
}

func priority(n int32) uint32 { return uint32(n) * 0x9E3779B1 }

// next returns the first span that starts at key or after it, or 0.
func (s *spans) next(root, key int32) int32 {
	found := int32(0)
	for root != 0 {
		if n := &s.nodes[root]; n.lo >= key {
			found, root = root, n.left
		} else {
			root = n.right
		}
	}
	return found
}

// last returns the last span that starts at key or before it, or 0.
func (s *spans) last(root, key int32) int32 {
	found := int32(0)
	for root != 0 {
		if n := &s.nodes[root]; n.lo <= key {
			found, root = root, n.right
		} else {
			root = n.left
		}
	}
	return found
}

// has reports whether a span covers key.
func (s *spans) has(root, key int32) bool {
	n := s.last(root, key)
	return n != 0 && s.nodes[n].hi >= key
}

// insert adds the span of node n, which must not overlap any other of the set.
func (s *spans) insert(root, n int32) int32 {
	switch {
	case root == 0:
		return n
	case priority(n) > priority(root):
		s.nodes[n].left, s.nodes[n].right = s.split(root, s.nodes[n].lo)
		return n
	case s.nodes[n].lo < s.nodes[root].lo:
		s.nodes[root].left = s.insert(s.nodes[root].left, n)
	default:
		s.nodes[root].right = s.insert(s.nodes[root].right, n)
	}
	return root
}

// push is like insert, for a span after all others in the set.
func (s *spans) push(root, n int32) int32 {
	p := priority(n)
	if root == 0 || p > priority(root) {
		s.nodes[n].left = root
		return n
	}
	at := root
	for right := s.nodes[at].right; right != 0 && priority(right) > p; right = s.nodes[at].right {
		at = right
	}
	s.nodes[n].left, s.nodes[at].right = s.nodes[at].right, n
	return root
}

// split splits a set into the spans that start before key and the rest.
func (s *spans) split(root, key int32) (before, rest int32) {
	if root == 0 {
		return 0, 0
	}
	n := &s.nodes[root]
	if n.lo < key {
		n.right, rest = s.split(n.right, key)
		return root, rest
	}
	before, n.left = s.split(n.left, key)
	return before, root
}

// remove removes the span that starts at key.
func (s *spans) remove(root, key int32) int32 {
	n := &s.nodes[root]
	switch {
	case key < n.lo:
		n.left = s.remove(n.left, key)
	case key > n.lo:
		n.right = s.remove(n.right, key)
	default:
		return s.meld(n.left, n.right)
	}
	return root
}

// meld concatenates two sets. Every span of b follows all spans of a.
func (s *spans) meld(a, b int32) int32 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	case priority(a) > priority(b):
		s.nodes[a].right = s.meld(s.nodes[a].right, b)
		return a
	}
	s.nodes[b].left = s.meld(a, s.nodes[b].left)
	return b
}

// unite adds all spans of the set small to root, one by one. If joined is set, adjacent or overlapping spans
// become one; otherwise all spans are single numbers, and duplicates are dropped. more is the number of spans
// that root has gained.
func (s *spans) unite(root, small int32, joined bool) (into int32, more int) {
	if small == 0 {
		return root, 0
	}
	left, right := s.nodes[small].left, s.nodes[small].right
	s.nodes[small].left, s.nodes[small].right = 0, 0
	root, more = s.unite(root, left, joined)
	n := &s.nodes[small]
	if !joined {
		if !s.has(root, n.lo) {
			root = s.insert(root, small)
			more++
		}
	} else {
		for {
			at := s.last(root, n.hi+1)
			if at == 0 || s.nodes[at].hi+1 < n.lo {
				break
			}
			n.lo, n.hi = min(n.lo, s.nodes[at].lo), max(n.hi, s.nodes[at].hi)
			root = s.remove(root, s.nodes[at].lo)
			more--
		}
		root = s.insert(root, small)
		more++
	}
	root, rest := s.unite(root, right, joined)
	return root, more + rest
}
