// SPDX-License-Identifier: MIT

package tree

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"jacquard.example/backend/intel"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// TestManual: the reference manual has every opcode, intrinsic, rule, kind,
// index and enumeration, every pass and machine instruction, and its links are valid.
func TestManual(t *testing.T) {
	pages := map[string]string{}
	for path, data := range tree(t, "../../../generated/docs") {
		pages[path] = string(data)
	}
	has := func(page, line string) {
		t.Helper()
		if !strings.Contains(pages[page], "\n"+line) {
			t.Errorf("%s has no line that starts with %q", page, line)
		}
	}
	for o := range op.Count {
		if name := o.Info().Name; name != "" {
			has("opcodes.md", "### "+name+"\n")
		}
	}
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		has("intrinsics.md", "### "+id.String()+"\n\n"+id.Info().Doc+"\n")
	}
	for k := kind.Invalid + 1; k < kind.Count; k++ {
		has("kinds.md", "### "+k.String()+"\n")
	}
	for _, ix := range intrinsic.Indices {
		has("kinds.md", "| "+ix.Name+" | ")
	}
	for _, e := range kind.Enums {
		has("kinds.md", "### "+e.Name+"\n")
	}
	for o := range isa.Op(isa.NumOps) {
		has("machine.md", "### "+o.String()+"\n")
	}
	for p := range pipeline.Known.Passes() {
		has("passes.md", "| "+p.Name+" | "+p.Doc+" | "+strings.Join(p.After, ", ")+" | "+p.Leaves+" |")
	}
	for _, p := range intel.Passes() {
		has("passes.md", "| "+p.Name+" | "+p.Doc+" | "+strings.Join(p.After, ", ")+" | ")
	}
	rules, comments := 0, 0
	for path, data := range tree(t, "../../../defs/algebraic") {
		if filepath.Ext(path) != ".toml" {
			continue
		}
		for _, m := range regexp.MustCompile(`(?m)^\[rule\.(\w+)\]$`).FindAllStringSubmatch(string(data), -1) {
			rules++
			has("rules.md", "- **"+m[1]+"** `")
		}
		// The mathematics above a group of rules is above it here too.
		for _, m := range regexp.MustCompile(`(?m)^# (.*)\n\[rule\.(\w+)\]$`).FindAllStringSubmatch(string(data), -1) {
			comments++
			group := regexp.MustCompile(regexp.QuoteMeta(escaped.Replace(m[1])) + `\n\n- \*\*` + m[2] + `\*\* `)
			if !group.MatchString(pages["rules.md"]) {
				t.Errorf("rules.md does not have %q over %s", m[1], m[2])
			}
		}
	}
	if rules < 400 || comments < 100 {
		t.Errorf("%d rules, %d groups", rules, comments)
	}
	for page, text := range pages {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("../../../generated/docs", m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// escaped escapes Markdown syntax as the manual does.
var escaped = strings.NewReplacer("<", "&lt;", "*", `\*`, "~~", `\~\~`)
