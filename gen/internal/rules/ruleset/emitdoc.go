// SPDX-License-Identifier: MIT

package ruleset

import (
	"bytes"
	"fmt"
	"path"
	"sort"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/table"
)

const docHead = `# Rewrite rules

A rule is a row in a file below defs/algebraic: where find matches, replace takes its
place. Patterns are in prefix form. A name stands for any value and, where it occurs
again, for the same one; #b is a constant; b:pow2 has a predicate; iadd@32 fixes the
size; a.y takes a component. Operands of commutative opcodes match both ways. The
conditions listed after a rule:

- *where*: a condition on its constants.
- *when*: options of the target or of the compilation.
- *gives up*: the aspects of exact IEEE behavior that a float rule does not preserve; it fires
  only where the shader allows that, or everywhere for the reason given as *allowed*.
- *for*: the row stands for each combination of the values.
- *set*: before_ffma runs once before products and sums are fused, late when all else is
  done; the others run together until nothing changes.

Each rule has been run on corner and random vectors at every size, and ` + "`jacquard rules show\nNAME`" + ` shows the prover's result.

`

// emitDoc writes the reference page: the rules by topic in the order of the files,
// with the mathematics in the comments above each group.
func emitDoc(t *rules.Table, ctx *domain.Context) error {
	set, err := ctx.Load(rules.Dir)
	if err != nil {
		return err
	}
	rows, err := table.Rows[rules.RuleDef](set, "rule")
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(docHead)
	fmt.Fprintf(&b, "There are %d rows, which expand to %d rules.\n", len(rows), len(t.Rules))
	type entry struct {
		pos  diag.Pos
		text string
	}
	byFile := map[string][]entry{}
	has := map[string]bool{}
	for _, r := range rows {
		byFile[r.Pos.File] = append(byFile[r.Pos.File], entry{r.Pos, docRule(r)})
		has[r.Pos.File] = true
	}
	for _, c := range set.Comments {
		text := "\n" + paragraphs(c.Text) + "\n\n"
		byFile[c.Pos.File] = append(byFile[c.Pos.File], entry{c.Pos, text})
	}
	for _, f := range set.Files {
		if !has[f] {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n", strings.ReplaceAll(strings.TrimSuffix(path.Base(f), ".toml"), "_", " "))
		list := byFile[f]
		sort.SliceStable(list, func(i, j int) bool { return list[i].pos.Line < list[j].pos.Line })
		for i, e := range list {
			if i == 0 && strings.HasPrefix(e.text, "- ") {
				b.WriteString("\n")
			}
			b.WriteString(e.text)
		}
	}
	b.WriteString("\n## Predicates\n\n| predicate | kind | holds |\n|---|---|---|\n")
	for _, p := range t.Preds.Rows {
		kind := string(p.Kind)
		if p.Kind == "value" {
			kind += " (" + p.Base.String() + ")"
		}
		meaning := p.Doc
		if p.Text != "" && !strings.Contains(p.Text, "\n") {
			meaning += " `" + strings.ReplaceAll(p.Text, "|", "\\|") + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.Name, kind, meaning)
	}
	b.WriteString("\n## Options\n\n| option | meaning |\n|---|---|\n")
	for _, o := range t.Options {
		fmt.Fprintf(&b, "| %s | %s |\n", o.Name, strings.TrimSpace(o.Val.Doc))
	}
	return ctx.Out.Text("docs/rules.md", "<!-- ", set.Files, b.Bytes())
}

// paragraphs joins the lines of a comment's paragraphs, except formulas, which are
// indented.
func paragraphs(text string) string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if strings.HasPrefix(l, "  ") {
			l = "    " + strings.TrimSpace(l)
			if n := len(out); n > 0 && out[n-1] != "" && !strings.HasPrefix(out[n-1], "    ") {
				out = append(out, "")
			}
		}
		out = append(out, strings.NewReplacer("<", "&lt;", "*", "\\*", "~~", "\\~\\~").Replace(l))
	}
	return strings.Join(out, "\n")
}

func docRule(r *table.Row[rules.RuleDef]) string {
	v := &r.Val
	one := func(s string) string { return "`" + strings.Join(strings.Fields(s), " ") + "`" }
	var b strings.Builder
	fmt.Fprintf(&b, "- **%s** %s → %s", r.Name, one(v.Find), one(v.Replace))
	var more []string
	add := func(what, text string) {
		if text != "" {
			more = append(more, what+" "+text)
		}
	}
	quoted := func(s string) string {
		if s == "" {
			return ""
		}
		return one(s)
	}
	add("where", quoted(v.Where))
	add("when", quoted(v.When))
	add("gives up", strings.Join(v.GivesUp, ", "))
	add("allowed:", strings.TrimSuffix(v.Allowed, "."))
	add("for", docFor(v.For))
	add("set", v.Set)
	add("ends:", strings.TrimSuffix(v.Ends, "."))
	if len(more) > 0 {
		b.WriteString("; " + strings.Join(more, "; "))
	}
	if v.Doc != "" {
		b.WriteString(". " + strings.TrimSpace(v.Doc))
	}
	return b.String() + "\n"
}

// docFor formats the rounds of a row.
func docFor(spec map[string]any) string {
	var keys []string
	for k := range spec {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []string
	for _, k := range keys {
		list, _ := spec[k].([]any)
		var vals []string
		for _, v := range list {
			if l, ok := v.([]any); ok {
				vals = append(vals, strings.Trim(strings.ReplaceAll(fmt.Sprint(l), " ", ","), "[]"))
			} else {
				vals = append(vals, fmt.Sprint(v))
			}
		}
		out = append(out, "`"+k+"` = "+"`"+strings.Join(vals, " ")+"`")
	}
	return strings.Join(out, ", ")
}
