package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"jacquard.example/tests/support/sample"
	"jacquard.example/tests/support/state"
)

// TestOrder: every piece is in one share; shares of one part differ by a piece at most.
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
		args := []string{"test", "-list", p.args[at+1]}
		for _, a := range p.args[at+2:] {
			if a == "-args" {
				break
			}
			args = append(args, a)
		}
		cmd := exec.Command("go", args...)
		cmd.Dir = "../../.."
		if testing.Short() {
			continue
		}
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
		}
		names := strings.Split(strings.Trim(p.args[at+1], "^()$"), "|")
		for _, n := range names {
			if n = strings.Trim(n, "^$()"); n != "." && !strings.Contains("\n"+string(out), "\n"+n) {
				t.Errorf("%s: there is no %s", p.name, n)
			}
		}
	}
}

func indexOf(list []string, s string) int {
	for i := range list {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// piecesOf is what a piece of a part is run with.
func piecesOf(p *part, k int) (out []string) {
	if p.env != nil {
		out = p.env(k, p.pieces)
	}
	if p.extra != nil {
		out = append(out, p.extra(k, p.pieces)...)
	}
	return out
}

// TestRecords: a summary counts what records say, and shows what failed.
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
		t.Errorf("a summary that has just been made is marked: %v", err)
	}
	if r, err := kept(dir, p, 2); r != nil || err != nil {
		t.Error(r, err)
	}
}

// TestRun: a piece gets its share, and what it says is kept if it fails.
func TestRun(t *testing.T) {
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
		p := piece{&part{name: "x", pieces: 3, args: test("^TestRun$", "./tests/suite/soak"), env: shares("SOAK_INNER=" + say)}, 2}
		r := p.run(t.Context(), "../../..")
		if r.OK != (say == "pass") || strings.Contains(r.Says, "the needle") != (say == "fail") || r.CPU == 0 {
			t.Errorf("%+v", r)
		}
	}
}
