// SPDX-License-Identifier: MIT

package ruleset

import (
	"fmt"
	"sort"
	"strings"

	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
)

// An item is a subpattern reduced to the automaton's checks: opcodes and whether an operand is constant. Item 0 is any
// value, item 1 any constant.
type item struct {
	op   *opcodes.Op
	args []int
}

const (
	itemAny = iota
	itemConst
	firstItem
)

// itemSet is a sorted set of items.
type itemSet []int

func (s itemSet) has(i int) bool {
	k := sort.SearchInts(s, i)
	return k < len(s) && s[k] == i
}

func (s itemSet) key() string { return fmt.Sprint([]int(s)) }

// automaton is the bottom-up tree automaton of one rule set.
type automaton struct {
	items  []item
	byKey  map[string]int
	roots  []int // by rule: the item of its root
	states []itemSet
	number map[string]int
	ops    []*opTable
	work   int // steps of the construction so far
}

// maxAutomaton limits the steps of constructing an automaton: about a dozen times the steps for the project's own
// rules.
const maxAutomaton = 200_000_000

// maxClasses is the number of classes of an operand's states that a byte of the tables can
// distinguish.
const maxClasses = 256

// opTable maps the operand states of one opcode to a state.
type opTable struct {
	op      *opcodes.Op
	items   []int       // the items with this opcode
	wanted  []itemSet   // by operand: the items that can occur there
	classes [][]itemSet // by operand: the relevant part of a state
	number  []map[string]int
	class   [][]int // by operand and state
	accs    [][]acc // by step: the outcomes; step 0 has one for each class of operand 0
	step    [][]int // by step ≥ 1: outcome × class → outcome
	final   []int   // by outcome of the last step: state
}

// acc is the set of items still possible after some operands. For a commutative opcode
// an item may match in the order of the table or swapped, or both.
type acc struct {
	first itemSet // after operand 0: its items
	alive itemSet // after more: the items that match so far
}

func buildAutomaton(rules []*rules.Rule) (*automaton, error) {
	a := &automaton{byKey: map[string]int{}, number: map[string]int{}, items: make([]item, firstItem)}
	for _, r := range rules {
		a.roots = append(a.roots, a.item(r.Find))
	}
	byOp := map[*opcodes.Op]*opTable{}
	for i := firstItem; i < len(a.items); i++ {
		it := a.items[i]
		t := byOp[it.op]
		if t == nil {
			n := len(it.op.Srcs)
			t = &opTable{op: it.op, wanted: make([]itemSet, n), classes: make([][]itemSet, n), number: make([]map[string]int, n),
				class: make([][]int, n)}
			for k := range n {
				t.number[k] = map[string]int{}
			}
			byOp[it.op] = t
			a.ops = append(a.ops, t)
		}
		t.items = append(t.items, i)
	}
	for _, t := range a.ops {
		for _, i := range t.items {
			for k, x := range a.items[i].args {
				t.want(k, x)
				if t.swaps() && k < 2 {
					t.want(1-k, x)
				}
			}
		}
	}
	a.state(itemSet{itemAny})
	a.state(itemSet{itemAny, itemConst})
	for done := 0; ; {
		// More states make more classes, and more classes more states.
		for _, t := range a.ops {
			a.work += t.classify(a.states)
		}
		n := len(a.states)
		for _, t := range a.ops {
			t.run(a)
			if err := a.check(); err != nil {
				return nil, err
			}
		}
		if len(a.states) == n && done > 0 {
			return a, a.check()
		}
		done++
	}
}

func (a *automaton) check() error {
	for _, t := range a.ops {
		for _, c := range t.classes {
			if len(c) > maxClasses {
				return fmt.Errorf("the rules for %s distinguish %d classes of operands; the tables hold at most %d", t.op.Name, len(c),
					maxClasses)
			}
		}
	}
	if a.work > maxAutomaton {
		return fmt.Errorf("the automaton has %d states and is not complete after %d steps: the patterns have too many shapes",
			len(a.states), maxAutomaton)
	}
	if len(a.states) > 65535 {
		return fmt.Errorf("the automaton has %d states; the tables hold at most 65535", len(a.states))
	}
	return nil
}

