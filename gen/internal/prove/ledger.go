// SPDX-License-Identifier: MIT

package prove

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/vectors"
)

// version is part of every key. It changes when a verdict may differ
// although neither the rules nor the meanings changed: with the
// formulas that package eval writes, the methods and the budgets.
const version = "2"

// Key identifies the subject of a verdict: the rule's two sides and its where, its sizes, the flags that it gives up, and the
// meanings of its opcodes and predicates. A rule's name, position, documentation and when are not part of it.
func Key(t *rules.Table, in *vectors.Instance) string {
	h := sha256.New()
	r := in.Rule
	fmt.Fprintf(h, "%s\n%s\n%s\n", version, r.Find, r.Replace)
	for _, c := range slices.Sorted(maps.Keys(in.Sizes)) {
		fmt.Fprintf(h, "size %d %d\n", c, in.Sizes[c])
	}
	flags := r.Claimed()
	slices.Sort(flags)
	fmt.Fprintf(h, "gives up %q\n", flags)
	if r.GivesUpFlag("denorm") {
		fmt.Fprintf(h, "denormals kept and flushed\n")
	}
	meanings := map[string]string{}
	sides := []*pattern.Node{r.Find, r.Replace}
	if r.Where != nil {
		fmt.Fprintf(h, "where %s\n", r.Where)
		sides = append(sides, r.Where)
	}
	for _, side := range sides {
		side.Walk(func(n *pattern.Node) {
			if o := n.Code; o != nil {
				meanings["op "+o.Name] = fmt.Sprint(o.Srcs, o.Out, o.Sizes, o.Has("commutative"), o.Eval)
				if r.GivesUpFlag("denorm") {
					meanings["op "+o.Name] += fmt.Sprint(o.Has("halves"), o.Has("stepwise"))
				}
				if r.Loose() && o.Out.Base == eval.Float && o.Has("conversion") {
					meanings["op "+o.Name] += " rounds"
				}
			}
			for _, name := range n.Preds {
				p := t.Preds.ByName(name)
				meanings["predicate "+name] = fmt.Sprint(p.Kind, p.Base, p.Text)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(meanings)) {
		fmt.Fprintf(h, "%s %s\n", name, meanings[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Ledger holds verdicts that need not be computed again. Refuted rules and rules that give up a flag needlessly are not
// in it.
type Ledger map[string]Result

// ReadLedger reads a ledger; a missing file is an empty one.
func ReadLedger(path string) (Ledger, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Ledger{}, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Result
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: error: %w", path, err)
	}
	out := Ledger{}
	for _, r := range list {
		out[r.Key] = r
	}
	return out, nil
}

// Lookup returns the verdicts on a rule at all its sizes; ok is false if one
// is missing.
func (l Ledger) Lookup(t *rules.Table, r *rules.Rule) (out []Result, ok bool) {
	for _, in := range vectors.Instances(t, r, maxInstances) {
		res, ok := l[Key(t, in)]
		if !ok {
			return nil, false
		}
		res.Rule, res.Pos = r.Title(), r.Pos.String()
		out = append(out, res)
	}
	return out, true
}

// WriteLedger writes the verdicts that a ledger may hold, one per line, in the order given. Of equal keys
// only the first is kept.
func WriteLedger(path string, results []Result) error {
	var b bytes.Buffer
	seen := map[string]bool{}
	sep := "[\n"
	for _, r := range results {
		if r.Status == Refuted || len(r.Needless) > 0 || seen[r.Key] {
			continue
		}
		seen[r.Key] = true
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		b.WriteString(sep)
		b.Write(line)
		sep = ",\n"
	}
	if b.Len() == 0 {
		b.WriteString("[")
	}
	b.WriteString("\n]\n")
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b.Bytes()) {
		return nil
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}
