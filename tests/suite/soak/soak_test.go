// SPDX-License-Identifier: MIT

package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/state"
)

// TestOrder: every piece is in exactly one share, and the shares of a part differ by at most one piece.
func TestOrder(t *testing.T) {
	list, err := chosen("")
	if err != nil {
		t.Fatal(err)
	}
	const of = 8
	seen := map[string]int{}
	for k := 1; k <= of; k++ {
		count := map[string]int{}
		for _, p := range order(list, k, of) {
			seen[fmt.Sprint(p.name, p.piece)]++
			count[p.name]++
		}
		for _, p := range list {
			if n := count[p.name]; n != p.pieces/of && n != (p.pieces+of-1)/of {
				t.Errorf("share %d has %d of %d pieces of %s", k, n, p.pieces, p.name)
			}
		}
	}
	all := 0
	for _, p := range list {
		all += p.pieces
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s is in %d shares", name, n)
		}
	}
	if len(seen) != all {
		t.Errorf("the shares have %d of %d pieces", len(seen), all)
	}
}

// TestParts: each part names tests that exist, and pieces differ.
func TestParts(t *testing.T) {
	for i := range parts {
		p := &parts[i]
		if p.pieces > 1 && fmt.Sprint(piecesOf(p, 1)) == fmt.Sprint(piecesOf(p, 2)) {
			t.Errorf("%s: two pieces are the same", p.name)
		}
		at := indexOf(p.args, "-run")
		if at < 0 {
			continue
		}
		have := map[string]bool{}
		for _, pkg := range p.args[at+2:] {
			if pkg == "-args" {
				break
			}
			for _, name := range testsOf(t, pkg) {
				have[name] = true
			}
		}
		matches := regexp.MustCompile(p.args[at+1])
		for _, n := range strings.Split(p.args[at+1], "|") {
			n = strings.Trim(n, "^$()")
			if n == "." || have[n] {
				continue
			}
			if name := slices.Collect(maps.Keys(have)); n != "Fuzz" || !slices.ContainsFunc(name, matches.MatchString) {
				t.Errorf("%s: there is no %s", p.name, n)
			}
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

// testsOf returns the tests of a package, or of all packages below a folder if the name ends with /... .
func testsOf(t *testing.T, pkg string) (out []string) {
	t.Helper()
	dir, below := strings.CutSuffix(pkg, "/...")
	top := filepath.Join("../../..", dir)
	found := false
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != top && (!below || d.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		found = true
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllSubmatch(text, -1) {
			out = append(out, string(m[1]))
		}
		return err
	})
	if err != nil || !found {
		t.Errorf("%s has no tests: %v", pkg, err)
	}
	return out
}

func indexOf(list []string, s string) int {
	for i := range list {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// piecesOf returns the environment and the arguments of a piece.
func piecesOf(p *part, k int) (out []string) {
	if p.env != nil {
		out = p.env(k, p.pieces)
	}
	if p.extra != nil {
		out = append(out, p.extra(k, p.pieces)...)
	}
	return out
}

// TestRecords: a summary counts the records and shows the failures.
func TestRecords(t *testing.T) {
	dir := t.TempDir()
	p := &parts[0]
	for _, r := range []*record{{Part: p.name, Piece: 1, Of: p.pieces, OK: true, CPU: 60}, {Part: p.name, Piece: 3, Of: p.pieces, CPU: 120, Says: "SURVIVED x\n"}} {
		if err := r.keep(dir); err != nil {
			t.Fatal(err)
		}
	}
	text, err := summary("../../..", dir)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("| %s | %s | %d | 1 | 1 | 3 | %d |", p.name, p.what, p.pieces, p.pieces*3/2)
	if !strings.Contains(text, want) || !strings.Contains(text, "    SURVIVED x\n") || !strings.Contains(text, "piece 3 of") {
		t.Errorf("no %q in\n%s", want, text)
	}
	if marked, err := state.Mark("../../..", text, state.Depends...); err != nil || marked != text {
		t.Errorf("a new summary is marked as stale: %v", err)
	}
	if r, err := kept(dir, p, 2); r != nil || err != nil {
		t.Error(r, err)
	}
}

// TestRunPiece: a piece is given its share, and its output is kept if it fails.
func TestRunPiece(t *testing.T) {
	if os.Getenv("SOAK_INNER") != "" {
		if k, of := sample.Share(); k != 2 || of != 3 {
			t.Fatalf("the share is %d/%d", k, of)
		}
		if os.Getenv("SOAK_INNER") == "fail" {
			t.Fatal("the needle")
		}
		return
	}
	for _, say := range []string{"pass", "fail"} {
		p := piece{&part{name: "x", pieces: 3, args: test("^TestRunPiece$", "./tests/suite/soak"), env: shares("SOAK_INNER=" + say)}, 2}
		r := p.run(t.Context(), "../../..")
		if r.OK != (say == "pass") || strings.Contains(r.Says, "the needle") != (say == "fail") || r.CPU == 0 {
			t.Errorf("%+v", r)
		}
	}
}

// TestResume: after an interruption, only the pieces without a record and the failed ones run. Changed sources are an error.
func TestResume(t *testing.T) {
	const root = "../../.."
	hash, err := state.Of(root, state.Depends...)
	if err != nil {
		t.Fatal(err)
	}
	here := tree{root: root, hash: hash, records: t.TempDir()}
	good := &part{name: "good", pieces: 3, args: []string{"env", "GOOS"}}
	bad := &part{name: "bad", pieces: 1, args: []string{"tool", "there-is-no-such-tool"}}
	list := order([]*part{good, bad}, 1, 1)
	run := func(ctx context.Context, tr tree, most int) (ran int, ok bool, err error) {
		var said strings.Builder
		ok, err = tr.run(ctx, &said, list, most)
		return strings.Count(said.String(), " s of CPU\n"), ok, err
	}
	if ran, ok, err := run(t.Context(), here, 1); ran != 1 || !ok || err != nil {
		t.Errorf("first: %d pieces, %v, %v", ran, ok, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if ran, _, err := run(gone, here, 0); ran != 0 || err == nil {
		t.Errorf("interrupted: %d pieces, %v", ran, err)
	}
	if ran, ok, err := run(t.Context(), here, 0); ran != 3 || ok || err != nil {
		t.Errorf("resumed: %d pieces, %v, %v", ran, ok, err)
	}
	if ran, ok, err := run(t.Context(), here, 0); ran != 1 || ok || err != nil {
		t.Errorf("again: %d pieces, %v, %v", ran, ok, err)
	}
	other := tree{root: root, hash: "another", records: here.records}
	if ran, _, err := run(t.Context(), other, 0); ran != 0 || err == nil {
		t.Errorf("on other sources: %d pieces, %v", ran, err)
	}
}

// sampled matches the start of a function, and calls that take a sample.
var sampled = regexp.MustCompile(`(?m)^func (\w+)|sample\.(?:One|In)\(`)

// TestSampledAreRun: some part runs all cases of each test that takes a sample.
func TestSampledAreRun(t *testing.T) {
	const root = "../../.."
	count := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "sample") {
			return cmp.Or(err, fs.SkipDir)
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		pkg := "./" + filepath.ToSlash(rel)
		in := ""
		for _, m := range sampled.FindAllSubmatch(text, -1) {
			if m[1] != nil {
				in = string(m[1])
				continue
			}
			tests := []string{in}
			if !strings.HasPrefix(in, "Test") {
				tests = testsOf(t, pkg) // any of them may call it
			}
			count++
			if !slices.ContainsFunc(parts, func(p part) bool {
				at := indexOf(p.args, "-run")
				return at >= 0 && slices.Contains(p.args, pkg) && slices.ContainsFunc(tests, regexp.MustCompile(p.args[at+1]).MatchString)
			}) {
				t.Errorf("%s: no part runs %s", path, in)
			}
		}
		return nil
	})
	if err != nil || count < 10 {
		t.Errorf("%d samples, %v", count, err)
	}
}
