// SPDX-License-Identifier: MIT

package message

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// with loads the project's tables and a file of additional rows.
func with(t *testing.T, rows string) (*tables, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, Dir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, Dir, "own.toml"), []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	return load(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "own"}}, Out: emit.New()})
}

const good = `[messages.own]
doc      = "x"
inherits = "hdc"
surfaces = { shared = 200 }
lacks    = ["atomic_float"]

[send.own_barrier]
family  = "own"
logical = "barrier"
message = "barrier"
first   = "header"
header  = [{ dword = 2, value = "barrier_id" }]
`

// TestInherits: a family inherits the rows that it does not have itself, except rows for messages that it lacks.
func TestInherits(t *testing.T) {
	tab, err := with(t, good)
	if err == nil {
		err = tab.check()
	}
	if err != nil {
		t.Fatal(err)
	}
	f := tab.family("own")
	for logical, want := range map[string]string{"barrier": "own_barrier", "fence": "hdc_fence", "atomic_float": ""} {
		got := ""
		if s := tab.send(f, logical); s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("%s is done by %q, want %q", logical, got, want)
		}
	}
	for space, want := range map[string]int{"shared": 200, "private": 255} {
		if got, ok := tab.surface(f, space); !ok || got != want {
			t.Errorf("the surface of %s is %d, want %d", space, got, want)
		}
	}
	if text := tab.source().String(); !strings.Contains(text, `OWN = &Family{Name: "own"`) {
		t.Error("the family is not written")
	}
}

// TestWrongFamilies checks that each invalid row is reported at its line.
func TestWrongFamilies(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"hdc"`, `"hdx"`, `own/intel/message/own.toml:3:12: error: [messages.own] unknown family "hdx"`},
		{`"hdc"`, `"own"`, `own.toml:3:12: error: [messages.own] the families inherit in a cycle`},
		{"inherits = \"hdc\"\n", "", `own.toml:1:1: error: [messages.own] no [send] row implements [logical.untyped_read]`},
		{`"atomic_float"`, `"fence"`, `own.toml:5:12: error: [messages.own] the compiler requires [logical.fence]`},
		{`"atomic_float"`, `"atomic_double"`, `own.toml:5:12: error: [messages.own] unknown logical message "atomic_double"`},
		{`["atomic_float"]`, `["atomic_float", "atomic_float"]`, `own.toml:5:12: error: [messages.own] "atomic_float" is listed twice`},
		{`header  = [{ dword = 2, value = "barrier_id" }]`, "", `own.toml:11:11: error: [send.own_barrier] the header has no contents`},
		{`"barrier_id"`, `"barrier_no"`, `own.toml:12:11: error: [send.own_barrier] thread headers have no value "barrier_no"`},
		{"dword = 2", "dword = 8", `own.toml:12:11: error: [send.own_barrier] header, entry 1: dword: 8 is not between 0 and 7`},
		{"header  = [", "header  = [{ dword = 2, value = \"barrier_id\" }, ", `doubleword 2 is listed twice`},
		{"header  = [", "all_spaces = true\nheader  = [", `own.toml:12:14: error: [send.own_barrier] [logical.barrier] has fewer than two spaces`},
		{"header  = [", "base    = 5\nheader  = [", `own.toml:12:11: error: [send.own_barrier] the first payload is not the thread's header`},
		{`logical = "barrier"`, `logical = "atomic_float"`, `[send.own_barrier] does atomic_float`},
	} {
		if !strings.Contains(good, c.from) {
			t.Fatalf("no %q", c.from)
		}
		tab, err := with(t, strings.Replace(good, c.from, c.to, 1))
		if err == nil {
			err = tab.check()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.to, err, c.want)
		}
	}
}
