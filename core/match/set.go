// SPDX-License-Identifier: MIT

package match

import (
	"compress/gzip"
	"io"
	"strings"
	"sync"

	"jacquard.example/core/ir"
	"jacquard.example/core/match/prog"
	"jacquard.example/generated/op"
	"jacquard.example/generated/rules/option"
)

// Row is the part of a rule that the engine uses.
type Row struct {
	Cond uint16 // index of its condition plus 1; 0 if always enabled
	// GivesUp are the relaxations (kind.FloatMask) that matched instructions must allow. If Always is set, the API's
	// precision allows them on every instruction.
	GivesUp uint16
	Always  bool
	Sizes   op.Sizes // possible sizes of the root's operands; 0 means any
	Root    Root
	Program uint32 // start of its program in Programs, in words
}

// Rules has the rules of a set in the form that the engine runs.
type Rules struct {
	Rows     []Row
	Programs string // see package prog
	Wide     string // the wide numbers of the programs
}

// rowBytes is the size of a row in a generated file.
const rowBytes = 16

// NewRules extracts the rules from a generated file: first the rows, then the programs, then the wide numbers.
func NewRules(file string, rows, words int) Rules {
	rest := body(file)
	r := Rules{Rows: make([]Row, rows)}
	for i := range r.Rows {
		at := rest[i*rowBytes:][:rowBytes]
		word := func(i uint32) uint16 { return uint16(u16(at, i)) }
		r.Rows[i] = Row{
			Cond:    word(0),
			GivesUp: word(1),
			Root:    Root{Gives: word(2), Lit: at[6], Same: at[7]},
			Sizes:   op.Sizes(at[8]),
			Always:  at[9] != 0,
			Program: u16(at, 6) | u16(at, 7)<<16,
		}
	}
	rest = rest[rows*rowBytes:]
	r.Programs, r.Wide = rest[:words*prog.Bytes], rest[words*prog.Bytes:]
	return r
}

// Predicate tests a property of an operand.
type Predicate func(s *ir.Shader, x ir.Src) bool

// Rule describes a rule for display.
type Rule struct {
	*Row
	Name  string
	Place string // file:line of its row
	Text  string // find => replace
	When  string // the condition as in the table
	// Example is an instance of the search expression, its result, and the replacement's result.
	Example string
}

// Root has the checks of a rule on its root beyond the automaton's state that are made before the rule is tried.
type Root struct {
	Lit   uint8  // num.Class that a constant operand must have, or 0 if none
	Same  uint8  // pairs of operands that must be the same value, see pairs
	Gives uint16 // relaxations that the root itself must allow
}

// Candidates returns the number of automaton states in which a rule is tried, and the rules tried before it in any of
// them, in order.
func (set *Set) Candidates(rule int) (states int, before []int) {
	n := uint32(set.Auto.NumStates)
	seen := make([]bool, rule)
	for st := range n {
		from, to := u16(set.Auto.Cand, st), u16(set.Auto.Cand, st+1)
		has := false
		for i := from; i < to; i++ {
			has = has || int(u16(set.Auto.Cand, n+1+i)) == rule
		}
		if !has {
			continue
		}
		states++
		for i := from; i < to; i++ {
			if r := int(u16(set.Auto.Cand, n+1+i)); r < rule {
				seen[r] = true
			}
		}
	}
	for r, yes := range seen {
		if yes {
			before = append(before, r)
		}
	}
	return
}

// pairs are the operands that the bits of Root.Same compare.
var pairs = [...][2]int{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}

// Set is a generated set of rules.
type Set struct {
	Name string
	Rules
	Is       []Predicate                     // predicates used by the programs
	About    string                          // after an empty line, in gzip format, a line of tab-separated fields for each rule
	Conds    func(o *option.Set, out []bool) // evaluates each condition
	NumConds int
	Auto     Automaton
	// Local is set if a match depends only on the arithmetic that computes the root, and on whether the values in it
	// are unused, used once or used more often.
	Local bool

	once  sync.Once
	rules []Rule
}

