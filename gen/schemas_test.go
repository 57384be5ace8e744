// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"jacquard.example/gen/internal/schema"
)

// described is a folder of the tables with the schema of its files.
type described struct {
	dir    string
	schema *jsonschema.Schema
	page   map[string]any // the committed schema
}

// described lists the folders below defs and their committed schemas.
func describedFolders(t *testing.T) []described {
	t.Helper()
	list := append([]schema.Folder{{Dir: "opcodes", File: "opcodes"}}, tableFolders...)
	var out []described
	for _, f := range list {
		path := filepath.Join("..", "generated", "schema", f.File+".json")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := described{dir: f.Dir}
		if err := json.Unmarshal(text, &d.page); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if d.schema, err = jsonschema.NewCompiler().Compile(path); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

// asJSON converts values of the TOML package to values of the validator.
func asJSON(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var doc map[string]any
	if _, err := toml.Decode(text, &doc); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc
}

// TestSchemasAcceptTables: every file below defs has a schema and conforms to it.
func TestSchemasAcceptTables(t *testing.T) {
	folders := describedFolders(t)
	n := 0
	err := filepath.WalkDir("../defs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".toml" {
			return err
		}
		i := slices.IndexFunc(folders, func(f described) bool {
			return strings.HasPrefix(filepath.ToSlash(path), "../defs/"+f.dir+"/")
		})
		if i < 0 {
			t.Errorf("%s belongs to no schema", path)
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		if err := folders[i].schema.Validate(asJSON(t, decode(t, string(text)))); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 30 {
		t.Errorf("%d files", n)
	}
}

// TestSchemasCatch changes a row of every family in every way that a schema can
// detect: an unknown key, a value of another type for every key, a
// missing required key. Each is rejected.
func TestSchemasCatch(t *testing.T) {
	for _, f := range describedFolders(t) {
		rows := firstRows(t, f.dir)
		for family, page := range f.page["properties"].(map[string]any) {
			row := rows[family]
			if row == nil {
				t.Errorf("%s: no row of family %s in the tables", f.dir, family)
				continue
			}
			check := func(what string, changed map[string]any) {
				t.Helper()
				name := "x"
				if f.dir == "spirv" {
					name = "X" // in SPIR-V's spelling
				}
				doc := map[string]any{family: map[string]any{name: changed}}
				err := f.schema.Validate(asJSON(t, doc))
				if (err == nil) != (what == "") {
					t.Errorf("%s, [%s.x] %s: %v", f.dir, family, what, err)
				}
			}
			check("", row)
			check("a key too many", with(row, "colour", 1))
			shape := shapeOf(page.(map[string]any))
			for key, value := range shape["properties"].(map[string]any) {
				if typ, ok := value.(map[string]any)["type"]; ok {
					check(key+" of another type", with(row, key, otherType(typ)))
				}
			}
			required, _ := shape["required"].([]any)
			for _, key := range required {
				less := with(row, "", nil)
				delete(less, key.(string))
				check(key.(string)+" missing", less)
			}
		}
	}
}

// shapeOf returns the schema of a family's rows.
func shapeOf(family map[string]any) map[string]any {
	if p, ok := family["patternProperties"].(map[string]any); ok {
		for _, v := range p {
			return v.(map[string]any)
		}
	}
	return family["additionalProperties"].(map[string]any)
}

func otherType(typ any) any {
	if typ == "string" {
		return 7
	}
	return "seven"
}

func with(row map[string]any, key string, value any) map[string]any {
	out := map[string]any{}
	for k, v := range row {
		out[k] = v
	}
	if key != "" {
		out[key] = value
	}
	return out
}

// firstRows returns a row of each family in a folder.
func firstRows(t *testing.T, dir string) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	files, err := filepath.Glob(filepath.Join("..", "defs", filepath.FromSlash(dir), "*.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for family, rows := range decode(t, string(text)) {
			for _, row := range rows.(map[string]any) {
				if out[family] == nil {
					out[family] = row.(map[string]any)
				}
			}
		}
	}
	return out
}

// TestSchemasCatchWords: values of the right type that are still wrong.
func TestSchemasCatchWords(t *testing.T) {
	folders := describedFolders(t)
	for _, c := range []struct{ dir, row string }{
		{"opcodes", "[op.x]\ndoc = \"X.\"\nin = [\"integer\"]\nout = \"int\"\n"},
		{"opcodes", "[op.x]\ndoc = \"X.\"\nin = [\"int\"]\nout = \"int\"\nprops = [\"commutes\"]\n"},
		{"opcodes", "[op.X]\ndoc = \"X.\"\nin = [\"int\"]\nout = \"int\"\n"},
		{"opcodes", "[opp.x]\ndoc = \"X.\"\n"},
		{"intrinsics", "[intrinsic.x]\ndoc = \"X.\"\nflags = [\"can_fly\"]\n"},
		{"intrinsics", "[intrinsic.x]\ndoc = \"X.\"\nsrc = [{ name = \"a\" }]\n"},
		{"intrinsics", "[intrinsic.x]\ndoc = \"X.\"\nsrc = [{ name = \"a\", comps = 17 }]\n"},
		{"intrinsics", "[intrinsic.x]\ndoc = \"X.\"\nsrc = [{ name = \"a\", comps = 1, colour = 1 }]\n"},
		{"intrinsics", "[intrinsic.x]\ndoc = \"X.\"\nuniform = \"sometimes\"\n"},
		{"intrinsics", "[intrinsic.x]\ndoc = \"X.\"\nfor = { op = [] }\n"},
		{"ir", "[kind.x]\ndoc = \"X.\"\nresult = \"sometimes\"\n"},
		{"ir", "[kind.x]\ndoc = \"X.\"\nresult = \"never\"\nfields = [\"tag: u33\"]\n"},
		{"ir", "[index.x]\ndoc = \"X.\"\ntype = \"u33\"\n"},
		{"ir", "[enum.x]\ndoc = \"X.\"\ngo = \"x\"\nvalues = []\n"},
		{"algebraic", "[rule.x]\nfind = \"iadd a 0\"\nreplace = \"a\"\n"},
		{"algebraic", "[rule.x]\nfind = \"(iadd a 0)\"\nreplace = \"a\"\nset = \"early\"\n"},
		{"algebraic", "[predicate.x]\ndoc = \"X.\"\nkind = \"guess\"\n"},
		{"spirv", "[opcode.x]\nnum = 1\n"},
		{"spirv", "[opcode.X]\nnum = 70000\n"},
		{"spirv", "[opcode.X]\nnum = 1\noperands = [\"ids\"]\n"},
		{"intel/isa", "[eu.x]\ndoc = \"X.\"\nformat = \"quaternary\"\n"},
		{"intel/isa", "[type.x]\ndoc = \"X.\"\nsize = 3\n"},
		{"intel/abi", "[abi.x]\nbindings = \"somehow\"\n"},
		{"intel/abi", "[abi.x]\nbindings = \"listed\"\nheader = [{ value = \"fftid\", reg = 128 }]\n"},
		{"intel/latency", "[latency.x]\ndoc = \"X.\"\nread = -1\n"},
		{"intel/select", "[select.x]\nfind = \"fadd\"\n"},
	} {
		i := slices.IndexFunc(folders, func(f described) bool { return f.dir == c.dir })
		if err := folders[i].schema.Validate(asJSON(t, decode(t, c.row))); err == nil {
			t.Errorf("%s: accepted\n%s", c.dir, c.row)
		}
	}
}

// TestFieldsAreDocumented: editors show the meaning of every key.
func TestFieldsAreDocumented(t *testing.T) {
	for _, folder := range tableFolders {
		for _, fam := range folder.Families {
			for _, f := range schema.Fields(fam.Row) {
				if f.Doc == "" {
					t.Errorf("%s: key %s of [%s.x] has no doc tag in %v", folder.Dir, f.Name, fam.Name, fam.Row)
				}
			}
		}
	}
}

// TestTaploConfiguration: every folder has a schema that editors find.
func TestTaploConfiguration(t *testing.T) {
	var config struct {
		Include []string
		Rule    []struct {
			Include []string
			Schema  struct{ Path string }
		}
	}
	if _, err := toml.DecodeFile("../.taplo.toml", &config); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, r := range config.Rule {
		have[strings.Join(r.Include, " ")] = r.Schema.Path
	}
	for _, f := range append([]schema.Folder{{Dir: "opcodes", File: "opcodes"}}, tableFolders...) {
		if got, want := have["defs/"+f.Dir+"/**/*.toml"], "./generated/schema/"+f.File+".json"; got != want {
			t.Errorf("the schema of defs/%s is %q, want %q", f.Dir, got, want)
		}
	}
}
