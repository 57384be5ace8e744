// SPDX-License-Identifier: MIT

package opcodes

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
)

// TestSchema: the editors' schema has the same fields as the loader, and
// its patterns accept every row of the project.
func TestSchema(t *testing.T) {
	tab := loadProject(t)
	ctx := &domain.Context{Out: emit.New()}
	if err := emitSchema(ctx, tab); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := ctx.Out.Write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "schema", "opcodes.json"))
	if err != nil {
		t.Fatal(err)
	}
	type node struct {
		Pattern           string
		Items             *node
		Properties        map[string]*node
		PatternProperties map[string]*node
	}
	var schema node
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	rows := schema.Properties["op"].PatternProperties
	fields := rows[opName.String()].Properties
	var want []string
	for f := range reflect.TypeFor[row]().Fields() {
		want = append(want, f.Tag.Get("toml"))
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
		t.Errorf("fields %v, want %v", got, want)
	}
	in := regexp.MustCompile(fields["in"].Items.Pattern)
	out := regexp.MustCompile(fields["out"].Pattern)
	vector := regexp.MustCompile(fields["test"].Items.Pattern)
	for _, o := range tab.Ops {
		for _, s := range o.Srcs {
			if text := s.Name + " " + s.String(); !in.MatchString(text) || !in.MatchString(s.String()) {
				t.Errorf("%s: source %q", o.Name, text)
			}
		}
		if !out.MatchString(o.Out.String()) {
			t.Errorf("%s: result %q", o.Name, o.Out)
		}
		for _, v := range o.Tests {
			if !vector.MatchString(v) {
				t.Errorf("%s: vector %q", o.Name, v)
			}
		}
	}
}
