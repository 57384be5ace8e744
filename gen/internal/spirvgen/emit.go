// SPDX-License-Identifier: MIT

package spirvgen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// Generate writes generated/spirvtab.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	c := &compiler{t: t, familyOf: map[string]int{}, constOf: map[constant]int{}, index: map[string]int{}, said: map[string]bool{}}
	ops := emitOps(t, c)
	glsl := emitGLSL(t, c)
	lists := emitEnums(t)
	programs := emitPrograms(c)
	if err := t.errs.Err(); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		file *emit.File
	}{{"ops.go", ops}, {"glsl.go", glsl}, {"enums.go", lists}, {"programs.go", programs}} {
		if err := ctx.Out.Code("spirvtab/"+f.name, t.files, f.file); err != nil {
			return err
		}
	}
	return nil
}

// category returns the constant of a section of the specification.
func category(name string) string { return "Category" + strings.ToUpper(name[:1]) + name[1:] }

func emitOps(t *tables, c *compiler) *emit.File {
	f := emit.NewFile("spirvtab", `Package spirvtab holds the numbers of SPIR-V: opcodes and how their words are laid
out, the extended instruction set [GLSL], [Capabilities], [Builtins], [Decorations],
storage classes and execution modes, each with its name and its treatment by the
reader. Numbers known by name only are included, so that an error can name what is not
supported. An arithmetic opcode has a [Program], an expression of ALU operations. The rows
are in defs/spirv; core/spirv reads modules by them. It depends on nothing.`)
	f.Struct("Op describes an opcode.", "Op", `
		Name string
		Num uint16
		Read bool // the reader accepts it
		HasType bool // word 1 is a type id
		HasResult bool // the result id follows
		Min uint8 // minimum number of words
		IDs uint8 // ids that Layout begins with, none of which may be missing
		Plain uint16 // the number of words before the first one, after these, that is an id or begins a string
		Layout string // the other words: i id, l literal, s string, w checked elsewhere; those after ? may be missing, * repeats
		Category Category
		Args uint8 // operands that Program takes
		Program [2]uint8 // 1 + the index of its program: [0] the result, or with [1] the two members of the result
		Atomic uint8 // 1 + the IR's atomic operation
		Reduce uint8 // 1 + the IR's reduction`)
	categories, numbers := []emit.Name{{Name: "CategoryNone"}}, []emit.Name(nil)
	seen := map[string]bool{}
	var rows emit.Rows
	for _, r := range t.ops {
		v := &r.Val
		if v.Category != "" {
			if !seen[v.Category] {
				seen[v.Category] = true
				categories = append(categories, emit.Name{Name: category(v.Category)})
			}
			numbers = append(numbers, emit.Name{Name: "Op" + r.Name, Is: fmt.Sprintf("= %d", v.Num)})
		}
		opRow(&rows, t, c, r)
	}
	f.Enum("Category is the section of the specification that describes an opcode.", "Category", "uint8", "The categories.", categories)
	f.Consts("The opcodes that the reader accepts.", numbers)
	f.Table("Ops are all opcodes known by name, sorted by number.", "Ops", "[...]Op", &rows)
	f.Comment("direct holds the rows of small numbers.")
	f.Add(jen.Var().Id("direct").Op("=").Func().Add(emit.Go("() (d [512]*Op)")).Block(
		emit.For("i := range Ops",
			emit.If("n := Ops[i].Num; int(n) < len(d)", emit.Go("d[n] = &Ops[i]"))),
		emit.Return("d")).Call())
	f.Func("Lookup returns the row of an opcode, or nil when the number is unknown.", "Lookup(num uint16) *Op",
		emit.If("int(num) < len(direct)", emit.Return("direct[num]")),
		emit.Return("search(num)"))
	f.Func("search is Lookup for any number.", "search(num uint16) *Op",
		emit.Search("len(Ops)", func(at string) string { return "Ops[" + at + "].Num" }, "num", "&Ops[lo]", "nil")...)
	return f
}

func opRow(b *emit.Rows, t *tables, c *compiler, r *table.Row[opcodeRow]) {
	v := &r.Val
	b.F("{Name: %q, Num: %d", "Op"+r.Name, v.Num)
	if v.Category != "" {
		l := t.layout(r)
		b.F(", Read: true, HasType: %v, HasResult: %v, Min: %d, IDs: %d, Plain: %d, Layout: %q, Category: %s",
			l.hasType, l.hasResult, l.min, l.ids, l.plain(), l.text, category(v.Category))
		args := strings.Count(l.text, "i")
		parts := v.Parts
		if v.To != "" {
			parts = []string{v.To}
		}
		if len(parts) > 0 {
			b.F(", Args: %d, Program: [2]uint8{%s}", args, t.programs(c, r.At("to"), r.Full, parts, args))
		}
		if v.Atomic != "" {
			b.F(", Atomic: %d", t.enumValue(r.At("atomic"), r.Full, "atomic_op", v.Atomic)+1)
		}
		if v.Reduce != "" {
			b.F(", Reduce: %d", t.enumValue(r.At("reduce"), r.Full, "reduction_op", v.Reduce)+1)
		}
	} else if len(v.Operands) > 0 || v.To != "" || len(v.Parts) > 0 {
		t.errs.Addf(r.Pos, r.Full, "category is missing; without one the opcode is refused and has only a number")
	}
	b.F("},\n")
}

