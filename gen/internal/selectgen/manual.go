// SPDX-License-Identifier: MIT

package selectgen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

const manualHead = `# Instruction selection

A row [select.name] in a file below defs/intel/select maps a pattern of the shader's instructions to the machine.
Instructions are selected from the end of the shader to its start. For each one the rows are tried in order, so that within a
file and across files the more specific row must come first.

find is a pattern, as in [rewrite rules](rules.md). Its root is an ALU opcode, an intrinsic, a texture operation (tex_txl
for example), or cond, which stands for the condition of an if and takes one bool. An instruction inside the pattern must
have no other users and be in the root's block.

Besides the predicates of the rules, these words restrict or extend what matches:

| word | after | meaning |
|---|---|---|
`

const manualBody = `
After an intrinsic or a texture operation, @ restricts the size of its result or, if it has none, of the value that it
stores: (load_ssbo@8|16).

## Machine instructions

emit lists machine instructions, each as

    (~f0.any4h) op.sat.lt.f1:type dst src src

with an optional predicate, saturation, condition and flag. An operand is dst, a variable of find, a temporary t0 to t9,
null, acc0 or a number; -x negates, |x| takes the magnitude, ~x complements, x+2 starts 2 bytes later in each lane, x:uw
reads x as another type. A type is one of the [machine's](machine.md), or float, int or uint, whose size is the operand's.
The type of the instruction applies to all operands without their own.

The instructions must compute what find computes. Tests run every row on vectors at every size and with every modifier
that it folds, by the meanings of opcodes and machine instructions; make prove runs z3. gives_up lists the properties of
exact IEEE behavior that the machine does not preserve, as in rewrite rules; undefined is a condition under which the
result is undefined; allowed_by explains why either is allowed.

## Messages

For an intrinsic or a texture operation, emit can be a logical message instead (defs/intel/message). Such a row emits
nothing else:

    msg.name[.operation] [dst|row] key=value …

With dst, each component of the result is a doubleword per lane. With row, the result of a uniform read has its components
side by side in one register or two. The operation is for messages to the sampler.

| key | value |
|---|---|
`

const manualRest = `
A row can only emit accesses: messages with a 32-bit address, a 64-bit address or an offset in the header, and messages to
the sampler.

The sources of a texture operation are the parameters of the sampler, in the order of its row [operation.name]. Operations
with the parameter ref need :shadow, and :shadow needs such an operation. Selection splits accesses with more components
than comps, and stores whose write mask has gaps, into several messages; it emits uniform reads for eight lanes, and leaves
helper invocations of fragment shaders out of effects.

## The thread payload

payload is the place from which an intrinsic is read: a value of an ABI (defs/intel/abi), followed by the values of the
other components; two parts of the payload, the second for inputs that are interpolated without perspective; or slot.N, a
component of an input slot without a location.

## Methods

call names a method of the back end, which receives the instruction and the variables in args. doc explains why the row
does not emit instructions or a message. Tests compile these rows in isolation and run them on the model.

## Machines

needs and without list [capability] rows (defs/intel/target): a row applies to machines that have all of the former and
none of the latter, and to every machine without both.

## Rows
`

// page writes the manual's page about the rows.
func (l *loader) page(ctx *domain.Context) error {
	set, err := ctx.Load(Dir)
	if err != nil {
		return err
	}
	rows, err := table.Rows[rowDef](set, "select")
	if err != nil {
		return err
	}
	b := bytes.NewBufferString(manualHead)
	for _, w := range operandWords {
		fmt.Fprintf(b, "| :%s | %s | %s |\n", w.name, w.after, w.doc)
	}
	for _, f := range rootFlags {
		after := "an intrinsic at the root"
		if f.tex {
			after = "a texture operation"
		}
		fmt.Fprintf(b, "| :%s | %s | %s |\n", f.name, after, f.doc)
	}
	b.WriteString(manualBody)
	for _, k := range messageKeys {
		fmt.Fprintf(b, "| %s | %s |\n", k.name, k.doc)
	}
	b.WriteString(manualRest)
	file := ""
	for _, r := range rows {
		if r.Pos.File != file {
			file = r.Pos.File
			fmt.Fprintf(b, "\n### %s\n\n", file)
		}
		writeRow(b, r)
	}
	return ctx.Out.Text("docs/selection.md", "<!-- ", l.files, b.Bytes())
}

func writeRow(b *bytes.Buffer, r *table.Row[rowDef]) {
	v := &r.Val
	fmt.Fprintf(b, "- **%s** `%s`", r.Name, oneLine(v.Find))
	switch {
	case v.Call != "":
		fmt.Fprintf(b, " → the method %s", strings.ReplaceAll(v.Call, "$", `\$`))
	case len(v.Place) > 0:
		fmt.Fprintf(b, " at `%s`", strings.Join(v.Place, "`, `"))
	default:
		fmt.Fprintf(b, " → `%s`", strings.Join(v.Emit, "`, `"))
	}
	for _, x := range []struct {
		word string
		list []string
	}{{"needs", v.Needs}, {"without", v.Without}, {"gives up", v.GivesUp}} {
		if len(x.list) > 0 {
			fmt.Fprintf(b, "; %s %s", x.word, strings.Join(x.list, ", "))
		}
	}
	if v.Undefined != "" {
		fmt.Fprintf(b, "; undefined if `%s`", v.Undefined)
	}
	if v.Doc != "" {
		fmt.Fprintf(b, ". %s", oneLine(v.Doc))
	}
	b.WriteString("\n")
}

// word is a word of the language of rows, for the manual.
type word struct{ name, after, doc string }

// operandWords lists the words after a variable or instruction that are not predicates. Only free changes which
// instructions match.
var operandWords = []word{
	{"mod", "a variable", "negations and magnitudes of the value become source modifiers"},
	{"abs", "a variable", "only magnitudes"},
	{"neg", "a variable", "only negations"},
	{"not", "a variable", "complements, for the logic opcodes"},
	{"imm", "a variable", "a constant may be an immediate; without it, it is in a register"},
	{"free", "an inner instruction", "it may be recomputed: others may read it, and it may be in another block"},
}

func isOperandWord(name string) bool {
	return slices.ContainsFunc(operandWords, func(w word) bool { return w.name == name })
}

// messageKeys lists the keys of messages.
var messageKeys = []word{
	{name: "space", doc: "the memory, if the message can access several: buffer, shared, private or image"},
	{name: "address, address64, header, surface", doc: "the role of the intrinsic's source that is this source of the message; " +
		"header needs row; surface can be image"},
	{name: "data", doc: "value for a write; data for an atomic, or compare,data if it has a comparand"},
	{name: "comps", doc: "the maximum number of components of one message, from 1 to 4; read, for images: " +
		"the components up to the last one that is read"},
	{name: "bytes", doc: "size for reads and writes: a message for each component of 8 or 16 bits; 4 or 8 for an atomic: " +
		"the size of its operand"},
	{name: "op", doc: "the index that selects the atomic: atomic_op, or texel_base together with the name of the intrinsic"},
	{name: "component", doc: "the only component of the sampler's response that is returned, from 0 to 3"},
	{name: "lod", doc: "a constant level of detail, if the operation takes one"},
}
