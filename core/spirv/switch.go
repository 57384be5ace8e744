package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/op"
)

// group is a run of cases, each of which may fall through to the next.
type group struct {
	cases []int32
	cond  ir.Src // true if the selector selects one of the cases; unset for the default's group
}

// emitSwitch turns a switch into ifs. It groups the cases that are connected by fallthrough. Nested ifs select one of
// the groups, by binary search for its number if there are many.
func (r *reader) emitSwitch(a *action) {
	first, n := a.mid, a.b
	conds := r.caseConditions(a.a, first, n)
	groups := r.groups(first, n)
	if len(groups) > mostInTurn {
		which := r.numberOf(a.a, groups, first, n)
		r.halve(groups, 0, which, conds, first)
		return
	}
	for g := range groups[:len(groups)-1] {
		for j, c := range groups[g].cases {
			cond := conds[uint32(c)-first]
			if j > 0 {
				cond = r.alu(op.IOr, groups[g].cond, cond)
			}
			groups[g].cond = cond
		}
	}
	r.choose(groups, conds, first)
}

// caseConditions returns for each case the condition under which the selector selects it. The default's condition is
// computed only if it is needed: for a case that others fall into.
func (r *reader) caseConditions(bi, first, n uint32) []ir.Src {
	conds := make([]ir.Src, n)
	sel, bits := r.selector(bi)
	r.eachLiteral(bi, first, func(literal uint64, c uint32) {
		eq := r.alu(op.IEq, sel, r.atEntry().Const(bits, literal))
		if conds[c].Val != 0 {
			eq = r.alu(op.IOr, conds[c], eq)
		}
		conds[c] = eq
	})
	var any ir.Src
	needDefault := r.cases[first].fallenInto || r.cases[first].fallsTo != 0
	if needDefault {
		for _, c := range conds[1:] {
			if any.Val != 0 {
				c = r.alu(op.IOr, any, c)
			}
			any = c
		}
		conds[0] = r.alu(op.INot, any)
	}
	return conds
}

// selector moves to the end of a block that ends in a switch. It returns the selector and its size.
func (r *reader) selector(bi uint32) (sel ir.Src, bits uint8) {
	r.block, r.at = bi, r.blocks[bi].term
	sel = r.scalar(r.ins(r.at)[1], 0)
	return sel, r.bitsOf(sel)
}

// eachLiteral calls fn for every literal of a switch with the index of its case. It omits literals of the default, case
// 0.
func (r *reader) eachLiteral(bi, first uint32, fn func(value uint64, c uint32)) {
	in := r.ins(r.blocks[bi].term)
	w := r.switchWords(in)
	for i := 3; i < len(in); i += w + 1 {
		value := uint64(in[i])
		if w == 2 {
			value |= uint64(in[i+1]) << 32
		}
		if c := uint32(r.blocks[r.blockOf(in[i+w])].caseIdx) - first; c != 0 {
			fn(value, c)
		}
	}
}

// groups returns the groups, the default's group last.
func (r *reader) groups(first, n uint32) []group {
	var out []group
	last := group{}
	seen := uint32(0)
	for i := first; i < first+n; i++ {
		if r.cases[i].fallenInto {
			continue
		}
		g := group{}
		isLast := false
		for c := int32(i); ; c = r.cases[c].fallsTo - 1 {
			g.cases = append(g.cases, c)
			isLast = isLast || r.cases[c].isDefault
			seen++
			if r.cases[c].fallsTo == 0 {
				break
			}
		}
		if isLast {
			last = g
		} else {
			out = append(out, g)
		}
	}
	if seen != n {
		r.fail("cases fall through in a cycle")
	}
	return append(out, last)
}

// choose emits the groups so that one of them is executed, testing each in turn.
func (r *reader) choose(groups []group, conds []ir.Src, first uint32) {
	if len(groups) == 1 {
		r.emitGroup(&groups[0], conds, first)
		return
	}
	n := r.s.InsertIf(r.cur, groups[0].cond)
	r.moveTo(r.s.Then(n))
	r.choose(groups[:1], conds, first)
	r.moveTo(r.s.Else(n))
	r.choose(groups[1:], conds, first)
	r.moveTo(r.s.NextNode(n))
}

// emitGroup emits the cases of a group in order: each runs if the selector selects it or
// the previous one fell through.
func (r *reader) emitGroup(g *group, conds []ir.Src, first uint32) {
	if len(g.cases) == 1 {
		r.emitCase(g.cases[0], 0)
		return
	}
	for _, c := range g.cases[1:] {
		r.setBool(r.fallFlag(c), false)
		// Store the values of the case's phis for the edge from the switch; falling through overwrites them.
		a := &r.acts[r.cases[c].lo]
		r.emitEdge(a.a, a.b)
	}
	for i, c := range g.cases {
		cond := conds[uint32(c)-first]
		if i > 0 {
			cond = r.alu(op.IOr, cond, r.loadBool(r.fallFlag(c)))
		}
		n := r.s.InsertIf(r.cur, cond)
		r.moveTo(r.s.Then(n))
		r.emitCase(c, uint32(min(i, 1)))
		r.moveTo(r.s.NextNode(n))
	}
}

// emitCase emits a case's actions except the first skip.
func (r *reader) emitCase(i int32, skip uint32) {
	c := r.cases[i]
	trip := r.oneTrip(c.con)
	r.emit(c.lo+skip, c.hi)
	r.endTrip(c.con, trip)
}
