// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/isa"
	"jacquard.example/gen/internal/meaning"
)

const machineHead = `# Machine instructions

The opcodes of the execution units, from the rows of defs/intel/isa, with their codes by
platform, their modifiers, and the combinations of types that they take (destination
<- sources; before a colon the platforms that have the combination). Sets of types are rows there too.

The semantics of the instructions that rows of instruction selection use are in
defs/intel/meaning: over the sources a, b and c, in the language of the [opcodes](opcodes.md).
Source modifiers, saturation, conversions and conditions are common to all. Rows of selection
are tried against these meanings when they are generated.

Words of hsw have two access modes, Align1 and Align16, which assembly marks with {Align16};
words of three sources are in Align16 on hsw and skl. In Align16 the lanes form groups of
four, x, y, z and w: of a vertex shader with eight lanes, two vertices. A source is rows of
four elements, <4;4,1>, or <0;4,1> if all groups read the same row, and its swizzle selects
the element of the row for each lane: r4.0<4;4,1>.yyxw:f. A destination has a write mask,
r5.0<1>.xz:f, and a predicate may be the flag of one lane of the group, (f0.0.x).
`

// machinePage writes the manual's page about the machine's instructions.
func machinePage(ctx *domain.Context) error {
	m, err := isa.LoadMachine(ctx)
	if err != nil {
		return err
	}
	means, err := meaning.Load(ctx, m)
	if err != nil {
		return err
	}
	b := bytes.NewBufferString(machineHead)
	for _, p := range m.Pages.Ops {
		writeOp(b, &p, means.Text(p.Name))
	}
	b.WriteString("\n## Functions of math\n\nAn instruction with the opcode math computes one of these functions.\n")
	for _, p := range m.Pages.Maths {
		writeOp(b, &p, means.Text("math_"+p.Name))
	}
	b.WriteString("\n## Messages\n\nThe requests that sends make to a unit, and the fields of their descriptors.\n\n" +
		"| message | unit | what it does | fields |\n|---|---|---|---|\n")
	for _, p := range m.Pages.Messages {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", p.Name, p.Unit, p.Doc, strings.Join(p.Fields, ", "))
	}
	files := slices.Concat(m.Files, means.Files)
	return ctx.Out.Text("docs/machine.md", "<!-- ", files, b.Bytes())
}

// writeOp describes an opcode or a function of math.
func writeOp(b *bytes.Buffer, p *isa.OpPage, means []string) {
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", p.Name, strings.ReplaceAll(p.Doc, "<", "&lt;"))
	fmt.Fprintf(b, "- codes: %s\n- format: %s, sources: %d\n", strings.Join(p.Codes, ", "), p.Format, p.Sources)
	if len(p.May) > 0 {
		fmt.Fprintf(b, "- may have: %s\n", strings.Join(p.May, ", "))
	}
	if p.Acc != "" {
		fmt.Fprintf(b, "- %s the accumulator\n", p.Acc)
	}
	if len(p.Types) > 0 {
		fmt.Fprintf(b, "- types: `%s`\n", strings.Join(p.Types, "`, `"))
	}
	for _, line := range means {
		fmt.Fprintf(b, "- computes: %s\n", line)
	}
}
