// SPDX-License-Identifier: MIT

package selectgen

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/matchgen"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
)

// Generate writes generated/intel/select.
func Generate(ctx *domain.Context) error {
	l, err := load(ctx)
	if err != nil {
		return err
	}
	if len(l.rows) == 0 {
		return nil
	}
	if err := l.verify(); err != nil {
		return err
	}
	g := &generator{loader: l, used: map[*predicate.Predicate]bool{}}
	files := append([]string(nil), l.files...)
	f := emit.NewFile("sel", "")
	for i, r := range l.rows {
		if err := g.rowCode(f, i, r); err != nil {
			return fmt.Errorf("%s: [select.%s] %w", r.pos, r.name, err)
		}
	}
	predicate.Emit(f, g.used)
	for _, p := range predicate.Sorted(g.used) {
		ctx.Use("predicate." + p.Name)
	}
	if err := ctx.Out.Code("intel/select/rows.go", files, f); err != nil {
		return err
	}
	f = emit.NewFile("sel", `Package sel holds the rows of the instruction selector, backend/intel/selector: a function
for each row of defs/intel/select, which matches instructions of the shader and emits
instructions of the machine. The rows drive a Target, the back end (backend/intel/isel),
which has methods for operands, for messages, and for the instructions that no row can
express.`)
	g.target(f)
	g.tables(f)
	if err := ctx.Out.Code("intel/select/tables.go", files, f); err != nil {
		return err
	}
	return l.page(ctx)
}

type generator struct {
	*loader
	used  map[*predicate.Predicate]bool
	mods  map[string]string // variable of the current row → Go name of its modifiers
	types map[string]string // expression for a type that the current row emits → Go name of it
}

