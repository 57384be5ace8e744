// SPDX-License-Identifier: MIT

package plan

import (
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/structure"
	"jacquard.example/generated/spirvtab"
)

// CheckFunctions checks the control flow of every function, called or not, and that definitions dominate their uses.
func CheckFunctions(r *module.Reader, p *Plan) {
	p.postorder = p.postorder[:0]
	for i := range r.Funcs {
		f := &r.Funcs[i]
		if f.N == 0 {
			continue
		}
		r.Fn = f
		p.arena = p.arena[:0]
		flowGraph(r, p, f)
		checkOrder(r, f)
		if f.N > 1 && structuralGraph(r, p, f) {
			checkStructure(r, p, f)
		}
		checkUses(r, f)
		checkPhis(r, p, f)
	}
	r.Fn = nil
}

// flowGraph builds the graph of a function's branches. It records for each block whether it is reachable, its number of
// reachable predecessors, and its place in the dominator tree.
func flowGraph(r *module.Reader, p *Plan, f *module.FuncRec) {
	n := int(f.N)
	var buf [8]uint32
	g := &p.branches
	g.Reset(n)
	blocks := r.Blocks[f.First : f.First+f.N]
	for i := range blocks {
		for _, id := range targets(r, &blocks[i], buf[:0]) {
			t := BlockOf(r, id) - f.First
			if t == 0 {
				r.FailAt(blocks[i].Term, "the first block of the function is the target of a branch")
			}
			g.Add(i, int(t))
		}
	}
	g.Finish()
	for i := range blocks {
		b := &blocks[i]
		b.Reach = g.Reachable(uint32(i))
		b.Idom = g.Idom(uint32(i))
		b.In, b.Out = g.Doms.Interval(i)
	}
	// Several edges from one block to another count once.
	last := p.arena.Take(n)
	for i := range blocks {
		if !blocks[i].Reach {
			continue
		}
		for _, t := range g.Targets(uint32(i)) {
			if last[t] != uint32(i)+1 {
				last[t] = uint32(i) + 1
				blocks[t].Preds++
			}
		}
	}
	f.Order = uint32(len(p.postorder))
	p.postorder = append(p.postorder, g.Order.Nodes...)
}

// checkOrder checks that blocks follow their dominators, that a block is the merge block of at most one header, and that
// merge instructions precede branches that may have them.
func checkOrder(r *module.Reader, f *module.FuncRec) {
	for i := range f.N {
		b := &r.Blocks[f.First+i]
		if i > 0 && b.Reach && b.Idom > i {
			r.FailAt(b.Start, "block %d precedes block %d, which dominates it", b.Label, r.Blocks[f.First+b.Idom].Label)
		}
		if b.Merge == 0 {
			continue
		}
		r.At = b.Merge
		m := &r.Blocks[BlockOf(r, r.Words[b.Merge+1])]
		if m.Merges {
			r.Fail("block %d is also the merge block of another header", m.Label)
		}
		m.Merges = true
		first := m.Label == r.Blocks[f.First].Label
		if first || r.Op(b.Merge) == spirvtab.OpLoopMerge && BlockOf(r, r.Words[b.Merge+2]) == f.First {
			r.Fail("the first block of the function is a merge block or a continue target")
		}
		if o := r.Op(b.Term); o == spirvtab.OpSwitch && r.Op(b.Merge) == spirvtab.OpSelectionMerge || o == spirvtab.OpBranchConditional {
			continue
		} else if o != spirvtab.OpBranch || r.Op(b.Merge) != spirvtab.OpLoopMerge {
			r.Fail("is not allowed before %s", spirvtab.Lookup(o).Name)
		}
	}
}

