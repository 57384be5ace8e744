// SPDX-License-Identifier: MIT

package prove

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules/vectors"
)

// value is a term of the formula and its type.
type value struct {
	text string
	typ  eval.Type
}

// formula builds the query whether two sides of a rule can differ.
type formula struct {
	in       *vectors.Instance
	preds    *predicate.Table
	abstract bool // heavy opcodes become uninterpreted functions
	flush    bool // denormals become zeros

	lines   []string // declarations, definitions and assumptions in order
	defined map[string]string
	// functions are the names of uninterpreted functions that represent opcodes, by meaning.
	functions map[string]string
	vars      map[string][]value
	unknown   bool // an uninterpreted function represents an opcode: a model need not be a counterexample
	heavy     bool // an opcode is heavy
	finding   bool // the current side is find, whose special values are assumed away
	assumed   map[string]bool
}

// heavyForms are the operations that z3 is slow on.
var heavyForms = []string{"fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fma", "fp.sqrt", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"}

func newFormula(in *vectors.Instance, preds *predicate.Table, flush, abstract bool) *formula {
	return &formula{in: in, preds: preds, flush: flush, abstract: abstract,
		defined: map[string]string{}, functions: map[string]string{}, vars: map[string][]value{}, assumed: map[string]bool{}}
}

// build writes everything up to the assertion that the sides differ.
func (f *formula) build() error {
	r := f.in.Rule
	for _, v := range r.Typing.Vars {
		if err := f.variable(v); err != nil {
			return err
		}
	}
	if err := f.condition(); err != nil {
		return err
	}
	comps := max(r.Find.Code.Out.Comps, 1)
	f.finding = true
	want, err := f.node(r.Find, comps)
	if err != nil {
		return err
	}
	f.finding = false
	got, err := f.node(r.Replace, comps)
	if err != nil {
		return err
	}
	size := f.in.Size(r.Find.Class)
	var differ []string
	for i := range want {
		differ = append(differ, f.differ(want[i], got[i], size))
	}
	f.assert("(or " + strings.Join(differ, " ") + " false)")
	return nil
}

// condition assumes the conditions of where on the constants.
func (f *formula) condition() error {
	w := f.in.Rule.Where
	if w == nil {
		return nil
	}
	for _, v := range f.in.Rule.Typing.Vars {
		if v.May == "" {
			continue
		}
		mask := f.vars[v.Name][0]
		for _, x := range f.vars[v.May] {
			f.assert(fmt.Sprintf("(= (%s %s %s) %s)", or(x.typ), x.text, mask.text, mask.text))
		}
	}
	holds, err := f.node(w, 1)
	if err != nil {
		return err
	}
	f.assert(f.cast(holds[0], eval.Type{Base: eval.Bool, Bits: 1}))
	return nil
}

func or(t eval.Type) string {
	if t.Bits == 1 {
		return "or"
	}
	return "bvor"
}

// differ returns the assertion that results of a size are not the same.
func (f *formula) differ(a, b value, size int) string {
	r := f.in.Rule
	if r.FloatResult() {
		t := eval.Type{Base: eval.Float, Bits: size}
		x, y := f.cast(a, t), f.cast(b, t)
		if r.GivesUpFlag("nsz") {
			return fmt.Sprintf("(not (or (= %s %s) (and (fp.isZero %s) (fp.isZero %s))))", x, y, x, y)
		}
		return fmt.Sprintf("(not (= %s %s))", x, y)
	}
	if size == 1 {
		t := eval.Type{Base: eval.Bool, Bits: 1}
		return fmt.Sprintf("(not (= %s %s))", f.cast(a, t), f.cast(b, t))
	}
	mask := ^uint64(0) >> (64 - size)
	for _, name := range r.Find.Preds {
		if p := f.preds.ByName(name); p.Kind == predicate.Mask {
			mask &= p.Bits(size)
		}
	}
	t := eval.Type{Base: eval.Uint, Bits: size}
	x, y := f.cast(a, t), f.cast(b, t)
	if mask != ^uint64(0)>>(64-size) {
		m := eval.SMTConst(mask, t)
		x, y = fmt.Sprintf("(bvand %s %s)", x, m), fmt.Sprintf("(bvand %s %s)", y, m)
	}
	return fmt.Sprintf("(not (= %s %s))", x, y)
}

// wanted returns the symbols of the variables.
func (f *formula) wanted() (out []string) {
	for _, v := range f.in.Rule.Typing.Vars {
		for k := range f.in.Comps(v) {
			out = append(out, symbol(v.Name, k))
		}
	}
	return out
}

// vector returns the values of the variables in a model.
func (f *formula) vector(ans answer) map[string][]uint64 {
	out := map[string][]uint64{}
	for _, v := range f.in.Rule.Typing.Vars {
		for k := range f.in.Comps(v) {
			out[v.Name] = append(out[v.Name], ans.model[symbol(v.Name, k)])
		}
	}
	return out
}

func (f *formula) assert(term string) {
	if !f.assumed[term] {
		f.assumed[term] = true
		f.lines = append(f.lines, "(assert "+term+")")
	}
}

// variable declares a variable as bits and assumes its predicates.
func (f *formula) variable(v *pattern.VarInfo) error {
	t := eval.Type{Base: eval.Uint, Bits: f.in.Size(v.Class)}
	if t.Bits == 1 {
		t.Base = eval.Bool
	}
	for k := range f.in.Comps(v) {
		name := symbol(v.Name, k)
		f.lines = append(f.lines, fmt.Sprintf("(declare-fun %s () %s)", name, t.SMTSort()))
		f.vars[v.Name] = append(f.vars[v.Name], value{name, t})
		for _, p := range v.Preds {
			row := f.preds.ByName(p)
			if row.Kind != predicate.Value {
				continue
			}
			fn := row.Meaning[t.Bits]
			if fn == nil {
				f.assert("false") // no constant of this size has the predicate
				continue
			}
			terms, err := fn.SMT([][]string{{f.cast(value{name, t}, eval.Type{Base: row.Base, Bits: t.Bits})}})
			if err != nil {
				return err
			}
			f.assert(terms[0])
		}
	}
	return nil
}

// symbol returns the name of a component of a variable.
func symbol(name string, k int) string { return fmt.Sprintf("v.%s.%d", name, k) }

// define gives a term a name; equal terms get the same one.
func (f *formula) define(text string, t eval.Type) string { return f.defineSort(text, t.SMTSort()) }

func (f *formula) defineSort(text, sort string) string {
	if !strings.HasPrefix(text, "(") {
		return text
	}
	key := sort + text
	if n, ok := f.defined[key]; ok {
		return n
	}
	n := fmt.Sprintf("t%d", len(f.defined))
	f.defined[key] = n
	f.lines = append(f.lines, fmt.Sprintf("(define-fun %s () %s %s)", n, sort, text))
	return n
}

func (f *formula) cast(v value, to eval.Type) string {
	return f.define(eval.SMTCast(v.text, v.typ, to), to)
}

// node writes a node; comps is the number of components that its user reads.
func (f *formula) node(n *pattern.Node, comps int) ([]value, error) {
	out := make([]value, comps)
	switch n.Kind {
	case pattern.Lit:
		size := f.in.Size(n.Class)
		bits, _ := n.Bits(size)
		t := eval.Type{Base: eval.Uint, Bits: size}
		switch {
		case size == 1:
			t.Base = eval.Bool
		case n.LitKind == pattern.LitFloat:
			t.Base = eval.Float
		}
		for i := range out {
			out[i] = value{eval.SMTConst(bits, t), t}
		}
		return out, nil
	case pattern.Var:
		vals := f.vars[n.Name]
		for i := range out {
			out[i] = vals[component(n, i, len(vals))]
		}
		return out, nil
	}
	o := n.Code
	exec := 0
	if n.Exec >= 0 {
		exec = f.in.Size(n.Exec)
	}
	args := make([][]string, len(n.Args))
	for i, a := range n.Args {
		want := comps
		if o.Srcs[i].Comps != 0 {
			want = o.Srcs[i].Comps
		}
		vals, err := f.node(a, want)
		if err != nil {
			return nil, err
		}
		t := o.Srcs[i].Type(exec)
		for _, v := range vals {
			args[i] = append(args[i], f.float(f.cast(v, t), t))
		}
	}
	t := o.Out.Type(exec)
	if o.Out.Comps != 0 {
		terms, err := f.apply(o, exec, args)
		if err != nil {
			return nil, err
		}
		for i, x := range terms {
			terms[i] = f.float(f.define(x, t), t)
			f.halves(o, terms[i], t)
		}
		out = out[:0]
		for _, x := range terms {
			out = append(out, value{x, t})
		}
		return out, nil
	}
	for k := range out {
		one := make([][]string, len(args))
		for i := range args {
			one[i] = args[i][k : k+1]
		}
		terms, err := f.apply(o, exec, one)
		if err != nil {
			return nil, err
		}
		out[k] = value{f.float(f.define(terms[0], t), t), t}
		f.halves(o, out[k].text, t)
	}
	return out, nil
}

// halves assumes, for a rule that gives up denormals, that there are none among the
// 16-bit floats in the integer that an operation of find packs or unpacks.
func (f *formula) halves(o *opcodes.Op, x string, t eval.Type) {
	if !o.Has("halves") || !f.finding || !f.in.Rule.GivesUpFlag("denorm") {
		return
	}
	if t.Base == eval.Float {
		least := eval.SMTConst(eval.FloatBits(0x1p-14, t.Bits), t)
		f.assert(fmt.Sprintf("(or (fp.isZero %s) (not (fp.lt (fp.abs %s) %s)))", x, x, least))
		return
	}
	for _, low := range []int{0, 16} {
		f.assert(fmt.Sprintf("(or (not (= ((_ extract %d %d) %s) #b00000)) (= ((_ extract %d %d) %s) (_ bv0 10)))", low+14, low+10, x,
			low+9, low, x))
	}
}

// component returns which of a variable's count values is component i of a node.
func component(n *pattern.Node, i, count int) int {
	switch {
	case n.Swz != "":
		return strings.IndexByte("xyzw", n.Swz[min(i, len(n.Swz)-1)])
	case count == 1:
		return 0
	}
	return i
}

// apply returns the result of an opcode, one term for each component.
func (f *formula) apply(o *opcodes.Op, exec int, args [][]string) ([]string, error) {
	if o.Has("commutative") && len(args) >= 2 {
		pair := args[:2]
		sort.SliceStable(pair, func(i, j int) bool {
			return before(strings.Join(pair[i], " "), strings.Join(pair[j], " "))
		})
	}
	size := exec
	if !o.Unsized() {
		size = 0
	}
	fn := o.Meaning[size]
	if fn == nil { // a derivative depends on other invocations: it is not a function of its operand
		return nil, &eval.NoFormula{What: o.Name}
	}
	terms, err := fn.SMT(args)
	var none *eval.NoFormula
	if errors.As(err, &none) {
		return f.opaque(o, exec, args), nil
	}
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(terms, heavy) {
		return terms, nil
	}
	f.heavy = true
	if f.abstract {
		known, ok := f.lawful(o, exec, terms)
		if !ok {
			return f.opaque(o, exec, args), nil
		}
		terms = known
	}
	if o.Has("stepwise") && f.finding && f.in.Rule.GivesUpFlag("denorm") {
		return f.steps(o, exec, fn, args)
	}
	return terms, nil
}

// steps writes a stepwise operation of find for a rule that gives up denormals: it
// assumes that no step yields one, and each step has the same name as the same operation
// in the replacement.
func (f *formula) steps(o *opcodes.Op, exec int, fn *eval.Func, args [][]string) ([]string, error) {
	return fn.SMTSteps(args, func(text string, t eval.Type) string {
		if f.abstract {
			if known, ok := f.lawful(o, exec, []string{text}); ok {
				text = known[0]
			}
		}
		if m := commuting.FindStringSubmatch(text); m != nil && before(m[3], m[2]) {
			text = m[1] + m[3] + " " + m[2] + ")"
		}
		text = f.define(text, t)
		f.assert(notDenormal(text))
		return text
	})
}

// commuting matches the operations whose operands apply sorts.
var commuting = regexp.MustCompile(`^(\((?:fp\.(?:add|mul) RNE|abs\.(?:add|mul)\.\d+) )(\S+) (\S+)\)$`)

// before reports whether the name x was defined before y, as t9 was before t10.
func before(x, y string) bool {
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	return x < y
}

func notDenormal(x string) string { return fmt.Sprintf("(not (fp.isSubnormal %s))", x) }

func heavy(term string) bool {
	return slices.ContainsFunc(heavyForms, func(h string) bool { return strings.Contains(term, h) })
}

// opaque applies an uninterpreted function. Opcodes with the same meaning share one
// function, whatever their names.
func (f *formula) opaque(o *opcodes.Op, exec int, args [][]string) []string {
	f.unknown = true
	var sorts, flat []string
	for i, a := range args {
		for _, x := range a {
			sorts = append(sorts, o.Srcs[i].Type(exec).SMTSort())
			flat = append(flat, x)
		}
	}
	out := make([]string, max(o.Out.Comps, 1))
	for k := range out {
		key := fmt.Sprintf("%s\n%v %v %s %d", o.Eval, names(o), sorts, o.Out.Type(exec).SMTSort(), k)
		name := f.functions[key]
		if name == "" {
			name = fmt.Sprintf("|op.%s.%d.%d|", o.Name, exec, k)
			f.functions[key] = name
			f.lines = append(f.lines, fmt.Sprintf("(declare-fun %s (%s) %s)", name, strings.Join(sorts, " "), o.Out.Type(exec).SMTSort()))
		}
		out[k] = fmt.Sprintf("(%s %s)", name, strings.Join(flat, " "))
	}
	return out
}

// names returns the names of the sources in a meaning.
func names(o *opcodes.Op) (out []string) {
	for _, s := range o.Srcs {
		out = append(out, s.Name)
	}
	return out
}

// float handles an operand or a result of a float operation: it assumes that it is not a special
// value that the rule gives up, and flushes denormals in that
// mode.
func (f *formula) float(x string, t eval.Type) string {
	if t.Base != eval.Float {
		return x
	}
	if f.finding {
		for _, s := range []struct{ flag, test string }{{"nan", "fp.isNaN"}, {"inf", "fp.isInfinite"}, {"denorm", "fp.isSubnormal"}} {
			if f.in.Rule.GivesUpFlag(s.flag) {
				f.assert(fmt.Sprintf("(not (%s %s))", s.test, x))
			}
		}
	}
	if !f.flush || f.assumed[notDenormal(x)] {
		return x
	}
	minus := eval.SMTConst(1<<(t.Bits-1), t)
	return f.define(fmt.Sprintf("(ite (fp.isSubnormal %s) (ite (fp.isNegative %s) %s %s) %s)", x, x, minus, eval.SMTConst(0, t), x), t)
}
