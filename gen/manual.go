// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/schema"
)

const manualHead = `# Tables

Every fact about an instruction, an intrinsic, a rule or the machine is a row of a TOML
file below defs/. A row is named, [FAMILY.NAME]; its keys are listed here by folder. The
other pages of this manual present the contents of the rows:

- [opcodes](opcodes.md), [intrinsics](intrinsics.md), [rewrite rules](rules.md),
  [passes](passes.md), [machine instructions](machine.md), [instruction selection](selection.md),
  [kinds of instructions, indices, enumerations and formats of texels](kinds.md), [front ends](frontends.md).

How to add rows, step by step: [an opcode and its rules](../../defs/docs/opcode.md), [an
intrinsic and its message](../../defs/docs/message.md), [a generation](../../defs/docs/generation.md),
[an image intrinsic](../../defs/docs/image.md), [a format of texels](../../defs/docs/format.md).

generated/schema has a JSON schema for each folder. Editors with taplo find them through
.taplo.toml; the generator checks more, and reports errors with file, line and column.
`

// manual writes the manual's page about the tables.
func manual(ctx *domain.Context) error {
	var b bytes.Buffer
	b.WriteString(manualHead)
	for _, f := range tableFolders {
		fmt.Fprintf(&b, "\n## defs/%s: %s\n", f.Dir, strings.ToLower(f.Title[:1])+f.Title[1:])
		for _, fam := range f.Families {
			fmt.Fprintf(&b, "\n### [%s.…]\n\n%s\n\n| key | type | meaning |\n|---|---|---|\n", fam.Name, fam.Doc)
			for _, k := range schema.Fields(fam.Row) {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", k.Name, typeName(k.Type), strings.ReplaceAll(k.Doc, "|", "\\|"))
			}
		}
	}
	return ctx.Out.Text("docs/tables.md", "<!-- ", []string{"gen"}, b.Bytes())
}

// typeName describes a Go type in the terms of a table's author.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice:
		return "list of " + strings.TrimSuffix(typeName(t.Elem()), "s") + "s"
	case reflect.Map:
		return "table"
	case reflect.Struct:
		var keys []string
		for _, f := range schema.Fields(t) {
			keys = append(keys, f.Name)
		}
		return "{" + strings.Join(keys, ", ") + "}"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Interface:
		return "value"
	}
	return t.Kind().String()
}
