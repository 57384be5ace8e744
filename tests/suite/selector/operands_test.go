// SPDX-License-Identifier: MIT

package selector

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// row is a row of the back end's tables with its pattern, read from the comments of the generated selector, where
// templates are expanded.
type row struct {
	name, match string
	tree        *tree
	machine     *target.Target // a machine that the row is for
}

// tree is a search expression: an operation, a variable or a literal.
type tree struct {
	word  string
	flags []string // after a colon
	sizes []uint8
	isOp  bool
	args  []*tree
}

func (t *tree) has(flag string) bool { return slices.Contains(t.flags, flag) }

var matchLine = regexp.MustCompile(`(?m)^// (\S+) \(defs/intel/select/.*\n//\n//\tmatch (.*)\n//\t(emit|call) `)

// rows lists the rows that emit instructions for arithmetic.
func rows(t *testing.T) (out []row) {
	t.Helper()
	code, err := os.ReadFile("../../../generated/intel/select/rows.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range matchLine.FindAllStringSubmatch(string(code), -1) {
		x, rest := parseTree(m[2])
		if strings.TrimSpace(rest) != "" {
			t.Fatalf("%s: %q is left of %q", m[1], rest, m[2])
		}
		if _, ok := op.ByName(x.word); ok && m[3] == "emit" {
			out = append(out, row{m[1], m[2], x, machineOf(m[1])})
		}
	}
	if len(out) < 100 {
		t.Fatalf("only %d rows were understood", len(out))
	}
	return out
}

// machineOf returns the first target whose machine a row is for.
func machineOf(name string) *target.Target {
	where := sel.Where[slices.Index(sel.Names[:], name)]
	return target.All[slices.IndexFunc(target.All, func(t *target.Target) bool { return t.In(where) })]
}

func parseTree(s string) (*tree, string) {
	s = strings.TrimLeft(s, " ")
	x := &tree{isOp: strings.HasPrefix(s, "(")}
	s = strings.TrimPrefix(s, "(")
	end := strings.IndexAny(s, " ()")
	if end < 0 {
		end = len(s)
	}
	word := strings.Split(s[:end], ":")
	s = s[end:]
	x.flags = word[1:]
	name, sizes, _ := strings.Cut(word[0], "@")
	x.word = name
	for _, n := range strings.Split(sizes, "|") {
		if v, err := strconv.Atoi(n); err == nil {
			x.sizes = append(x.sizes, uint8(v))
		}
	}
	for x.isOp {
		s = strings.TrimLeft(s, " ")
		if strings.HasPrefix(s, ")") {
			return x, s[1:]
		}
		var a *tree
		a, s = parseTree(s)
		x.args = append(x.args, a)
	}
	return x, s
}

// modifiers are the modifiers of operands, and the opcodes that express them in the core.
type modifier struct {
	name string
	flag []string // declarations with which a row's operand takes the modifier
	ops  []op.Op  // innermost first
	of   []op.Base
}

var modifiers = []modifier{
	{"negated", []string{"mod", "neg"}, []op.Op{op.FNeg}, []op.Base{op.Float}},
	{"magnitude", []string{"mod", "abs"}, []op.Op{op.FAbs}, []op.Base{op.Float}},
	{"negated magnitude", []string{"mod"}, []op.Op{op.FAbs, op.FNeg}, []op.Base{op.Float}},
	{"negated", []string{"mod", "neg"}, []op.Op{op.INeg}, []op.Base{op.Int, op.Uint}},
	{"complement", []string{"not"}, []op.Op{op.INot}, []op.Base{op.Bits, op.Int, op.Uint}},
}

// operand is a variable of a row and how its instruction takes it.
type operand struct {
	*tree
	base op.Base
	bits uint8
}

// built is a row's expression as a shader.
type built struct {
	constants bool // numbers of rows are constants; otherwise such rows are left out
	*program
	leaf   func(bits uint8) ir.Src
	leaves []operand
	result ir.Src
}

// build makes a shader that computes a row's expression. Variable which, if it
// is not negative, is read through the opcodes of m.
func (r *row) build(which int, m *modifier) (*built, bool) {
	p := &built{program: newProgram()}
	p.machine = r.machine
	p.leaf = func(bits uint8) ir.Src { return p.Undef(1, bits) }
	v, ok := p.node(r.tree, 0, op.NoBase, which, m)
	p.result = v
	return p, ok
}

