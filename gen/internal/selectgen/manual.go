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

A row [select.name] in a file below defs/intel/select says what a pattern of the shader's instructions is on the
machine. Rows are tried in order, from the end of the shader to its start; within a file and across files the more
specific one must come first.

find is a pattern, as in [rewrite rules](rules.md). Its root is an ALU opcode, an intrinsic, a texture operation (tex_txl
for example), or cond, which stands for the condition of an if and takes one bool. An instruction inside the pattern must have no other users and be in the
root's block.

Besides the predicates of the rules, these words restrict or extend what matches:

| word | after | meaning |
|---|---|---|
`

const manualBody = `
After an intrinsic or a texture operation, @ is the size of its result, or else of the value that it stores: (load_ssbo@8|16).

## Machine instructions

emit lists them, each as

    (~f0.any4h) op.sat.lt.f1:type dst src src

with an optional predicate, saturation, condition and flag. An operand is dst, a variable of find, a temporary t0 to t9,
null, acc0 or a number; -x negates, |x| takes the magnitude, ~x complements, x+2 starts 2 bytes later in each lane, x:uw
reads as another type. A type is one of the [machine's](machine.md), or float, int or uint, where the size of each
operand determines it. The instruction's type applies to all operands without their own.

The instructions must compute what find computes. Every row is tried on vectors at every size and with every modifier
that it folds, by the meanings of opcodes and machine instructions; make prove runs z3. gives_up lists what the machine
does not preserve of exact IEEE behavior, as in rewrite rules; undefined is a condition under which nothing is claimed;
allowed_by says why either is allowed.

## Messages

For an intrinsic or a texture operation, emit can be a logical message instead (defs/intel/message), the only thing that the row emits:

    msg.name[.operation] [dst|row] key=value …

dst is the result, a doubleword per lane for each component. row is that of a read of a uniform value, whose components
are side by side in one register or two. The operation is one of the sampler.

| key | value |
|---|---|
`

const manualRest = `
A row emits accesses only: a message that has an address, 32 or 64 bits of it or in a header, or is one of the sampler.

The parameters of the sampler are the sources of a texture operation, in the order of the operation's row; an operation that has ref
is for :shadow, and only for it. Components beyond
comps become messages of their own; so do runs of a write mask. A uniform read has eight lanes. Effects
of fragment shaders leave helper invocations out. None of this is said in rows.

## The thread's payload

payload says where an intrinsic is read in place: a value of an ABI (defs/intel/abi), whose components follow one another;
two parts of the payload, the second one for inputs that are interpolated without perspective; or a component of a slot
that has no location, slot.N.

## Methods

call names a method of the back end, which receives the instruction and the variables that args lists. doc says why the
row does not emit what it does itself. Tests compile these rows in isolation and run them on the model.

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

// word is a word of the language of rows.
type word struct{ name, after, doc string }

// operandWords are the words after a variable or instruction that are not predicates. All but free leave what matches
// as it is.
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

// messageKeys are the keys of messages, for the manual.
var messageKeys = []word{
	{name: "space", doc: "the memory, if the message works in several: buffer, shared, private or image"},
	{name: "address, address64, header, surface", doc: "a source of the message: the role of a source of the intrinsic; header is for a row, surface may be image"},
	{name: "data", doc: "value, of a write; data, of an atomic, or compare,data if it has a comparand"},
	{name: "comps", doc: "the most components of one message, from 1 to 4; or read, of an image, those up to the last one that is read"},
	{name: "bytes", doc: "size, of the value: a message for each component; or 4 or 8, of an atomic's operand"},
	{name: "op", doc: "the index of the intrinsic that names the atomic: atomic_op, or texel_base together with the intrinsic"},
	{name: "component", doc: "the only component of the sampler's response that is wanted, from 0 to 3"},
	{name: "lod", doc: "the level of detail, a number, if the operation has one"},
}
