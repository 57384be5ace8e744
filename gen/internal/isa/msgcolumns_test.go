// SPDX-License-Identifier: MIT

package isa

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// TestMessageColumns: a message whose bits, lanes and function differ on a platform
// has the right descriptor on each, both in what other tables see and in generated code.
func TestMessageColumns(t *testing.T) {
	const rows = `[msgfield.place]
doc  = "x"
bits = "3:0"
on   = { skl = { bits = "7:4" } }

[msgfield.width]
doc    = "x"
bits   = "9:8"
kind   = "lanes"
values = { 8 = 1, 16 = 2 }
on     = { icl = { values = { 8 = 2, 16 = 3 } } }

[message.own]
doc    = "x"
sfid   = "vme"
fixed  = { "18:14" = 1 }
fields = ["place", "width"]
on     = { skl = { sfid = "cre", fixed = { "18:14" = 2 } } }
`
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, isatab.Dir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, isatab.Dir, "x.toml"), []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := &domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "mine"}}, Out: emit.New()}
	sets, err := descriptors.Controls(ctx)
	if err != nil {
		t.Fatal(err)
	}
	type seen struct {
		sfid  string
		fixed uint32
		at    int
		code  uint8 // code of 16 lanes
	}
	got := map[string]seen{}
	for _, s := range sets {
		c := s.ByName["own"]
		got[s.Platform] = seen{c.SFID, c.Fixed, c.Fields[0].At, c.Fields[1].Codes[2]}
	}
	for platform, want := range map[string]seen{
		"":    {"SFIDVME", 1 << 14, 0, 2},
		"ICL": {"SFIDVME", 1 << 14, 0, 3},
		"SKL": {"SFIDCRE", 2 << 14, 4, 2},
	} {
		if got[platform] != want {
			t.Errorf("the message on %q is %+v, want %+v", platform, got[platform], want)
		}
	}
	if len(got) != 6 { // and sets for hsw, dg2 and lnl, which have messages of their own
		t.Errorf("%d sets of messages, want 6", len(got))
	}
	tab, err := isatab.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := emitTables(tab, ctx.Out); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := ctx.Out.Write(out); err != nil {
		t.Fatal(err)
	}
	for file, wants := range map[string][]string{
		"descriptors.go": {"func descOwnSKL(place uint32, lanes int, mlen, xlen, rlen int)", "return descOwnSKL(place, lanes, mlen, xlen, rlen)", "desc |= (place) & 0xf << 4"},
		"messages.go":    {"m.decodeSKL(desc)", "case SFIDCRE:", "m.Place = desc >> 4 & 0xf"},
	} {
		text, err := os.ReadFile(filepath.Join(out, "isa", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range wants {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s has no %q", file, w)
			}
		}
	}
}
