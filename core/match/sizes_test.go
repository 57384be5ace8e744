// SPDX-License-Identifier: MIT

package match_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/op"
	"jacquard.example/tests/support/sample"
)

// sizing has the possible sizes of a search expression, by class of values: the sizes that opcodes allow, and the
// subset that the rule's text allows. Values share a class only if the IR requires equal sizes: operands of one
// instruction, and occurrences of one variable.
type sizing struct {
	parent []int
	legal  []op.Sizes
	taken  []op.Sizes
	result map[*expr]int // class of the result of an expression
	exec   map[*expr]int // class of an instruction's unsized operands
	vars   map[string]int
}

const everySize = op.Size1 | op.Size8 | op.Size16 | op.Size32 | op.Size64

func (z *sizing) class(legal op.Sizes) int {
	z.parent = append(z.parent, len(z.parent))
	z.legal = append(z.legal, legal)
	z.taken = append(z.taken, everySize)
	return len(z.parent) - 1
}

func (z *sizing) find(c int) int {
	for z.parent[c] != c {
		c = z.parent[c]
	}
	return c
}

func (z *sizing) union(a, b int) {
	if a, b = z.find(a), z.find(b); a != b {
		z.parent[b] = a
		z.legal[a] &= z.legal[b]
		z.taken[a] &= z.taken[b]
	}
}

// take restricts the sizes that the text allows for a class.
func (z *sizing) take(c int, bits []int) {
	if len(bits) == 0 {
		return
	}
	set := op.Sizes(0)
	for _, n := range bits {
		set |= op.SizeOf(uint8(n))
	}
	z.taken[z.find(c)] &= set
}

func (z *sizing) node(e *expr) int {
	if !e.isOp {
		c, known := z.vars[e.head]
		if isLiteral(e.head) || !known {
			c = z.class(everySize)
		}
		if !isLiteral(e.head) {
			z.vars[e.head] = c
		}
		z.take(c, e.bits)
		switch {
		case e.head == "true" || e.head == "false":
			z.take(c, []int{1})
		case e.isC && e.pred: // predicates are tests of numbers
			z.take(c, []int{8, 16, 32, 64})
		}
		z.result[e] = c
		return c
	}
	o, _ := op.ByName(e.head)
	info := o.Info()
	exec := z.class(info.Sizes)
	if info.Sizes == 0 {
		z.legal[exec] = everySize
	}
	z.take(exec, e.bits)
	z.exec[e] = exec
	for i, a := range e.args {
		c := z.node(a)
		if n := info.Src[i].Bits; n != 0 {
			z.union(z.class(op.SizeOf(n)), c)
		} else {
			z.union(exec, c)
		}
	}
	z.result[e] = exec
	if info.Out.Bits != 0 {
		z.result[e] = z.class(op.SizeOf(info.Out.Bits))
	}
	return z.result[e]
}

func sizesOf(find *expr) *sizing {
	z := &sizing{result: map[*expr]int{}, exec: map[*expr]int{}, vars: map[string]int{}}
	z.node(find)
	return z
}

// each calls f with every assignment of sizes that the opcodes allow, and whether the rule's text allows it too. If
// there are more than limit assignments, it draws limit random ones.
func (z *sizing) each(r *rand.Rand, limit int, f func(size []uint8, taken bool)) {
	var roots []int
	total := 1
	lists := make([][]uint8, len(z.parent))
	for c := range z.parent {
		if z.find(c) != c {
			continue
		}
		roots = append(roots, c)
		for _, n := range []uint8{1, 8, 16, 32, 64} {
			if op.SizeOf(n)&z.legal[c] != 0 {
				lists[c] = append(lists[c], n)
			}
		}
		total = min(total*len(lists[c]), 1<<20)
	}
	size := make([]uint8, len(z.parent))
	for k := range min(total, limit) {
		n := k
		taken := true
		for _, c := range roots {
			i := n % len(lists[c])
			n /= len(lists[c])
			if total > limit {
				i = r.IntN(len(lists[c]))
			}
			size[c] = lists[c][i]
			taken = taken && op.SizeOf(size[c])&z.taken[c] != 0
		}
		f(size, taken)
	}
}

func isLiteral(head string) bool {
	c := head[0]
	return c >= '0' && c <= '9' || c == '-' || head == "true" || head == "false" || head == "inf" || head == "nan"
}

// sized builds a search expression at the given sizes. Literals are truncated to their size.
func (x *instance) sized(e *expr, z *sizing, size []uint8, comps uint8) ir.Src {
	if !e.isOp {
		v, _ := x.leaf(e, size[z.find(z.result[e])], comps)
		return v
	}
	o, _ := op.ByName(e.head)
	info := o.Info()
	var src []ir.Src
	for i, a := range e.args {
		c := comps
		if info.Src[i].Comps != 0 {
			c = info.Src[i].Comps
		}
		src = append(src, x.sized(a, z, size, c))
	}
	if info.Has(op.Commutative) {
		swap := x.r.IntN(2) == 0
		if x.order != nil {
			swap = *x.order&1 != 0
			*x.order >>= 1
		}
		if swap {
			src[0], src[1] = src[1], src[0]
		}
	}
	if info.Out.Comps != 0 {
		comps = info.Out.Comps
	}
	return x.b.ALUN(o, comps, src...)
}