func emitGLSL(t *tables, c *compiler) *emit.File {
	f := emit.NewFile("spirvtab", "")
	f.Struct("Ext describes a GLSL.std.450 instruction.", "Ext", `
		Name string
		Num uint16
		Read bool // the reader accepts it
		Code bool // implemented in the reader's code
		Store bool // Program[1] is stored through the pointer that is operand 1
		Wide bool // 16-bit floats are computed at 32 bits
		Args uint8
		Program [2]uint8 // as in Op`)
	var numbers []emit.Name
	var rows emit.Rows
	for _, r := range t.glsl {
		if r.Val.Code {
			numbers = append(numbers, emit.Name{Name: "GLSL" + r.Name, Is: fmt.Sprintf("= %d", r.Val.Num)})
		}
		extRow(&rows, t, c, r)
	}
	f.Consts("Instructions for which the reader has code.", numbers)
	f.Table("GLSL are the instructions, sorted by number.", "GLSL", "[...]Ext", &rows)
	f.Func("LookupGLSL returns the row of an instruction, or nil when the number is unknown.", "LookupGLSL(num uint32) *Ext",
		emit.For("i := min(int(num), len(GLSL)) - 1; i >= 0; i--",
			emit.If("GLSL[i].Num == uint16(num)", emit.Return("&GLSL[i]")).Else().Add(
				emit.If("uint32(GLSL[i].Num) < num", emit.Go("break")))),
		emit.Return("nil"))
	return f
}

func extRow(b *emit.Rows, t *tables, c *compiler, r *table.Row[glslRow]) {
	v := &r.Val
	b.F("{Name: %q, Num: %d", r.Name, v.Num)
	if v.Args > 0 {
		b.F(", Read: true, Args: %d", v.Args)
		parts := v.Parts
		if v.To != "" {
			parts = []string{v.To}
		}
		args := v.Args
		if v.Store {
			args--
			b.F(", Store: true")
		}
		if v.Wide {
			b.F(", Wide: true")
			if v.Store || v.To == "" {
				t.errs.Addf(r.At("wide"), r.Full, "wide: requires to")
			}
		}
		switch {
		case v.Code:
			b.F(", Code: true")
		case len(parts) == 0:
			t.errs.Addf(r.Pos, r.Full, "one of to, parts and code is required")
		default:
			b.F(", Program: [2]uint8{%s}", t.programs(c, r.At("to"), r.Full, parts, args))
		}
	}
	b.F("},\n")
}

func emitEnums(t *tables) *emit.File {
	f := emit.NewFile("spirvtab", "")
	f.Struct("Value is a value of one of SPIR-V's enumerations.", "Value", `
		Name string
		Num uint32
		Read bool // the reader accepts it and acts on it
		Skip bool // the reader accepts it; it changes nothing
		To uint32 // its equivalent in the IR: an intrinsic, a mode, a stage; 0 if none
		// Stages has a bit for each stage of which a builtin can be an input; 0 means all.
		Stages uint32`)
	f.Type("Enum is one of SPIR-V's enumerations, sorted by number.", "Enum", "[]Value")
	f.Func("Lookup returns the row of a value, or nil when the number is unknown.", "(e Enum) Lookup(num uint32) *Value",
		append([]jen.Code{emit.If("int(num) < len(e) && e[num].Num == num", emit.Return("&e[num]"))},
			emit.Search("len(e)", func(at string) string { return "e[" + at + "].Num" }, "num", "&e[lo]", "nil")...)...)
	for _, e := range enums {
		var numbers []emit.Name
		var rows emit.Rows
		for _, r := range t.enums[e.family] {
			if r.Val.Read || r.Val.Use != "" || r.Val.To != "" {
				numbers = append(numbers, emit.Name{Name: e.prefix + r.Name, Is: fmt.Sprintf("= %d", r.Val.Num)})
			}
			valueRow(&rows, t, e.family, r)
		}
		f.Consts("Numbers of "+e.doc[strings.IndexByte(e.doc, ' ')+1:]+"s that the reader handles.", numbers)
		f.Table(e.goName+" are all values of that enumeration known by name.", e.goName, "Enum", &rows)
	}
	return f
}

// toEnums are the IR's enumerations for values of to, by family.
var toEnums = map[string]string{
	"storage": "mode", "model": "stage", "mode": "stage_mode", "decoration": "qualifier", "dim": "image_dim", "image_format": "format",
}

