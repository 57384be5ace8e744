// SPDX-License-Identifier: MIT

package target

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

const good = `[target.own]
doc         = "x"
platform    = "icl"
abi         = "jacquard_cs"
messages    = "hdc"
widths      = [8, 16]
has         = []
bindings    = 240
push_bytes  = 256
invocations = 1024
rewrite     = []
formats     = [
    { memory = "ubo", format = "index_offset" },
    { memory = "ssbo", format = "index_offset" },
    { memory = "ssbo", atomics = 64, format = "bounded64" },
    { memory = "shared", format = "offset32" },
    { memory = "private", format = "offset32" },
    { memory = "global", format = "address64" },
]
`

// TestWrongRows checks that each invalid row is reported at its line.
func TestWrongRows(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{Dir, "intel/abi"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	// An ABI whose header has no more than one value.
	own := "[abi.own]\ndoc = \"x\"\nversion = 1\nheader = [{ value = \"group_id_x\", reg = 0, dword = 1 }]\nbindings = \"listed\"\n"
	if err := os.WriteFile(filepath.Join(dir, "intel/abi/own.toml"), []byte(own), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{`"icl"`, `"icm"`, `own/intel/target/own.toml:3:15: error: [target.own] unknown platform "icm"`},
		{`"jacquard_cs"`, `"jacquard"`, `own.toml:4:15: error: [target.own] unknown abi "jacquard"`},
		{`"jacquard_cs"`, `"own"`, `own.toml:4:15: error: [target.own] threads of [abi.own] do not receive group_id_y`},
		{`"jacquard_cs"`, `"own"`, `own.toml:4:15: error: [target.own] [messages.hdc] builds headers from barrier_id, which threads of [abi.own] do not receive`},
		{"abi         = ", "vertex = \"jacquard_fs\"\nabi         = ", `own.toml:4:10: error: [target.own] [abi.jacquard_fs] is not for threads of vertex shaders`},
		{"abi         = ", "fragment = \"nobody\"\nabi         = ", `own.toml:4:12: error: [target.own] unknown abi "nobody"`},
		{`"hdc"`, `"hdx"`, `own.toml:5:15: error: [target.own] unknown family of messages "hdx"`},
		{`[8, 16]`, `[16, 8]`, `own.toml:6:15: error: [target.own] widths must be some of 8, 16 and 32, in ascending order`},
		{`has         = []`, `has         = ["wings"]`, `own.toml:7:15: error: [target.own] unknown capability "wings"`},
		{`240`, `0`, `own.toml:8:15: error: [target.own] bindings 0 is not in 1 to 256`},
		{`rewrite     = []`, `rewrite     = ["lower_hopes"]`, `own.toml:11:15: error: [target.own] unknown option "lower_hopes"`},
		{`"ubo", `, `"ubu", `, `own.toml:12:15: error: [target.own] formats, entry 1: memory: unknown word "ubu"; known are ubo, `},
		{`"shared", format = "offset32"`, `"shared", format = "bounded64"`, `own.toml:12:15: error: [target.own] shared memory cannot have addresses of format "bounded64"`},
		{`"ssbo", atomics = 64,`, `"ssbo", atomics = 8,`, `there are no 8-bit atomics`},
		{`"ssbo", atomics = 64,`, `"ssbo",`, `[target.own] ssbo memory has two rows for the same accesses`},
		{"invocations = 1024", "invocations = 1024\ndefault     = true", "is already the default"},
		{"widths", "typed_reads = \"skl\"\nwidths", ""},
		{"widths", "typed_reads = \"own\"\nwidths",
			`own.toml:6:15: error: [target.own] unknown target with its own typed reads "own"; known are dg2, hsw, icl, lnl, skl, tgl`},
	} {
		if !strings.Contains(good, c.from) {
			t.Fatalf("no %q", c.from)
		}
		if err := os.WriteFile(filepath.Join(dir, Dir, "own.toml"), []byte(strings.Replace(good, c.from, c.to, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		tab, err := load(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "own"}}, Out: emit.New()})
		if err == nil {
			err = tab.check()
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.to, err, c.want)
		}
	}
}

// TestFormats: the surfaces and targets that a format refers to exist, and a target may have the typed reads of
// another.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{Dir, "ir"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const format = "[format.bgra8]\nspirv = \"Rgba8\"\nvulkan = \"B8G8R8A8_UNORM\"\nsurface = \"R8_UNORM\"\nraw = [\"skl\"]\n"
	for _, c := range []struct{ from, to, want string }{
		{"", "", ""},
		{`"R8_UNORM"`, `"B8G8R8A8_UNORM"`,
			`own/ir/own.toml:4:11: error: [format.bgra8] unknown surface_format "B8G8R8A8_UNORM"; known are R8G8B8A8_UNORM, `},
		{`"skl"`, `"skl", "odd"`, `own/ir/own.toml:5:7: error: [format.bgra8] unknown target with its own typed reads "odd"`},
		{`"skl"`, `"own"`, `own/ir/own.toml:5:7: error: [format.bgra8] unknown target with its own typed reads "own"`},
		{`"skl"`, `"skl", "skl"`, `own/ir/own.toml:5:7: error: [format.bgra8] raw: "skl" is listed twice`},
	} {
		for file, text := range map[string]string{
			"ir": strings.Replace(format, c.from, c.to, 1),
			Dir:  strings.Replace(good, "widths", "typed_reads = \"skl\"\nwidths", 1),
		} {
			if err := os.WriteFile(filepath.Join(dir, file, "own.toml"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		tab, err := load(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "own"}}, Out: emit.New()})
		if err == nil {
			err = tab.check()
		}
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.to, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		raw := func(name string) string {
			for _, r := range tab.targets {
				if r.Name == name {
					_, set, _ := strings.Cut(tab.record(name, &r.Val), "RawReads: ")
					set, _, _ = strings.Cut(set, ",")
					return set
				}
			}
			return ""
		}
		if own := raw("own"); own != raw("skl") || !strings.Contains(own, "kind.FormatBgra8") ||
			strings.Contains(raw("tgl"), "kind.FormatBgra8") {
			t.Errorf("the target reads raw %q, skl %q, tgl %q", own, raw("skl"), raw("tgl"))
		}
	}
}
