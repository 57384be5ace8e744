// SPDX-License-Identifier: MIT

package match

import (
	"slices"

	"jacquard.example/core/reuse"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
)

const anySize = op.Size1 | op.Size8 | op.Size16 | op.Size32 | op.Size64

// tables are the tables of a set in the form that a pass uses: unpacked, and without the rules whose condition does not
// hold.
type tables struct {
	set   *Set
	auto  *Automaton
	opts  option.Set // the options for which list was built
	conds []bool     // the conditions that hold with them
	desc  []OpDesc   // by opcode; NSrc is 0 if no rule contains it
	trans []step
	class []uint8
	group []uint16 // by state
	rules []bool   // by state: whether there are rules to try
	head  []uint32 // by state: start of its rules in list
	list  []candidate
}

// step is the result of a step of the automaton: a state in the low half, and its group in the high half, so that the
// next step does not depend on another table lookup. For steps but the last, the low half is the next position.
type step uint32

func (s step) state() uint16 { return uint16(s) }
func (s step) group() uint16 { return uint16(s >> 16) }

// candidate is a rule that can match in a state, with its quick checks.
type candidate struct {
	rule  uint16
	gives uint16   // relaxations that the root must allow
	sizes op.Sizes // sizes of the root's operands at which it can match
	lit   uint8    // num.Class that a constant operand must have
	same  uint8    // pairs of operands that must be the same value
	start uint32   // start of its program
}

// anyLit is a class that all operands are assumed to have.
const anyLit = 1 << 7

// tablesOf returns the tables of a set under the given options; nil means no options.
func (p *Pass) tablesOf(set *Set, opts *option.Set) *tables {
	var with option.Set
	if opts != nil {
		with = *opts
	}
	for _, t := range p.caches {
		if t.set != set {
			continue
		}
		if t.opts != with {
			t.opts = with
			if p.evaluate(set, opts); !slices.Equal(t.conds, p.conds) {
				t.enable(p.conds)
			}
		}
		return t
	}
	p.evaluate(set, opts)
	t := &tables{set: set, opts: with, auto: &set.Auto, class: []uint8(set.Auto.Class), group: unpack(set.Auto.Group)}
	for _, to := range unpack(set.Auto.Trans) {
		t.trans = append(t.trans, step(to))
		if int(to) < len(t.group) {
			t.trans[len(t.trans)-1] |= step(t.group[to]) << 16
		}
	}
	for _, d := range unpack(set.Auto.Op) {
		if d == 0 {
			t.desc = append(t.desc, OpDesc{})
		} else {
			t.desc = append(t.desc, set.Auto.Desc[d-1])
		}
	}
	t.enable(p.conds)
	p.caches = append(p.caches, t)
	return t
}

// evaluate evaluates the conditions of a set.
func (p *Pass) evaluate(set *Set, opts *option.Set) {
	p.conds = reuse.Slice(p.conds, set.NumConds)
	if set.NumConds > 0 {
		set.Conds(opts, p.conds)
	}
}

// enable lists, for every state, the rules whose condition holds.
func (t *tables) enable(conds []bool) {
	t.conds = append(t.conds[:0], conds...)
	t.rules, t.head, t.list = t.rules[:0], t.head[:0], t.list[:0]
	n := uint32(t.auto.NumStates)
	for st := range n {
		t.head = append(t.head, uint32(len(t.list)))
		for i := u16(t.auto.Cand, st); i < u16(t.auto.Cand, st+1); i++ {
			r := uint16(u16(t.auto.Cand, n+1+i))
			rule := &t.set.Rows[r]
			if rule.Cond != 0 && !conds[rule.Cond-1] {
				continue
			}
			sizes := rule.Sizes
			if sizes == 0 {
				sizes = anySize
			}
			lit := rule.Root.Lit
			if lit == 0 {
				lit = anyLit
			}
			t.list = append(t.list, candidate{rule: r, gives: rule.Root.Gives, sizes: sizes, lit: lit, same: rule.Root.Same,
				start: rule.Program})
		}
		t.rules = append(t.rules, len(t.list) > int(t.head[st]))
	}
	t.head = append(t.head, uint32(len(t.list)))
}

// unpack reads a string of little-endian 16-bit numbers.
func unpack(s string) []uint16 {
	out := make([]uint16, len(s)/2)
	for i := range out {
		out[i] = uint16(u16(s, uint32(i)))
	}
	return out
}
