// SPDX-License-Identifier: MIT

// Package predicate loads the predicates that patterns may attach to a variable or an instruction, and writes the
// functions that test them.
//
// [Load] reads the rows into a [Table], in which patterns look up names; [Emit] writes the functions of the used ones.
//
// A row [predicate.NAME] has a kind:
//
//	value      a fact about the value. eval states it over one component a of
//	           type of; a constant has the predicate if all components that
//	           are read do. go names a function of core/match/pat that may also
//	           decide it for values that are not constant.
//	mask       the users of the instruction read only some bits: eval gives the
//	           mask over bits, go names the function of core/match/pat.
//	heuristic  no meaning: whether a rewrite pays off. go names the function.
package predicate

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/schema"
	"jacquard.example/gen/internal/table"
)

// Kind says how a predicate is defined, and so what its eval means.
type Kind string

// The kinds.
const (
	Value     Kind = "value"
	Mask      Kind = "mask"
	Heuristic Kind = "heuristic"
)

type row struct {
	Doc  string `toml:"doc" doc:"When the predicate holds." required:"true"`
	Kind Kind   `toml:"kind" doc:"value: a fact about a value, which eval states over one component a of type of; it tests constants. mask: the users of the result read only the bits that eval returns. heuristic: the predicate has no eval; it tells only whether a rewrite pays off." enum:"value,mask,heuristic" required:"true"`
	Of   string `toml:"of" doc:"The type of values that a value predicate applies to." enum:"int,uint,float,bool,bits"`
	Eval string `toml:"eval" doc:"The meaning: over a component a of the value, or the mask of bits."`
	Go   string `toml:"go" doc:"The function of core/match/pat that decides it; of kind value, for values that are not constant."`
}

// Predicate is a checked row.
type Predicate struct {
	Name    string
	Doc     string
	Pos     diag.Pos
	Kind    Kind
	Base    eval.Base
	Go      string             // function of core/match/pat
	Text    string             // the expression, part of the predicate's identity
	Meaning map[int]*eval.Func // by size
}

// Table holds all predicates.
type Table struct {
	Rows   []*Predicate
	byName map[string]*Predicate
}

// Family describes the rows to editors.
var Family = schema.Of[row]("predicate", schema.Snake, "Predicates that patterns attach to a variable or an instruction.")

// ByName returns a predicate or nil.
func (t *Table) ByName(name string) *Predicate { return t.byName[name] }

var sizes = map[eval.Base][]int{
	eval.Int: {8, 16, 32, 64}, eval.Uint: {8, 16, 32, 64}, eval.Float: {16, 32, 64},
	eval.Bits: {1, 8, 16, 32, 64}, eval.Bool: {1},
}

// Load checks the [predicate.x] rows of a set.
func Load(set *table.Set) (*Table, error) {
	rows, err := table.Rows[row](set, "predicate")
	if err != nil {
		return nil, err
	}
	t := &Table{byName: map[string]*Predicate{}}
	var errs diag.List
	for _, r := range rows {
		v := &r.Val
		p := &Predicate{Name: r.Name, Doc: v.Doc, Pos: r.Pos, Kind: v.Kind, Go: v.Go, Text: v.Eval}
		t.Rows = append(t.Rows, p)
		t.byName[p.Name] = p
		var param []eval.Param
		out := eval.Type{Base: eval.Bool, Bits: 1}
		switch v.Kind {
		case Value:
			if p.Base = eval.BaseByName(v.Of); p.Base == eval.NoBase {
				errs.Addf(r.Pos, r.Full, "of is missing: the type of values that the predicate applies to")
				continue
			}
		case Mask:
			p.Base = eval.Uint
		case Heuristic:
			if v.Eval != "" {
				errs.Addf(r.At("eval"), r.Full, "eval: a heuristic cannot have one")
			}
			if v.Go == "" {
				errs.Addf(r.Pos, r.Full, "go: missing; a heuristic is a function of core/match/pat")
			}
			continue
		}
		if v.Kind == Mask && v.Go == "" {
			errs.Addf(r.Pos, r.Full, "go: missing; a mask predicate is a function of core/match/pat")
		}
		p.Meaning = map[int]*eval.Func{}
		for _, n := range sizes[p.Base] {
			if v.Kind == Value {
				param = []eval.Param{{Name: "a", Type: eval.Type{Base: p.Base, Bits: n}}}
			} else {
				out = eval.Type{Base: eval.Uint, Bits: n}
			}
			fn, err := eval.Compile(v.Eval, param, eval.Param{Type: out}, n)
			if err != nil {
				errs.Addf(r.At("eval"), r.Full, "eval: at %d bits: %v", n, err)
				break
			}
			p.Meaning[n] = fn
			if _, err := fn.SMT([][]string{{"a"}}); err != nil { // the prover could not use it
				errs.Addf(r.At("eval"), r.Full, "eval: at %d bits: %v; a predicate without eval is a heuristic", n, err)
				break
			}
		}
	}
	return t, errs.Err()
}