func (p *built) node(x *tree, bits uint8, base op.Base, which int, m *modifier) (ir.Src, bool) {
	if !x.isOp {
		if c := x.word[0]; c == '-' || c >= '0' && c <= '9' || strings.HasPrefix(x.word, "#") {
			n, err := strconv.ParseUint(x.word, 0, int(bits))
			return p.Const(bits, n), p.constants && err == nil
		}
		v := p.leaf(bits)
		if len(p.leaves) == which {
			for _, o := range m.ops {
				v = p.ALU(o, v)
			}
		}
		p.leaves = append(p.leaves, operand{x, base, bits})
		return v, true
	}
	o, ok := op.ByName(x.word)
	if !ok {
		return ir.Src{}, false
	}
	info := o.Info()
	exec := bits
	switch sizes := p.sizesOf(x, info); {
	case slices.Contains(sizes, 32):
		exec = 32
	case len(sizes) > 0:
		exec = sizes[0]
	case info.Out.Bits != 0 || exec == 0:
		exec = 32
	}
	var src []ir.Src
	for i, a := range x.args {
		d := info.Src[i]
		n := d.Bits
		if n == 0 {
			n = exec
		}
		if d.Comps > 1 {
			return ir.Src{}, false
		}
		v, ok := p.node(a, n, d.Base, which, m)
		if !ok {
			return ir.Src{}, false
		}
		src = append(src, v)
	}
	return p.ALU(o, src...), true
}

// sizesOf returns the sizes that a row requires of an operation or its variables.
func (p *built) sizesOf(x *tree, info *op.Info) []uint8 {
	if len(x.sizes) > 0 {
		return x.sizes
	}
	for i, a := range x.args {
		if info.Src[i].Bits == 0 && len(a.sizes) > 0 {
			return a.sizes
		}
	}
	return nil
}

// chosen selects instructions for the shader without applying any rules.
func (p *program) chosen(t *testing.T) []string {
	t.Helper()
	r := &recorder{s: p.S}
	x := sel.Selector{T: r}
	if err := x.Prepare(&sel.Rows, p.S, p.f, p.machine); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(p.S))
	}
	for b := range p.S.Blocks(p.f) {
		for v := range p.S.Instrs(b) {
			x.Emit(v)
		}
	}
	return r.out
}

// TestR05DeclaredOperands: for every row of the back end's tables and each of its operands, a negation, absolute value
// or complement of the operand is folded into the row's instructions if the row declares the modifier, and is a
// separate instruction before them otherwise.
func TestR05DeclaredOperands(t *testing.T) {
	folded, apart := 0, 0
	for _, r := range rows(t) {
		plain, ok := r.build(-1, nil)
		if !ok {
			continue
		}
		plain.store(plain.result)
		base := plain.chosen(t)
		for i, leaf := range plain.leaves {
			for _, m := range modifiers {
				if !slices.Contains(m.of, leaf.base) || leaf.bits == 8 {
					continue // a complement or a sign of 8 bits is lowered before selection
				}
				p, _ := r.build(i, &m)
				p.store(p.result)
				got := p.chosen(t)
				if slices.ContainsFunc(m.flag, leaf.has) {
					folded++
					if len(got) != len(base) || slices.Equal(got, base) {
						t.Errorf("%s %s: operand %s takes a %s, but it gave\n  %s\nwhere there was\n  %s", r.name, r.match, leaf.word,
							m.name, strings.Join(got, "\n  "), strings.Join(base, "\n  "))
					}
					continue
				}
				apart++
				if extra := len(got) - len(base); extra < 1 || !slices.Equal(got[extra:], base) {
					t.Errorf("%s %s: operand %s takes no %s, but it gave\n  %s\nwhere there was\n  %s", r.name, r.match, leaf.word, m.name,
						strings.Join(got, "\n  "), strings.Join(base, "\n  "))
				}
			}
		}
	}
	t.Logf("%d modifiers were folded, %d were not", folded, apart)
	if folded < 100 || apart < 100 {
		t.Error("the tables say too little")
	}
}

// TestR05DeclaredSaturation: a saturation becomes part of the instruction of the
// operation below it where a row declares that, and a separate instruction elsewhere.
func TestR05DeclaredSaturation(t *testing.T) {
	all := rows(t)
	declared := map[string]bool{}
	for _, r := range all {
		if r.tree.word == "fsat" && r.tree.args[0].isOp {
			declared[r.tree.args[0].word] = true
		}
	}
	if len(declared) == 0 {
		t.Fatal("no row folds a saturation")
	}
	folded := 0
	for _, r := range all {
		o, _ := op.ByName(r.tree.word)
		if info := o.Info(); info.Out.Base != op.Float || slices.Contains([]op.Op{op.FSat, op.FNeg, op.FAbs}, o) {
			continue // an operation with a modifier becomes part of the saturation
		}
		plain, ok := r.build(-1, nil)
		if !ok {
			continue
		}
		plain.store(plain.result)
		base := plain.chosen(t)
		p, _ := r.build(-1, nil)
		p.store(p.ALU(op.FSat, p.result))
		got := p.chosen(t)
		if !declared[r.tree.word] {
			if !slices.Equal(got, append(slices.Clone(base), "mov.sat v")) {
				t.Errorf("%s %s: saturated it gave\n  %s", r.name, r.match, strings.Join(got, "\n  "))
			}
			continue
		}
		folded++
		if len(got) != len(base) || !strings.Contains(got[len(got)-1], ".sat ") {
			t.Errorf("%s %s: saturated it gave\n  %s\nwhere there was\n  %s", r.name, r.match, strings.Join(got, "\n  "),
				strings.Join(base, "\n  "))
		}
	}
	if folded < len(declared) {
		t.Errorf("%d of %d declared saturations were tried", folded, len(declared))
	}
}
