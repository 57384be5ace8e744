// SPDX-License-Identifier: MIT

package emit

import (
	"cmp"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/core/spirv/plan"
	"jacquard.example/core/spirv/value"
	"jacquard.example/generated/op"
)

// mostInTurn is the maximum number of groups of a switch that are tested in sequence.
const mostInTurn = 8

// literal is a value of the selector and the group that it selects.
type literal struct {
	value uint64
	group int
}

// numberOf computes the index in groups of the selected group, as 32 bits. If each group except the default's has one
// value and the values are consecutive, it sorts these groups by value, in place; the index is then the selector's
// distance from the first value, or the default's index if that is less. Otherwise it compares the selector with every
// value.
func numberOf(r *module.Reader, bi uint32, groups []group, first, n uint32) ir.Src {
	lits, sel, bits := literals(r, bi, groups, first, n)
	others := len(groups) - 1 // the number of the default's group
	if lo, ok := inOrder(lits, others, bits); ok {
		order := make([]group, 0, len(groups))
		for _, l := range lits {
			order = append(order, groups[l.group])
		}
		copy(groups, order)
		which := value.Alu(r, op.UMin, value.Alu(r, op.IAdd, sel, value.AtEntry(r).Const(bits, -lo&module.Mask(bits))),
			value.AtEntry(r).Const(bits, uint64(others)))
		if bits != 32 {
			which = value.Alu(r, op.U2U32, which)
		}
		return which
	}
	which := value.Imm(r, uint32(others))
	for _, l := range lits {
		if l.group != others {
			which = value.Alu(r, op.BCsel, value.Alu(r, op.IEq, sel, value.AtEntry(r).Const(bits, l.value)),
				value.Imm(r, uint32(l.group)), which)
		}
	}
	return which
}

// literals returns the literals of a switch, except literals that lead to the default case, and the selector with its
// size. It moves to the end of block bi.
func literals(r *module.Reader, bi uint32, groups []group, first, n uint32) (lits []literal, sel ir.Src, bits uint8) {
	groupOf := make([]int, n)
	for g := range groups {
		for _, c := range groups[g].cases {
			groupOf[uint32(c)-first] = g
		}
	}
	sel, bits = selector(r, bi)
	eachLiteral(r, bi, first, func(value uint64, c uint32) {
		lits = append(lits, literal{value & module.Mask(bits), groupOf[c]})
	})
	return lits, sel, bits
}

// inOrder reports whether there is exactly one literal for each of the first n groups and their values are consecutive,
// as unsigned or signed numbers, starting at lo. If so, the literals are sorted. n must fit in a selector of the size.
func inOrder(lits []literal, n int, bits uint8) (lo uint64, ok bool) {
	if len(lits) != n || bits < 32 && n >= 1<<bits {
		return 0, false
	}
	seen := make([]bool, n+1)
	seen[n] = true // the default's
	for _, l := range lits {
		if seen[l.group] {
			return 0, false
		}
		seen[l.group] = true
	}
	for _, flip := range []uint64{0, 1 << (bits - 1)} {
		slices.SortFunc(lits, func(a, b literal) int { return cmp.Compare(a.value^flip, b.value^flip) })
		next := (lits[0].value ^ flip) - 1
		if !slices.ContainsFunc(lits, func(l literal) bool { next++; return l.value^flip != next }) {
			return lits[0].value, true
		}
	}
	return 0, false
}

// halve emits the groups, the first of which has number lo, as nested ifs: a binary search for the group's number.
func halve(r *module.Reader, p *plan.Plan, groups []group, lo int, which ir.Src, conds []ir.Src, first uint32) {
	if len(groups) == 1 {
		emitGroup(r, p, &groups[0], conds, first)
		return
	}
	mid := len(groups) / 2
	n := r.S.InsertIf(r.Cur, value.Alu(r, op.ULt, which, value.Imm(r, uint32(lo+mid))))
	moveTo(r, r.S.Then(n))
	halve(r, p, groups[:mid], lo, which, conds, first)
	moveTo(r, r.S.Else(n))
	halve(r, p, groups[mid:], lo+mid, which, conds, first)
	moveTo(r, r.S.NextNode(n))
}
