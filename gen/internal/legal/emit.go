// SPDX-License-Identifier: MIT

package legal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/rules"
	"jacquard.example/gen/internal/selectgen"
	"jacquard.example/gen/internal/target"
)

// Generate loads, checks and emits.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	tab, err := rules.Load(ctx)
	if err != nil {
		return err
	}
	machines, err := target.Machines(ctx)
	if err != nil {
		return err
	}
	if err := t.closed(tab, machines); err != nil {
		return err
	}
	if err := ctx.Out.Code("legal/legal.go", t.files, t.source()); err != nil {
		return err
	}
	return ctx.Out.Code("legal/closure.go", slices.Concat(t.files, tab.Files), t.closure())
}

func (t *tables) source() *emit.File {
	f := emit.NewFile("legal", `Package legal holds the restrictions on a shader at the stages of lowering: the features
banned from a [Stage] on ([Bans]), on all targets or on targets without a capability, and
the operations that instruction selection accepts ([Selection], derived from its rows).
It is data alone; core/pass/legal does the checking. The bans are rows of
defs/intel/legal.`)
	var stages []emit.Name
	var names, selected []string
	for _, s := range t.stages {
		stages = append(stages, emit.Name{Name: irtab.Camel(s.Name), Doc: s.Val.Doc})
		names = append(names, strconv.Quote(s.Name))
		selected = append(selected, strconv.FormatBool(s.Val.Selected))
	}
	stages = append(stages, emit.Name{Name: "NumStages", Above: "NumStages is the number of stages."})
	f.Enum("Stage is a point in the pipeline of passes.", "Stage", "uint8", "The stages, in pipeline order.", stages)
	f.List("", "stageNames", "[NumStages]string", names)
	types(f)
	var bans, taken emit.Rows
	for _, x := range t.bans {
		t.emitBan(&bans, x)
	}
	f.Table("Bans lists the rows of defs/intel/legal in order.", "Bans", "[...]Ban", &bans)
	f.List("selected are the stages at which everything that selection does not match must be gone.", "selected", "[NumStages]bool",
		selected)
	for _, c := range t.selected {
		t.emitTaken(&taken, c)
	}
	f.Table("Selection lists the operations that the rows of instruction selection match, on all machines and on some.", "Selection",
		"[...]Taken", &taken)
	return f
}

// types writes the types of the rows.
func types(f *emit.File) {
	f.Returns("", "(s Stage) String() string", "stageNames[s]")
	f.Returns("Selected reports whether everything that instruction selection does not match\nmust be gone at a stage.",
		"(s Stage) Selected() bool", "selected[s]")
	f.Struct("Operands are sets of sizes for the operands of an opcode.", "Operands", `
		Out op.Sizes
		Src [op.MaxSrc]op.Sizes`)
	f.Struct("OpSizes is an opcode with sizes of its operands.", "OpSizes", `
		Op op.Op
		Operands`)
	f.Struct("Taken lists the operations that instruction selection matches on some machines.", "Taken", `
		target.Where
		Ops []OpSizes
		Intrinsics []intrinsic.ID`)
	f.Struct("Ban lists features that must be gone at a stage and after it.", "Ban", `
		Name, What string // What completes: the target has no …
		From Stage
		Unless target.Capability // does not apply to targets that have it; 0 applies to all
		Kinds uint32 // a bit for each kind
		Vectors bool // limits Ops to results of several components, at any size
		Ops []OpSizes // with the sizes that must be gone
		Sizes op.Sizes // sizes of the data of Intrinsics
		Intrinsics []intrinsic.ID
		Index intrinsic.Index // limits Intrinsics to accesses with an index in Values
		Values uint32 // a bit for each value; 0 means all`)
}

// emitTaken writes the operations that the rows of the same machines match.
func (t *tables) emitTaken(r *emit.Rows, c *selectgen.Coverage) {
	r.F("{Where: target.Where%s, Ops: []OpSizes{\n", c.Code())
	for _, o := range t.ops.Ops {
		if x := c.Ops[o.Name]; x.Out != 0 {
			r.F("{op.%s, Operands%s},\n", o.GoName, operands(x.Out, x.Src))
		}
	}
	r.F("}, Intrinsics: []intrinsic.ID{\n")
	for _, i := range t.ir.Intrinsics {
		if c.Intrinsics[i.Row.Name] {
			r.F("intrinsic.%s,\n", irtab.Camel(i.Row.Name))
		}
	}
	r.F("}},\n")
}

func (t *tables) emitBan(r *emit.Rows, x *ban) {
	v := &x.Val
	r.F("{Name: %q, What: %q, From: %s", x.Name, v.What, irtab.Camel(v.From))
	if v.Unless != "" {
		r.F(", Unless: target.%s", irtab.Camel(v.Unless))
	}
	var kinds []string
	for _, k := range x.kinds {
		kinds = append(kinds, "1<<kind."+irtab.Camel(k.Row.Name))
	}
	r.Set("Kinds", kinds)
	if len(x.ops) > 0 {
		if v.Vectors {
			r.F(", Vectors: true")
		}
		r.F(", Ops: []OpSizes{\n")
		for _, o := range x.ops {
			x.emitOp(r, o)
		}
		r.F("}")
	}
	if len(x.intrinsics) > 0 {
		sizes := pattern.AnySize
		if len(v.Sizes) > 0 {
			sizes = pattern.SizeSet(v.Sizes...)
		}
		r.F(", Sizes: %#02x, Intrinsics: []intrinsic.ID{", uint8(sizes))
		for _, i := range x.intrinsics {
			r.F("intrinsic.%s, ", irtab.Camel(i.Row.Name))
		}
		r.F("}")
		if v.Index != "" {
			mask := uint32(0)
			for _, k := range x.values {
				mask |= 1 << k
			}
			r.F(", Index: intrinsic.Ix%s, Values: %#x", irtab.Camel(v.Index), mask)
		}
	}
	r.F("},\n")
}

// emitOp writes the sizes of an opcode that a ban covers, if there are any.
func (x *ban) emitOp(r *emit.Rows, o *opcodes.Op) {
	if x.Val.Vectors {
		r.F("{Op: op.%s},\n", o.GoName)
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
		r.F("{op.%s, Operands%s},\n", o.GoName, operands(out, src))
	}
}

// sizesOf returns the sizes that an operand of an opcode can have.
func sizesOf(o *opcodes.Op, x opcodes.Operand) pattern.Sizes {
	if x.Bits != 0 {
		return pattern.SizeSet(x.Bits)
	}
	return pattern.SizeSet(o.Sizes...)
}

func operands(out pattern.Sizes, src []pattern.Sizes) string {
	var list []string
	for _, s := range src {
		list = append(list, fmt.Sprintf("%#02x", uint8(s)))
	}
	return fmt.Sprintf("{%#02x, [op.MaxSrc]op.Sizes{%s}}", uint8(out), strings.Join(list, ", "))
}
