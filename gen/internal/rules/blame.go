// SPDX-License-Identifier: MIT

package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// Ledger is the name of the file with the verdicts of proofs, in Dir.
const Ledger = "proofs.json"

// A Record decides which of several conflicting rows is new, so that the conflict is reported there: a row that the
// ledger of proofs does not name, otherwise the last one.
type Record struct {
	files  []string        // files of the tables, in order
	proved map[string]bool // names of rules, and select.NAME of rows of selection
}

// Party is a row in a conflict. Name is its name in the ledger, or empty if the row needs no proof.
type Party struct {
	Name string
	Pos  diag.Pos
}

// inLedger matches the name of a rule's row in the ledger, without the suffix of a rule made from a template.
var inLedger = regexp.MustCompile(`(?m)^\{"rule":"([^"/ ]+)`)

// NewRecord reads the ledgers of the roots that have one. files lists the files of the tables in order.
func NewRecord(roots []table.Root, files []string) *Record {
	r := &Record{files: files, proved: map[string]bool{}}
	for _, root := range roots {
		text, err := os.ReadFile(filepath.Join(root.Dir, Dir, Ledger))
		if err != nil {
			continue // no ledger
		}
		for _, m := range inLedger.FindAllSubmatch(text, -1) {
			r.proved[string(m[1])] = true
		}
	}
	return r
}

// added reports whether a row is new according to the ledger.
func (r *Record) added(p Party) bool {
	name, _, _ := strings.Cut(p.Name, "/")
	return name != "" && len(r.proved) > 0 && !r.proved[name]
}

// blames reports whether the row that keeps others from being used is the new one. If the ledger does not tell, it is
// new if it is the last row, or if it preempts several.
func (r *Record) blames(by Party, over []Party) bool {
	if is := r.added(by); is != slices.ContainsFunc(over, r.added) {
		return is
	}
	last := !slices.ContainsFunc(over, func(o Party) bool { return r.before(by.Pos, o.Pos) })
	return last || slices.ContainsFunc(over, func(o Party) bool { return o.Pos != over[0].Pos })
}

func (r *Record) before(a, b diag.Pos) bool { return diag.Before(r.files, a, b) }

// Newest returns the index of the newest row: the last of the rows that the ledger does not name, or of all rows.
func (r *Record) Newest(rows []Party) int {
	at := 0
	for i, p := range rows {
		if was, is := r.added(rows[at]), r.added(p); is && !was || is == was && r.before(rows[at].Pos, p.Pos) {
			at = i
		}
	}
	return at
}

// Preemption is a row that is never used because another one, By, always matches first.
type Preemption struct {
	By, Row     Party
	Full, Other string // the names of Row and By in messages
	Msg         string // the message at Row
	Back        string // the message at By if it preempts Row alone; may be empty
}

// Report reports each conflict once, at the row that is new.
func (r *Record) Report(errs *diag.List, list []Preemption) {
	groups := map[diag.Pos][]Preemption{}
	var order []diag.Pos
	for _, p := range list {
		g := groups[p.By.Pos]
		if g == nil {
			order = append(order, p.By.Pos)
		}
		if !slices.ContainsFunc(g, func(o Preemption) bool { return o.Row.Pos == p.Row.Pos }) { // once for a template
			groups[p.By.Pos] = append(g, p)
		}
	}
	for _, pos := range order {
		g := groups[pos]
		var over []Party
		var names []string
		for _, p := range g {
			over = append(over, p.Row)
			names = append(names, fmt.Sprintf("[%s] at %s", p.Full, p.Row.Pos))
		}
		switch {
		case !r.blames(g[0].By, over):
			for _, p := range g {
				errs.Addf(p.Row.Pos, p.Full, "%s", p.Msg)
			}
		case len(g) == 1 && g[0].Back != "":
			errs.Addf(pos, g[0].Other, "%s", g[0].Back)
		default:
			if more := len(names) - 4; more > 1 {
				names = append(names[:4:4], fmt.Sprintf("%d more", more))
			}
			errs.Addf(pos, g[0].Other, "keeps %s from being used: it always matches first", join(names))
		}
	}
}

// join joins names with commas and a final "and".
func join(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}
