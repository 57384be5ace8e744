package bench

import (
	"os"
	"path/filepath"
	"testing"

	"jacquard.example/tests/support/state"
)

// reports are files with measurements of the compiler. Each has a line with the hash of the folders that it was made on.
var reports = []string{"tests/bench/README.md", "tests/bench/judge.md", "tests/bench/draws.md", "tests/suite/corpus/report.md", "ARCHITECTURE.md"}

// TestMarks: a report that was made on other sources than these is marked as stale, where readers see it.
//
//	go test ./tests/bench -run TestMarks -update
//
// sets the marks. Nothing is measured again: only the command that makes a report gives it another hash. (The line of
// README.md, whose tables are copied from several benchmarks, is written by hand when they are.)
func TestMarks(t *testing.T) {
	const root = "../.."
	for _, r := range reports {
		file := filepath.Join(root, r)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		marked, err := state.Mark(root, string(text), state.Depends...)
		if err != nil {
			t.Errorf("%s: %v", r, err)
			continue
		}
		if marked == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s: its mark is not that of these sources: run with -update", r)
		} else if err := os.WriteFile(file, []byte(marked), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
