package spirv

// graph is a control flow graph of a function. Blocks are numbered from the function's first,
// which is its entry.
type graph struct {
	start, succ   []uint32 // the successors of block b are succ[start[b]:start[b+1]]
	pstart, preds []uint32 // predecessors in the same form
	order         []uint32 // the reachable blocks in postorder
	num           []uint32 // the number of each block in postorder, those of unreachable ones after all others
	idom          []uint32 // parents in the dominator tree
	in, out       []uint32 // when a walk over that tree enters and leaves a block
}

const none = ^uint32(0)

// dominates reports whether every path to reachable block b passes through reachable block a.
func (g *graph) dominates(a, b uint32) bool { return g.in[a] <= g.in[b] && g.in[b] < g.out[a] }

// targets returns the successors of block b.
func (g *graph) targets(b uint32) []uint32 { return g.succ[g.start[b]:g.start[b+1]] }

// from returns the predecessors of block b, one for each edge.
func (g *graph) from(b uint32) []uint32 { return g.preds[g.pstart[b]:g.pstart[b+1]] }

// reachable reports whether block b can be reached from the entry.
func (g *graph) reachable(b uint32) bool { return g.num[b] < uint32(len(g.order)) }

// back reports whether an edge leads back in the walk that numbered the blocks.
func (g *graph) back(from, to uint32) bool { return g.num[from] <= g.num[to] }

// arena is memory for the tables of one function.
type arena []uint32

// take returns n zeros.
func (a *arena) take(n int) []uint32 {
	if len(*a)+n > cap(*a) {
		*a = make(arena, 0, 2*(len(*a)+n))
	}
	at := len(*a)
	*a = (*a)[:at+n]
	s := (*a)[at : at+n : at+n]
	clear(s)
	return s
}

// visit is a block on the stack of a walk, and its next successor.
type visit struct{ b, next uint32 }

// number walks over a graph from its entry, then from unreachable blocks in their order.
func (r *reader) number(g *graph) {
	n := len(g.start) - 1
	g.num = r.arena.take(n)
	for i := range g.num {
		g.num[i] = none
	}
	order := r.walk(g, r.arena.take(n)[:0], 0)
	g.order = order
	for i := uint32(1); int(i) < n && len(order) < n; i++ {
		if g.num[i] == none {
			order = r.walk(g, order, i)
		}
	}
}

// walk numbers the blocks that can be reached from one and have no number.
func (r *reader) walk(g *graph, order []uint32, first uint32) []uint32 {
	const open = none - 1 // being visited
	g.num[first] = open
	stack := append(r.visits[:0], visit{first, 0})
	for len(stack) > 0 {
		t := &stack[len(stack)-1]
		if at := g.start[t.b] + t.next; at < g.start[t.b+1] {
			t.next++
			if s := g.succ[at]; g.num[s] == none {
				g.num[s] = open
				stack = append(stack, visit{s, 0})
			}
			continue
		}
		g.num[t.b] = uint32(len(order))
		order = append(order, t.b)
		stack = stack[:len(stack)-1]
	}
	r.visits = stack
	return order
}

// predecessors lists the predecessors of every block, reachable or not.
func (r *reader) predecessors(g *graph) {
	n := len(g.start) - 1
	g.pstart = r.arena.take(n + 1)
	for _, s := range g.succ {
		g.pstart[s+1]++
	}
	for i := range n {
		g.pstart[i+1] += g.pstart[i]
	}
	g.preds = r.arena.take(len(g.succ))
	fill := r.arena.take(n)
	copy(fill, g.pstart)
	for b := range uint32(n) {
		for _, s := range g.targets(b) {
			g.preds[fill[s]] = b
			fill[s]++
		}
	}
}

// dominators computes the dominator tree of the reachable blocks, by the iterative algorithm of
// Cooper, Harvey and Kennedy over the reverse postorder.
func (r *reader) dominators(g *graph) {
	n := len(g.start) - 1
	// The paths from the predecessors up to their common dominator often merge; each
	// block on them is visited once.
	walked, time := r.arena.take(n), uint32(0)
	doms := r.arena.take(n)
	for i := range doms {
		doms[i] = none
	}
	doms[0] = 0
	num := g.num
	for changed := true; changed; {
		changed = false
		for i := len(g.order) - 2; i >= 0; i-- {
			b := g.order[i]
			idom := none
			time++
			for _, p := range g.from(b) {
				switch {
				case !g.reachable(p):
				case doms[p] == none: // an edge back, or from one
					changed = true
				case idom == none:
					idom = p
				default:
					for x := p; x != idom && walked[x] != time; {
						if num[x] < num[idom] {
							walked[x] = time
							x = doms[x]
						} else {
							walked[idom] = time
							idom = doms[idom]
						}
					}
				}
			}
			if old := doms[b]; old != idom {
				doms[b] = idom
				changed = changed || old != none
			}
		}
	}
	g.idom = doms
	// Sizes of subtrees in postorder give the intervals: a block's dominator
	// comes later in postorder.
	size := r.arena.take(n)
	for _, b := range g.order {
		size[b]++
		if b != 0 {
			size[doms[b]] += size[b]
		}
	}
	free := r.arena.take(n) // the next free position in a block's interval
	g.in, g.out = r.arena.take(n), r.arena.take(n)
	for i := len(g.order) - 1; i >= 0; i-- {
		b := g.order[i]
		in := uint32(0)
		if b != 0 {
			p := doms[b]
			in = free[p]
			free[p] += size[b]
		}
		g.in[b], g.out[b] = in, in+size[b]
		free[b] = in + 1
	}
}
