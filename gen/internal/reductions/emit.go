// SPDX-License-Identifier: MIT

package reductions

import (
	"fmt"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// Generate loads, checks and emits.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	if err := ctx.Out.Code("reduction/reduction.go", t.files, t.source()); err != nil {
		return err
	}
	return ctx.Out.Code("intel/scan/scan.go", t.files, t.forms())
}

func (x *reduction) constantName() string { return "kind.Reduce" + irtab.Camel(x.Name) }

func (t *tables) source() *emit.File {
	f := emit.NewFile("reduction", `Package reduction describes the reductions and scans of a subgroup ([Of]): the opcode that
combines two values, its identity, and the result for equal values. Passes, the interpreter and
instruction selection use it, so that a row adds a reduction to all of them. The rows are in defs/ir/reductions.toml.`)
	f.Enum("Equal is the result of a reduction of equal values.", "Equal", "uint8", "The values of Equal.", []emit.Name{
		{Name: "Varies", Doc: "none of the others"}, {Name: "Same", Doc: "the value"}, {Name: "Once", Doc: "the result for two of them"},
		{Name: "Times", Doc: "the value times their number"},
	})
	f.Struct("Info describes a reduction.", "Info", `
		Op op.Op // combines two values
		Data op.Base // the kind of the numbers
		Equal Equal
		Scan bool // machines combine values in registers; without it, shuffles do
		units [5]uint64 // the identity at 1, 8, 16, 32 and 64 bits`)
	f.Returns("Of returns the description of a reduction.", "Of(r kind.ReductionOp) *Info", "&infos[r]")
	f.Returns("Unit returns the identity of the operation as the bit pattern of a value of that many bits:\n"+
		"combining it with a value returns the value.",
		"(i *Info) Unit(size uint8) uint64", "i.units[bits.Len8(size>>3)]")
	var rows emit.Rows
	for _, x := range t.list {
		equal := "Varies"
		if x.Val.Equal != "" {
			equal = irtab.Camel(x.Val.Equal)
		}
		var units []string
		for _, size := range []int{1, 8, 16, 32, 64} {
			u := x.identity[size]
			if size == 1 {
				u = x.identity[8] & 1
			}
			units = append(units, fmt.Sprintf("%#x", u))
		}
		rows.F("%s: {op.%s, op.%s, %s, %v, [5]uint64{%s}},\n",
			x.constantName(), x.op.GoName, irtab.Camel(x.Val.Data), equal, x.Val.Scan != "", strings.Join(units, ", "))
	}
	f.Table("", "infos", "[...]Info", &rows)
	return f
}

func (t *tables) forms() *emit.File {
	f := emit.NewFile("scan", `Package scan holds the instructions that combine two values of a reduction or scan in
registers ([Of]): selection places them on lanes that are steps apart. Reductions without a form are
lowered to shuffles before selection. The rows are in defs/ir/reductions.toml.`)
	f.Struct("Form describes the combination of two values.", "Form", `
		Op isa.Op
		CMod isa.CMod // condition of a sel that picks one of them
		Multiply bool // used instead of Op: the low half of a product, in pieces`)
	f.Func("Of returns the form of a reduction, or nil if values are not combined in registers.", "Of(r kind.ReductionOp) *Form",
		emit.If("int(r) >= len(forms) || forms[r] == (Form{})", emit.Return("nil")),
		emit.Return("&forms[r]"))
	var rows emit.Rows
	for _, x := range t.list {
		switch {
		case x.Val.Scan == multiply:
			rows.F("%s: {Multiply: true},\n", x.constantName())
		case x.inst != "" && x.cmod != "":
			rows.F("%s: {Op: isa.%s, CMod: isa.%s},\n", x.constantName(), t.machine.Ops[x.inst].Go, t.machine.CMods[x.cmod])
		case x.inst != "":
			rows.F("%s: {Op: isa.%s},\n", x.constantName(), t.machine.Ops[x.inst].Go)
		}
	}
	f.Table("", "forms", "[...]Form", &rows)
	return f
}
