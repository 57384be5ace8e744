package spirv

// Dominance over the blocks of a function. A module may use a value where its
// definition does not dominate; accepting that would produce invalid SSA.

// visit is a block on the stack of a walk, and its next successor.
type visit struct{ b, next uint32 }

// dominators computes the dominator tree of the reachable blocks of f, by the iterative
// algorithm of Cooper, Harvey and Kennedy over the reverse postorder.
func (r *reader) dominators(f *funcRec) {
	n := int(f.n)
	blocks := r.blocks[f.first : f.first+f.n]
	var buf [8]uint32
	// Postorder; order[i] is a block, num its position.
	order := r.postorder[:0]
	stack := append(r.visits[:0], visit{0, 0})
	arena := r.arena[:0]
	take := func(n int) []uint32 {
		if len(arena)+n > cap(arena) {
			arena = make([]uint32, 0, 2*(len(arena)+n))
		}
		at := len(arena)
		arena = arena[:at+n]
		clear(arena[at:])
		return arena[at : at+n : at+n]
	}
	seen := take(n)
	seen[0] = 1
	succ := take(2 * n)[:0]
	start := take(n + 1)
	for i := range blocks {
		start[i] = uint32(len(succ))
		if blocks[i].reach {
			for _, id := range r.targets(&blocks[i], buf[:0]) {
				succ = append(succ, r.ids[id].aux-f.first)
			}
		}
	}
	start[n] = uint32(len(succ))
	num := take(n)
	for len(stack) > 0 {
		t := &stack[len(stack)-1]
		if at := start[t.b] + t.next; at < start[t.b+1] {
			t.next++
			if s := succ[at]; seen[s] == 0 {
				seen[s] = 1
				stack = append(stack, visit{s, 0})
			}
			continue
		}
		num[t.b] = uint32(len(order))
		order = append(order, t.b)
		stack = stack[:len(stack)-1]
	}
	// Predecessors.
	pstart := take(n + 1)
	for _, s := range succ {
		pstart[s+1]++
	}
	for i := range n {
		pstart[i+1] += pstart[i]
	}
	preds := take(len(succ))
	fill := take(n + 1)
	copy(fill, pstart)
	for b := range n {
		for _, s := range succ[start[b]:start[b+1]] {
			preds[fill[s]] = uint32(b)
			fill[s]++
		}
	}
	r.postorder, r.visits = order, stack
	// The paths from the predecessors up to their common dominator often merge; each
	// block on them is visited once.
	walked, time := take(n), uint32(0)
	const none = ^uint32(0)
	for i := range blocks {
		blocks[i].idom = none
	}
	blocks[0].idom = 0
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			b := order[i]
			idom := uint32(none)
			time++
			for _, p := range preds[pstart[b]:pstart[b+1]] {
				switch {
				case blocks[p].idom == none: // an edge back, or from one
					changed = true
				case idom == none:
					idom = p
				default:
					for x := p; x != idom && walked[x] != time; {
						if num[x] < num[idom] {
							walked[x] = time
							x = blocks[x].idom
						} else {
							walked[idom] = time
							idom = blocks[idom].idom
						}
					}
				}
			}
			if old := blocks[b].idom; old != idom {
				blocks[b].idom = idom
				changed = changed || old != none
			}
		}
	}
	// Sizes of subtrees in postorder give the intervals: a block's dominator
	// comes later in postorder.
	size := take(n)
	for _, b := range order {
		size[b]++
		if b != 0 {
			size[blocks[b].idom] += size[b]
		}
	}
	free := take(n) // the next free position in a block's interval
	for i := len(order) - 1; i >= 0; i-- {
		b := order[i]
		in := uint32(0)
		if b != 0 {
			p := blocks[b].idom
			in = free[p]
			free[p] += size[b]
		}
		blocks[b].in, blocks[b].out = in, in+size[b]
		free[b] = in + 1
	}
	r.arena = arena
}

// checkDominates rejects the use of id, defined in block b, if b does not dominate it.
func (r *reader) checkDominates(b uint32, id uint32) {
	x, y := &r.blocks[b], &r.blocks[r.block]
	if y.in < x.in || y.in >= x.out {
		r.fail("the definition of id %d does not dominate its use", id)
	}
}
