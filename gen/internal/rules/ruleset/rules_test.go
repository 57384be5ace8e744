// SPDX-License-Identifier: MIT

package ruleset

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/rules/rewriting"
	"jacquard.example/gen/internal/rules/vectors"
	"jacquard.example/gen/internal/table"
)

var bless = flag.Bool("bless", false, "rewrite the expected messages")

// base loads the project's own opcodes and enumerations once.
func base(t *testing.T) (*opcodes.Table, *irtab.Tables) {
	t.Helper()
	ctx := &domain.Context{Roots: []table.Root{{Dir: "../../../../defs", Name: "defs"}}}
	ops, err := opcodes.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	ir, err := irtab.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return ops, ir
}

// run compiles one table of rules like Generate, without writing.
func run(t *testing.T, path string, ops *opcodes.Table, ir *irtab.Tables) error {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), text, 0o666); err != nil {
		t.Fatal(err)
	}
	set, err := table.Load([]table.Root{{Dir: dir, Name: "defs"}}, ".")
	if err != nil {
		return err
	}
	tab, err := rules.LoadSet(nil, set, ops, ir)
	if err != nil {
		return err
	}
	if err := vectors.Verify(tab); err != nil {
		return err
	}
	if err := rewriting.Hygiene(tab); err != nil {
		return err
	}
	_, err = buildAutomaton(tab.Rules)
	return err
}

// TestRejectedTables compiles every table in testdata/fail and compares the message with
// the comment lines that start the file. -bless rewrites those lines.
func TestRejectedTables(t *testing.T) {
	ops, ir := base(t)
	files, _ := filepath.Glob("testdata/fail/*.toml")
	if len(files) == 0 {
		t.Fatal("no tables")
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".toml"), func(t *testing.T) {
			err := run(t, f, ops, ir)
			if err == nil {
				t.Fatal("accepted")
			}
			text, _ := os.ReadFile(f)
			want, rest := "", string(text)
			for strings.HasPrefix(rest, "# ") {
				line, r, _ := strings.Cut(rest, "\n")
				want, rest = want+line[2:]+"\n", r
			}
			// Columns and line numbers do not change when the message is
			// blessed, because the number of comment lines does not.
			got := err.Error() + "\n"
			if *bless {
				lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
				if want == "" {
					t.Fatalf("give the file %d comment lines first: %s", len(lines), got)
				}
				out := "# " + strings.Join(lines, "\n# ") + "\n" + rest
				if err := os.WriteFile(f, []byte(out), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("message\n%swant\n%s", got, want)
			}
		})
	}
}

// TestAcceptedTables compiles every table in testdata/pass.
func TestAcceptedTables(t *testing.T) {
	ops, ir := base(t)
	files, _ := filepath.Glob("testdata/pass/*.toml")
	if len(files) == 0 {
		t.Fatal("no tables")
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".toml"), func(t *testing.T) {
			if err := run(t, f, ops, ir); err != nil {
				t.Error(err)
			}
		})
	}
}