// item returns the number of the item of a subpattern, and adds the item if it is new.
func (a *automaton) item(n *pattern.Node) int {
	switch {
	case n.Kind == pattern.Lit, n.Kind == pattern.Var && n.Const:
		return itemConst
	case n.Kind == pattern.Var:
		return itemAny
	}
	args := make([]int, len(n.Args))
	for i, x := range n.Args {
		args[i] = a.item(x)
	}
	if n.Commutes() && args[0] > args[1] {
		args[0], args[1] = args[1], args[0]
	}
	key := n.Name + fmt.Sprint(args)
	if i, ok := a.byKey[key]; ok {
		return i
	}
	i := len(a.items)
	a.items = append(a.items, item{n.Code, args})
	a.byKey[key] = i
	return i
}

func (a *automaton) state(s itemSet) int {
	key := s.key()
	if n, ok := a.number[key]; ok {
		return n
	}
	n := len(a.states)
	a.number[key] = n
	a.states = append(a.states, s)
	return n
}

func (t *opTable) swaps() bool { return t.op.Has("commutative") && len(t.op.Srcs) >= 2 }

func (t *opTable) want(k, x int) {
	if !t.wanted[k].has(x) {
		t.wanted[k] = append(t.wanted[k], x)
		sort.Ints(t.wanted[k])
	}
}

// classify computes, for every state, its class at each operand. It returns
// the number of steps.
func (t *opTable) classify(states []itemSet) (work int) {
	for k := range t.wanted {
		for s := len(t.class[k]); s < len(states); s++ {
			var c itemSet
			work += len(states[s])
			for _, i := range states[s] {
				if t.wanted[k].has(i) {
					c = append(c, i)
				}
			}
			key := c.key()
			n, ok := t.number[k][key]
			if !ok {
				n = len(t.classes[k])
				t.number[k][key] = n
				t.classes[k] = append(t.classes[k], c)
			}
			t.class[k] = append(t.class[k], n)
		}
	}
	return work
}

// run computes the outcomes for all combinations of classes.
func (t *opTable) run(a *automaton) {
	n := len(t.op.Srcs)
	t.accs = make([][]acc, n)
	t.step = make([][]int, n)
	for _, c := range t.classes[0] {
		t.accs[0] = append(t.accs[0], acc{first: c})
	}
	for k := 1; k < n; k++ {
		number := map[string]int{}
		for _, from := range t.accs[k-1] {
			for _, c := range t.classes[k] {
				if a.work += len(t.items); a.work > maxAutomaton {
					return
				}
				to := t.advance(a, from, k, c)
				key := to.alive.key()
				i, ok := number[key]
				if !ok {
					i = len(t.accs[k])
					number[key] = i
					t.accs[k] = append(t.accs[k], to)
				}
				t.step[k] = append(t.step[k], i)
			}
		}
	}
	t.final = t.final[:0]
	for _, x := range t.accs[n-1] {
		set := itemSet{itemAny}
		if n == 1 {
			for _, i := range t.items {
				if x.first.has(a.items[i].args[0]) {
					set = append(set, i)
				}
			}
		} else {
			set = append(set, x.alive...)
		}
		sort.Ints(set)
		t.final = append(t.final, a.state(set))
	}
}

// advance returns the outcome after operand k.
func (t *opTable) advance(a *automaton, from acc, k int, c itemSet) acc {
	var to acc
	for _, i := range t.items {
		args := a.items[i].args
		ok := false
		if k == 1 {
			ok = from.first.has(args[0]) && c.has(args[1]) || t.swaps() && from.first.has(args[1]) && c.has(args[0])
		} else {
			ok = from.alive.has(i) && c.has(args[k])
		}
		if ok {
			to.alive = append(to.alive, i)
		}
	}
	return to
}

// candidates returns, by state, the rules that can match there.
func (a *automaton) candidates() [][]int {
	out := make([][]int, len(a.states))
	for s, set := range a.states {
		for r, i := range a.roots {
			if i >= firstItem && set.has(i) {
				out[s] = append(out[s], r)
			}
		}
	}
	return out
}

// le16 encodes numbers as a string of little-endian 16-bit integers.
func le16(list []int) string {
	var b strings.Builder
	for _, x := range list {
		b.WriteByte(byte(x))
		b.WriteByte(byte(x >> 8))
	}
	return b.String()
}
