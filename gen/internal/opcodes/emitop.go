package opcodes

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/eval"
)

// Generate is the generator's part: it loads the tables and writes the files.
func Generate(ctx *domain.Context) error {
	t, err := Load(ctx)
	if err != nil {
		return err
	}
	for _, emit := range []func(*domain.Context, *Table) error{emitEnum, emitTable, emitFold, emitDoc, emitSchema} {
		if err := emit(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

var baseNames = map[eval.Base]string{
	eval.Int: "Int", eval.Uint: "Uint", eval.Float: "Float", eval.Bool: "Bool", eval.Bits: "Bits",
}

// enumText is the part of generated/op that does not depend on the rows.
const enumText = `// Package op names the ALU opcodes and says what each takes and gives.
package op

// Base is the kind of number an operand holds.
type Base uint8

// The base types. Bits is any value of a width, taken as it is.
const (
	NoBase Base = iota
	Int
	Uint
	Float
	Bool
	Bits
)

var baseNames = [...]string{"none", "int", "uint", "float", "bool", "bits"}

// String returns the name a table uses.
func (b Base) String() string {
	if int(b) < len(baseNames) {
		return baseNames[b]
	}
	return "none"
}

// Operand is the type of a source or of the result.
type Operand struct {
	Base  Base
	Bits  uint8 // 0: the execution size, the same for all such operands
	Comps uint8 // 0: per component; otherwise exactly so many
}

// MaxSrc is the largest number of sources.
const MaxSrc = %d

// Info is what the tables say about an opcode.
type Info struct {
	Name   string
	Doc    string
	NumSrc uint8
	Src    [MaxSrc]Operand
	Out    Operand
	Sizes  Sizes // execution sizes; 0 when every operand has its own width
	Props  Props
	Kernel bool // no shader has it, only OpenCL kernels
}

// Has says whether the opcode has all the properties.
func (i *Info) Has(p Props) bool { return i.Props&p == p }

// Sizes is a set of widths.
type Sizes uint8

// The widths.
const (
	Size1 Sizes = 1 << iota
	Size8
	Size16
	Size32
	Size64
)

// SizeOf returns the set that holds only the width, or none.
func SizeOf(bits uint8) Sizes {
	switch bits {
	case 1:
		return Size1
	case 8:
		return Size8
	case 16:
		return Size16
	case 32:
		return Size32
	case 64:
		return Size64
	}
	return 0
}

// String returns the opcode's name, such as "iadd".
func (o Op) String() string {
	if o < Count {
		return Table[o].Name
	}
	return "op?"
}

// Info returns the opcode's row. The opcode must be valid.
func (o Op) Info() *Info { return &Table[o] }

// Valid says whether the opcode exists.
func (o Op) Valid() bool { return o < Count }

// ByName finds an opcode.
func ByName(name string) (Op, bool) {
	lo, hi := 0, len(sorted)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if Table[sorted[mid]].Name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(sorted) && Table[sorted[lo]].Name == name {
		return sorted[lo], true
	}
	return 0, false
}
`

func emitEnum(ctx *domain.Context, t *Table) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, enumText, MaxSrc)
	b.WriteString("\n// Props are an opcode's properties.\ntype Props uint16\n\n// The properties.\nconst (\n")
	for i, p := range props {
		typ := ""
		if i == 0 {
			typ = " Props = 1 << iota"
		}
		fmt.Fprintf(&b, "%s%s // %s\n", p.goName, typ, p.doc)
	}
	b.WriteString(")\n\n// Op is an ALU opcode. The numbers follow the tables and mean nothing outside a\n// process: files hold names.\ntype Op uint16\n\n// The opcodes.\nconst (\n")
	for i, o := range t.Ops {
		typ := ""
		if i == 0 {
			typ = " Op = iota"
		}
		fmt.Fprintf(&b, "%s%s // %s\n", o.GoName, typ, o.Doc)
	}
	b.WriteString("\n// Count is the number of opcodes.\nCount\n)\n")
	return ctx.Out.Go("op/op.go", t.Files, b.Bytes())
}

func emitTable(ctx *domain.Context, t *Table) error {
	var b bytes.Buffer
	b.WriteString("package op\n\n// Table holds the row of every opcode.\nvar Table = [Count]Info{\n")
	operand := func(o Operand) string {
		return fmt.Sprintf("{%s, %d, %d}", baseNames[o.Base], o.Bits, o.Comps)
	}
	for _, o := range t.Ops {
		fmt.Fprintf(&b, "%s: {Name: %s, Doc: %s, NumSrc: %d, Src: [MaxSrc]Operand{", o.GoName, strconv.Quote(o.Name), strconv.Quote(o.Doc), len(o.Srcs))
		for i, s := range o.Srcs {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(operand(s))
		}
		fmt.Fprintf(&b, "}, Out: Operand%s", operand(o.Out))
		for i, n := range o.Sizes {
			b.WriteString([]string{", Sizes: ", " | "}[min(i, 1)])
			fmt.Fprintf(&b, "Size%d", n)
		}
		n := 0
		for _, p := range props {
			if o.Has(p.name) {
				b.WriteString([]string{", Props: ", " | "}[min(n, 1)])
				b.WriteString(p.goName)
				n++
			}
		}
		if o.Kernel != "" {
			b.WriteString(", Kernel: true")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n// sorted holds the opcodes in the order of their names.\nvar sorted = [Count]Op{\n")
	names := append([]*Op(nil), t.Ops...)
	sort.Slice(names, func(i, j int) bool { return names[i].Name < names[j].Name })
	for i, o := range names {
		fmt.Fprintf(&b, "%s,", o.GoName)
		if i%8 == 7 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("}\n")
	return ctx.Out.Go("op/table.go", t.Files, b.Bytes())
}
