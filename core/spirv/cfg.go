package spirv

import (
	"jacquard.example/core/spirv/structure"
	"jacquard.example/generated/spirvtab"
)

// control is the control flow of the function that is being checked.
type control struct {
	branches   structure.Graph
	structural structure.Graph
	constructs structure.Constructs
	nodes      []structure.Block // of the structural graph
}

// checkFunctions checks the control flow of every function, called or not, and that
// definitions dominate their uses.
func (r *reader) checkFunctions() {
	for i := range r.funcs {
		f := &r.funcs[i]
		if f.n == 0 {
			continue
		}
		r.fn = f
		r.arena = r.arena[:0]
		r.flowGraph(f)
		r.checkOrder(f)
		if f.n > 1 && r.structuralGraph(f) {
			r.checkStructure(f)
		}
		r.checkUses(f)
		r.checkPhis(f)
	}
	r.fn = nil
}

// flowGraph builds the graph of a function's branches. It records for each block whether it is reachable, its number of
// incoming edges, and its immediate dominator.
func (r *reader) flowGraph(f *funcRec) {
	n := int(f.n)
	var buf [8]uint32
	g := &r.branches
	g.Reset(n)
	blocks := r.blocks[f.first : f.first+f.n]
	for i := range blocks {
		for _, id := range r.targets(&blocks[i], buf[:0]) {
			t := r.blockOf(id) - f.first
			if t == 0 {
				r.failAt(blocks[i].term, "the first block of the function is the target of a branch")
			}
			g.Add(i, int(t))
		}
	}
	g.Finish()
	for i := range blocks {
		b := &blocks[i]
		b.reach = g.Reachable(uint32(i))
		b.idom = g.Idom(uint32(i))
		b.in, b.out = g.Doms.Interval(i)
	}
	// Several edges from one block to another count once.
	last := r.arena.Take(n)
	for i := range blocks {
		if !blocks[i].reach {
			continue
		}
		for _, t := range g.Targets(uint32(i)) {
			if last[t] != uint32(i)+1 {
				last[t] = uint32(i) + 1
				blocks[t].preds++
			}
		}
	}
	f.order = uint32(len(r.postorder))
	r.postorder = append(r.postorder, g.Order.Nodes...)
}

// checkOrder checks that blocks follow their dominators, and that a block is the merge block of at most one header.
func (r *reader) checkOrder(f *funcRec) {
	for i := range f.n {
		b := &r.blocks[f.first+i]
		if i > 0 && b.reach && b.idom > i {
			r.failAt(b.start, "block %d precedes block %d, which dominates it", b.label, r.blocks[f.first+b.idom].label)
		}
		if b.merge == 0 {
			continue
		}
		r.at = b.merge
		m := &r.blocks[r.blockOf(r.words[b.merge+1])]
		if m.merges {
			r.fail("block %d is also the merge block of another header", m.label)
		}
		m.merges = true
		first := m.label == r.blocks[f.first].label
		if first || r.op(b.merge) == spirvtab.OpLoopMerge && r.blockOf(r.words[b.merge+2]) == f.first {
			r.fail("the first block of the function is a merge block or a continue target")
		}
		if o := r.op(b.term); o == spirvtab.OpSwitch && r.op(b.merge) == spirvtab.OpSelectionMerge || o == spirvtab.OpBranchConditional {
			continue
		} else if o != spirvtab.OpBranch || r.op(b.merge) != spirvtab.OpLoopMerge {
			r.fail("a merge instruction before %s", spirvtab.Lookup(o).Name)
		}
	}
}

