// SPDX-License-Identifier: MIT

package opcodes

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

var project = sync.OnceValues(func() (*Table, error) {
	return Load(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}, Out: emit.New()})
})

// loadProject reads the project's own tables.
func loadProject(t testing.TB) *Table {
	t.Helper()
	tab, err := project()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// tool returns the path of a program of a Debian package. Without it the test is skipped, but
// fails in CI.
func tool(t *testing.T, name, pkg string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing: apt-get install %s", name, pkg)
		}
		t.Skipf("%s is missing: apt-get install %s", name, pkg)
	}
	return path
}

// samples draws the sources of an opcode.
func samples(r *rand.Rand, o *Op, size int) [][]uint64 {
	args := make([][]uint64, len(o.Srcs))
	for i, s := range o.Srcs {
		for range max(s.Comps, 1) {
			args[i] = append(args[i], Sample(r, s.Type(size)))
		}
	}
	return args
}
