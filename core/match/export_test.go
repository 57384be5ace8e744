// SPDX-License-Identifier: MIT

package match

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
)

// Steps computes the automaton's state of every instruction of a function, bottom-up, like a pass in which no rule can
// match.
func (p *Pass) Steps(s *ir.Shader, f ir.Func, set *Set) {
	if p.S == nil {
		p.begin(s, f, set, nil, nil)
		t := *p.tables
		t.rules = make([]bool, len(t.rules))
		p.tables = &t
	}
	for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
		p.block(b)
	}
}

// One is a single rule of a set.
type One struct {
	pass Pass
	set  *Set
	opts *option.Set
}

// Only extracts a rule from a set.
func Only(set *Set, opts *option.Set, rule int) *One {
	one := &One{set: set, opts: opts}
	p := &one.pass
	t := p.tablesOf(set, opts)
	list, head := t.list, t.head
	t.list, t.head = nil, nil
	for st := range t.auto.NumStates {
		t.head = append(t.head, uint32(len(t.list)))
		for _, c := range list[head[st]:head[st+1]] {
			if int(c.rule) == rule {
				t.list = append(t.list, c)
			}
		}
		t.rules[st] = len(t.list) > int(t.head[st])
	}
	t.head = append(t.head, uint32(len(t.list)))
	return one
}

// Apply walks a function once and reports whether the rule fired.
func (one *One) Apply(s *ir.Shader, f ir.Func) bool {
	p := &one.pass
	p.begin(s, f, one.set, one.opts, nil)
	p.changed = false
	p.walk(f)
	return p.changed
}

// none is a set without rules.
var none = &Set{Auto: Automaton{NumStates: 2, Op: string(make([]byte, 2*op.Count)), Group: "\x00\x00\x00\x00", Cand: "\x00\x00\x00\x00\x00\x00"}}

// MayGiveUp returns the behavior that a rule may relax on instruction v.
func MayGiveUp(s *ir.Shader, f ir.Func, v ir.Value) uint16 {
	var p Pass
	p.begin(s, f, none, nil, nil)
	return p.mayGiveUp(v)
}

// Replace replaces root with an operation, as a rule does.
func Replace(s *ir.Shader, f ir.Func, root ir.Value, o op.Op, comps uint8, src ...ir.Src) {
	var p Pass
	p.begin(s, f, none, nil, nil)
	p.before(root, 0)
	var list [op.MaxSrc]ir.Src
	copy(list[:], src)
	p.done(root, p.alu(o, comps, list))
}