// structuralGraph builds the structural graph of a function and the list of its blocks. It returns false if
// control flows straight through the blocks: none has a merge instruction, and each ends with a return or the like, or
// branches to the next one.
func structuralGraph(r *module.Reader, p *Plan, f *module.FuncRec) bool {
	n := int(f.N)
	g, flow := &p.structural, &p.branches
	g.Reset(n)
	p.nodes = p.nodes[:0]
	straight := true
	for i := range f.N {
		b := &r.Blocks[f.First+i]
		node := structure.Block{Label: b.Label}
		if b.Merge != 0 {
			r.At = b.Merge
			node.Merge, node.To = structure.SelectionMerge, BlockOf(r, r.Words[b.Merge+1])-f.First
			g.Add(int(i), int(node.To))
			if r.Op(b.Merge) == spirvtab.OpLoopMerge {
				node.Merge, node.Next = structure.LoopMerge, BlockOf(r, r.Words[b.Merge+2])-f.First
				g.Add(int(i), int(node.Next))
			}
		}
		switch r.Op(b.Term) {
		case spirvtab.OpSwitch:
			node.End = structure.Switch
		case spirvtab.OpBranchConditional:
			node.End = structure.Conditional
		}
		p.nodes = append(p.nodes, node)
		ts := flow.Targets(i)
		for _, t := range ts {
			g.Add(int(i), int(t))
		}
		straight = straight && b.Merge == 0 && (len(ts) == 0 || r.Op(b.Term) == spirvtab.OpBranch && uint32(ts[0]) == i+1)
	}
	if straight {
		return false
	}
	g.Finish()
	return true
}

// checkStructure checks the structural graph of a function.
func checkStructure(r *module.Reader, p *Plan, f *module.FuncRec) {
	fault := p.constructs.Check(p.nodes, &p.structural, &p.arena)
	if fault == nil {
		return
	}
	b := &r.Blocks[f.First+fault.Block]
	at := b.Term
	if fault.Merge {
		at = b.Merge
	}
	r.FailAt(at, "%s", fault.Text)
}

// checkUses checks that ids in the body of a function are defined before their uses, that definitions dominate uses,
// and that phis and variables are in valid positions. It records the block that defines each id.
func checkUses(r *module.Reader, f *module.FuncRec) {
	for at, n := f.Params, f.Nparams; n > 0; at += r.Words[at] >> 16 {
		if r.Op(at) == spirvtab.OpFunctionParameter {
			r.Ids[r.Words[at+2]].Home = f.First + 1
			n--
		}
	}
	for bi := f.First; bi < f.First+f.N; bi++ {
		b := &r.Blocks[bi]
		r.Block = bi
		phis, vars := true, bi == f.First
		for at := b.Start; at <= b.Term; {
			in := r.Words[at:]
			in = in[:in[0]>>16]
			info := spirvtab.Lookup(uint16(in[0]))
			r.At = at
			switch info.Num {
			case spirvtab.OpPhi:
				if !phis || bi == f.First {
					r.Fail("is not at the start of a block after the first")
				}
			case spirvtab.OpVariable:
				if !vars {
					r.Fail("is not at the start of the first block")
				}
				phis = false
				usesOf(r, info, in)
			case spirvtab.OpLine, spirvtab.OpNoLine, spirvtab.OpNop:
			case spirvtab.OpExtInst:
				if r.Ids[in[3]].Kind == module.IdNonSemantic {
					break
				}
				phis, vars = false, false
				usesOf(r, info, in)
			default:
				phis, vars = false, false
				usesOf(r, info, in)
			}
			if info.HasResult {
				at := 1
				if info.HasType {
					at = 2
				}
				r.Ids[in[at]].Home = bi + 1
			}
			at += uint32(len(in))
		}
	}
}

// usesOf checks the operands of an instruction.
func usesOf(r *module.Reader, info *spirvtab.Op, in []uint32) {
	i := 1
	if info.HasType {
		i = 3
	}
	ids := int(info.IDs)
	switch info.Category {
	case spirvtab.CategoryControl: // only the first operand can be a value; the other ids are labels
		if ids = min(ids, 1); info.Num == spirvtab.OpBranch || info.Num == spirvtab.OpLoopMerge || info.Num == spirvtab.OpSelectionMerge {
			return
		}
	case spirvtab.CategoryFunction: // OpFunctionCall: any function
		i, ids = 4, len(in)-4
	case spirvtab.CategoryImage: // the operands after the mask are ids
		useAll(r, in[min(i+ids+1, len(in)):])
	}
	for _, id := range in[i : i+ids] {
		use(r, id)
	}
	if len(in) > int(info.Plain) && info.Category != spirvtab.CategoryFunction && info.Category != spirvtab.CategoryControl {
		restUses(r, info.Layout[ids:], in[i+ids:])
	}
}