// structuralGraph builds the structural graph of a function and the list of its blocks. It returns false if the function
// has neither merge instructions nor branches that need them.
func (r *reader) structuralGraph(f *funcRec) bool {
	n := int(f.n)
	g, flow := &r.structural, &r.branches
	g.Reset(n)
	r.nodes = r.nodes[:0]
	straight := true
	for i := range f.n {
		b := &r.blocks[f.first+i]
		node := structure.Block{Label: b.label}
		if b.merge != 0 {
			r.at = b.merge
			node.Merge, node.To = structure.SelectionMerge, r.blockOf(r.words[b.merge+1])-f.first
			g.Add(int(i), int(node.To))
			if r.op(b.merge) == spirvtab.OpLoopMerge {
				node.Merge, node.Next = structure.LoopMerge, r.blockOf(r.words[b.merge+2])-f.first
				g.Add(int(i), int(node.Next))
			}
		}
		switch r.op(b.term) {
		case spirvtab.OpSwitch:
			node.End = structure.Switch
		case spirvtab.OpBranchConditional:
			node.End = structure.Conditional
		}
		r.nodes = append(r.nodes, node)
		ts := flow.Targets(i)
		for _, t := range ts {
			g.Add(int(i), int(t))
		}
		straight = straight && b.merge == 0 && (len(ts) == 0 || r.op(b.term) == spirvtab.OpBranch && uint32(ts[0]) == i+1)
	}
	if straight {
		return false
	}
	g.Finish()
	return true
}

// checkStructure checks the structural graph of a function.
func (r *reader) checkStructure(f *funcRec) {
	fault := r.constructs.Check(r.nodes, &r.structural, &r.arena)
	if fault == nil {
		return
	}
	b := &r.blocks[f.first+fault.Block]
	at := b.term
	if fault.Merge {
		at = b.merge
	}
	r.failAt(at, "%s", fault.Text)
}

// checkUses checks that ids in the body of a function are defined before their uses, that definitions dominate uses,
// and that phis and variables are in valid positions. It records the block that defines each id.
func (r *reader) checkUses(f *funcRec) {
	for at, n := f.params, f.nparams; n > 0; at += r.words[at] >> 16 {
		if r.op(at) == spirvtab.OpFunctionParameter {
			r.ids[r.words[at+2]].home = f.first + 1
			n--
		}
	}
	for bi := f.first; bi < f.first+f.n; bi++ {
		b := &r.blocks[bi]
		r.block = bi
		phis, vars := true, bi == f.first
		for at := b.start; at <= b.term; {
			in := r.words[at:]
			in = in[:in[0]>>16]
			info := spirvtab.Lookup(uint16(in[0]))
			r.at = at
			switch info.Num {
			case spirvtab.OpPhi:
				if !phis || bi == f.first {
					r.fail("is not at the start of a block after the first")
				}
			case spirvtab.OpVariable:
				if !vars {
					r.fail("is not at the start of the first block")
				}
				phis = false
				r.usesOf(info, in)
			case spirvtab.OpLine, spirvtab.OpNoLine, spirvtab.OpNop:
			case spirvtab.OpExtInst:
				if r.ids[in[3]].kind == idNonSemantic {
					break
				}
				phis, vars = false, false
				r.usesOf(info, in)
			default:
				phis, vars = false, false
				r.usesOf(info, in)
			}
			if info.HasResult {
				at := 1
				if info.HasType {
					at = 2
				}
				r.ids[in[at]].home = bi + 1
			}
			at += uint32(len(in))
		}
	}
}

// usesOf checks the operands of an instruction.
func (r *reader) usesOf(info *spirvtab.Op, in []uint32) {
	i := 1
	if info.HasType {
		i = 3
	}
	ids := int(info.IDs)
	switch info.Category {
	case spirvtab.CategoryControl: // other control instructions have only labels
		if ids = min(ids, 1); info.Num == spirvtab.OpBranch || info.Num == spirvtab.OpLoopMerge || info.Num == spirvtab.OpSelectionMerge {
			return
		}
	case spirvtab.CategoryFunction: // OpFunctionCall: any function
		i, ids = 4, len(in)-4
	case spirvtab.CategoryImage: // the operands after the mask are ids
		r.useAll(in[min(i+ids+1, len(in)):])
	}
	for _, id := range in[i : i+ids] {
		r.use(id)
	}
	if len(in) > int(info.Plain) && info.Category != spirvtab.CategoryFunction && info.Category != spirvtab.CategoryControl {
		r.restUses(info.Layout[ids:], in[i+ids:])
	}
}

