// SPDX-License-Identifier: MIT

package opcodes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
	"jacquard.example/gen/internal/schema"
)

const docHead = `# ALU opcodes

An ALU instruction computes each component of its result from the same component
of its sources, unless its types name a number of components (float32x4). A type
without a width (int, uint, float, bits) has the execution size of the
instruction, the same for all such operands; the sizes of each opcode are listed.
bits is any value of a width, taken as it is. A bool is one bit.

Meanings are written in Go's expression syntax. Integers wrap; a shift by the
width or more gives 0, or the sign; bits stands for the execution size; sel(c, a, b)
is a where c holds, else b; sum, all and any run over the components of vectors.
Division is total: x/0 is all ones unsigned, and -1 or 1 signed as x is at least
or below zero; the remainder of x by 0 is x; the most negative number divided by
-1 is itself, with remainder 0. Floats round once for each operation, to nearest
even unless the shader's float controls ask for rounding toward zero at the width
of the result. Any NaN is a NaN, whatever its sign and payload; a NaN that is
computed is the canonical one, positive and quiet without payload; mov, bcsel, vectors
and bits pass one on as it is. Denormal sources and results of float operations are
kept or become zeros of their sign, as the float controls say for their width;
between the steps of one meaning nothing is flushed. Conversions from float to
integer saturate, NaN gives 0.

An opcode is one row in a file below defs/opcodes:

    [op.ishl]
    doc   = "Left shift; the amount is taken modulo the width."
    in    = ["int", "uint32"]
    out   = "int"
    eval  = "a << (b & (bits-1))"
    test  = ["(ishl@8 0x81 1) = 0x02"]

"in" names the sources a, b, c, d unless a name precedes a type ("offset
uint32"). "props" lists properties, "sizes" the execution sizes when not all that
the types allow hold, "go" the exported Go name when the one derived from the name
reads badly, "kernel" what OpenCL kernels need an opcode for that nothing else uses, "apart" why
an opcode is there although another computes the same. Longer meanings give names to their parts on separate lines
("o := offset & 31") before the last line, the result. After "go generate ./..." the
opcode is named, printed, parsed, checked, folded, interpreted and documented; a row
that is wrong, or claims what does not hold, is refused with its file and line.

Functions in meanings, beside sel, sum, all and any:

`

// emitDoc writes the reference page.
func emitDoc(ctx *domain.Context, t *Table) error {
	var b bytes.Buffer
	b.WriteString(docHead)
	b.WriteString("| function | meaning |\n|---|---|\n")
	for _, f := range eval.Functions() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.Usage, f.Doc)
	}
	b.WriteString("\nProperties:\n\n| property | meaning |\n|---|---|\n")
	for _, p := range props {
		fmt.Fprintf(&b, "| %s | %s |\n", p.name, p.doc)
	}
	emitReach(&b, t)
	if err := emitWithoutFormula(&b, t); err != nil {
		return err
	}
	file := ""
	for _, o := range t.Ops {
		if o.Pos.File != file {
			file = o.Pos.File
			fmt.Fprintf(&b, "\n## %s\n", title(strings.TrimSuffix(path.Base(file), ".toml")))
		}
		docOp(&b, o)
	}
	return ctx.Out.Text("docs/opcodes.md", "<!-- ", t.Files, b.Bytes())
}

// emitReach writes the numbers of opcodes and forms.
func emitReach(b *bytes.Buffer, t *Table) {
	type count struct {
		name                 string
		ops, forms, kernelOf int
	}
	var families []count
	total := count{name: "all"}
	for _, o := range t.Ops {
		name := strings.TrimSuffix(path.Base(o.Pos.File), ".toml")
		if len(families) == 0 || families[len(families)-1].name != name {
			families = append(families, count{name: name})
		}
		for _, c := range []*count{&families[len(families)-1], &total} {
			c.ops++
			c.forms += max(1, len(o.Sizes))
			if o.Kernel != "" {
				c.kernelOf++
			}
		}
	}
	b.WriteString(reach)
	b.WriteString("| family | opcodes | forms by size | for kernels only |\n|---|---|---|---|\n")
	for _, c := range append(families, total) {
		fmt.Fprintf(b, "| %s | %d | %d | %d |\n", c.name, c.ops, c.forms, c.kernelOf)
	}
}

