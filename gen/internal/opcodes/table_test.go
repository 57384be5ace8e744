package opcodes

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/eval"
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

// tool finds a program of a Debian package. Without it the test skips, but in
// CI it fails.
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

// sample draws a value of a type, corners often.
func sample(r *rand.Rand, t eval.Type) uint64 {
	mask := ^uint64(0) >> (64 - t.Bits)
	switch r.IntN(6) {
	case 0:
		return r.Uint64N(4) & mask
	case 1:
		return (uint64(1)<<(t.Bits-1) + r.Uint64N(3) - 1) & mask
	case 2:
		return -r.Uint64N(4) & mask
	case 3:
		if t.Bits >= 16 {
			return eval.FloatBits(r.NormFloat64()*float64(r.IntN(1000)), t.Bits)
		}
	case 4:
		if t.Bits >= 16 {
			special := []string{"inf", "-inf", "nan", "-0.0", "1.0", "-0.5", "2.5"}
			v, _ := ParseValue(special[r.IntN(len(special))], eval.Type{Base: eval.Float, Bits: t.Bits})
			return v
		}
		return r.Uint64N(70) & mask
	}
	return r.Uint64() & mask
}

// samples draws the sources of an opcode.
func samples(r *rand.Rand, o *Op, size int) [][]uint64 {
	args := make([][]uint64, len(o.Srcs))
	for i, s := range o.Srcs {
		for range max(s.Comps, 1) {
			args[i] = append(args[i], sample(r, s.Type(size)))
		}
	}
	return args
}
