package rules

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/core/num"
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/matchgen"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
)

// Generate checks the rules and writes generated/rules.
func Generate(ctx *domain.Context) error {
	t, err := Load(ctx)
	if err != nil {
		return err
	}
	if err := t.Verify(); err != nil {
		return err
	}
	if err := t.Hygiene(); err != nil {
		return err
	}
	t.use(ctx)
	if err := t.emitOptions(ctx); err != nil {
		return err
	}
	for i := range sets {
		if err := t.emitSet(ctx, i); err != nil {
			return err
		}
	}
	return t.emitDoc(ctx)
}

// emitSet writes the package of one rule set: the tables, and the rules in one
// file for each file of the tables.
func (t *Table) emitSet(ctx *domain.Context, set int) error {
	var rules []*Rule
	for _, r := range t.Rules {
		if r.Set == set {
			rules = append(rules, r)
		}
	}
	auto, err := buildAutomaton(rules)
	if err != nil {
		return behind(rules, err)
	}
	pkg := sets[set].pkg
	conds := map[string]int{}
	var condList []string
	for _, r := range rules {
		if r.When != "" && conds[r.When] == 0 {
			condList = append(condList, r.When)
			conds[r.When] = len(condList)
		}
	}
	used := map[*predicate.Predicate]bool{}
	var files []string
	bodies := map[string]*bytes.Buffer{}
	for i, r := range rules {
		b := bodies[r.Pos.File]
		if b == nil {
			b = &bytes.Buffer{}
			bodies[r.Pos.File] = b
			files = append(files, r.Pos.File)
		}
		g := &ruleWriter{t: t, r: r, used: used, built: map[string]string{}}
		if err := g.write(b, i); err != nil {
			return fmt.Errorf("%s: [%s] %w", r.Pos, r.full(), err)
		}
	}
	for _, f := range files {
		name := strings.TrimSuffix(path.Base(f), ".toml")
		if err := ctx.Out.Go("rules/"+pkg+"/"+name+".go", []string{f}, withImports(pkg, bodies[f].Bytes())); err != nil {
			return err
		}
	}
	if len(used) > 0 {
		var b bytes.Buffer
		b.WriteString("//lint:file-ignore SA4000 A predicate is written out for each size: comparisons of the size are of numbers.\n\n")
		head := b.Len()
		predicate.Emit(&b, used)
		if b.Len() > head {
			if err := ctx.Out.Go("rules/"+pkg+"/is.go", t.Files, withImports(pkg, b.Bytes())); err != nil {
				return err
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "//go:embed automaton.bin\nvar packed string\n\n//go:embed rules.txt\nvar about string\n\n")
	fmt.Fprintf(&b, "// Set is the rule set %q.\nvar Set = match.Set{\nName: %q,\nAbout: about,\nNumConds: %d,\nConds: conds,\nAuto: automaton,\nRows: []match.Row{\n", sets[set].name, sets[set].name, len(condList))
	var about bytes.Buffer
	for i, r := range rules {
		for k, field := range []string{r.Name, r.Pos.String(), r.Text(), r.WhenRow, r.Example} {
			if k > 0 {
				about.WriteByte('\t')
			}
			about.WriteString(strings.Join(strings.Fields(field), " "))
		}
		about.WriteByte('\n')
		b.WriteByte('{')
		if r.When != "" {
			fmt.Fprintf(&b, "Cond: %d, ", conds[r.When])
		}
		if n := t.bitsOf(r.GivesUp); n != 0 {
			fmt.Fprintf(&b, "GivesUp: %#x, ", n)
		}
		if r.AllowedBy != "" {
			b.WriteString("Always: true, ")
		}
		if e := r.Find.Exec; e >= 0 && r.Typing.Set(e) != pattern.SizeSet(r.Find.Code.Sizes...) {
			fmt.Fprintf(&b, "Sizes: %#x, ", uint8(r.Typing.Set(e))) // op.Sizes has the same bits
		}
		if root := t.rootFilter(r); root != "" {
			fmt.Fprintf(&b, "Root: match.Root{%s}, ", root)
		}
		fmt.Fprintf(&b, "Match: rule%d}, // %s\n", i, r.Name)
	}
	b.WriteString("},\n}\n\nfunc conds(o *option.Set, out []bool) {\n")
	for i, c := range condList {
		fmt.Fprintf(&b, "out[%d] = %s\n", i, c)
	}
	b.WriteString("}\n\n")
	packed, err := t.emitAutomaton(&b, auto)
	if err != nil {
		return behind(rules, err)
	}
	if err := ctx.Out.Text("rules/"+pkg+"/automaton.bin", "# ", t.Files, packed); err != nil {
		return err
	}
	if err := ctx.Out.Text("rules/"+pkg+"/rules.txt", "# ", t.Files, about.Bytes()); err != nil {
		return err
	}
	return ctx.Out.Go("rules/"+pkg+"/set.go", t.Files, append([]byte("// "+sets[set].doc+"\n"), withImports(pkg, b.Bytes())...))
}

// behind is an error of a whole set, at the place of its last rule.
func behind(rules []*Rule, err error) error {
	last := rules[len(rules)-1]
	return diag.Errorf(last.Pos, last.full(), "the rules of set %s up to here: %v", sets[last.Set].name, err)
}

var imports = []struct{ name, path string }{
	{"ir", "jacquard.example/core/ir"},
	{"match", "jacquard.example/core/match"},
	{"pat", "jacquard.example/core/match/pat"},
	{"num", "jacquard.example/core/num"},
	{"op", "jacquard.example/generated/op"},
	{"option", "jacquard.example/generated/rules/option"},
	{"math", "math"},
	{"bits", "math/bits"},
}

// withImports puts a package clause and the imports that the code needs before
// it.
func withImports(pkg string, code []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n", pkg)
	for _, i := range imports {
		if names(code, i.name) {
			fmt.Fprintf(&b, "%q\n", i.path)
		}
	}
	if bytes.Contains(code, []byte("//go:embed ")) {
		b.WriteString("_ \"embed\"\n")
	}
	b.WriteString(")\n\n")
	b.Write(code)
	return b.Bytes()
}

// names reports whether code outside of comments, which take the rest of their
// line, names something of a package.
func names(code []byte, pkg string) bool {
	find := []byte(pkg + ".")
	for at := 0; ; {
		i := bytes.Index(code[at:], find)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(find)
		line := code[bytes.LastIndexByte(code[:i], '\n')+1 : i]
		if at < len(code) && code[at] >= 'A' && code[at] <= 'Z' && !bytes.Contains(line, []byte("//")) &&
			(i == 0 || !isLetter(code[i-1])) {
			return true
		}
	}
}

func isLetter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// rootFilter writes the match.Root of a rule.
func (t *Table) rootFilter(r *Rule) string {
	var parts []string
	for _, a := range r.Find.Args {
		if a.Kind == pattern.Lit {
			class := uint8(0)
			for _, size := range r.Typing.Set(a.Class).List() {
				bits, _ := a.Bits(size)
				class |= num.Class(bits, uint8(size))
			}
			parts = append(parts, fmt.Sprintf("Lit: %#x", class))
			break
		}
	}
	same := 0
	for i, p := range rootPairs {
		if p[1] >= len(r.Find.Args) || r.Find.Commutes() && i > 0 {
			continue
		}
		a, b := r.Find.Args[p[0]], r.Find.Args[p[1]]
		if a.Kind == pattern.Var && b.Kind == pattern.Var && a.Name == b.Name && a.Swz == b.Swz && !r.Typing.Var(a.Name).Const {
			same |= 1 << i
		}
	}
	if same != 0 {
		parts = append(parts, fmt.Sprintf("Same: %#x", same))
	}
	if n := t.bitsOf(r.GivesUp); n != 0 && r.AllowedBy == "" && matchgen.IsFloatOp(r.Find.Code) {
		parts = append(parts, fmt.Sprintf("Gives: %#x", n))
	}
	return strings.Join(parts, ", ")
}

// rootPairs are the pairs of operands in the order of match.Root.Same.
var rootPairs = [...][2]int{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}

// ruleWriter writes the function of one rule.
type ruleWriter struct {
	t    *Table
	r    *Rule
	used map[*predicate.Predicate]bool
	m    *matchgen.Matcher

	built map[string]string // instruction of the replacement → Go name of its result
}

func (g *ruleWriter) write(b *bytes.Buffer, number int) error {
	r := g.r
	fmt.Fprintf(b, "// %s (%s)", r.Name, r.Pos)
	if r.Doc != "" {
		fmt.Fprintf(b, ": %s", strings.Join(strings.Fields(r.Doc), " "))
	}
	fmt.Fprintf(b, "\n//\n//\tmatch  %s\n//\tresult %s\n", r.Find, r.Replace)
	if r.WhenRow != "" {
		fmt.Fprintf(b, "//\tcond   %s\n", r.WhenRow)
	}
	if r.AllowedBy != "" {
		fmt.Fprintf(b, "//\tallowed by %s\n", r.AllowedBy)
	}
	if len(r.GivesUp) > 0 {
		fmt.Fprintf(b, "//\tgives up %s\n", strings.Join(r.GivesUp, ", "))
	}
	fmt.Fprintf(b, "func rule%d(p *match.Pass, v ir.Value) bool {\n", number)
	out := b
	b = &bytes.Buffer{}
	g.m = &matchgen.Matcher{Out: b, Typing: r.Typing, Fail: "return false", Check: g.check}
	m := g.m
	if err := m.Match(r.Find); err != nil {
		return err
	}
	g.condition()
	mask := g.mask()
	if n := g.t.bitsOf(r.GivesUp); n != 0 && r.AllowedBy == "" {
		m.Printf("mask := %s\n", mask)
		m.Failing("mask&%#x != %#x", n, n)
		mask = "mask"
	}
	g.begin(mask)
	root := r.Find.Code
	comps := fmt.Sprint(root.Out.Comps)
	if root.Out.Comps == 0 && r.Replace.Kind == pattern.Op {
		comps = "comps"
		m.Printf("comps := s.At(v).Comps\n")
	}
	expr := g.build(r.Replace, comps)
	m.Printf("return p.Done(v, %s)\n", expr)
	looped := m.Looped()
	m.Close()
	if looped {
		b.WriteString("return false\n")
	}
	b.WriteString("}\n\n")
	body := matchgen.Prune(b.Bytes())
	if usesShader.Match(body) {
		out.WriteString("s := p.S\n")
	}
	out.Write(body)
	return nil
}

var usesShader = regexp.MustCompile(`\bs[.,]`)

// condition writes the test of the constants that where asks for, one component
// after the other.
func (g *ruleWriter) condition() {
	w := g.r.Where
	if w == nil {
		return
	}
	m := g.m
	count := "1"
	w.Walk(func(n *pattern.Node) {
		if n.Kind == pattern.Var && n.May == "" {
			count = m.Bound[n.Name] + ".N"
		}
	})
	may := map[string]string{}
	for _, v := range g.r.Typing.Vars {
		if v.May != "" {
			may[v.Name] = m.Fresh("may")
			m.Printf("%s := p.MayBeOnes(%s)\n", may[v.Name], m.Bound[v.May])
		}
	}
	var write func(n *pattern.Node) string
	write = func(n *pattern.Node) string {
		switch n.Kind {
		case pattern.Var:
			if n.May != "" {
				return may[n.Name]
			}
			return fmt.Sprintf("pat.Comp(s, %s, k)", m.Bound[n.Name])
		case pattern.Lit:
			if one := g.r.Typing.Set(n.Class).One(); one != 0 {
				v, _ := n.Bits(one)
				return fmt.Sprintf("%#x", v)
			}
			v, _ := n.Bits(64)
			return fmt.Sprintf("%#x&pat.Ones(%s)", v, m.Bits(n.Class))
		}
		exec := "0"
		if n.Exec >= 0 {
			exec = m.Bits(n.Exec)
			if one := g.r.Typing.Set(n.Exec).One(); one != 0 {
				exec = fmt.Sprint(one)
			}
		}
		args := ""
		for _, a := range n.Args {
			args += ", " + write(a)
		}
		return fmt.Sprintf("p.Compute(op.%s, %s%s)", n.Code.GoName, exec, args)
	}
	m.Printf("holds := true\nfor k := 0; holds && k < int(%s); k++ {\nholds = %s != 0\n}\n", count, write(w))
	m.Failing("!holds")
}

// mask writes what all matched float instructions may give up.
func (g *ruleWriter) mask() string {
	var parts []string
	for _, n := range g.m.Order {
		if matchgen.IsFloatOp(n.Code) {
			parts = append(parts, fmt.Sprintf("p.Float(%s)", g.m.Values[n]))
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, "&")
}

// bitsOf turns words of gives_up into a kind.FloatMask.
func (t *Table) bitsOf(words []string) int {
	n := 0
	for i, f := range t.flags {
		if slices.Contains(words, f) {
			n |= 1 << i
		}
	}
	return n
}

// begin chooses where new instructions go: before the root, or, when the root
// has one operand and that is part of the pattern, behind that.
func (g *ruleWriter) begin(mask string) {
	r := g.r
	if r.Replace.Kind == pattern.Var {
		return
	}
	if len(r.Find.Args) == 1 && r.Find.Args[0].Kind == pattern.Op {
		g.m.Printf("p.BeginAt(v, %s, %s)\n", g.m.Values[r.Find.Args[0]], mask)
		return
	}
	g.m.Printf("p.Begin(v, %s)\n", mask)
}

// build writes the instructions of the replacement, comps components wide, and
// returns the name of the result.
func (g *ruleWriter) build(n *pattern.Node, comps string) string {
	m := g.m
	switch n.Kind {
	case pattern.Var:
		x := m.Bound[n.Name]
		if n.Swz != "" {
			return fmt.Sprintf("pat.Swz(%s, %s, %d)", x, matchgen.GoSwizzle(n.Swz), len(n.Swz))
		}
		return x
	case pattern.Lit:
		return g.literal(n)
	}
	key := comps + n.String()
	if t, ok := g.built[key]; ok {
		return t // the same expression again is the same instruction
	}
	var args []string
	for i, a := range n.Args {
		wide := comps
		if k := n.Code.Srcs[i].Comps; k != 0 {
			wide = fmt.Sprint(k)
		}
		args = append(args, g.build(a, wide))
	}
	t := m.Fresh("t")
	m.Printf("%s := p.ALU%d(op.%s, %s, %s)\n", t, len(args), n.Code.GoName, comps, strings.Join(args, ", "))
	g.built[key] = t
	return t
}

func (g *ruleWriter) literal(n *pattern.Node) string {
	set := g.r.Typing.Set(n.Class)
	if one := set.One(); one != 0 {
		v, _ := n.Bits(one)
		return fmt.Sprintf("p.Lit(%d, %#x)", one, v)
	}
	bits := g.m.Bits(n.Class)
	if n.LitKind == pattern.LitFloat {
		h, f, d := matchgen.FloatLit(n.Float)
		return fmt.Sprintf("p.Lit(%s, pat.FloatBits(%s, %#x, %#x, %#x))", bits, bits, h, f, d)
	}
	v, _ := n.Bits(64)
	return fmt.Sprintf("p.Lit(%s, %#x)", bits, v)
}

// check writes the predicates of a node.
func (g *ruleWriter) check(m *matchgen.Matcher, n *pattern.Node, expr string) (string, error) {
	list, err := g.t.Preds.Use(n, expr == "")
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
