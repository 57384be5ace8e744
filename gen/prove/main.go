// SPDX-License-Identifier: MIT

// Command prove sends rewrite rules and the rows of instruction selection to z3 and keeps the ledger of proofs.
//
//	go run ./gen/prove [-defs DIR] [-rules FILE.toml] [-j N] [-json] [-fresh] [NAME…]
//
// Without NAMEs it proves the rules and rows missing from the ledger (defs/algebraic/proofs.json) and rewrites it; with
// -fresh it proves all.
// Named rules are proved again and printed one by one; NAME is a rule, or a row with a "for", which means all of its
// rules; select.NAME is a row of selection, with all modifiers that it folds. -rules proves the rules of a file in
// place of the project's own and does not touch the ledger.
//
// The exit status is 1 when a rule is refuted, when it allows an inexactness that it does not need (no vector refutes
// it without), or on any other error.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/prove"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/selectgen"
	"jacquard.example/gen/internal/table"
)

type options struct {
	defs, file string
	workers    int
	json       bool
	fresh      bool
	names      []string
}

func main() {
	var o options
	flag.StringVar(&o.defs, "defs", "defs", "folder of the tables")
	flag.StringVar(&o.file, "rules", "", "prove the rules of this file in place of the project's own")
	flag.IntVar(&o.workers, "j", min(2, runtime.NumCPU()), "number of solvers to run in parallel")
	flag.BoolVar(&o.json, "json", false, "print the results as JSON")
	flag.BoolVar(&o.fresh, "fresh", false, "start from an empty ledger")
	flag.Parse()
	o.names = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	refuted, err := run(ctx, &o, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if err != nil || refuted > 0 {
		stop()
		os.Exit(1)
	}
}

// run returns the number of verdicts that are errors.
func run(ctx context.Context, o *options, stdout, stderr *os.File) (int, error) {
	begin := time.Now()
	dom := &domain.Context{Roots: []table.Root{{Dir: o.defs, Name: filepath.ToSlash(o.defs)}}}
	load := rules.Load
	if o.file != "" {
		load = func(ctx *domain.Context) (*rules.Table, error) { return rules.LoadFile(ctx, o.file) }
	}
	tab, err := load(dom)
	if err != nil {
		return 0, err
	}
	all := tab.Rules
	var claims *rules.Table
	if o.file == "" {
		if claims, err = selectgen.Claims(dom); err != nil {
			return 0, err
		}
		all = slices.Concat(all, claims.Rules)
	}
	of := func(r *rules.Rule) *rules.Table {
		if r.Family != "" {
			return claims
		}
		return tab
	}
	list, err := named(all, o.names)
	if err != nil {
		return 0, err
	}
	path := filepath.Join(o.defs, rules.Dir, "proofs.json")
	keep := o.file == "" && len(o.names) == 0
	ledger := prove.Ledger{}
	if keep && !o.fresh {
		if ledger, err = prove.ReadLedger(path); err != nil {
			return 0, err
		}
	}
	known := map[*rules.Rule][]prove.Result{}
	pending := map[*rules.Table][]*rules.Rule{}
	for _, r := range list {
		if res, ok := ledger.Lookup(of(r), r); ok {
			known[r] = res
		} else {
			pending[of(r)] = append(pending[of(r)], r)
		}
	}
	anew := 0
	for _, t := range []*rules.Table{tab, claims} {
		if len(pending[t]) == 0 {
			continue
		}
		anew += len(pending[t])
		solver, err := prove.FindSolver()
		if err != nil {
			return 0, err
		}
		p := &prove.Prover{Table: t, Solver: solver}
		show := newProgress(stderr, len(pending[t]))
		_, err = p.All(ctx, pending[t], o.workers, func(r *rules.Rule, res []prove.Result) {
			known[r] = res
			show.step(r.Title())
		})
		show.end()
		if err != nil && (!keep || ctx.Err() == nil) {
			return 0, err
		}
	}
	var results []prove.Result
	for _, r := range list {
		results = append(results, known[r]...)
	}
	if keep { // also keeps the results before an interruption
		if err := prove.WriteLedger(path, results); err != nil {
			return 0, err
		}
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	refuted := 0
	for _, r := range results {
		if r.Status == prove.Refuted || len(r.Needless) > 0 {
			refuted++
		}
	}
	if o.json {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		return refuted, e.Encode(results)
	}
	report(stdout, results, len(o.names) > 0 || o.file != "")
	fmt.Fprintf(stdout, "%d of %d rules and claims of rows were proved again, %.1f s\n", anew, len(list), time.Since(begin).Seconds())
	return refuted, nil
}

// named selects rules; every name must match one.
func named(all []*rules.Rule, names []string) ([]*rules.Rule, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []*rules.Rule
	for _, n := range names {
		found := false
		for _, r := range all {
			if name := r.Title(); name == n || strings.HasPrefix(name, n+"/") || strings.HasPrefix(name, n+" ") {
				found = true
				if !slices.Contains(out, r) {
					out = append(out, r)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("unknown rule %q; 'jacquard rules list' names them", n)
		}
	}
	return out, nil
}

// full returns the full name of the row that a verdict is about.
func full(name string) string {
	if strings.HasPrefix(name, "select.") {
		return name
	}
	return "rule." + name
}

// report prints the errors, the unproved rules and the totals.
func report(w io.Writer, results []prove.Result, all bool) {
	type kind struct {
		status prove.Status
		by     string
	}
	count := map[kind]int{}
	for _, r := range results {
		count[kind{r.Status, r.By}]++
		switch {
		case r.Status == prove.Refuted:
			fmt.Fprintf(w, "%s: error: [%s] (%s) is wrong: %s\n", r.Pos, full(r.Rule), r.Sizes, r.Counterexample)
		case all || r.Status == prove.Reduced || r.Status == prove.Unproved:
			fmt.Fprintf(w, "%s: %s (%s) %s\n", r.Pos, r.Rule, r.Sizes, r.Text())
		}
		for _, n := range r.Needless {
			fmt.Fprintf(w, "%s: error: [%s] %v\n", r.Pos, full(r.Rule), n)
		}
		if all {
			for _, x := range r.Witnesses {
				fmt.Fprintf(w, "\tneeds %s: %s\n", x.Flag, x.Vector)
			}
		}
	}
	fmt.Fprintf(w, "%d rules and claims of rows at their sizes:", len(results))
	sep := " "
	for _, s := range []prove.Status{prove.Proved, prove.Exhaustive, prove.Reduced, prove.Unproved, prove.Refuted} {
		total := 0
		var ways []string
		for k, n := range count {
			if k.status == s {
				total += n
				if s == prove.Proved {
					ways = append(ways, fmt.Sprintf("%s %d", k.by, n))
				}
			}
		}
		if total == 0 {
			continue
		}
		slices.Sort(ways)
		fmt.Fprintf(w, "%s%d %s", sep, total, s)
		if len(ways) > 0 {
			fmt.Fprintf(w, " (%s)", strings.Join(ways, ", "))
		}
		sep = ", "
	}
	fmt.Fprintln(w)
}

// progress shows the progress on a terminal.
type progress struct {
	w           io.Writer // nil if there is none
	done, total int
}

func newProgress(f *os.File, total int) *progress {
	p := &progress{total: total}
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		p.w = f
	}
	return p
}

func (p *progress) step(name string) {
	if p.done++; p.w != nil {
		fmt.Fprintf(p.w, "\r\x1b[K%d/%d %s", p.done, p.total, name)
	}
}

func (p *progress) end() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
