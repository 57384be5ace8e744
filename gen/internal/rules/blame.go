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

// A Record tells which row of several has just been added, so that their conflict is reported there: one that the ledger
// of proofs does not name, or else the last one.
type Record struct {
	files  []string        // of the tables, in order
	proved map[string]bool // names of rules, and select.NAME of rows of selection
}

// Party is a row in a conflict: its name in the ledger, or none if the row needs no proof.
type Party struct {
	Name string
	Pos  diag.Pos
}

// inLedger matches the name of a rule's row in the ledger, without what tells the rules of a template apart.
var inLedger = regexp.MustCompile(`(?m)^\{"rule":"([^"/ ]+)`)

// NewRecord reads the ledgers, as far as there are any. The files are those of the tables, in order.
func NewRecord(roots []table.Root, files []string) *Record {
	r := &Record{files: files, proved: map[string]bool{}}
	for _, root := range roots {
		text, err := os.ReadFile(filepath.Join(root.Dir, Dir, Ledger))
		if err != nil {
			continue // nothing is known
		}
		for _, m := range inLedger.FindAllSubmatch(text, -1) {
			r.proved[string(m[1])] = true
		}
	}
	return r
}

// added reports whether a row is new, as far as the ledger says.
func (r *Record) added(p Party) bool {
	name, _, _ := strings.Cut(p.Name, "/")
	return name != "" && len(r.proved) > 0 && !r.proved[name]
}

// Blames reports whether a row keeps others from being used because it is new, rather than these because they are.
// Where the ledger does not say, it is new if it is the last one, or if there are several others.
func (r *Record) Blames(by Party, over []Party) bool {
	if is := r.added(by); is != slices.ContainsFunc(over, r.added) {
		return is
	}
	last := !slices.ContainsFunc(over, func(o Party) bool { return r.before(by.Pos, o.Pos) })
	return last || slices.ContainsFunc(over, func(o Party) bool { return o.Pos != over[0].Pos })
}

func (r *Record) before(a, b diag.Pos) bool {
	if d := slices.Index(r.files, a.File) - slices.Index(r.files, b.File); d != 0 {
		return d < 0
	}
	return a.Line < b.Line
}

// Newest returns the index of the row that is new.
func (r *Record) Newest(rows []Party) int {
	at := 0
	for i, p := range rows {
		if was, is := r.added(rows[at]), r.added(p); is && !was || is == was && r.before(rows[at].Pos, p.Pos) {
			at = i
		}
	}
	return at
}

// Preemption is a row that is never used, because another matches first what it matches, or a part of it.
type Preemption struct {
	By, Row     Party
	Full, Other string // the names of both in messages
	Msg         string // what is wrong with the row
	Back        string // what is wrong with the other, if it is the only one that this keeps from being used
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
		case !r.Blames(g[0].By, over):
			for _, p := range g {
				errs.Addf(p.Row.Pos, p.Full, "%s", p.Msg)
			}
		case len(g) == 1 && g[0].Back != "":
			errs.Addf(pos, g[0].Other, "%s", g[0].Back)
		default:
			if more := len(names) - 4; more > 1 {
				names = append(names[:4:4], fmt.Sprintf("%d more", more))
			}
			errs.Addf(pos, g[0].Other, "leaves nothing to %s: it matches first what they match, or a part of it", join(names))
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
