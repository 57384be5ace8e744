package checks

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
)

// TestAnalyzers runs each analyzer on its folder in testdata, which has code that it must reject and code that it must
// accept; comments there quote the expected diagnostics.
func TestAnalyzers(t *testing.T) {
	for _, a := range All {
		t.Run(a.Name, func(t *testing.T) {
			dir, err := filepath.Abs(filepath.Join("testdata", a.Name))
			if err != nil {
				t.Fatal(err)
			}
			bad, good := 0, 0
			err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(path, ".go") {
					return err
				}
				text, err := os.ReadFile(path)
				if strings.Contains(string(text), "// want `") {
					bad++
				} else if filepath.Base(path) == "good.go" {
					good++
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if bad == 0 || good == 0 {
				t.Fatalf("%d files of bad code, %d of good", bad, good)
			}
			analysistest.Run(t, dir, a, module+"/...")
		})
	}
}

// TestTableOfArrows checks that the table's lookup distinguishes packages, so that a
// mistake in it cannot let every import pass.
func TestTableOfArrows(t *testing.T) {
	for path, want := range map[string]string{
		"backend/run/tools": "backend/run/tools", "backend/run/amber": "backend/run/amber", "core/irx": "?",
		"backend/intel/eu/isa": "backend/intel/eu", "backend/intel/opt": "backend", "jacquard": "jacquard", "docs": "?",
	} {
		row, ok := rowOf(path)
		if !ok {
			row = "?"
		}
		if row != want {
			t.Errorf("%q has row %q, want %q", path, row, want)
		}
	}
	if within("core/irx", []string{"core/ir"}) || !within("core/ir/x", []string{"core/ir"}) || within("core", []string{"core/ir"}) {
		t.Error("within confuses packages")
	}
}

// TestWords: identifiers are split where people see words.
func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"isTGL": "is TGL", "tglOnly": "tgl Only", "TGL": "TGL", "GRFBytes": "GRF Bytes", "is_tgl": "is tgl", "x": "x", "skillSet": "skill Set", "RunSKLTwice": "Run SKL Twice",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
