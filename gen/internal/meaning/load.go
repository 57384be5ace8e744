// SPDX-License-Identifier: MIT

package meaning

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/schema"
	"jacquard.example/gen/internal/table"
)

// Dir is the folder of the rows.
const Dir = "intel/meaning"

// Schema describes the rows.
var Schema = schema.Folder{Dir: Dir, File: "meaning", Title: "Semantics of the machine instructions of Intel GPUs", Families: []schema.Family{
	schema.Of[row]("meaning", schema.Snake, "Semantics of machine instructions."),
}}

type row struct {
	Doc   string `toml:"doc" doc:"Remarks on eval."`
	Eval  string `toml:"eval" doc:"The result, over the sources a, b and c."`
	Int   string `toml:"int" doc:"eval for signed integers."`
	Uint  string `toml:"uint" doc:"eval for unsigned integers."`
	Float string `toml:"float" doc:"eval for floats."`
	Keep  bool   `toml:"keep" doc:"Floats are selected unchanged: denormals are kept even in flush mode. With pred: only when selected by a predicate."`
	Pred  string `toml:"pred" doc:"The result when the instruction is predicated by p."`
	Mask  bool   `toml:"mask" doc:"The result is all ones or zero and is also written to the flag; default: the result is compared with 0."`
}

// Table holds all rows.
type Table struct {
	Files   []string
	machine *isa.Machine
	rows    map[string]*table.Row[row]
	ops     map[string]*opcodes.Op // built so far, by name
}

// Load reads the rows. Expressions are checked when an instruction needs them.
func Load(ctx *domain.Context, machine *isa.Machine) (*Table, error) {
	set, err := ctx.Load(Dir)
	if err != nil {
		return nil, err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	rows, err := table.Rows[row](set, "meaning")
	if err != nil {
		return nil, err
	}
	t := &Table{Files: set.Files, machine: machine, rows: map[string]*table.Row[row]{}, ops: map[string]*opcodes.Op{}}
	var errs diag.List
	for _, r := range rows {
		if !t.known(r.Name) {
			errs.Unknown(r.Pos, r.Full, "opcode or function of math", r.Name, t.names())
			continue
		}
		if v := &r.Val; v.Eval != "" && v.Int+v.Uint+v.Float != "" {
			errs.Addf(r.At("eval"), r.Full, "eval: int, uint and float replace it")
		} else if v.Eval+v.Int+v.Uint+v.Float == "" {
			errs.Addf(r.Pos, r.Full, "eval, or int, uint and float, is missing")
		}
		t.rows[r.Name] = r
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, r := range rows {
		if key, err := t.check(r); err != nil {
			errs.Addf(r.At(key), r.Full, "%s: %v", key, err)
		}
	}
	return t, errs.Err()
}

// check compiles the expressions of a row. An expression for all classes of sources must compile for integers or for floats.
func (t *Table) check(r *table.Row[row]) (key string, err error) {
	sources := t.machine.Ops[r.Name].Src
	if m, ok := t.machine.Maths[strings.TrimPrefix(r.Name, "math_")]; ok && strings.HasPrefix(r.Name, "math_") {
		sources = m.Src
	}
	for _, x := range []struct{ key, text, typ, or string }{
		{"eval", r.Val.Eval, "d", "f"}, {"pred", r.Val.Pred, "d", "f"},
		{"int", r.Val.Int, "d", ""}, {"uint", r.Val.Uint, "ud", ""}, {"float", r.Val.Float, "f", ""},
	} {
		if x.text == "" {
			continue
		}
		err := t.compile(r, x.text, x.typ, x.key == "pred", sources)
		if err != nil && (x.or == "" || t.compile(r, x.text, x.or, x.key == "pred", sources) != nil) {
			return x.key, err
		}
	}
	return "", nil
}

// compile compiles an expression of a row for sources of a type.
func (t *Table) compile(r *table.Row[row], text, typ string, pred bool, sources int) error {
	in := &Inst{Op: r.Name, Dst: typ}
	for i := range sources {
		in.Src = append(in.Src, Source{Value: &pattern.Node{Kind: pattern.Var, Name: letter(i)}, Type: typ})
	}
	if condSyntax.MatchString(text) {
		in.CMod = "lt"
	}
	if pred {
		in.Pred = &pattern.Node{Kind: pattern.Var, Name: "p"}
	}
	_, err := t.Value(in)
	return err
}

// names yields the names that rows can have.
func (t *Table) names() iter.Seq[string] {
	out := slices.Collect(maps.Keys(t.machine.Ops))
	for _, n := range slices.Sorted(maps.Keys(t.machine.Maths)) {
		out = append(out, "math_"+n)
	}
	return slices.Values(out)
}

// known reports whether a row is named after an opcode or a function of math.
func (t *Table) known(name string) bool {
	if fn, ok := strings.CutPrefix(name, "math_"); ok {
		_, ok := t.machine.Maths[fn]
		return ok
	}
	_, ok := t.machine.Ops[name]
	return ok
}

// Chooses reports whether the predicate of an opcode selects one of its sources, rather
// than disabling lanes.
func (t *Table) Chooses(op string) bool { return t.rows[op] != nil && t.rows[op].Val.Pred != "" }

// KeepsFlag reports whether an opcode's condition modifier selects a source and sets no flag.
func (t *Table) KeepsFlag(op string) bool {
	r := t.rows[op]
	return r != nil && !r.Val.Mask && condSyntax.MatchString(r.Val.Eval+r.Val.Int+r.Val.Uint+r.Val.Float)
}

// Text returns the meaning of an opcode, or of math_NAME, for the manual: a line for each
// class of sources, and one for predicates.
func (t *Table) Text(name string) (lines []string) {
	r := t.rows[name]
	if r == nil {
		return nil
	}
	for _, l := range []struct{ of, eval string }{
		{"", r.Val.Eval}, {"signed integers: ", r.Val.Int}, {"unsigned integers: ", r.Val.Uint},
		{"floats: ", r.Val.Float}, {"with a predicate: ", r.Val.Pred},
	} {
		if l.eval != "" {
			lines = append(lines, l.of+"`"+strings.TrimSpace(l.eval)+"`")
		}
	}
	return lines
}