func valueRow(b *emit.Rows, t *tables, family string, r *table.Row[enumRow]) {
	v := &r.Val
	b.F("{Name: %q, Num: %d", r.Name, v.Num)
	if v.Read || v.Use == "read" || v.To != "" {
		b.F(", Read: true")
	}
	if v.Use == "ignored" {
		b.F(", Read: true, Skip: true")
	}
	if v.To != "" {
		to := 0
		switch enum := toEnums[family]; {
		case family == "builtin":
			to = t.intrinsicNum(r.At("to"), r.Full, v.To)
		case enum != "":
			to = t.enumValue(r.At("to"), r.Full, enum, v.To)
		default:
			t.errs.Addf(r.At("to"), r.Full, "to: not allowed in rows of this family")
		}
		b.F(", To: %d", to)
	}
	if len(v.Stages) > 0 {
		set := 0
		for _, s := range v.Stages {
			set |= 1 << t.enumValue(r.At("stages"), r.Full, "stage", s)
		}
		b.F(", Stages: %#x", set)
	}
	b.F("},\n")
}

func emitPrograms(c *compiler) *emit.File {
	if len(c.programs) > 255 {
		c.t.errs.Addf(c.t.ops[0].Pos, "", "more than 255 different programs")
	}
	f := emit.NewFile("spirvtab", "")
	f.Enum("NodeKind is the kind of a step of a program.", "NodeKind", "uint8", "The kinds of steps.", []emit.Name{
		{Name: "NodeArg", Doc: "an operand of the instruction"},
		{Name: "NodeOp", Doc: "an ALU operation on earlier steps"},
		{Name: "NodeConst", Doc: "a constant of the size of operand 0"},
	})
	f.Enum("Pick is the way in which a step selects its ALU opcode.", "Pick", "uint8", "The ways.", []emit.Name{
		{Name: "PickFixed", Doc: "Op is the opcode"},
		{Name: "PickBits", Doc: "Families[Op], by the bits of the instruction's result: 8, 16, 32, 64"},
		{Name: "PickComps", Doc: "Families[Op], by the components of the first source: 1 to 4"},
	})
	f.Struct("Node is a step of a program.", "Node", `
		Kind NodeKind
		Pick Pick
		NSrc uint8
		Arg uint8 // NodeArg: which operand
		Bits uint8 // NodeArg: convert an integer to this size; 0 means no conversion
		Signed bool // NodeArg: the integer is signed, and saturates if it does not fit in Bits
		Swz string // NodeArg: components; "" means all
		Op uint16 // NodeOp
		Imm uint16 // NodeConst: row of Constants
		Src [4]uint8 // NodeOp: earlier steps of the program`)
	f.Struct("Program is an expression over the operands of an instruction; its last step\nis the result.", "Program", `
		Args uint8
		Plain uint16 // 1 + the ALU opcode, if the program is only that
		Nodes []Node`)
	f.Struct("Constant is a float at each size.", "Constant", `
		F16 uint16
		F32 uint32
		F64 uint64`)
	var constants, families, programs emit.Rows
	for _, k := range c.constants {
		constants.F("{%#x, %#x, %#x},\n", k.f16, k.f32, k.f64)
	}
	for _, x := range c.families {
		families.F("{%d, %d, %d, %d},\n", x[0], x[1], x[2], x[3])
	}
	for _, p := range c.programs {
		programRow(&programs, p)
	}
	f.Table("Constants holds the literals of the programs.", "Constants", "[...]Constant", &constants)
	f.Table("Families holds opcodes plus 1 that differ only in size; 0: there is none.", "Families", "[...][4]uint16", &families)
	f.Table("Programs holds the programs of opcodes and extended instructions.", "Programs", "[...]Program", &programs)
	return f
}

func programRow(b *emit.Rows, p program) {
	b.F("{Args: %d, ", p.args)
	if n := len(p.nodes) - 1; n == p.args && p.nodes[n].kind == nodeOp && p.nodes[n].pick == pickFixed && inOrder(p.nodes[n].src) {
		b.F("Plain: %d, ", p.nodes[n].op+1)
	}
	b.F("Nodes: []Node{\n")
	for _, n := range p.nodes {
		switch n.kind {
		case nodeArg:
			b.F("{Kind: NodeArg, Arg: %d, Bits: %d, Signed: %t, Swz: %q},\n", n.arg, n.bits, n.signed, n.swizzle)
		case nodeConst:
			b.F("{Kind: NodeConst, Imm: %d},\n", n.imm)
		case nodeOp:
			b.F("{Kind: NodeOp, Pick: %d, Op: %d, NSrc: %d, Src: [4]uint8{%s}},\n", n.pick, n.op, len(n.src), join(n.src))
		}
	}
	b.F("}},\n")
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
