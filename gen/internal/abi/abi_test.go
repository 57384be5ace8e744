// SPDX-License-Identifier: MIT

package abi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

func generate(t *testing.T, rows string) error {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "intel/abi"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "intel/abi/t.toml"), []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	return Run(&domain.Context{Roots: []table.Root{{Dir: dir, Name: "defs"}}, Out: emit.New()})
}

const good = `[abi.test]
doc = "x"
version = 1
header = [
  { value = "group_id_x", reg = 0, dword = 1 },
  { value = "barrier_id", reg = 0, dword = 2, bits = [30, 24] },
]
push_reg = 1
push = ["subgroup_id"]
user_reg = 2
tables = ["buffer_sizes", "buffer_addresses"]
bindings = "listed"
`

// TestWrongRows checks that each invalid row is reported at its line.
func TestWrongRows(t *testing.T) {
	if err := generate(t, good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"barrier_id"`, `"nonsense"`, `defs/intel/abi/t.toml:4:10: error: [abi.test] unknown value "nonsense"`},
		{"[30, 24]", "[24, 30]", "t.toml:4:10: error: [abi.test] bits of barrier_id must be [high, low]"},
		{"[30, 24]", "[27, 24, 31, 31]", "bits of barrier_id must be [high, low]"},
		{"[30, 24]", "[31, 31, 27]", "bits of barrier_id must be [high, low]"},
		{"dword = 1 }", "dword = 2, bits = [24, 24] }", "barrier_id overlaps another field of r0.2"},
		{"dword = 2", "dword = 16", "header, entry 2: dword: 16 is not between 0 and 15"},
		{"dword = 2", "dword = 1", "barrier_id overlaps another field of r0.1"},
		{`["subgroup_id"]`, `["lane"]`, `t.toml:9:8: error: [abi.test] unknown value "lane"`},
		{"user_reg = 2", "user_reg = 1", "t.toml:10:12: error: [abi.test] push data in r1 to r1, but the program's own starts at r1"},
		{"version = 1", "version = 0", "t.toml:3:11: error: [abi.test] version: 0 is less than 1"},
		{`"listed"`, `"somehow"`, `t.toml:12:12: error: [abi.test] bindings: unknown word "somehow"`},
		{`"buffer_addresses"`, `"buffer_owners"`,
			`t.toml:11:10: error: [abi.test] tables: unknown word "buffer_owners"; known are buffer_sizes, `},
		{`"buffer_addresses"`, `"buffer_sizes"`, `t.toml:11:10: error: [abi.test] tables: buffer_sizes is listed twice`},
		{"user_reg = 2", "user_reg = 2\nlocal_ids = [\"y\"]", "local ids are x, y, z in this order"},
		{"doc =", "docs =", `t.toml:2:1: error: [abi.test] unknown field "docs"`},
		{"doc =", "inherits = \"other\"\ndoc =", `t.toml:2:12: error: [abi.test] unknown row "other"`},
		{"doc =", "inherits = \"test\"\ndoc =", `t.toml:2:12: error: [abi.test] the rows inherit in a cycle`},
		{"[abi.test]", "[abx.test]", "unknown kind of row"},
		{"doc =", "stage = \"vertex\"\ndoc =", "parts is required for vertex and fragment shaders, and only for them"},
		{"doc =", "parts = [\"user\"]\ndoc =", "parts is required for vertex and fragment shaders, and only for them"},
		{"doc =", "stage = \"vertex\"\nparts = [\"user\"]\ndoc =", "a payload with parts has only a header and the parts"},
		{"doc =", "stage = \"vertex\"\npart_reg = 1\nparts = [\"urb_handles\"]\ndoc =", "a payload with parts has only a header and the parts"},
		{"doc =", "inline = { reg = 1, bytes = 8 }\ndoc =", "inline data need push_address in the header and a push_reg after them"},
		{"doc =", "inline = { reg = 1, bytes = 18 }\ndoc =", "18 bytes of inline data are not whole dwords"},
		{"header = [\n  { value = \"group_id_x\", reg = 0", "inline = { reg = 1, bytes = 8 }\nheader = [\n  { value = \"group_id_x\", reg = 1",
			"the inline data overlap a field of r1.1"},
		{"doc =", "ranges = 1\ndoc =", "only vertex and fragment shaders get ranges of uniform buffers"},
		{"doc =", "range_regs = 8\ndoc =", "ranges and range_regs must be given together"},
		{"doc =", "stage = \"vertex\"\nparts = [\"user\", \"wings\"]\ndoc =", `unknown part "wings"`},
		{"doc =", "stage = \"vertex\"\nparts = [\"user\", \"user\"]\ndoc =", `part "user" is listed twice`},
	} {
		err := generate(t, strings.Replace(good, c.from, c.to, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.to, err, c.want)
		}
	}
}

// TestInherits: a row inherits the keys that it does not set, and the header values that it
// does not place.
func TestInherits(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, Dir), 0o777); err != nil {
		t.Fatal(err)
	}
	// The row precedes the row that it inherits from.
	rows := `[abi.next]
doc = "y"
version = 1
inherits = "test"
user_reg = 3
header = [{ value = "barrier_id", reg = 0, dword = 2, bits = [31, 31, 27, 24] }]

` + good
	if err := os.WriteFile(filepath.Join(dir, Dir, "t.toml"), []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	list, err := load(&domain.Context{Roots: []table.Root{{Dir: dir, Name: "defs"}}, Out: emit.New()})
	if err != nil {
		t.Fatal(err)
	}
	v := &list[0].Val
	if len(v.Header) != 2 || v.Header[0].Value != "group_id_x" || v.PushReg != 1 || len(v.Push) != 1 || v.UserReg != 3 ||
		len(v.Tables) != 2 || v.Bindings != "listed" {
		t.Errorf("%+v", v)
	}
	if mask, ok := v.Header[1].mask(); !ok || mask != 0x8F000000 {
		t.Errorf("the barrier's number has the bits %#x (%v)", mask, ok)
	}
	if a, b := v.hash(), list[1].Val.hash(); a == b || len(a) != 16 {
		t.Errorf("two rows that differ have the hashes %s and %s", a, b)
	}
	if old := list[1].Val.Header[1]; len(old.Bits) != 2 {
		t.Errorf("the row inherited from has changed: %+v", old)
	}
}
