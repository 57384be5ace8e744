package spirvgen

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/domain"
)

// Generate writes generated/spirvtab.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	c := &compiler{t: t, familyOf: map[string]int{}, constOf: map[constant]int{}, index: map[string]int{}}
	ops := emitOps(t, c)
	glsl := emitGLSL(t, c)
	lists := emitEnums(t)
	programs := emitPrograms(c)
	if err := t.errs.Err(); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		body []byte
	}{{"ops.go", ops}, {"glsl.go", glsl}, {"enums.go", lists}, {"programs.go", programs}} {
		if err := ctx.Out.Go("spirvtab/"+f.name, t.files, f.body); err != nil {
			return err
		}
	}
	return nil
}

const opsHead = `// Package spirvtab holds the numbers of SPIR-V: opcodes and how their words are
// laid out, the extended instruction set GLSL.std.450, capabilities, builtins,
// decorations, storage classes and execution modes, each with its name and with
// what the reader does with it.
package spirvtab

// Op describes an opcode.
type Op struct {
	Name      string
	Num       uint16
	Read      bool   // the reader accepts it
	HasType   bool   // word 1 is a type id
	HasResult bool   // then comes the result id
	Min       uint8  // words that it has at least
	Layout    string // the other words: i id, l literal, s string, w checked elsewhere; behind ? may be missing, * repeats
	Category  Category
	Args      uint8    // operands that Program takes
	Program   [2]uint8 // 1 + what it becomes: [0] the result, or with [1] the two members of the result
	Atomic    uint8    // 1 + the IR's atomic operation
	Reduce    uint8    // 1 + the IR's reduction
}

// Category is the section of the specification that describes an opcode.
type Category uint8

`

func emitOps(t *tables, c *compiler) []byte {
	var b bytes.Buffer
	b.WriteString(opsHead)
	cats := map[string]int{}
	var order []string
	for _, r := range t.ops {
		if k := r.Val.Category; k != "" && len(r.Val.Operands) >= 0 {
			if _, ok := cats[k]; !ok {
				cats[k] = len(cats) + 1
				order = append(order, k)
			}
		}
	}
	b.WriteString("// The categories.\nconst (\nCategoryNone Category = iota\n")
	for _, k := range order {
		fmt.Fprintf(&b, "Category%s\n", strings.ToUpper(k[:1])+k[1:])
	}
	b.WriteString(")\n\n// The opcodes that the reader accepts.\nconst (\n")
	for _, r := range t.ops {
		if r.Val.Category != "" {
			fmt.Fprintf(&b, "Op%s = %d\n", r.Name, r.Val.Num)
		}
	}
	b.WriteString(")\n\n// Ops are all opcodes known by name, sorted by number.\nvar Ops = [...]Op{\n")
	for _, r := range t.ops {
		v := &r.Val
		fmt.Fprintf(&b, "{Name: %q, Num: %d", "Op"+r.Name, v.Num)
		if v.Category != "" {
			l := t.layout(r)
			fmt.Fprintf(&b, ", Read: true, HasType: %v, HasResult: %v, Min: %d, Layout: %q, Category: Category%s", l.hasType, l.hasResult, l.min, l.text, strings.ToUpper(v.Category[:1])+v.Category[1:])
			args := strings.Count(l.text, "i")
			parts := v.Parts
			if v.To != "" {
				parts = []string{v.To}
			}
			if len(parts) > 0 {
				fmt.Fprintf(&b, ", Args: %d, Program: [2]uint8{%s}", args, t.programs(c, r.At("to"), r.Full, parts, args))
			}
			if v.Atomic != "" {
				fmt.Fprintf(&b, ", Atomic: %d", t.enumValue(r.At("atomic"), r.Full, "atomic_op", v.Atomic)+1)
			}
			if v.Reduce != "" {
				fmt.Fprintf(&b, ", Reduce: %d", t.enumValue(r.At("reduce"), r.Full, "reduction_op", v.Reduce)+1)
			}
		} else if len(v.Operands) > 0 || v.To != "" || len(v.Parts) > 0 {
			t.errs.Addf(r.Pos, r.Full, "category is missing; without one the opcode is refused and has only a number")
		}
		b.WriteString("},\n")
	}
	b.WriteString(`}

// direct are the rows of Ops by small number, plus 1.
var direct = func() (d [512]uint16) {
	for i := range Ops {
		if n := Ops[i].Num; int(n) < len(d) {
			d[n] = uint16(i + 1)
		}
	}
	return d
}()

// Lookup returns the row of an opcode, nil when the number is unknown.
func Lookup(num uint16) *Op {
	if int(num) < len(direct) {
		if i := direct[num]; i != 0 {
			return &Ops[i-1]
		}
		return nil
	}
	lo, hi := 0, len(Ops)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if Ops[mid].Num < num {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(Ops) && Ops[lo].Num == num {
		return &Ops[lo]
	}
	return nil
}
`)
	return b.Bytes()
}