// TestSizes runs the generated matchers of a third of the rules on their search expressions, with every assignment of
// sizes that the opcodes allow, including unequal sizes where the text wants equal ones. Each rule must match no
// assignment that the text excludes, and all that it allows unless a condition restricts it further. Replacements must
// be well formed and have the same value.
func TestSizes(t *testing.T) {
	const limit, tries = 150, 8
	rules, wrong, right := 0, 0, 0
	for _, set := range sets {
		for i := range set.Rows {
			rule := set.Rule(i)
			if !sample.One(3, rule.Name) {
				continue
			}
			find, rest := parseExpr(rule.Text)
			var where *expr
			if _, cond, ok := strings.Cut(rest, " where "); ok {
				where, _ = parseExpr(cond)
			}
			opts := optionsFor(set, rule)
			only := match.Only(set, opts, i)
			r := rand.New(rand.NewPCG(uint64(i), 5))
			z := sizesOf(find)
			excluded := false
			z.each(r, limit, func(size []uint8, taken bool) {
				excluded = excluded || !taken
				fires, most := false, tries
				if taken && where == nil {
					most = 1000 // suitable constants have to be drawn
				}
				for range most {
					fired, say := atSizes(t, rule, find, where, only, r, z, size, nil)
					if fired && !taken {
						t.Errorf("%s: [%s] fires at sizes that it does not take: %s\n%s", rule.Place, rule.Name, rule.Text, say)
					}
					if fires = fires || fired; fired || t.Failed() {
						break
					}
				}
				switch {
				case taken && fires:
					right++
				case taken && where == nil:
					t.Errorf("%s: [%s] does not fire at %v, which it takes: %s", rule.Place, rule.Name, size, rule.Text)
				case !taken:
					wrong++
				}
			})
			if excluded {
				rules++
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d rules leave sizes out: %d assignments; they fire at %d others", rules, wrong, right)
	if !sample.Soaking() && (rules < 300 || wrong < 1500 || right < 2400) {
		t.Errorf("%d rules leave %d assignments out and fire at %d others: this says little", rules, wrong, right)
	}
}

// TestOperandOrders runs each rule's generated matcher on its search expression with the operands of commuting instructions in
// every order: the rule must always fire.
func TestOperandOrders(t *testing.T) {
	orders := 0
	for _, set := range sets {
		for i := range set.Rows {
			rule := set.Rule(i)
			find, rest := parseExpr(rule.Text)
			commuting := find.commuting()
			if commuting == 0 {
				continue
			}
			var where *expr
			if _, cond, ok := strings.Cut(rest, " where "); ok {
				where, _ = parseExpr(cond)
			}
			only := match.Only(set, optionsFor(set, rule), i)
			r := rand.New(rand.NewPCG(uint64(i), 31))
			z := sizesOf(find)
			var sizes [][]uint8
			z.each(r, 150, func(size []uint8, taken bool) {
				if taken {
					sizes = append(sizes, slices.Clone(size))
				}
			})
			for order := range uint64(1) << min(commuting, 5) {
				fires := false
				for try := 0; try < 200 && !fires; try++ {
					left := order
					fires, _ = atSizes(t, rule, find, where, only, r, z, sizes[r.IntN(len(sizes))], &left)
					if t.Failed() {
						return
					}
				}
				if !fires {
					t.Errorf("%s: [%s] does not fire with its operands in order %b: %s", rule.Place, rule.Name, order, rule.Text)
				}
				orders++
			}
		}
	}
	if t.Logf("%d orders", orders); orders < 3000 {
		t.Error("the test says little")
	}
}

// commuting returns the number of instructions of an expression whose operands commute.
func (e *expr) commuting() int {
	n := 0
	if o, ok := op.ByName(e.head); ok && e.isOp && o.Info().Has(op.Commutative) {
		n++
	}
	for _, a := range e.args {
		n += a.commuting()
	}
	return n
}

// atSizes tries a single rule on one instance. It reports whether the rule fired, and returns the shader as it was
// before. Each bit of order determines whether the operands of a commuting instruction are swapped.
func atSizes(t *testing.T, rule *match.Rule, find, where *expr, only *match.One, r *rand.Rand, z *sizing, size []uint8,
	order *uint64) (bool, string) {
	seed := r.Uint64()
	fresh := func() *instance {
		x := &instance{program: newProgram(), r: rand.New(rand.NewPCG(seed, 1)), vars: map[string]ir.Src{}}
		if order != nil {
			left := *order
			x.order = &left
		}
		return x
	}
	x := fresh()
	if where != nil {
		x.sized(find, z, size, 1)
		consts, may, ok := choose(where, x, r)
		if !ok {
			return false, ""
		}
		x = fresh()
		x.consts, x.may = consts, may
	}
	x.b.Float = rule.GivesUp
	if rule.GivesUp&(1<<3) == 0 { // denorm
		x.s.Info.DenormPreserve = 7
	}
	root := x.sized(find, z, size, 1)
	if x.s.At(root.Val).IsConst() {
		return false, ""
	}
	x.keep(root)
	was := string(text.Print(x.s))
	in := x.values(r)
	before := x.eval(t, x.kept(), in)
	bits := x.s.At(root.Val).Bits
	if !only.Apply(x.s, x.f) {
		return false, was
	}
	if err := validate.Shader(x.s); err != nil {
		t.Errorf("%s: [%s] %v\n%s%s", rule.Place, rule.Name, err, was, text.Print(x.s))
	} else if after := x.eval(t, x.kept(), in); rule.GivesUp == 0 {
		for c := range after {
			if canonical(after[c], bits) != canonical(before[c], bits) {
				t.Errorf("%s: [%s] component %d was %#x and is %#x\n%s%s", rule.Place, rule.Name, c, before[c], after[c], was,
					text.Print(x.s))
			}
		}
	}
	return true, was
}