// restUses checks the ids among the last words of an instruction, which have the given layout.
func (r *reader) restUses(layout string, in []uint32) {
	for l := 0; l < len(layout) && len(in) > 0; l++ {
		switch c := layout[l]; {
		case c == '?':
			continue
		case c == 'w':
			return
		case l+1 < len(layout) && layout[l+1] == '*':
			if c == 'i' {
				r.useAll(in)
			}
			return
		case c == 'i':
			r.use(in[0])
		}
		in = in[1:]
	}
}

func (r *reader) useAll(ids []uint32) {
	for _, id := range ids {
		r.use(id)
	}
}

// use checks that an id is defined before the current instruction: in a block of this function that dominates the
// current one, or outside of all functions.
func (r *reader) use(id uint32) {
	if id >= r.bound {
		panic(r.errorf("id %d exceeds the bound %d", id, r.bound))
	}
	rec := &r.ids[id]
	if rec.word-1 >= r.at-1 { // never defined: word 0
		panic(r.errorf("id %d is used where it is not defined", id))
	}
	if rec.home != 0 && rec.home != r.block+1 {
		r.usedIn(id, r.block)
	}
}

// usedIn checks that the definition of an id in another block dominates its use in block b.
func (r *reader) usedIn(id, b uint32) {
	home := r.ids[id].home - 1
	if home-r.fn.first >= r.fn.n {
		panic(r.errorf("id %d belongs to another function", id))
	}
	x, y := &r.blocks[home], &r.blocks[b]
	if y.reach && (!x.reach || y.in < x.in || y.in >= x.out) {
		panic(r.errorf("the definition of id %d does not dominate its use", id))
	}
}

// checkPhis checks that each phi has one value for each predecessor of its block, whose definition dominates the
// predecessor.
func (r *reader) checkPhis(f *funcRec) {
	g := &r.branches
	// by block: 1 + the last block with phis that it precedes; the last phi with a value for it
	var preds, used []uint32
	for i := range f.n {
		b := &r.blocks[f.first+i]
		n := uint32(0)
		for at := b.start; at < b.term; at += r.words[at] >> 16 {
			if o := r.op(at); o == spirvtab.OpLine || o == spirvtab.OpNoLine || o == spirvtab.OpNop {
				continue
			} else if o != spirvtab.OpPhi {
				break
			}
			if preds == nil {
				preds, used = r.arena.Take(int(f.n)), r.arena.Take(int(f.n))
			}
			if n == 0 {
				for _, p := range g.Preds(int(i)) {
					if preds[p] != i+1 {
						preds[p] = i + 1
						n++
					}
				}
			}
			r.at = at
			r.checkPhi(f, b, n, preds, used)
		}
	}
}

// checkPhi checks the current phi of block b, which has n predecessors.
func (r *reader) checkPhi(f *funcRec, b *block, n uint32, preds, used []uint32) {
	in := r.ins(r.at)
	if len(in)%2 == 0 {
		r.fail("the operands are not pairs of value and label")
	}
	for k := 3; k < len(in); k += 2 {
		id, from := in[k], r.blockOf(in[k+1])
		p := from - f.first
		switch rec := &r.ids[id]; {
		case preds[p] != r.ids[b.label].aux-f.first+1:
			r.fail("block %d is not a predecessor", in[k+1])
		case used[p] == r.at:
			r.fail("has two values for the edge from block %d", in[k+1])
		case rec.word == 0:
			r.fail("id %d is used where it is not defined", id)
		case rec.typ != in[1]:
			r.fail("id %d has another type than the result", id)
		case rec.home != 0 && b.reach:
			r.usedIn(id, from)
		}
		used[p] = r.at
	}
	if uint32(len(in)-3)/2 != n {
		r.fail("has %d values, the block %d predecessors", (len(in)-3)/2, n)
	}
}