// restUses checks the ids among the last words of an instruction, which have the given layout.
func restUses(r *module.Reader, layout string, in []uint32) {
	for l := 0; l < len(layout) && len(in) > 0; l++ {
		switch c := layout[l]; {
		case c == '?':
			continue
		case c == 'w':
			return
		case l+1 < len(layout) && layout[l+1] == '*':
			if c == 'i' {
				useAll(r, in)
			}
			return
		case c == 'i':
			use(r, in[0])
		}
		in = in[1:]
	}
}

func useAll(r *module.Reader, ids []uint32) {
	for _, id := range ids {
		use(r, id)
	}
}

// use checks that an id is defined before the current instruction: in a block of this function that dominates the
// current one, or outside of all functions.
func use(r *module.Reader, id uint32) {
	if id >= r.Bound {
		panic(r.Errorf("id %d exceeds the bound %d", id, r.Bound))
	}
	rec := &r.Ids[id]
	if rec.Word-1 >= r.At-1 { // never defined: word 0
		panic(r.Errorf("id %d is used where it is not defined", id))
	}
	if rec.Home != 0 && rec.Home != r.Block+1 {
		usedIn(r, id, r.Block)
	}
}

// usedIn checks that the definition of an id in another block dominates its use in block b.
func usedIn(r *module.Reader, id, b uint32) {
	home := r.Ids[id].Home - 1
	if home-r.Fn.First >= r.Fn.N {
		panic(r.Errorf("id %d belongs to another function", id))
	}
	x, y := &r.Blocks[home], &r.Blocks[b]
	if y.Reach && (!x.Reach || y.In < x.In || y.In >= x.Out) {
		panic(r.Errorf("the definition of id %d does not dominate its use", id))
	}
}

// checkPhis checks that each phi has one value for each predecessor of its block, and that the definition of the value
// dominates the predecessor.
func checkPhis(r *module.Reader, p *Plan, f *module.FuncRec) {
	g := &p.branches
	// by block: 1 + the last block with phis that it precedes; the last phi with a value for it
	var preds, used []uint32
	for i := range f.N {
		b := &r.Blocks[f.First+i]
		n := uint32(0)
		for at := b.Start; at < b.Term; at += r.Words[at] >> 16 {
			if o := r.Op(at); o == spirvtab.OpLine || o == spirvtab.OpNoLine || o == spirvtab.OpNop {
				continue
			} else if o != spirvtab.OpPhi {
				break
			}
			if preds == nil {
				preds, used = p.arena.Take(int(f.N)), p.arena.Take(int(f.N))
			}
			if n == 0 {
				for _, from := range g.Preds(int(i)) {
					if preds[from] != i+1 {
						preds[from] = i + 1
						n++
					}
				}
			}
			r.At = at
			checkPhi(r, f, b, n, preds, used)
		}
	}
}

// checkPhi checks the current phi of block b, which has n predecessors.
func checkPhi(r *module.Reader, f *module.FuncRec, b *module.Block, n uint32, preds, used []uint32) {
	in := r.Ins(r.At)
	if len(in)%2 == 0 {
		r.Fail("the operands are not pairs of a value and a label")
	}
	for k := 3; k < len(in); k += 2 {
		id, from := in[k], BlockOf(r, in[k+1])
		p := from - f.First
		switch rec := &r.Ids[id]; {
		case preds[p] != r.Ids[b.Label].Aux-f.First+1:
			r.Fail("block %d is not a predecessor", in[k+1])
		case used[p] == r.At:
			r.Fail("has two values for the edge from block %d", in[k+1])
		case rec.Word == 0:
			r.Fail("id %d is used where it is not defined", id)
		case rec.Typ != in[1]:
			r.Fail("id %d has a different type than the result", id)
		case rec.Home != 0 && b.Reach:
			usedIn(r, id, from)
		}
		used[p] = r.At
	}
	if uint32(len(in)-3)/2 != n {
		r.Fail("has %d values, but the block has %d predecessors", (len(in)-3)/2, n)
	}
}
