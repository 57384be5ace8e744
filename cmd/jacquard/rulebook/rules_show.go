// SPDX-License-Identifier: MIT

package rulebook

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/core/match"
	"jacquard.example/generated/kind"
)

// showRule prints a rule, or all rules of a row.
func showRule(a *cli.App, args []string) error {
	if len(args) != 1 {
		return cli.Usagef("show takes the NAME of a rule")
	}
	var ledger ledger
	found := false
	for _, set := range ruleSets() {
		for i := range set.Rows {
			r := set.Rule(i)
			if row, _, _ := strings.Cut(r.Name, "/"); r.Name != args[0] && row != args[0] {
				continue
			}
			if !found {
				ledger = readLedger()
			} else {
				fmt.Fprintln(a.Stdout)
			}
			found = true
			printRule(a, set, i, ledger)
		}
	}
	if !found {
		return fmt.Errorf("jacquard: error: unknown rule %q; 'jacquard rules list' names them%s", args[0], cli.Guess(args[0], ruleNames()))
	}
	return nil
}

// ruleNames yields the names of the rules and of their rows.
func ruleNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, set := range ruleSets() {
			for i := range set.Rows {
				name := set.Rule(i).Name
				row, _, _ := strings.Cut(name, "/")
				if !yield(name) || row != name && !yield(row) {
					return
				}
			}
		}
	}
}

func printRule(a *cli.App, set *match.Set, i int, l ledger) {
	r := set.Rule(i)
	fmt.Fprintf(a.Stdout, "%s, in set %s, %s:\n  %s\n", r.Name, set.Name, r.Place, r.Text)
	line := func(what, format string, args ...any) {
		fmt.Fprintf(a.Stdout, "  %-9s  %s\n", what, fmt.Sprintf(format, args...))
	}
	if r.When != "" {
		line("when", "%s", r.When)
	}
	if r.GivesUp != 0 {
		why := "where every matched float instruction allows it"
		if r.Always {
			why = "everywhere: the API's precision allows it"
		}
		line("gives up", "%s, %s", kind.FloatMask(r.GivesUp), why)
	}
	if r.Example != "" {
		line("example", "%s", r.Example)
	}
	states, before := set.Candidates(i)
	var names []string
	for _, b := range before {
		names = append(names, set.Rule(b).Name)
	}
	line("automaton", "tried in %d of %d states", states, set.Auto.NumStates)
	if len(names) > 0 {
		line("", "after %s", strings.Join(names, ", "))
	}
	for k, text := range set.Listing(i) {
		line([]string{"program", ""}[min(k, 1)], "%s", text)
	}
	line("proof", "%s", l.of(r.Name))
}

// ledger holds the entries of the ledger of proofs by rule, one for each size; nil
// if there is no ledger to read.
type ledger map[string][]verdict

// verdict is an entry of the ledger.
type verdict struct {
	Rule, Sizes, Status, By, Reason string
}

// readLedger reads the ledger of the project's source at or above the working
// directory.
func readLedger() ledger {
	dir, err := os.Getwd()
	for err == nil {
		if mod, e := os.ReadFile(filepath.Join(dir, "go.mod")); e == nil && strings.HasPrefix(string(mod), "module "+module+"\n") {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
	data, err := os.ReadFile(filepath.Join(dir, "defs", "algebraic", "proofs.json"))
	if err != nil {
		return nil
	}
	var list []verdict
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	out := ledger{}
	for _, v := range list {
		out[v.Rule] = append(out[v.Rule], v)
	}
	return out
}

// weak lists the sizes at which a rule is not proved at full width: proved only at a
// reduced width, or unproved.
func (l ledger) weak(rule string) string {
	var parts []string
	for _, v := range l[rule] {
		if v.Status == "reduced-width" || v.Status == "unproved" {
			parts = append(parts, v.Sizes+" "+v.Status)
		}
	}
	return strings.Join(parts, "; ")
}

func (l ledger) of(rule string) string {
	switch list := l[rule]; {
	case l == nil:
		return "recorded in defs/algebraic/proofs.json; run this inside the project's source to see it"
	case len(list) == 0:
		return "not in the ledger; to prove it, run jacquard rules prove " + rule
	default:
		var parts []string
		for _, v := range list {
			s := v.Sizes + " " + v.Status
			if v.By != "" {
				s += " by " + v.By
			}
			if v.Reason != "" {
				s += " (" + v.Reason + ")"
			}
			parts = append(parts, strings.TrimSpace(s))
		}
		return strings.Join(parts, "; ")
	}
}