// Rule returns the description of a rule, always the same pointer.
func (set *Set) Rule(i int) *Rule {
	set.once.Do(func() {
		set.rules = make([]Rule, len(set.Rows))
		rest := unpacked(body(set.About))
		for i := range set.rules {
			var line string
			line, rest, _ = strings.Cut(rest, "\n")
			r := &set.rules[i]
			r.Row = &set.Rows[i]
			for _, field := range []*string{&r.Name, &r.Place, &r.Text, &r.When, &r.Example} {
				*field, line, _ = strings.Cut(line, "\t")
			}
		}
	})
	return &set.rules[i]
}

// unpacked decompresses text in gzip format. It panics if the text is damaged.
func unpacked(data string) string {
	z, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		panic("match: descriptions of rules: " + err.Error())
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic("match: descriptions of rules: " + err.Error())
	}
	return string(text)
}

// body returns the text after the first empty line of a generated file.
func body(file string) string {
	_, rest, _ := strings.Cut(file, "\n\n")
	return rest
}

// Automaton is the bottom-up tree automaton of a set. State 0 is any value, state 1 any constant. States that no
// operand distinguishes, such as the states of whole search expressions, share a group. All strings contain
// little-endian 16-bit numbers, except Class, which contains bytes.
type Automaton struct {
	NumStates int
	Op        string   // by opcode: index in Desc plus 1; 0 if in no rule
	Desc      []OpDesc // the opcodes in rules
	Group     string   // by state
	Class     string   // rows by group
	Trans     string
	Cand      string // by state: start of its list; then the rules of each list
}

// NewAutomaton extracts the tables from a generated file. They follow one another; sizes are their sizes in bytes.
func NewAutomaton(file string, states int, sizes [6]int) Automaton {
	a := Automaton{NumStates: states}
	rest := body(file)
	var desc string
	for i, s := range []*string{&a.Op, &a.Group, &a.Class, &a.Trans, &a.Cand, &desc} {
		*s, rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	a.Desc = make([]OpDesc, len(desc)/descBytes)
	for i := range a.Desc {
		d, at := &a.Desc[i], desc[i*descBytes:]
		d.NSrc, d.Exec = at[0], at[1]
		for k := range d.Class {
			at := at[2+10*k:]
			d.Class[k] = u16(at, 0) | u16(at, 1)<<16
			d.Step[k] = u16(at, 2) | u16(at, 3)<<16
			d.Width[k] = uint16(u16(at, 4))
		}
	}
	return a
}

// descBytes is the size of an OpDesc in a generated file.
const descBytes = 2 + 4*10

// OpDesc describes how the classes of an opcode's operands are combined into a state. The class of the first operand's
// state is combined with the class of each further operand in turn; the last step yields the state. Operands that
// distinguish the same states share their classes.
type OpDesc struct {
	NSrc  uint8
	Exec  uint8     // the operand that gives unsized operands their size, plus 1; 0 if none
	Class [4]uint32 // start in Class of the classes of operand i's groups
	Width [4]uint16 // number of classes of operand i
	Step  [4]uint32 // start in Trans of the table that combines operand i
}

func u16(s string, i uint32) uint32 {
	return uint32(s[2*i]) | uint32(s[2*i+1])<<8
}

// Stats counts how often rules were tried and fired. It may be used for several runs and sets.
type Stats struct {
	sets   []*Set
	counts [][]Count
	// Exhausted lists the runs that exhausted their budget.
	Exhausted []*Exhausted
	// Trace, if not nil, is called for every rewrite, before the old instruction is removed.
	Trace func(set *Set, rule *Rule, old ir.Value, with ir.Src)
}

// Count is the number of times that a rule was tried, on instructions that the tables did not exclude, and that it
// fired.
type Count struct{ Tried, Fired int }

func (t *Stats) of(set *Set) []Count {
	for i, s := range t.sets {
		if s == set {
			return t.counts[i]
		}
	}
	t.sets = append(t.sets, set)
	t.counts = append(t.counts, make([]Count, len(set.Rows)))
	return t.counts[len(t.counts)-1]
}

// Each calls f for every rule that was tried: sets in order of their first run, rules in the order in which they are
// tried.
func (t *Stats) Each(f func(set *Set, rule *Rule, n Count)) {
	for i, s := range t.sets {
		for j, n := range t.counts[i] {
			if n.Tried > 0 {
				f(s, s.Rule(j), n)
			}
		}
	}
}