// target writes the interface that the back end implements.
func (g *generator) target(f *emit.File) {
	methods := "selector.Operands"
	var names []string
	for n := range g.calls {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		r := g.calls[n]
		params := "v ir.Value"
		if r.root == condRoot {
			params = "n ir.Node"
		}
		for _, a := range r.args {
			params += ", " + a + " ir.Src"
		}
		methods += fmt.Sprintf("\n\n// %s is the row %s: %s\n%[1]s(%[4]s)", n, r.name, oneLine(r.text), params)
	}
	f.Interface("Target is the back end's interface for the rows.", "Target", methods)
	f.Type("Selector selects by the rows.", "Selector", "= selector.Selector[Target]")
	f.Func("source reads an operand with source modifiers, or an immediate. A modified constant goes\nto a register.",
		"source(x *Selector, v ir.Value, r ir.Src, m pat.Mods, off uint32, t isa.Type) mir.Operand",
		emit.If("m == 0", emit.Return("x.T.Src(v, r, off, t)")),
		emit.Return("selector.Modified(x.T.Reg(v, r, off, t), m)"))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// tables writes the rows to try for each root.
func (g *generator) tables(f *emit.File) {
	var rows, where, names, messages, places, byOp, byIntrinsic, byTex emit.Rows
	groups := map[string][]string{}
	for i, r := range g.rows {
		rows.F("row%d,\n", i)
		if !r.where.All() {
			where.F("%d: %s,\n", i, r.where.Code())
		}
		names.F("%q,\n", r.name)
		if r.msg != nil {
			messages.F("%d: {%s},\n", i, strings.Join(r.msg.fields, ", "))
		}
		groups[r.root] = append(groups[r.root], strconv.Itoa(i))
	}
	for _, o := range g.ops.Ops {
		if ids := groups["alu "+o.Name]; ids != nil {
			byOp.F("op.%s: {%s},\n", o.GoName, strings.Join(ids, ", "))
		}
	}
	for _, r := range g.rows {
		if r.place != "" {
			places.F("intrinsic.%s: {%s},\n", irtab.Camel(r.find.Name), r.place)
		}
	}
	for _, i := range g.ir.Intrinsics {
		if ids := groups["intrinsic "+i.Row.Name]; ids != nil {
			byIntrinsic.F("intrinsic.%s: {%s},\n", irtab.Camel(i.Row.Name), strings.Join(ids, ", "))
		}
	}
	f.Table("rows holds the rows in the order of the tables.", "rows", "[...]selector.Row[Target]", &rows)
	f.Table("Where holds the machines to which each row applies.", "Where", "[len(rows)]target.Where", &where)
	f.Table("Names are the rows' names.", "Names", "[...]string", &names)
	f.Table("Messages holds the message that each row emits.", "Messages", fmt.Sprintf("[%d]selector.Message", len(g.rows)), &messages)
	f.Table("Places holds the places from which intrinsics are read in place.", "Places", "[intrinsic.Count]selector.Place", &places)
	f.List("Slots lists the input slots without a location, in the order in which they follow the attributes.", "Slots", "[]string",
		g.slots())
	f.Table("byOp holds the rows to try for each ALU opcode, in order.", "byOp", "[op.Count][]uint16", &byOp)
	f.Table("byIntrinsic holds them for each intrinsic.", "byIntrinsic", "[intrinsic.Count][]uint16", &byIntrinsic)
	for _, w := range g.ir.Values("tex_op") {
		if ids := groups["tex tex_"+w]; ids != nil {
			byTex.F("kind.Tex%s: {%s},\n", irtab.Camel(w), strings.Join(ids, ", "))
		}
	}
	f.Table("byTex holds them for each texture operation.", "byTex", fmt.Sprintf("[%d][]uint16", len(g.ir.Values("tex_op"))), &byTex)
	f.List("byCond holds them for the conditions of ifs.", "byCond", "[]uint16", groups[condRoot])
	f.Var("Rows are the rows of the selector.", "Rows", "selector.Rows[Target]{All: rows[:], Where: Where[:], Names: Names[:], "+
		"Messages: Messages[:], ByOp: &byOp, ByIntrinsic: &byIntrinsic, ByTex: byTex[:], ByCond: byCond}")
}

// slots returns the slots that rows name, as Go strings.
func (g *generator) slots() (out []string) {
	for _, r := range g.rows {
		if r.slot != "" && !slices.Contains(out, strconv.Quote(r.slot)) {
			out = append(out, strconv.Quote(r.slot))
		}
	}
	return out
}

// rowDoc returns the comment of a row's function.
func rowDoc(r *row) string {
	doc := fmt.Sprintf("%s (%s)", r.name, r.pos)
	if r.doc != "" {
		doc += ": " + oneLine(r.doc)
	}
	doc += "\n\n\tmatch " + oneLine(r.text)
	for _, in := range r.emit {
		doc += "\n\temit  " + in.text
	}
	if r.msg != nil {
		doc += "\n\temit  " + r.msg.text
	}
	if r.call != "" {
		doc += "\n\tcall  " + r.call
	}
	if len(r.where.Needs) > 0 {
		doc += "\n\tneeds " + strings.Join(r.where.Needs, " ")
	}
	if len(r.where.Without) > 0 {
		doc += "\n\twithout " + strings.Join(r.where.Without, " ")
	}
	return doc
}

// rowCode writes the function of one row.
func (g *generator) rowCode(f *emit.File, i int, r *row) error {
	m := &matchgen.Matcher{Typing: r.typing, Fail: emit.Return("false"), Check: g.check}
	mods := map[string]string{}
	g.mods, g.types = mods, map[string]string{}
	find := r.find
	if r.root == condRoot {
		if err := g.cond(m, find); err != nil {
			return err
		}
	} else if err := m.Match(find); err != nil {
		return err
	}
	if one := r.sizes.One(); one != 0 {
		m.Failing("selector.Bits(s, v) != %d", one)
	} else if r.sizes != 0 {
		m.Failing("!pat.SizeIn(selector.Bits(s, v), %s)", matchgen.GoSizes(r.sizes))
	}
	// An instruction inside the pattern must have no other users, unless it
	// may be recomputed.
	for _, n := range m.Order {
		if n == find || n.Code == nil || has(n.Preds, "free") {
			continue
		}
		m.Failing("!x.Foldable(%s, v, n)", m.Values[n])
	}
	var chosen []jen.Code
	if len(find.Args) == 0 && r.find.Code == nil {
		chosen = append(chosen, emit.Go("x.NeedAll(v)"))
	}
	for _, v := range r.typing.Vars {
		chosen = append(chosen, emit.Go("x.Need("+m.Bound[v.Name]+")"))
	}
	m.Stmt(emit.If("!emit", append(chosen, emit.Return("true"))...))
	if err := g.code(i, r, m); err != nil {
		return err
	}
	m.Stmt(emit.Return("true"))
	code := m.Code()
	if m.Shader {
		code = append([]jen.Code{emit.Go("s := x.S")}, code...)
	}
	f.Func(rowDoc(r), fmt.Sprintf("row%d(x *Selector, v ir.Value, n ir.Node, emit bool) bool", i), code...)
	return nil
}

// cond matches the condition of an if.
func (g *generator) cond(m *matchgen.Matcher, find *pattern.Node) error {
	return m.MatchUnder(find, "s.Cond(n)")
}

// check writes the predicates and operand flags of a node.
func (g *generator) check(m *matchgen.Matcher, n *pattern.Node, expr string) (string, error) {
	if n.Kind == pattern.Var {
		v := m.Typing.Var(n.Name)
		var allowed []string
		for _, p := range n.Preds {
			switch p {
			case "mod":
				allowed = append(allowed, "pat.Neg", "pat.Abs")
			case "abs":
				allowed = append(allowed, "pat.Abs")
			case "neg":
				allowed = append(allowed, "pat.Neg")
			case "not":
				allowed = append(allowed, "pat.Not")
			}
		}
		if len(allowed) > 0 {
			base := "op.Int"
			if isFloatVar(v) {
				base = "op.Float"
			}
			y, mod := m.Fresh("y"), m.Fresh("m")
			m.Add("%s, %s := pat.Peel(s, %s, %s, %s)", y, mod, expr, base, strings.Join(allowed, "|"))
			g.mods[n.Name] = mod
			expr = y
		}
	}
	rest := *n
	rest.Preds = nil
	for _, p := range n.Preds {
		switch {
		case expr == "" && g.flagAt(n, p) != nil:
			m.Failing(g.flagAt(n, p).not)
		case !isOperandWord(p):
			rest.Preds = append(rest.Preds, p)
		}
	}
	list, err := g.preds.Use(&rest, expr == "")
	if err != nil {
		return "", err
	}
	for _, p := range list {
		g.used[p] = true
		e := expr
		if e == "" {
			e = "s.All(v)"
		}
		m.Failing("!%s", p.Call(e, n.Const))
	}
	return expr, nil
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// code writes the instructions that a row emits.
func (g *generator) code(i int, r *row, m *matchgen.Matcher) error {
	if r.place != "" {
		return nil
	}
	if r.msg != nil {
		m.Add("x.T.Message(v, &Messages[%d])", i)
		return nil
	}
	if r.call != "" {
		args := "v"
		if r.root == condRoot {
			args = "n"
		}
		for _, a := range r.args {
			args += ", " + m.Bound[a]
		}
		m.Add("x.T.%s(%s)", r.call, args)
		return nil
	}
	temps := map[int]*operand{}
	for _, in := range r.emit {
		for _, o := range append([]*operand{in.dst}, in.src...) {
			if o != nil && o.kind == operTemp && temps[o.temp] == nil {
				if o != in.dst {
					return fmt.Errorf("%q: t%d is read before it is written", in.text, o.temp)
				}
				temps[o.temp] = o
				m.Add("t%d := x.T.Temp(v, %s)", o.temp, g.goType(o, r, m))
			}
		}
	}
	for _, in := range r.emit {
		m.Add("x.T.Emit(v, mir.Inst{%s})", strings.Join(g.instCode(in, r, m), ", "))
	}
	return nil
}

// instCode returns the fields of an instruction that a row emits.
func (g *generator) instCode(in *instr, r *row, m *matchgen.Matcher) []string {
	out := []string{"Op: isa." + in.op.Go}
	if in.math != "" {
		out = append(out, "Math: isa."+g.machine.Maths[in.math].Go)
	}
	if in.sat {
		out = append(out, "Sat: true")
	}
	if in.accWrEn {
		out = append(out, "AccWrEn: true")
	}
	if in.cmod != "" {
		out = append(out, "CMod: isa."+in.cmod)
	}
	if in.pred != "" {
		out = append(out, "Pred: isa."+in.pred, fmt.Sprintf("PredInv: %v", in.predInv))
	}
	if in.flag != 0 {
		out = append(out, fmt.Sprintf("Flag: %d", in.flag))
	}
	if in.dst != nil {
		out = append(out, "Dst: "+g.operandCode(in.dst, r, m, true))
	}
	var src []string
	for _, s := range in.src {
		src = append(src, g.operandCode(s, r, m, false))
	}
	return append(out, "Src: [3]mir.Operand{"+strings.Join(src, ", ")+"}")
}

// goType returns an operand's type as Go. A type that depends on a size is computed once, before the instruction.
func (g *generator) goType(o *operand, r *row, m *matchgen.Matcher) string {
	if !generic[o.typ] {
		return "isa." + g.machine.Types[o.typ].Go
	}
	if one := r.typing.Set(o.class).One(); one != 0 {
		return "isa." + genericType(o.typ, one)
	}
	expr := fmt.Sprintf("selector.%sOf(%s)", irtab.Camel(o.typ), m.Bits(o.class))
	if g.types[expr] == "" {
		g.types[expr] = m.Fresh("typ")
		m.Add("%s := %s", g.types[expr], expr)
	}
	return g.types[expr]
}

func genericType(typ string, bits int) string {
	switch typ {
	case "float":
		return map[int]string{16: "TypeHF", 32: "TypeF", 64: "TypeDF"}[bits]
	case "int":
		return map[int]string{8: "TypeB", 16: "TypeW", 32: "TypeD", 64: "TypeQ"}[bits]
	}
	return map[int]string{8: "TypeUB", 16: "TypeUW", 32: "TypeUD", 64: "TypeUQ"}[bits]
}

func (g *generator) operandCode(o *operand, r *row, m *matchgen.Matcher, dst bool) string {
	t := g.goType(o, r, m)
	var e string
	switch o.kind {
	case operDst:
		e = fmt.Sprintf("x.T.Dst(v, %d, %s)", o.off, t)
	case operNull:
		e = fmt.Sprintf("mir.Null(%s)", t)
	case operAcc:
		e = fmt.Sprintf("selector.Acc0(%s)", t)
	case operTemp:
		e = fmt.Sprintf("selector.View(t%d, %d, %s)", o.temp, o.off, t)
	case operImm:
		e = g.immCode(o, r, m, t)
	case operVar:
		method := "Reg"
		if strings.Contains(modifiers(r.typing.Var(o.name).First), "imm") {
			method = "Src"
		}
		mod := g.mods[o.name]
		if mod == "" {
			e = fmt.Sprintf("x.T.%s(v, %s, %d, %s)", method, m.Bound[o.name], o.off, t)
		} else {
			e = fmt.Sprintf("selector.Modified(x.T.Reg(v, %s, %d, %s), %s)", m.Bound[o.name], o.off, t, mod)
			if method == "Src" {
				e = fmt.Sprintf("source(x, v, %s, %s, %d, %s)", m.Bound[o.name], mod, o.off, t)
			}
		}
	}
	if dst {
		return e
	}
	if o.abs {
		e = fmt.Sprintf("%s.Absolute()", e)
	}
	if o.neg || o.not {
		e = fmt.Sprintf("%s.Minus()", e)
	}
	return e
}

func (g *generator) immCode(o *operand, r *row, m *matchgen.Matcher, t string) string {
	sizes := g.bitsOf(o, r)
	if len(sizes) == 1 {
		return fmt.Sprintf("mir.ImmOp(%#x, %s)", immBits(o, sizes[0]), t)
	}
	if o.imm.LitKind == pattern.LitFloat {
		h, f, _ := matchgen.FloatLit(o.imm.Float)
		return fmt.Sprintf("mir.ImmOp(uint32(pat.FloatBits(%s, %#x, %#x, 0)), %s)", m.Bits(o.class), h, f, t)
	}
	return fmt.Sprintf("mir.ImmOp(%#x&uint32(1<<%s-1), %s)", uint32(immBits(o, 32)), m.Bits(o.class), t)
}