const reach = `
## Coverage

Together the opcodes express every arithmetic, logical, relational, conversion and bit
instruction of SPIR-V for Vulkan (with GLSL.std.450 and the integer dot products) and
what of OpenCL.std the machine computes without a library, at every size (tests/suite/fold
writes those functions in opcodes and compares both with definitions over big numbers).
Operations without an opcode: NaN is (fneu a a), an infinity (feq (fabs a) inf); an unordered
comparison is the negation of the ordered opposite; multiplication with addition of
integers is two instructions.

`

func docOp(b *bytes.Buffer, o *Op) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", o.Name, o.Doc)
	var in []string
	for _, s := range o.Srcs {
		in = append(in, s.Name+" "+s.String())
	}
	fmt.Fprintf(b, "    %s(%s) %s", o.Name, strings.Join(in, ", "), o.Out)
	if o.Unsized() {
		fmt.Fprintf(b, "    at %s bits", strings.Trim(strings.ReplaceAll(fmt.Sprint(o.Sizes), " ", ", "), "[]"))
	}
	b.WriteString("\n")
	for _, l := range strings.Split(o.Eval, "\n") {
		if l != "" {
			fmt.Fprintf(b, "        %s\n", l)
		}
	}
	if len(o.Props) > 0 {
		fmt.Fprintf(b, "\nProperties: %s.\n", strings.Join(o.Props, ", "))
	}
	if o.Kernel != "" {
		fmt.Fprintf(b, "\nFor kernels: %s.\n", o.Kernel)
	}
	if len(o.Tests) > 0 {
		b.WriteString("\n")
		for i, v := range o.Tests {
			b.WriteString([]string{"Examples: ", ", "}[min(i, 1)])
			fmt.Fprintf(b, "`%s`", v)
		}
		b.WriteString(".\n")
	}
}

// emitSchema writes the JSON schema with which editors check and complete the
// tables.
func emitSchema(ctx *domain.Context, _ *Table) error {
	type object = map[string]any
	str := func(doc string) object { return object{"type": "string", "description": doc} }
	var propValues []object
	for _, p := range props {
		propValues = append(propValues, object{"const": p.name, "description": p.doc})
	}
	typ := `(int|uint|float|bool|bits)(8|16|32|64)?(x(1|2|3|4|5|8|16))?`
	page := object{
		"$comment":             schema.Comment,
		"$schema":              "http://json-schema.org/draft-07/schema#",
		"title":                "ALU opcodes",
		"type":                 "object",
		"additionalProperties": false,
		"properties": object{"op": object{
			"type":                 "object",
			"additionalProperties": false,
			"patternProperties": object{opName.String(): object{
				"type":                 "object",
				"additionalProperties": false,
				"required":             []string{"doc", "in", "out"},
				"properties": object{
					"doc": str("One sentence: the result of the opcode."),
					"in": object{
						"description": "The sources' types, each optionally after a name: uint, offset uint32, float32x4. " +
							"Without a name they are a, b, c, d. Types without a width share the execution size.",
						"type": "array", "minItems": 1, "maxItems": MaxSrc,
						"items": object{"type": "string", "pattern": `^([A-Za-z_]\w* +)?` + typ + `$`},
					},
					"out": object{"type": "string", "pattern": "^" + typ + "$", "description": "The type of the result."},
					"props": object{"type": "array", "uniqueItems": true, "items": object{"oneOf": propValues},
						"description": "Properties."},
					"sizes":  object{"type": "array", "items": object{"enum": []int{1, 8, 16, 32, 64}}, "description": "Execution sizes, if not all that the types allow."},
					"eval":   str("The meaning: an expression in Go syntax, optionally after lines of the form name := expression."),
					"test":   object{"type": "array", "items": object{"type": "string", "pattern": `^\([a-z0-9_]+(@\d+)? .*\) *= *\S`}, "description": "Vectors such as (ishl@8 0x81 1) = 0x02."},
					"kernel": str("The use of the opcode in OpenCL kernels, if it has no other."),
					"apart":  str("Why the opcode exists although another computes the same."),
					"go":     str("Exported Go name, if the derived one reads badly."),
				},
			}},
		}},
	}
	text, err := json.MarshalIndent(page, "", "  ")
	if err != nil {
		return err
	}
	return ctx.Out.Text("schema/opcodes.json", "", nil, append(text, '\n'))
}