func emitGLSL(t *tables, c *compiler) []byte {
	var b bytes.Buffer
	b.WriteString(`package spirvtab

// Ext describes an instruction of GLSL.std.450.
type Ext struct {
	Name    string
	Num     uint16
	Read    bool // the reader accepts it
	Code    bool // the reader has code for it
	Store   bool // Program[1] is stored through the pointer that is operand 1
	Wide    bool // 16-bit floats are computed with 32 bits
	Args    uint8
	Program [2]uint8 // as in Op
}

// Instructions for which the reader has code.
const (
`)
	for _, r := range t.glsl {
		if r.Val.Code {
			fmt.Fprintf(&b, "GLSL%s = %d\n", r.Name, r.Val.Num)
		}
	}
	b.WriteString(")\n\n// GLSL are the instructions, sorted by number.\nvar GLSL = [...]Ext{\n")
	for _, r := range t.glsl {
		v := &r.Val
		fmt.Fprintf(&b, "{Name: %q, Num: %d", r.Name, v.Num)
		if v.Args > 0 {
			fmt.Fprintf(&b, ", Read: true, Args: %d", v.Args)
			parts := v.Parts
			if v.To != "" {
				parts = []string{v.To}
			}
			args := v.Args
			if v.Store {
				args--
				b.WriteString(", Store: true")
			}
			if v.Wide {
				b.WriteString(", Wide: true")
				if v.Store || v.To == "" {
					t.errs.Addf(r.At("wide"), r.Full, "wide: needs to")
				}
			}
			switch {
			case v.Code:
				b.WriteString(", Code: true")
			case len(parts) == 0:
				t.errs.Addf(r.Pos, r.Full, "needs to, parts or code")
			default:
				fmt.Fprintf(&b, ", Program: [2]uint8{%s}", t.programs(c, r.At("to"), r.Full, parts, args))
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString(`}

// LookupGLSL returns the row of an instruction, nil when the number is unknown.
func LookupGLSL(num uint32) *Ext {
	for i := min(int(num), len(GLSL)) - 1; i >= 0; i-- {
		if GLSL[i].Num == uint16(num) {
			return &GLSL[i]
		} else if uint32(GLSL[i].Num) < num {
			break
		}
	}
	return nil
}
`)
	return b.Bytes()
}

func emitEnums(t *tables) []byte {
	var b bytes.Buffer
	b.WriteString(`package spirvtab

// Value is a value of one of SPIR-V's enumerations.
type Value struct {
	Name string
	Num  uint32
	Read bool   // the reader accepts it and acts on it
	Skip bool   // the reader accepts it; it changes nothing
	To   uint32 // what it is in the IR: an intrinsic, a mode, a stage; 0: nothing
	// Stages has a bit for each stage of which a builtin can be an input; 0: all.
	Stages uint32
}

// Enum is one of SPIR-V's enumerations, sorted by number.
type Enum []Value

// Lookup returns the row of a value, nil when the number is unknown.
func (e Enum) Lookup(num uint32) *Value {
	if int(num) < len(e) && e[num].Num == num {
		return &e[num]
	}
	lo, hi := 0, len(e)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if e[mid].Num < num {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(e) && e[lo].Num == num {
		return &e[lo]
	}
	return nil
}
`)
	for _, e := range enums {
		rows := t.enums[e.family]
		fmt.Fprintf(&b, "\n// Numbers of %s.\nconst (\n", e.doc[strings.IndexByte(e.doc, ' ')+1:]+"s the reader knows what to do with")
		for _, r := range rows {
			if r.Val.Read || r.Val.Use != "" || r.Val.To != "" {
				fmt.Fprintf(&b, "%s%s = %d\n", e.prefix, r.Name, r.Val.Num)
			}
		}
		fmt.Fprintf(&b, ")\n\n// %s are all of that enumeration known by name.\nvar %s = Enum{\n", e.goName, e.goName)
		for _, r := range rows {
			v := &r.Val
			fmt.Fprintf(&b, "{Name: %q, Num: %d", r.Name, v.Num)
			if v.Read || v.Use == "read" || v.To != "" {
				b.WriteString(", Read: true")
			}
			switch v.Use {
			case "", "read":
			case "ignored":
				b.WriteString(", Read: true, Skip: true")
			default:
				t.errs.Addf(r.At("use"), r.Full, "use: %q is neither read nor ignored", v.Use)
			}
			if v.To != "" {
				to := 0
				switch e.family {
				case "builtin":
					to = t.intrinsicNum(r.At("to"), r.Full, v.To)
				case "storage":
					to = t.enumValue(r.At("to"), r.Full, "mode", v.To)
				case "model":
					to = t.enumValue(r.At("to"), r.Full, "stage", v.To)
				case "mode":
					to = t.enumValue(r.At("to"), r.Full, "stage_mode", v.To)
				case "decoration":
					to = t.enumValue(r.At("to"), r.Full, "qualifier", v.To)
				case "dim":
					to = t.enumValue(r.At("to"), r.Full, "image_dim", v.To)
				case "image_format":
					to = t.enumValue(r.At("to"), r.Full, "format", v.To)
				default:
					t.errs.Addf(r.At("to"), r.Full, "to: rows of this family have none")
				}
				fmt.Fprintf(&b, ", To: %d", to)
			}
			if len(v.Stages) > 0 {
				set := 0
				for _, s := range v.Stages {
					set |= 1 << t.enumValue(r.At("stages"), r.Full, "stage", s)
				}
				fmt.Fprintf(&b, ", Stages: %#x", set)
			}
			b.WriteString("},\n")
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

func emitPrograms(c *compiler) []byte {
	var b bytes.Buffer
	if len(c.programs) > 255 {
		c.t.errs.Addf(c.t.ops[0].Pos, "", "more than 255 different programs")
	}
	b.WriteString(`package spirvtab

// NodeKind says what a step of a program is.
type NodeKind uint8

// The kinds of steps.
const (
	NodeArg   NodeKind = iota // an operand of the instruction
	NodeOp                    // an ALU operation on earlier steps
	NodeConst                 // a constant of the size of operand 0
)

// Pick says how a step finds its ALU opcode.
type Pick uint8

// The ways.
const (
	PickFixed Pick = iota // Op is the opcode
	PickBits              // Families[Op], by the bits of the instruction's result: 8, 16, 32, 64
	PickComps             // Families[Op], by the components of the first source: 1 to 4
)

// Node is a step of a program.
type Node struct {
	Kind NodeKind
	Pick Pick
	NSrc uint8
	Arg  uint8    // NodeArg: which operand
	Bits uint8    // NodeArg: bring an integer to this size; 0: as it is
	Signed bool // NodeArg: the integer is signed; one that does not fit in Bits saturates
	Swz  string   // NodeArg: components; "": all
	Op   uint16   // NodeOp
	Imm  uint16   // NodeConst: row of Constants
	Src  [4]uint8 // NodeOp: earlier steps of the program
}

// Program is an expression over the operands of an instruction; its last step
// is the result.
type Program struct {
	Args  uint8
	Plain uint16 // 1 + the ALU opcode, when the program is just that
	Nodes []Node
}

// Constant is a float at each size.
type Constant struct {
	F16 uint16
	F32 uint32
	F64 uint64
}

// Constants are the literals of the programs.
var Constants = [...]Constant{
`)
	for _, k := range c.constants {
		fmt.Fprintf(&b, "{%#x, %#x, %#x},\n", k.f16, k.f32, k.f64)
	}
	b.WriteString("}\n\n// Families are opcodes plus 1 that differ in size; 0: there is none.\nvar Families = [...][4]uint16{\n")
	for _, f := range c.families {
		fmt.Fprintf(&b, "{%d, %d, %d, %d},\n", f[0], f[1], f[2], f[3])
	}
	b.WriteString("}\n\n// Programs are what opcodes and extended instructions become.\nvar Programs = [...]Program{\n")
	for _, p := range c.programs {
		fmt.Fprintf(&b, "{Args: %d, ", p.args)
		if n := len(p.nodes) - 1; n == p.args && p.nodes[n].kind == nodeOp && p.nodes[n].pick == pickFixed && inOrder(p.nodes[n].src) {
			fmt.Fprintf(&b, "Plain: %d, ", p.nodes[n].op+1)
		}
		b.WriteString("Nodes: []Node{\n")
		for _, n := range p.nodes {
			switch n.kind {
			case nodeArg:
				fmt.Fprintf(&b, "{Kind: NodeArg, Arg: %d, Bits: %d, Signed: %t, Swz: %q},\n", n.arg, n.bits, n.signed, n.swizzle)
			case nodeConst:
				fmt.Fprintf(&b, "{Kind: NodeConst, Imm: %d},\n", n.imm)
			case nodeOp:
				fmt.Fprintf(&b, "{Kind: NodeOp, Pick: %d, Op: %d, NSrc: %d, Src: [4]uint8{%s}},\n", n.pick, n.op, len(n.src), join(n.src))
			}
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}

func inOrder(src []int) bool {
	for i, s := range src {
		if s != i {
			return false
		}
	}
	return true
}

func join(xs []int) string {
	var parts []string
	for _, x := range xs {
		parts = append(parts, fmt.Sprint(x))
	}
	return strings.Join(parts, ", ")
}
