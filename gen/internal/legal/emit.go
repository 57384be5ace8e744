package legal

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/selectgen"
)

// Generate loads, checks and emits.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(head)
	for i, s := range t.stages {
		typ := ""
		if i == 0 {
			typ = " Stage = iota"
		}
		fmt.Fprintf(&b, "\t%s%s // %s\n", irtab.Camel(s.Name), typ, s.Val.Doc)
	}
	if len(t.stages) == 0 {
		b.WriteString("\tNumStages Stage = 0\n")
	} else {
		b.WriteString("\t// NumStages is their number.\n\tNumStages\n")
	}
	b.WriteString(")\n\nvar stageNames = [NumStages]string{")
	for _, s := range t.stages {
		fmt.Fprintf(&b, "%q, ", s.Name)
	}
	b.WriteString("}\n" + types)
	for _, x := range t.bans {
		t.emitBan(&b, x)
	}
	b.WriteString("}\n\n// selected are the stages at which all must be gone that selection does not take.\nvar selected = [NumStages]bool{")
	for _, s := range t.stages {
		fmt.Fprintf(&b, "%v, ", s.Val.Selected)
	}
	b.WriteString("}\n\n// Selection is what rows of instruction selection take, on all machines and on some.\nvar Selection = [...]Taken{\n")
	for _, c := range t.selected {
		t.emitTaken(&b, c)
	}
	b.WriteString("}\n")
	return ctx.Out.Go("legal/legal.go", t.files, b.Bytes())
}

// emitTaken writes what rows take that hold on the same machines.
func (t *tables) emitTaken(b *bytes.Buffer, c *selectgen.Coverage) {
	fmt.Fprintf(b, "\t{Where: target.Where%s, Ops: []OpSizes{\n", c.Code())
	for _, o := range t.ops.Ops {
		if x := c.Ops[o.Name]; x.Out != 0 {
			fmt.Fprintf(b, "\t\t{op.%s, Operands%s},\n", o.GoName, operands(x.Out, x.Src))
		}
	}
	b.WriteString("\t}, Intrinsics: []intrinsic.ID{\n")
	for _, i := range t.ir.Intrinsics {
		if c.Intrinsics[i.Row.Name] {
			fmt.Fprintf(b, "\t\tintrinsic.%s,\n", irtab.Camel(i.Row.Name))
		}
	}
	b.WriteString("\t}},\n")
}

func (t *tables) emitBan(b *bytes.Buffer, x *ban) {
	v := &x.Val
	fmt.Fprintf(b, "\t{Name: %q, What: %q, From: %s", x.Name, v.What, irtab.Camel(v.From))
	if v.Unless != "" {
		fmt.Fprintf(b, ", Unless: target.%s", irtab.Camel(v.Unless))
	}
	if len(x.kinds) > 0 {
		var list []string
		for _, k := range x.kinds {
			list = append(list, "1<<kind."+irtab.Camel(k.Row.Name))
		}
		fmt.Fprintf(b, ", Kinds: %s", strings.Join(list, " | "))
	}
	if len(x.ops) > 0 {
		if v.Vectors {
			b.WriteString(", Vectors: true")
		}
		b.WriteString(", Ops: []OpSizes{\n")
		for _, o := range x.ops {
			x.emitOp(b, o)
		}
		b.WriteString("\t}")
	}
	if len(x.intrinsics) > 0 {
		sizes := pattern.AnySize
		if len(v.Sizes) > 0 {
			sizes = pattern.SizeSet(v.Sizes...)
		}
		fmt.Fprintf(b, ", Sizes: %#02x, Intrinsics: []intrinsic.ID{", uint8(sizes))
		for _, i := range x.intrinsics {
			fmt.Fprintf(b, "intrinsic.%s, ", irtab.Camel(i.Row.Name))
		}
		b.WriteString("}")
		if v.Index != "" {
			mask := uint32(0)
			for _, k := range x.values {
				mask |= 1 << k
			}
			fmt.Fprintf(b, ", Index: intrinsic.Ix%s, Values: %#x", irtab.Camel(v.Index), mask)
		}
	}
	b.WriteString("},\n")
}

// emitOp writes the sizes of an opcode that a ban takes away, if there are any.
func (x *ban) emitOp(b *bytes.Buffer, o *opcodes.Op) {
	if x.Val.Vectors {
		fmt.Fprintf(b, "\t\t{Op: op.%s},\n", o.GoName)
		return
	}
	out := x.banned(o.Out, sizesOf(o, o.Out))
	src := make([]pattern.Sizes, len(o.Srcs))
	any := out
	for i, s := range o.Srcs {
		src[i] = x.banned(s, sizesOf(o, s))
		any |= src[i]
	}
	if any != 0 {
		fmt.Fprintf(b, "\t\t{op.%s, %s},\n", o.GoName, "Operands"+operands(out, src))
	}
}

// sizesOf are the sizes that an operand of an opcode can have.
func sizesOf(o *opcodes.Op, x opcodes.Operand) pattern.Sizes {
	if x.Bits != 0 {
		return pattern.SizeSet(x.Bits)
	}
	return pattern.SizeSet(o.Sizes...)
}

func operands(out pattern.Sizes, src []pattern.Sizes) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{%#02x, [op.MaxSrc]op.Sizes{", uint8(out))
	for i, s := range src {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%#02x", uint8(s))
	}
	b.WriteString("}}")
	return b.String()
}

const head = `// Package legal says what may remain of a shader at the stages of its way to the
// machine: what is banned from a stage on, and what instruction selection takes.
package legal

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// Stage is a place in the pipeline of passes.
type Stage uint8

// The stages, in the order in which a shader comes to them.
const (
`

const types = `
func (s Stage) String() string { return stageNames[s] }

// Selected says whether all must be gone at a stage that instruction selection
// does not take.
func (s Stage) Selected() bool { return selected[s] }

// Operands are sets of sizes for the operands of an opcode.
type Operands struct {
	Out op.Sizes
	Src [op.MaxSrc]op.Sizes
}

// OpSizes is an opcode with sizes of its operands.
type OpSizes struct {
	Op op.Op
	Operands
}

// Taken is what instruction selection takes on some machines.
type Taken struct {
	target.Where
	Ops        []OpSizes
	Intrinsics []intrinsic.ID
}

// Ban is what must be gone from a stage on.
type Ban struct {
	Name, What string            // What completes: the target has no …
	From       Stage
	Unless     target.Capability // not for targets that have this; 0: for all
	Kinds      uint32            // a bit for each kind
	Vectors    bool              // of Ops, results of several components, at any size
	Ops        []OpSizes // with what must be gone
	Sizes      op.Sizes          // of the data of Intrinsics
	Intrinsics []intrinsic.ID
	Index      intrinsic.Index   // of the intrinsics, those with one of Values here
	Values     uint32            // a bit for each value; 0: all
}

// Bans are the rows.
var Bans = [...]Ban{
`
