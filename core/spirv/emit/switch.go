// SPDX-License-Identifier: MIT

package emit

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/plan"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/op"
)

// group is a run of cases, each of which may fall through to the next.
type group struct {
	cases []int32
	cond  ir.Src // true if the selector selects one of the cases; unset for the default's group and in a binary search
}

// emitSwitch turns a switch into ifs. It groups the cases that are connected by fallthrough. Nested ifs select one of
// the groups, by binary search for its number if there are many.
func emitSwitch(r *module.Reader, p *plan.Plan, a *plan.Action) {
	first, n := a.Mid, a.B
	conds := caseConditions(r, p, a.A, first, n)
	groups := groups(r, p, first, n)
	if len(groups) > mostInTurn {
		which := numberOf(r, a.A, groups, first, n)
		halve(r, p, groups, 0, which, conds, first)
		return
	}
	for g := range groups[:len(groups)-1] {
		for j, c := range groups[g].cases {
			cond := conds[uint32(c)-first]
			if j > 0 {
				cond = value.Alu(r, op.IOr, groups[g].cond, cond)
			}
			groups[g].cond = cond
		}
	}
	choose(r, p, groups, conds, first)
}

// caseConditions returns for each case the condition under which the selector selects it. The default's, conds[0], is
// unset unless the default falls through or another case falls into it.
func caseConditions(r *module.Reader, p *plan.Plan, bi, first, n uint32) []ir.Src {
	conds := make([]ir.Src, n)
	sel, bits := selector(r, bi)
	eachLiteral(r, bi, first, func(literal uint64, c uint32) {
		eq := value.Alu(r, op.IEq, sel, value.AtEntry(r).Const(bits, literal))
		if conds[c].Val != 0 {
			eq = value.Alu(r, op.IOr, conds[c], eq)
		}
		conds[c] = eq
	})
	var any ir.Src
	needDefault := p.Cases[first].FallenInto || p.Cases[first].FallsTo != 0
	if needDefault {
		for _, c := range conds[1:] {
			if any.Val != 0 {
				c = value.Alu(r, op.IOr, any, c)
			}
			any = c
		}
		conds[0] = value.Alu(r, op.INot, any)
	}
	return conds
}

// selector moves to the end of a block that ends in a switch. It returns the selector and its size.
func selector(r *module.Reader, bi uint32) (sel ir.Src, bits uint8) {
	r.Block, r.At = bi, r.Blocks[bi].Term
	sel = value.Scalar(r, r.Ins(r.At)[1], 0)
	return sel, value.BitsOf(r, sel)
}

// eachLiteral calls fn for every literal of a switch with the index of its case. It omits literals of the default, case
// 0.
func eachLiteral(r *module.Reader, bi, first uint32, fn func(value uint64, c uint32)) {
	in := r.Ins(r.Blocks[bi].Term)
	w := plan.SwitchWords(r, in)
	for i := 3; i < len(in); i += w + 1 {
		value := uint64(in[i])
		if w == 2 {
			value |= uint64(in[i+1]) << 32
		}
		if c := uint32(r.Blocks[plan.BlockOf(r, in[i+w])].CaseIdx) - first; c != 0 {
			fn(value, c)
		}
	}
}

// groups returns the groups, the default's group last.
func groups(r *module.Reader, p *plan.Plan, first, n uint32) []group {
	var out []group
	last := group{}
	seen := uint32(0)
	for i := first; i < first+n; i++ {
		if p.Cases[i].FallenInto {
			continue
		}
		g := group{}
		isLast := false
		for c := int32(i); ; c = p.Cases[c].FallsTo - 1 {
			g.cases = append(g.cases, c)
			isLast = isLast || p.Cases[c].IsDefault
			seen++
			if p.Cases[c].FallsTo == 0 {
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
		r.Fail("cases fall through in a cycle")
	}
	return append(out, last)
}

// choose emits the groups so that one of them is executed, testing each in turn.
func choose(r *module.Reader, p *plan.Plan, groups []group, conds []ir.Src, first uint32) {
	if len(groups) == 1 {
		emitGroup(r, p, &groups[0], conds, first)
		return
	}
	n := r.S.InsertIf(r.Cur, groups[0].cond)
	moveTo(r, r.S.Then(n))
	choose(r, p, groups[:1], conds, first)
	moveTo(r, r.S.Else(n))
	choose(r, p, groups[1:], conds, first)
	moveTo(r, r.S.NextNode(n))
}

// emitGroup emits the cases of a group in order: each runs if the selector selects it or the previous one fell through.
// The only case of a group needs no condition.
func emitGroup(r *module.Reader, p *plan.Plan, g *group, conds []ir.Src, first uint32) {
	if len(g.cases) == 1 {
		emitCase(r, p, g.cases[0], 0)
		return
	}
	for _, c := range g.cases[1:] {
		setBool(r, fallFlag(r, p, c), false)
		// Store the values of the case's phis for the edge from the switch; falling through overwrites them.
		a := &p.Acts[p.Cases[c].Lo]
		emitEdge(r, a.A, a.B)
	}
	for i, c := range g.cases {
		cond := conds[uint32(c)-first]
		if i > 0 {
			cond = value.Alu(r, op.IOr, cond, loadBool(r, fallFlag(r, p, c)))
		}
		n := r.S.InsertIf(r.Cur, cond)
		moveTo(r, r.S.Then(n))
		emitCase(r, p, c, uint32(min(i, 1)))
		moveTo(r, r.S.NextNode(n))
	}
}

// emitCase emits a case's actions, except for the first skip of them.
func emitCase(r *module.Reader, p *plan.Plan, i int32, skip uint32) {
	c := p.Cases[i]
	trip := oneTrip(r, p, c.Con)
	emit(r, p, c.Lo+skip, c.Hi)
	endTrip(r, p, c.Con, trip)
}
