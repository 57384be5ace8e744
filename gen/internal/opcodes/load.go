// SPDX-License-Identifier: MIT

package opcodes

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/table"
)

// MaxSrc is the maximum number of sources of an ALU instruction.
const MaxSrc = 4

// row is an [op.NAME] row as written in the table.
type row struct {
	Doc   string   `toml:"doc"`
	In    []string `toml:"in"`
	Out   string   `toml:"out"`
	Props []string `toml:"props"`
	Sizes []int    `toml:"sizes"` // execution sizes, if not all that the types allow
	Eval  string   `toml:"eval"`
	Test  []string `toml:"test"`
	Go    string   `toml:"go"` // exported Go name, if the derived one reads badly

	// Kernel is the feature of OpenCL that needs the opcode, if nothing else uses it.
	Kernel string `toml:"kernel"`
	// Apart is the reason why the opcode exists although another computes the same.
	Apart string `toml:"apart"`
}

type property struct{ name, goName, doc string }

// props are the properties of rows, in the order of their bits in
// op.Props.
var props = []property{
	{"commutative", "Commutative", "the first two sources can be exchanged"},
	{"associative", "Associative", "op(op(a, b), c) = op(a, op(b, c)), for floats up to rounding"},
	{"idempotent", "Idempotent", "op(a, a) = a"},
	{"selection", "Selection", "the result is one of the later sources, chosen by the first"},
	{"comparison", "Comparison", "compares and returns a bool"},
	{"conversion", "Conversion", "converts between types or widths"},
	{"derivative", "Derivative", "needs the neighbors in a quad; cannot be evaluated alone"},
	{"halves", "Halves", "its integer holds two 16-bit floats, whose denormals may be flushed like others"},
	{"stepwise", "Stepwise", "the API defines it by the expression of eval, any step of which may flush denormals"},
	{"approximate", "Approximate", "the last bits may differ between the machine and the folder"},
}

// Op is one checked opcode.
type Op struct {
	Name    string
	GoName  string
	Doc     string
	Pos     diag.Pos
	Srcs    []Operand
	Out     Operand
	Props   []string
	Sizes   []int // execution bit sizes; empty if no operand is unsized
	Eval    string
	Tests   []string
	Kernel  string             // what kernels use it for; empty if shaders use it too
	Apart   string             // why it exists although another computes the same
	Meaning map[int]*eval.Func // by execution size; key 0 if no operand is unsized; nil without a meaning
}

// Has reports whether the opcode has the property.
func (o *Op) Has(prop string) bool {
	for _, p := range o.Props {
		if p == prop {
			return true
		}
	}
	return false
}

// Unsized reports whether the opcode is generic over the execution size.
func (o *Op) Unsized() bool { return len(o.Sizes) > 0 }

// Table holds all opcodes in the order of the enum: file, then row.
type Table struct {
	Ops    []*Op
	Files  []string
	byName map[string]*Op
}

// ByName returns the opcode of that name, or nil.
func (t *Table) ByName(name string) *Op { return t.byName[name] }

// Names yields the names of the opcodes.
func (t *Table) Names() iter.Seq[string] { return maps.Keys(t.byName) }

// Load returns the table of defs/opcodes of all roots. It is read and checked once.
func Load(ctx *domain.Context) (*Table, error) { return domain.Once(ctx, "opcodes", read) }

func read(ctx *domain.Context) (*Table, error) {
	set, err := ctx.Load("opcodes")
	if err != nil {
		return nil, err
	}
	if err := set.Only("op"); err != nil {
		return nil, err
	}
	rows, err := table.Rows[row](set, "op")
	if err != nil {
		return nil, err
	}
	t := &Table{Files: set.Files, byName: map[string]*Op{}}
	var errs diag.List
	goNames := map[string]*table.Row[row]{}
	for _, r := range rows {
		c := &checker{r: r, errs: &errs}
		o := c.op()
		if first, dup := goNames[o.GoName]; dup {
			c.errorf("go", "Go name %s is already used by [%s]; set another with the field \"go\"", o.GoName, first.Full)
		}
		goNames[o.GoName] = r
		t.Ops = append(t.Ops, o)
		t.byName[o.Name] = o
	}
	if errs.Err() == nil {
		t.equal(&errs)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

// checker checks one row. Every error names the field it is about.
type checker struct {
	r    *table.Row[row]
	errs *diag.List
	bad  bool
}

func (c *checker) errorf(field, format string, args ...any) {
	c.bad = true
	c.errs.Addf(c.r.At(field), c.r.Full, field+": "+format, args...)
}

func (c *checker) op() *Op {
	v := &c.r.Val
	o := &Op{
		Name: c.r.Name, GoName: v.Go, Doc: strings.TrimSpace(v.Doc), Pos: c.r.Pos,
		Props: v.Props, Eval: strings.TrimSpace(v.Eval), Tests: v.Test, Kernel: v.Kernel, Apart: v.Apart,
	}
	c.types(o)
	c.props(o)
	switch {
	case !isOpName(o.Name):
		c.errorf("name", "an opcode's name must start with a letter and have only lower-case letters, digits and single underscores")
		o.GoName = o.Name
	case o.GoName == "":
		o.GoName = goName(o)
	case !isExported(o.GoName):
		c.errorf("go", "%q is not an exported Go name", o.GoName)
	}
	if o.Doc == "" {
		c.errorf("doc", "missing; one sentence that says what the opcode computes")
	}
	if !c.bad {
		c.meaning(o)
	}
	return o
}

func (c *checker) props(o *Op) {
	seen := map[string]bool{}
	for _, p := range o.Props {
		if propBit(p) < 0 {
			c.errorf("props", "%s", diag.Unknown("property", p, diag.Each(props, func(p property) string { return p.name })))
			continue
		}
		if seen[p] {
			c.errorf("props", "%q is listed twice", p)
		}
		seen[p] = true
	}
	if c.bad {
		return
	}
	if seen["commutative"] && (len(o.Srcs) < 2 || !o.Srcs[0].sameType(o.Srcs[1])) {
		c.errorf("props", "commutative needs the first two sources to have the same type")
	}
	gives := func(srcs []Operand) bool { // whether each source has the type of the result
		return !slices.ContainsFunc(srcs, func(s Operand) bool { return !s.sameType(o.Out) })
	}
	if seen["associative"] && (len(o.Srcs) != 2 || !gives(o.Srcs)) {
		c.errorf("props", "associative needs two sources of the type of the result")
	}
	if seen["selection"] && (len(o.Srcs) < 2 || !gives(o.Srcs[1:])) {
		c.errorf("props", "selection needs a condition and sources of the type of the result")
	}
	if seen["comparison"] && o.Out.Base != eval.Bool {
		c.errorf("props", "comparison needs a bool result")
	}
}

func propBit(name string) int {
	for i, p := range props {
		if p.name == name {
			return i
		}
	}
	return -1
}
