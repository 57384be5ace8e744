// SPDX-License-Identifier: MIT

package rules

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"sync"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/table"
)

// Dir is the folder of the rules, their options and predicates.
const Dir = "algebraic"

// The rule sets, in the order in which they run.
const (
	Main = iota
	BeforeFFMA
	Late
	NumSets
)

// ruleSet is a rule set: the name in the table and the package.
type ruleSet struct{ Name, Pkg, Doc string }

// Sets are the rule sets, in the order in which they run.
var Sets = [NumSets]ruleSet{
	{"main", "opt", "Package opt holds the rules that simplify and lower arithmetic: its [Set] is an\nautomaton and a program for each rule of set main, in the order of defs/algebraic. The\nengine is core/match; the pass algebraic runs it, repeatedly.\ngenerated/docs/rules.md lists the rules."},
	{"before_ffma", "beforeffma", "Package beforeffma holds the rules that run once before multiplications and additions\nare fused: its [Set] is an automaton and a program for each rule of set before_ffma of\ndefs/algebraic. The engine is core/match, the pass algebraic_before_ffma.\ngenerated/docs/rules.md lists the rules."},
	{"late", "late", "Package late holds the rules that run once everything else is done, for fusing and for\nforms that suit the machine: its [Set] is an automaton and a program for each rule of\nset late of defs/algebraic. The engine is core/match, the pass algebraic_late.\ngenerated/docs/rules.md lists the rules."},
}

// RuleDef is a row of a rule.
type RuleDef struct {
	Doc      string         `toml:"doc" doc:"The purpose of the rule, if its name does not suffice."`
	Find     string         `toml:"find" doc:"The pattern in prefix form, such as (iadd a 0): #b is a constant, b:pow2 has a predicate, iadd@32 a size." required:"true" pattern:"^\\s*[($]"`
	Replace  string         `toml:"replace" doc:"The replacement." required:"true"`
	Where    string         `toml:"where" doc:"A condition on the constants of the pattern."`
	When     string         `toml:"when" doc:"A condition over options, with !, && and ||."`
	GivesUp  []string       `toml:"gives_up" doc:"The aspects of exact IEEE behavior that a float rule gives up: words of [enum.float_flag]." items:"^[a-z]+$"`
	Inherits []string       `toml:"inherits" doc:"Words of gives_up that the rule itself preserves, but operations that it makes do not: rows of selection, or rules with allowed_by, give them up." items:"^[a-z]+$"`
	Allowed  string         `toml:"allowed_by" doc:"Why the rule may give up the aspects in gives_up on any instruction."`
	Set      string         `toml:"set" doc:"The rule set; default: main." enum:"main,before_ffma,late"`
	Ends     string         `toml:"ends" doc:"Why rewriting ends, where the replacement is not smaller."`
	For      map[string]any `toml:"for" doc:"Names, or several separated by commas, and the values they take: the row stands for each combination, and its texts use them as $name or ${expression}." shape:"for"`
}

// OptionDef is a row of an option.
type OptionDef struct {
	Doc string `toml:"doc" doc:"The meaning of the option." required:"true"`
}

// Rule is a checked rule after expansion.
type Rule struct {
	Name    string
	Pos     diag.Pos
	Doc     string
	Find    *pattern.Node
	Replace *pattern.Node
	Where   *pattern.Node // a bool over constants of Find; nil if always true
	Typing  *pattern.Typing
	WhenRow string // as written in the table
	Cond    *Condition
	GivesUp []string
	// Inherits lists words of GivesUp that the two sides preserve, but that later rewrites of the replacement's
	// operations give up. The rule is verified and proved without them.
	Inherits []string
	// AllowedBy is the reason why the rule may give up GivesUp on any instruction: the precision that the API requires.
	AllowedBy string
	// Ends is the reason why rewriting terminates although the measure does not decrease.
	Ends string
	Set  int
	// Family is the family of the row that the rule comes from, if it is not "rule".
	Family string
	// Example is a vector that Verify has tried: the search expression with values
	// substituted, the result, and the replacement.
	Example string
	at      func(key string) diag.Pos
	in      func(key string, col int) diag.Pos
	Number  int    // index in Table.Rules
	text    string // canonical
}

// On reports whether the rule applies under a set of options.
func (r *Rule) On(options []string) bool {
	on := map[string]bool{}
	for _, o := range options {
		on[o] = true
	}
	return r.Cond.Holds(on)
}

// Text returns the rule on one line.
func (r *Rule) Text() string {
	s := r.Find.String() + " => " + r.Replace.String()
	if r.Where != nil {
		s += " where " + r.Where.String()
	}
	return s
}

// Title returns the rule's name, with the family of its row if that is not "rule".
func (r *Rule) Title() string {
	if r.Family != "" {
		return r.Family + "." + r.Name
	}
	return r.Name
}

// In returns the position of a column, from 1, in an expression of the rule. If a template makes the expression, it is
// the position of the template.
func (r *Rule) In(key string, col int) diag.Pos { return r.in(key, col) }

