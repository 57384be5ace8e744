// SPDX-License-Identifier: MIT

package target

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// TestCodecOnly: the row of a machine that nothing is compiled for has names and a platform, and other tables do not see
// the machine.
func TestCodecOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, Dir), 0o777); err != nil {
		t.Fatal(err)
	}
	ctx := func() *domain.Context {
		return &domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "own"}}, Out: emit.New()}
	}
	for _, c := range []struct{ more, want string }{
		{"", ""},
		{`aliases = ["loom"]`, ""},
		{`aliases = ["haswell"]`, `"haswell" is already a name of [target.hsw]`},
		{`aliases = ["tgllp"]`, `"tgllp" is already a name of [target.tgl]`},
		{`platform = "loom"`, `own.toml:4:12: error: [target.own] unknown platform "loom"`},
		{`widths = [8]`, "own.toml:3:9: error: [target.own] codec: nothing is compiled for the machine, so its row has no other keys than"},
		{`like = "tgl"`, "own.toml:5:8: error: [target.own] like: nothing is compiled for the machine"},
		{"[target.other]\ndoc = \"x\"\nlike = \"own\"\nplatform = \"icl\"",
			"own.toml:7:8: error: [target.other] like: nothing is compiled for [target.own], so there is nothing to take from it"},
	} {
		text := "[target.own]\ndoc = \"x\"\ncodec = true\n"
		if !strings.HasPrefix(c.more, "platform") {
			text = strings.Replace(text, "codec", "platform = \"icl\"\ncodec", 1)
			c.want = strings.Replace(c.want, "own.toml:3:9", "own.toml:4:9", 1)
		}
		if err := os.WriteFile(filepath.Join(dir, Dir, "own.toml"), []byte(text+c.more+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		tab, err := load(ctx())
		if err == nil {
			err = tab.check()
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.more, err, c.want)
		}
	}
	own := "[target.own]\ndoc = \"x\"\nplatform = \"icl\"\ncodec = true\n"
	if err := os.WriteFile(filepath.Join(dir, Dir, "own.toml"), []byte(own), 0o666); err != nil {
		t.Fatal(err)
	}
	machines, err := Machines(ctx())
	if err != nil || slices.ContainsFunc(machines, func(m Machine) bool { return m.Name == "own" }) {
		t.Errorf("machines %v (%v)", machines, err)
	}
}
