// SPDX-License-Identifier: MIT

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/fozfile"
)

// closed forbids properties that a schema does not name, so that it accepts only the current output.
func closed(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		for _, part := range s {
			closed(part)
		}
		if s["properties"] != nil && s["type"] == "object" {
			s["additionalProperties"] = false
		}
	case []any:
		for _, part := range s {
			closed(part)
		}
	}
	return schema
}

// schemaNamed returns the schema that info prints, modified by change.
func schemaNamed(t *testing.T, name string, change func(any) any) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(written(t, "info", "schema", name)))
	if err != nil {
		t.Fatal(err)
	}
	if draft := doc.(map[string]any)["$schema"]; draft != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("%s: the dialect is %v", name, draft)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:"+name, change(doc)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// failing runs the command, which must fail, and returns its standard output and standard error.
func failing(t *testing.T, args ...string) (out, errs string) {
	t.Helper()
	var o, e strings.Builder
	a := &cli.App{Ctx: t.Context(), Stdin: strings.NewReader(""), Stdout: &o, Stderr: &e}
	if status := a.Main(commands(), args); status != cli.StatusInput {
		t.Fatalf("%v: status %d: %s", args, status, e.String())
	}
	return o.String(), e.String()
}

// samples returns samples of the command's output by the name of their schema, one JSON text per line.
func samples(t *testing.T) map[string]string {
	oracle.Need(t, "glslangValidator")
	const dir = "../../tests/shaders/"
	bad := filepath.Join(t.TempDir(), "bad.spv")
	if err := os.WriteFile(bad, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	refused, diagnostic := failing(t, "compile", bad, "--emit", "json", "--diagnostics", "json")
	pair := []string{"compile", dir + "stages/mvp.vert", dir + "stages/lit.frag", "--emit"}
	old, new := filepath.Join(t.TempDir(), "old.json"), filepath.Join(t.TempDir(), "new.json")
	written(t, "stats", dir+"saxpy.comp.spv", dir+"matmul.comp.spv", "--json", old)
	written(t, "stats", dir+"saxpy.comp.spv", dir+"bitonic.comp.spv", "--json", new, "--simd", "16", "--robust", "--buffers", "bounded64")
	foz := func(name string, entries []fozfile.Entry) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, fozfile.File(entries), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	packed := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(packed, zipOf(t, "x.spv"), 0o666); err != nil {
		t.Fatal(err)
	}
	last := func(s string) string { lines := strings.Split(strings.TrimSpace(s), "\n"); return lines[len(lines)-1] }
	return map[string]string{
		"shard": last(written(t, "stats", bad, "--shard", "1/2")),
		"compile": refused + written(t, "compile", dir+"bitonic.comp.spv", "--emit", "json", "--instructions") +
			written(t, "compile", dir+"saxpy.comp.spv", "--emit", "json", "--robust", "--buffers", "bounded64"),
		"compile-pair": written(t, append(pair, "json")...),
		"abi": written(t, "compile", dir+"bitonic.comp.spv", "--emit", "abi") +
			written(t, "compile", dir+"saxpy.comp.spv", "--emit", "abi"),
		"abi-pair": written(t, append(pair, "abi")...),
		"stats": written(t, "stats", bad, dir+"bitonic.comp.spv", dir+"matmul.comp.spv") +
			written(t, "stats", dir+"bitonic.comp.spv", "--time-limit", "1ns"),
		"compare":         written(t, "compare", old, new, "--format", "json"),
		"compare-shaders": written(t, "compare", dir+"saxpy.comp.spv", dir+"bitonic.comp.spv", "--format", "json"),
		"report":          written(t, "report", dir+"bitonic.comp.spv", dir+"scratch_spill.comp", "--format", "json"),
		"run":             written(t, "run", "../../tests/amber/saxpy.amber", "--on", "eu", "--stats"),
		"diagnostics":     diagnostic,
		"info-archive": written(t, "info", foz("graphics.foz", fozfile.Graphics()), "--format", "json") +
			written(t, "info", foz("compute.foz", fozfile.Compute()), "--format", "json") +
			written(t, "info", foz("bad.foz", []fozfile.Entry{{Tag: fozfile.ComputePipeline}, {Tag: fozfile.SetLayout}, {Tag: fozfile.PipelineLayout}}),
				"--format", "json") + written(t, "info", packed, "--format", "json"),
		"info": written(t, "info", "modinfo/testdata/kinds.spv", "--format", "json"),
	}
}

// zipOf returns a zip archive with an empty file.
func zipOf(t *testing.T, name string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if _, err := z.Create(name); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSchemas: the command's output conforms to the schemas, which name every property. Texts that lack a property,
// or have a property of another type, do not conform.
func TestSchemas(t *testing.T) {
	texts := samples(t)
	for name := range outputs {
		s, lines := schemaNamed(t, name, closed), strings.Split(strings.TrimSpace(texts[name]), "\n")
		for _, line := range lines {
			if err := validates(t, s, line); err != nil {
				t.Errorf("%s: %v\n%s", name, err, line)
			}
			for _, wrong := range mistakes(t, line) {
				if validates(t, s, wrong) == nil {
					t.Errorf("%s accepts\n%s", name, wrong)
				}
			}
		}
	}
	if len(texts) != len(outputs) {
		t.Errorf("samples of %d outputs, of %d", len(texts), len(outputs))
	}
}

// TestSchemasRequire: the schemas as they are shown reject an object that lacks a field which is always written.
func TestSchemasRequire(t *testing.T) {
	texts := samples(t)
	shown := func(schema any) any { return schema }
	for _, name := range []string{"compile", "stats", "diagnostics"} {
		s := schemaNamed(t, name, shown)
		for line := range strings.Lines(texts[name]) {
			var root map[string]any
			if err := json.Unmarshal([]byte(line), &root); err != nil {
				t.Fatal(err)
			}
			objects := []map[string]any{root}
			if list, ok := root["programs"].([]any); ok && len(list) > 0 {
				objects = append(objects, list[0].(map[string]any))
			}
			for _, x := range objects {
				for field, old := range x {
					delete(x, field)
					data, err := json.Marshal(root)
					if err != nil {
						t.Fatal(err)
					}
					x[field] = old
					optional := slices.Contains([]string{"assumed_loops", "bounds_checks", "listing", "stopped_after_ms", "defect"}, field)
					if err := validates(t, s, string(data)); (err == nil) != optional {
						t.Errorf("%s without %s: %v", name, field, err)
					}
				}
			}
		}
	}
}

func validates(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s.Validate(doc)
}

// mistakes returns variants of a JSON text: each has one word of one object misspelled, or a number or word replaced by an
// object.
func mistakes(t *testing.T, text string) (list []string) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	save := func() {
		data, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(data))
	}
	var visit func(v any)
	visit = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				old := v[name]
				delete(v, name)
				v[name+"s_"] = old
				save()
				delete(v, name+"s_")
				if _, number := old.(float64); number {
					v[name] = map[string]any{}
					save()
				}
				v[name] = old
				if !slices.Contains([]string{"messages", "sends", "waits"}, name) { // names in these are not fixed
					visit(old)
				}
			}
		case []any:
			if len(v) > 0 {
				visit(v[0])
			}
		}
	}
	visit(root)
	if len(list) < 5 || bytes.Equal([]byte(list[0]), []byte(text)) {
		t.Fatalf("%d mistakes in\n%s", len(list), text)
	}
	return list
}

// TestSchemasDescribe: properties of outputs that the command defines have a description. Properties that the library
// defines are described in its documentation.
func TestSchemasDescribe(t *testing.T) {
	for _, name := range []string{"compile", "stats", "shard", "compare", "compare-shaders", "diagnostics"} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(written(t, "info", "schema", name)))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		var visit func(path string, v any)
		visit = func(path string, v any) {
			switch v := v.(type) {
			case map[string]any:
				properties, _ := v["properties"].(map[string]any)
				for field, s := range properties {
					n++
					if s.(map[string]any)["description"] == nil {
						t.Errorf("%s: %s.%s is not described", name, path, field)
					}
				}
				for field, s := range v {
					visit(path+"."+field, s)
				}
			case []any:
				for _, s := range v {
					visit(path, s)
				}
			}
		}
		visit("", doc)
		if n < 9 {
			t.Errorf("%s has %d properties", name, n)
		}
	}
}