// Folds reports whether all operands of a part of the replacement are constant, so that it is folded when the rule fires.
func (r *Rule) Folds(n *pattern.Node) bool {
	all := true
	n.Walk(func(n *pattern.Node) { all = all && (n.Kind != pattern.Var || r.Typing.Var(n.Name).Const) })
	return all
}

// Full returns the row's name in messages.
func (r *Rule) Full() string {
	if r.Family != "" {
		return r.Family + "." + r.Name
	}
	return "rule." + r.Name
}

// Table holds everything below Dir.
type Table struct {
	Rules   []*Rule
	Options []*table.Row[OptionDef]
	Preds   *predicate.Table
	Files   []string
	Ops     *opcodes.Table
	Flags   []string // words of gives_up in the order of their bits
	weights map[string]int
	Rarity  Rarity
	Errs    diag.List

	preempted []Preemption   // for the next report
	Record    func() *Record // read at the first conflict
}

// Claims returns a table of rules that are claims about rows of other tables, to be
// verified and proved like rules.
func Claims(ops *opcodes.Table, preds *predicate.Table, list []*Rule) *Table {
	return &Table{Rules: list, Preds: preds, Ops: ops}
}

// Load reads and checks the rules once, without testing them on vectors (see Verify).
func Load(ctx *domain.Context) (*Table, error) {
	return domain.Once(ctx, Dir, func(ctx *domain.Context) (*Table, error) { return loadFrom(ctx, "") })
}

// LoadFile is like Load, for the rules of one file instead of the project's own; they may use the project's predicates
// and options.
func LoadFile(ctx *domain.Context, file string) (*Table, error) { return loadFrom(ctx, file) }

func loadFrom(ctx *domain.Context, file string) (*Table, error) {
	l, err := NewLoader(ctx)
	if err != nil {
		return nil, err
	}
	return l.Load(file)
}

// Loader loads rules against opcodes and enumerations that are read once.
type Loader struct {
	Ops *opcodes.Table
	ir  *irtab.Tables
	ctx *domain.Context
}

// NewLoader reads opcodes and enumerations.
func NewLoader(ctx *domain.Context) (*Loader, error) {
	ops, err := opcodes.Load(ctx)
	if err != nil {
		return nil, err
	}
	ir, err := irtab.Load(ctx)
	if err != nil {
		return nil, err
	}
	return &Loader{ops, ir, ctx}, nil
}

// Load is like LoadFile; without a file it is like the package's Load.
func (l *Loader) Load(file string) (*Table, error) {
	set, err := l.ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	if file != "" {
		set.Drop("rule")
		if err := set.AddFile(file, file); err != nil {
			return nil, err
		}
	}
	return LoadSet(l.ctx.Roots, set, l.Ops, l.ir)
}

// LoadSet loads the rules of a set of tables.
func LoadSet(roots []table.Root, set *table.Set, ops *opcodes.Table, ir *irtab.Tables) (*Table, error) {
	t := &Table{Ops: ops}
	t.Record = sync.OnceValue(func() *Record { return NewRecord(roots, set.Files) })
	var err error
	if e := ir.Enum("float_flag"); e != nil {
		for _, v := range e.Val.Values {
			t.Flags = append(t.Flags, v.Name)
		}
	}
	t.Files = set.Files
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	if err := t.loadWeights(set); err != nil {
		return nil, err
	}
	if t.Preds, err = predicate.Load(set); err != nil {
		return nil, err
	}
	if t.Options, err = table.Rows[OptionDef](set, "option"); err != nil {
		return nil, err
	}
	for _, o := range t.Options {
		if !token.IsIdentifier(o.Name) || slices.Contains(optionWords, irtab.Camel(o.Name)) {
			t.Errs.Addf(o.Pos, o.Full, "%q cannot name an option", o.Name)
		}
	}
	rows, err := table.Rows[RuleDef](set, "rule")
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if !t.expand(r) {
			break
		}
	}
	t.Rarity = newRarity(t.Rules)
	if t.Errs.Err() == nil {
		t.budget()
	}
	if err := t.Errs.Err(); err != nil {
		return nil, err
	}
	// The order in which rules are tried: rules that make an expression smaller precede
	// rules that lower it.
	slices.SortStableFunc(t.Rules, func(a, b *Rule) int { return t.rank(a) - t.rank(b) })
	for i, r := range t.Rules {
		r.Number = i
	}
	t.overlap()
	return t, t.Errs.Err()
}

// expand adds the rules of a row. It returns false if there are too many.
func (t *Table) expand(r *table.Row[RuleDef]) bool {
	rounds := []pattern.Binding{{}}
	if len(r.Val.For) > 0 {
		var err error
		if rounds, err = pattern.Expand(r.Val.For); err != nil {
			t.Errs.Addf(r.At("for"), r.Full, "for: %v", err)
			return true
		}
	}
	if len(t.Rules)+len(rounds) > maxRules {
		t.Errs.Addf(r.Pos, r.Full, "makes more than %d rules", maxRules)
		return false
	}
	for i := range rounds {
		if !t.rule(r, &rounds[i]) {
			break // one message is enough for a template
		}
	}
	return true
}

