// SPDX-License-Identifier: MIT

package ruleset

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/core/num"
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/matchgen"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/predicate"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/rewriting"
	"jacquard.example/gen/internal/rules/vectors"
)

// Generate checks the rules and writes generated/rules.
func Generate(ctx *domain.Context) error {
	t, err := rules.Load(ctx)
	if err != nil {
		return err
	}
	if err := vectors.Verify(t); err != nil {
		return err
	}
	if err := rewriting.Hygiene(t); err != nil {
		return err
	}
	use(t, ctx)
	if err := t.EmitOptions(ctx); err != nil {
		return err
	}
	for i := range rules.Sets {
		if err := emitSet(t, ctx, i); err != nil {
			return err
		}
	}
	return emitDoc(t, ctx)
}

// emitSet writes the package of one rule set: the rules' rows and programs, the
// automaton, the texts for messages, and the Go code that refers to them.
func emitSet(t *rules.Table, ctx *domain.Context, set int) error {
	var list []*rules.Rule
	for _, r := range t.Rules {
		if r.Set == set {
			list = append(list, r)
		}
	}
	auto, err := buildAutomaton(list)
	if err != nil {
		return atLastRule(list, err)
	}
	packed, sizes, err := packAutomaton(t, auto)
	if err != nil {
		return atLastRule(list, err)
	}
	p, err := newPrograms(t)
	if err != nil {
		return atLastRule(list, err)
	}
	var conds conditions
	var rows, about bytes.Buffer
	used := map[*predicate.Predicate]bool{}
	for _, r := range list {
		at, err := p.add(r, used)
		if err != nil {
			return fmt.Errorf("%s: [%s] %w", r.Pos, r.Full(), err)
		}
		row(t, &rows, r, conds.number(r.Cond), at)
		for k, field := range []string{r.Name, r.Pos.String(), r.Text(), r.WhenRow, r.Example} {
			if k > 0 {
				about.WriteByte('\t')
			}
			about.WriteString(strings.Join(strings.Fields(field), " "))
		}
		about.WriteByte('\n')
	}
	packedAbout, err := compress(about.Bytes())
	if err != nil {
		return err
	}
	dir := "rules/" + rules.Sets[set].Pkg + "/"
	for _, f := range []struct {
		name string
		body []byte
	}{
		{"automaton.bin", packed},
		{"programs.bin", append(rows.Bytes(), p.packed()...)},
		{"rules.bin", packedAbout},
	} {
		if err := ctx.Out.Text(dir+f.name, "# ", t.Files, f.body); err != nil {
			return err
		}
	}
	if err := emitPredicates(t, ctx, set, used); err != nil {
		return err
	}
	return emitGo(t, ctx, set, setCode{
		rules: len(list), words: len(p.words), states: len(auto.states), sizes: sizes, is: p.is, conds: conds.list,
	})
}

// compress returns data in the gzip format.
func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// row writes the engine's data about a rule, as match.NewRules reads it.
func row(t *rules.Table, b *bytes.Buffer, r *rules.Rule, cond int, program uint32) {
	root := rootFilter(t, r)
	sizes := uint8(0)
	if e := r.Find.Exec; e >= 0 && r.Typing.Set(e) != pattern.SizeSet(r.Find.Code.Sizes...) {
		sizes = uint8(r.Typing.Set(e)) // op.Sizes has the same bits
	}
	always := uint8(0)
	if r.AllowedBy != "" {
		always = 1
	}
	for _, n := range []int{cond, bitsOf(t, r.GivesUp), root.gives} {
		b.Write(binary.LittleEndian.AppendUint16(nil, uint16(n)))
	}
	b.Write([]byte{root.lit, root.same, sizes, always, 0, 0})
	b.Write(binary.LittleEndian.AppendUint32(nil, program))
}

// emitPredicates writes the functions of the value predicates in used.
func emitPredicates(t *rules.Table, ctx *domain.Context, set int, used map[*predicate.Predicate]bool) error {
	f := emit.NewFile(rules.Sets[set].Pkg, "")
	f.Directive("lint:file-ignore SA4000 A predicate is written out for each size: comparisons of the size are of numbers.")
	f.Add()
	if !predicate.Emit(f, used) {
		return nil
	}
	return ctx.Out.Code("rules/"+rules.Sets[set].Pkg+"/is.go", t.Files, f)
}

// atLastRule returns an error about a whole set, at the position of the set's last rule.
func atLastRule(list []*rules.Rule, err error) error {
	last := list[len(list)-1]
	return diag.Errorf(last.Pos, last.Full(), "the rules of set %s up to here: %v", rules.Sets[last.Set].Name, err)
}

// root holds the match.Root of a rule.
type root struct {
	lit, same uint8
	gives     int
}

// rootFilter returns the conditions of a rule on its root.
func rootFilter(t *rules.Table, r *rules.Rule) (out root) {
	for _, a := range r.Find.Args {
		if a.Kind == pattern.Lit {
			for _, size := range r.Typing.Set(a.Class).List() {
				bits, _ := a.Bits(size)
				out.lit |= num.Class(bits, uint8(size))
			}
			break
		}
	}
	for i, p := range rootPairs {
		if p[1] >= len(r.Find.Args) || r.Find.Commutes() && i > 0 {
			continue
		}
		a, b := r.Find.Args[p[0]], r.Find.Args[p[1]]
		if a.Kind == pattern.Var && b.Kind == pattern.Var && a.Name == b.Name && a.Swz == b.Swz && !r.Typing.Var(a.Name).Const {
			out.same |= 1 << i
		}
	}
	if r.AllowedBy == "" && matchgen.IsFloatOp(r.Find.Code) {
		out.gives = bitsOf(t, r.GivesUp)
	}
	return out
}

// rootPairs are the pairs of operands in the order of match.Root.Same.
var rootPairs = [...][2]int{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}}

// bitsOf converts words of gives_up to a kind.FloatMask.
func bitsOf(t *rules.Table, words []string) int {
	n := 0
	for i, f := range t.Flags {
		if slices.Contains(words, f) {
			n |= 1 << i
		}
	}
	return n
}
