package selectgen

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strings"

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
		var row bytes.Buffer
		if err := g.rowCode(&row, i, r); err != nil {
			return fmt.Errorf("%s: [select.%s] %w", r.pos, r.name, err)
		}
		f.Add(emit.Go(row.String()))
	}
	predicate.Emit(f, g.used)
	for _, p := range predicate.Sorted(g.used) {
		ctx.Use("predicate." + p.Name)
	}
	if err := ctx.Out.Code("intel/select/rows.go", files, f); err != nil {
		return err
	}
	var sel bytes.Buffer
	sel.WriteString(support)
	g.target(&sel)
	g.tables(&sel)
	return ctx.Out.Go("intel/select/select.go", files, sel.Bytes())
}

type generator struct {
	*loader
	used map[*predicate.Predicate]bool
	mods map[string]string // variable of the row at hand → Go name of its modifiers
}

// target writes the interface that the back end implements.
func (g *generator) target(b *bytes.Buffer) {
	b.WriteString(targetText)
	var names []string
	for n := range g.calls {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		r := g.calls[n]
		params := ""
		if r.root == condRoot {
			params = "n ir.Node"
		} else {
			params = "v ir.Value"
		}
		for _, a := range r.args {
			params += ", " + a + " ir.Src"
		}
		fmt.Fprintf(b, "\n// %s is the row %s: %s\n%s(%s)\n", n, r.name, oneLine(r.text), n, params)
	}
	b.WriteString("}\n\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// tables writes which rows to try for each root.
func (g *generator) tables(b *bytes.Buffer) {
	b.WriteString("// rows holds the rows in the order of the tables; names and places belong to\n// them.\nvar rows = [...]func(*Selector, ir.Value, ir.Node, bool) bool{\n")
	for i := range g.rows {
		fmt.Fprintf(b, "row%d,\n", i)
	}
	b.WriteString("}\n\n// Where says on which machines each row holds.\nvar Where = [len(rows)]target.Where{\n")
	for i, r := range g.rows {
		if !r.where.All() {
			fmt.Fprintf(b, "%d: %s,\n", i, r.where.Code())
		}
	}
	b.WriteString("}\n\n// Names are the rows' names.\nvar Names = [...]string{\n")
	for _, r := range g.rows {
		fmt.Fprintf(b, "%q,\n", r.name)
	}
	b.WriteString("}\n\n")
	groups := map[string][]int{}
	for i, r := range g.rows {
		groups[r.root] = append(groups[r.root], i)
	}
	list := func(ids []int) string {
		var s []string
		for _, i := range ids {
			s = append(s, fmt.Sprint(i))
		}
		return "{" + strings.Join(s, ", ") + "}"
	}
	b.WriteString("// byOp holds the rows to try for each ALU opcode, in order.\nvar byOp = [op.Count][]uint16{\n")
	for _, o := range g.ops.Ops {
		if ids := groups["alu "+o.Name]; ids != nil {
			fmt.Fprintf(b, "op.%s: %s,\n", o.GoName, list(ids))
		}
	}
	b.WriteString("}\n\n// byIntrinsic holds them for each intrinsic.\nvar byIntrinsic = [intrinsic.Count][]uint16{\n")
	for _, i := range g.ir.Intrinsics {
		if ids := groups["intrinsic "+i.Row.Name]; ids != nil {
			fmt.Fprintf(b, "intrinsic.%s: %s,\n", irtab.Camel(i.Row.Name), list(ids))
		}
	}
	fmt.Fprintf(b, "}\n\n// byCond holds them for the conditions of ifs.\nvar byCond = []uint16%s\n", list(groups[condRoot]))
}

// rowCode writes the function of one row.
func (g *generator) rowCode(b *bytes.Buffer, i int, r *row) error {
	fmt.Fprintf(b, "\n// %s (%s)", r.name, r.pos)
	if r.doc != "" {
		fmt.Fprintf(b, ": %s", oneLine(r.doc))
	}
	fmt.Fprintf(b, "\n//\n//\tmatch %s\n", oneLine(r.text))
	for _, in := range r.emit {
		fmt.Fprintf(b, "//\temit  %s\n", in.text)
	}
	if r.call != "" {
		fmt.Fprintf(b, "//\tcall  %s\n", r.call)
	}
	for _, k := range [...]struct {
		key  string
		caps []string
	}{{"needs", r.where.Needs}, {"without", r.where.Without}} {
		if len(k.caps) > 0 {
			fmt.Fprintf(b, "//\t%s %s\n", k.key, strings.Join(k.caps, " "))
		}
	}
	fmt.Fprintf(b, "func row%d(x *Selector, v ir.Value, n ir.Node, emit bool) bool {\n", i)
	out := b
	b = &bytes.Buffer{}
	m := &matchgen.Matcher{Out: b, Typing: r.typing, Fail: "return false", Check: g.check}
	mods := map[string]string{}
	g.mods = mods
	find := r.find
	if r.root == condRoot {
		if err := g.cond(m, find); err != nil {
			return err
		}
	} else if err := m.Match(find); err != nil {
		return err
	}
	// An instruction inside the pattern must not be needed by others, unless it
	// may be computed again.
	for _, n := range m.Order {
		if n == find || n.Code == nil || has(n.Preds, "free") {
			continue
		}
		m.Failing("!x.foldable(%s, v, n)", m.Values[n])
	}
	m.Printf("if !emit {\n")
	if len(find.Args) == 0 && r.find.Code == nil {
		m.Printf("x.needAll(v)\n")
	}
	for _, v := range r.typing.Vars {
		m.Printf("x.need(%s)\n", m.Bound[v.Name])
	}
	m.Printf("return true\n}\n")
	if err := g.code(b, r, m); err != nil {
		return err
	}
	m.Printf("return true\n")
	looped := m.Looped()
	m.Close()
	if looped {
		b.WriteString("return false\n")
	}
	b.WriteString("}\n")
	if usesShader.Match(b.Bytes()) {
		out.WriteString("s := x.S\n")
	}
	out.Write(b.Bytes())
	return nil
}

var usesShader = regexp.MustCompile(`\bs[.,]`)

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
			m.Printf("%s, %s := pat.Peel(s, %s, %s, %s)\n", y, mod, expr, base, strings.Join(allowed, "|"))
			g.mods[n.Name] = mod
			expr = y
		}
	}
	rest := *n
	rest.Preds = nil
	for _, p := range n.Preds {
		if !selectFlags[p] {
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

// code writes what a row emits.
func (g *generator) code(b *bytes.Buffer, r *row, m *matchgen.Matcher) error {
	if r.call != "" {
		args := "v"
		if r.root == condRoot {
			args = "n"
		}
		for _, a := range r.args {
			args += ", " + m.Bound[a]
		}
		m.Printf("x.T.%s(%s)\n", r.call, args)
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
				m.Printf("t%d := x.T.Temp(v, %s)\n", o.temp, g.goType(o, r, m))
			}
		}
	}
	for _, in := range r.emit {
		m.Printf("x.T.Emit(v, mir.Inst{Op: isa.%s", in.op.Go)
		if in.math != "" {
			m.Printf(", Math: isa.%s", g.machine.Maths[in.math].Go)
		}
		if in.sat {
			m.Printf(", Sat: true")
		}
		if in.accWrEn {
			m.Printf(", AccWrEn: true")
		}
		if in.cmod != "" {
			m.Printf(", CMod: isa.%s", in.cmod)
		}
		if in.pred != "" {
			m.Printf(", Pred: isa.%s, PredInv: %v", in.pred, in.predInv)
		}
		if in.flag != 0 {
			m.Printf(", Flag: %d", in.flag)
		}
		if in.dst != nil {
			m.Printf(", Dst: %s", g.operandCode(in.dst, r, m, true))
		}
		m.Printf(", Src: [3]mir.Operand{")
		for i, s := range in.src {
			if i > 0 {
				m.Printf(", ")
			}
			m.Printf("%s", g.operandCode(s, r, m, false))
		}
		m.Printf("}})\n")
	}
	return nil
}

// goType writes an operand's type.
func (g *generator) goType(o *operand, r *row, m *matchgen.Matcher) string {
	if !generic[o.typ] {
		return "isa." + g.machine.Types[o.typ].Go
	}
	if one := r.typing.Set(o.class).One(); one != 0 {
		return "isa." + genericType(o.typ, one)
	}
	return fmt.Sprintf("%sOf(%s)", o.typ, m.Bits(o.class))
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
		e = fmt.Sprintf("acc0(%s)", t)
	case operTemp:
		e = fmt.Sprintf("view(t%d, %d, %s)", o.temp, o.off, t)
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
			e = fmt.Sprintf("x.mod(v, %s, %s, %d, %s, %v)", m.Bound[o.name], mod, o.off, t, method == "Src")
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
