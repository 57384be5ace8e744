// SPDX-License-Identifier: MIT

package opcodes

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"jacquard.example/generated/spirvtab"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/shaders"
)

var update = flag.Bool("update", false, "write used.txt, with names from Debian's spirv-headers")

func shadersUse(t *testing.T) Count {
	t.Helper()
	c := Count{}
	for _, s := range shaders.All() {
		words, err := shaders.Module(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Add(words); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
	}
	return c
}

// TestUsed compares used.txt with the test shaders.
func TestUsed(t *testing.T) {
	use := shadersUse(t)
	if *update {
		writeUsed(t, use)
	}
	text, err := os.ReadFile("used.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if row, _, ok := strings.Cut(line, "="); ok {
			listed[strings.TrimSpace(row)] = true
		}
	}
	for _, u := range use.List() {
		if !listed[u.String()] {
			t.Errorf("%s is used and not in used.txt: run with -update", u)
		}
		delete(listed, u.String())
	}
	for row := range listed {
		t.Errorf("%s is in used.txt and not used: run with -update", row)
	}
}

// TestCount counts a module made by hand.
func TestCount(t *testing.T) {
	op := func(op uint32, operands ...uint32) []uint32 {
		return append([]uint32{uint32(len(operands)+1)<<16 | op}, operands...)
	}
	words := []uint32{0x07230203, 0x10300, 0, 9, 0}
	words = append(words, op(17, 1)...)              // OpCapability Shader
	words = append(words, op(11, 1, 0x00747365)...)  // OpExtInstImport %1 "est"
	words = append(words, op(12, 2, 3, 1, 42, 4)...) // OpExtInst 42
	words = append(words, op(12, 2, 5, 1, 42)...)    // again
	words = append(words, op(0)...)                  // OpNop
	c := Count{}
	if err := c.Add(words); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(c.List())
	if want := "[capability 1 op 0 op 11 op 12 op 17 ext est 42]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := c.Add(words[:6]); err == nil {
		t.Error("a cut module was counted")
	}
}

func writeUsed(t *testing.T, use Count) {
	names := grammarNames(t)
	var b strings.Builder
	b.WriteString("# Features of the modules of tests/shaders, with the number of modules.\n" +
		"# Written by: go test ./tests/suite/opcodes -update\n\n")
	for _, u := range use.List() {
		fmt.Fprintf(&b, "%-24s = %-32s %3d\n", u, names[u], use[u])
	}
	if err := os.WriteFile("used.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// grammarNames reads the names from the grammars of the SPIR-V registry.
func grammarNames(t *testing.T) map[Used]string {
	const dir = "/usr/include/spirv/unified1/"
	type instruction struct {
		Opname string
		Opcode uint32
	}
	var core struct {
		Instructions []instruction
		OperandKinds []struct {
			Kind       string
			Enumerants []struct {
				Enumerant string
				Value     any // hexadecimal text for masks
			}
		} `json:"operand_kinds"`
	}
	var glsl struct{ Instructions []instruction }
	for file, v := range map[string]any{"spirv.core.grammar.json": &core, "extinst.glsl.std.450.grammar.json": &glsl} {
		text, err := os.ReadFile(dir + file)
		if err != nil {
			oracle.Missing(t, file, "spirv-headers")
		}
		if err := json.Unmarshal(text, v); err != nil {
			t.Fatal(err)
		}
	}
	names := map[Used]string{}
	first := func(u Used, name string) {
		if names[u] == "" {
			names[u] = name // later ones are aliases
		}
	}
	for _, in := range core.Instructions {
		first(Used{Kind: Opcode, Number: in.Opcode}, in.Opname)
	}
	for _, in := range glsl.Instructions {
		first(Used{ExtInst, "GLSL.std.450", in.Opcode}, in.Opname)
	}
	for _, kind := range core.OperandKinds {
		if kind.Kind != "Capability" {
			continue
		}
		for _, e := range kind.Enumerants {
			if v, ok := e.Value.(float64); ok {
				first(Used{Kind: Capability, Number: uint32(v)}, e.Enumerant)
			}
		}
	}
	return names
}

// accepts reports whether the reader's tables accept a thing, and its name there.
func accepts(u Used) (name string, ok bool) {
	switch u.Kind {
	case Opcode:
		if row := spirvtab.Lookup(uint16(u.Number)); row != nil {
			return row.Name, row.Read
		}
	case Capability:
		if row := spirvtab.Capabilities.Lookup(u.Number); row != nil {
			return row.Name, row.Read || row.Skip
		}
	case ExtInst:
		if row := spirvtab.LookupGLSL(u.Number); row != nil && u.Set == "GLSL.std.450" {
			return row.Name, row.Read
		}
	}
	return "", false
}

// TestReaderAccepts looks up everything that the shaders use in the reader's tables, and compares the names with the
// names of the SPIR-V registry in used.txt.
func TestReaderAccepts(t *testing.T) {
	text, err := os.ReadFile("used.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if row, rest, ok := strings.Cut(line, "="); ok {
			names[strings.TrimSpace(row)] = strings.Fields(rest)[0]
		}
	}
	for _, u := range shadersUse(t).List() {
		name, ok := accepts(u)
		if !ok {
			t.Errorf("the reader refuses %s, %s", u, names[u.String()])
		}
		if name != "" && name != names[u.String()] {
			t.Errorf("%s is %s in the reader's table, and %s in the registry", u, name, names[u.String()])
		}
	}
}