// Holds reports whether a value of a size has a value predicate.
func (p *Predicate) Holds(size int, x uint64) bool {
	fn := p.Meaning[size]
	if fn == nil {
		return false
	}
	var dst [1]uint64
	fn.Run([][]uint64{{x}}, dst[:])
	return dst[0] != 0
}

// Bits returns the mask of a mask predicate at a size.
func (p *Predicate) Bits(size int) uint64 {
	var dst [1]uint64
	p.Meaning[size].Run(nil, dst[:])
	return dst[0]
}

// Call returns the test of a predicate on operand expr, which is constant or
// not.
func (p *Predicate) Call(expr string, constant bool) string {
	if p.Emitted(constant) {
		return fmt.Sprintf("%s(s, %s)", p.Func(), expr)
	}
	return fmt.Sprintf("pat.%s(s, %s)", p.Go, expr)
}

// Emitted reports whether Emit writes the function (Func) that tests the predicate on an operand, constant or not;
// otherwise it is p.Go.
func (p *Predicate) Emitted(constant bool) bool {
	return p.Kind == Value && (constant || p.Go == "")
}

// Func returns the name of the function that Emit writes.
func (p *Predicate) Func() string { return "is" + goName(p.Name) }

// Use returns the predicates of a node. It rejects predicates that cannot be tested there.
func (t *Table) Use(n *pattern.Node, root bool) ([]*Predicate, error) {
	var out []*Predicate
	for _, name := range n.Preds {
		p := t.byName[name]
		if p == nil {
			return nil, &pattern.Error{Col: n.Col, Msg: diag.Unknown("predicate", name, maps.Keys(t.byName))}
		}
		switch {
		case p.Kind == Value && n.Kind == pattern.Op:
			return nil, &pattern.Error{Col: n.Col, Msg: fmt.Sprintf("%s applies to a value; attach it to a variable", name)}
		case p.Kind == Value && !n.Const && p.Go == "":
			return nil, &pattern.Error{Col: n.Col, Msg: fmt.Sprintf("%s can only be decided for constants; write #%s", name, n.Name)}
		case p.Kind == Mask && !root:
			return nil, &pattern.Error{Col: n.Col, Msg: fmt.Sprintf("%s applies to the users of the result; attach it to the root", name)}
		}
		out = append(out, p)
	}
	return out, nil
}

// Sorted returns a set of predicates sorted by name.
func Sorted(set map[*Predicate]bool) []*Predicate {
	return slices.SortedFunc(maps.Keys(set), func(a, b *Predicate) int { return strings.Compare(a.Name, b.Name) })
}

// Emit writes the functions that decide the value predicates in used
// for constants. It reports whether there are any.
func Emit(f *emit.File, used map[*Predicate]bool) bool {
	var list []*Predicate
	for _, p := range Sorted(used) {
		if p.Kind == Value {
			list = append(list, p)
		}
	}
	for _, p := range list {
		var have []int
		for n := range p.Meaning {
			have = append(have, n)
		}
		sort.Ints(have)
		var cases []jen.Code
		for _, n := range have {
			cases = append(cases, emit.Case(strconv.Itoa(n), p.Meaning[n].Go("pat.Truth").Code...))
		}
		f.Func(p.Func()+": "+strings.TrimSpace(p.Doc), p.Func()+"(s *ir.Shader, x ir.Src) bool",
			emit.Go("var t pat.Test"),
			emit.If("!t.Load(s, x)", emit.Return("false")),
			emit.Go("src, dst, comps := &t.Src, &t.Dst, int(x.N)"),
			emit.Go("const mode = 0"),
			emit.Switch("t.Bits", append(cases, emit.Default(emit.Return("false")))...),
			emit.Return("t.All(comps)"))
	}
	return len(list) > 0
}

func goName(s string) string {
	out := ""
	for _, w := range strings.Split(s, "_") {
		if w != "" {
			out += strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return out
}