func (t *Table) rule(r *table.Row[RuleDef], b *pattern.Binding) bool {
	x := &Rule{Name: r.Name + b.Suffix, Pos: r.Pos, Doc: strings.TrimSpace(r.Val.Doc), Ends: strings.TrimSpace(r.Val.Ends), at: r.At}
	x.in = func(key string, col int) diag.Pos {
		if b.Suffix != "" {
			return r.At(key)
		}
		return r.In(key, col)
	}
	ok := true
	fail := func(key string, err error) {
		pos := r.At(key)
		var e *pattern.Error
		if errors.As(err, &e) {
			if p := x.in(key, e.Col); p != pos {
				pos, err = p, errors.New(e.Msg)
			}
		}
		t.Errs.Addf(pos, x.Full(), "%s: %v", key, err)
		ok = false
	}
	subst := func(key, text string) string {
		out, err := b.Apply(text)
		if err != nil {
			fail(key, err)
		}
		return out
	}
	parse := func(key, text string) *pattern.Node {
		if strings.TrimSpace(text) == "" {
			fail(key, fmt.Errorf("missing"))
			return nil
		}
		text = subst(key, text)
		if !ok {
			return nil
		}
		n, err := pattern.Parse(text, pattern.Opcodes{Table: t.Ops})
		if err != nil {
			fail(key, err)
		}
		return n
	}
	x.Find = parse("find", r.Val.Find)
	x.Replace = parse("replace", r.Val.Replace)
	if r.Val.Where != "" {
		x.Where = parse("where", r.Val.Where)
	}
	x.Set = slices.IndexFunc(Sets[:], func(s ruleSet) bool {
		return s.Name == r.Val.Set || r.Val.Set == "" && s.Name == "main"
	})
	for _, g := range r.Val.GivesUp {
		if !slices.Contains(t.Flags, g) {
			fail("gives_up", errors.New(diag.Unknown("flag", g, slices.Values(t.Flags))))
		}
		if slices.Contains(x.GivesUp, g) {
			fail("gives_up", fmt.Errorf("%q is listed twice", g))
		}
		x.GivesUp = append(x.GivesUp, g)
	}
	for _, g := range r.Val.Inherits {
		if !slices.Contains(x.GivesUp, g) {
			fail("inherits", fmt.Errorf("%q is not listed in gives_up", g))
		}
		if slices.Contains(x.Inherits, g) {
			fail("inherits", fmt.Errorf("%q is listed twice", g))
		}
		x.Inherits = append(x.Inherits, g)
	}
	if r.Val.When != "" {
		x.WhenRow = subst("when", r.Val.When)
		var err error
		if x.Cond, err = t.condition(x.WhenRow); err != nil {
			fail("when", err)
		}
	}
	if !ok {
		return false
	}
	if x.Find.Kind != pattern.Op {
		fail("find", fmt.Errorf("the root must be an instruction, such as (iadd a b)"))
		return false
	}
	if n := x.Find.Commuting(); n > pattern.MaxCommutes {
		fail("find", fmt.Errorf("%d commutative instructions; at most %d are possible", n, pattern.MaxCommutes))
		return false
	}
	if key, err := t.infer(x); err != nil {
		fail(key, err)
		return false
	}
	if x.AllowedBy = r.Val.Allowed; x.AllowedBy != "" && len(x.GivesUp) == 0 {
		fail("allowed_by", fmt.Errorf("gives_up must list what is allowed"))
	}
	if len(x.GivesUp) > 0 && !anyFloat(x.Find) {
		fail("gives_up", fmt.Errorf("find has no float instruction that gives_up applies to"))
	}
	t.Rules = append(t.Rules, x)
	return ok
}

// infer infers sizes and checks predicates; on an error it returns the key that is wrong.
func (t *Table) infer(x *Rule) (string, error) {
	if _, err := pattern.Infer(x.Find, nil); err != nil {
		return "find", err
	}
	var err error
	x.Find.Walk(func(n *pattern.Node) {
		if err == nil {
			_, err = t.Preds.Use(n, n == x.Find)
		}
	})
	if err != nil {
		return "find", err
	}
	x.Replace.Walk(func(n *pattern.Node) {
		if err == nil && n.Kind == pattern.Op && len(n.Preds) > 0 {
			err = &pattern.Error{Col: n.Col, Msg: "an instruction of the replacement cannot have a predicate"}
		}
	})
	if err != nil {
		return "replace", err
	}
	if x.Typing, err = pattern.Infer(x.Find, x.Replace); err != nil || x.Where == nil {
		return "replace", err
	}
	return "where", x.Typing.Condition(x.Where)
}
