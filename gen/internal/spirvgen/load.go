// SPDX-License-Identifier: MIT

package spirvgen

import (
	"math"
	"slices"
	"sort"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/table"
)

// opcodeRow is an [opcode.X] row.
type opcodeRow struct {
	Num      int      `toml:"num" doc:"The opcode's number." required:"true" minimum:"0" maximum:"65535"`
	Operands []string `toml:"operands" doc:"The operands that the reader checks: type, result, then id, literal, string, words, each optionally with ? (optional) or * (repeats)." items:"^(type|result|(id|literal|string|words)[?*]?)$"`
	Category string   `toml:"category" doc:"The section of the specification; without it the opcode is refused by name." enum:"annotation,arithmetic,atomic,barrier,bit,composite,constant,control,conversion,debug,derivative,extension,function,image,memory,misc,mode,relational,stage,subgroup,type"`
	To       string   `toml:"to" doc:"The code for it: an expression over IR opcodes, with * for the size and a, b, c for the operands; for a builtin, the intrinsic that returns it."`
	Parts    []string `toml:"parts" doc:"The results of an instruction with a struct of two."`
	Atomic   string   `toml:"atomic" doc:"The atomic operation."`
	Reduce   string   `toml:"reduce" doc:"The operation of a reduction or scan."`
}

// glslRow is a [glsl.X] row.
type glslRow struct {
	Doc   string   `toml:"doc" doc:"Where its meaning or precision comes from."`
	Num   int      `toml:"num" doc:"The instruction's number." required:"true" minimum:"0" maximum:"65535"`
	Args  int      `toml:"args" doc:"Operands after the number: a, b, c in order. Without it the instruction is refused by name." minimum:"0"`
	To    string   `toml:"to" doc:"The code for it: an expression over IR opcodes, with * for the size and a, b, c for the operands; for a builtin, the intrinsic that returns it."`
	Parts []string `toml:"parts" doc:"The results of an instruction with a struct of two."`
	Store bool     `toml:"store" doc:"The second part is stored through the pointer b."`
	Code  bool     `toml:"code" doc:"The reader has code for it."`
	Wide  bool     `toml:"wide" doc:"16-bit operands are widened to 32 bits first and the result is narrowed: intermediate steps would overflow, underflow or round too much."`
}

// functionRow is a [function.x] row: an expression called by others.
type functionRow struct {
	Doc  string `toml:"doc" doc:"Where its meaning or precision comes from."`
	Args int    `toml:"args" doc:"Its operands: a, b, c in order." minimum:"0"`
	To   string `toml:"to" doc:"The expression; several lines name parts, the last is the result." required:"true"`
}

// enumRow is a row of one of SPIR-V's enumerations.
type enumRow struct {
	Num    int      `toml:"num" doc:"The value's number." required:"true" minimum:"0"`
	Read   bool     `toml:"read" doc:"The reader accepts it; others are refused by name."`
	Use    string   `toml:"use" doc:"read: it has an effect in the reader; ignored: it changes nothing here." enum:"read,ignored"`
	To     string   `toml:"to" doc:"The intrinsic that returns a builtin."`
	Stages []string `toml:"stages" doc:"Stages of the IR in which a builtin can be an input; default: all." items:"^[a-z_]+$"`
}

// enums are the families of rows for SPIR-V's enumerations.
var enums = []struct{ family, goName, prefix, doc string }{
	{"capability", "Capabilities", "Capability", "a capability"},
	{"builtin", "Builtins", "Builtin", "a builtin"},
	{"decoration", "Decorations", "Decoration", "a decoration"},
	{"storage", "StorageClasses", "Storage", "a storage class"},
	{"mode", "ExecutionModes", "Mode", "an execution mode"},
	{"model", "ExecutionModels", "Model", "an execution model"},
	{"dim", "Dims", "Dim", "an image shape"},
	{"image_format", "ImageFormats", "ImageFormat", "an image format"},
	{"addressing", "AddressingModels", "Addressing", "an addressing model"},
	{"memory_model", "MemoryModels", "Memory", "a memory model"},
	{"scope", "Scopes", "Scope", "a scope"},
	{"group_operation", "GroupOperations", "Group", "a group operation"},
	{"image_operand", "ImageOperands", "ImageOperand", "an image operand"},
	{"memory_operand", "MemoryOperands", "MemoryOperand", "a memory operand"},
}

type tables struct {
	files     []string
	ops       []*table.Row[opcodeRow]
	glsl      []*table.Row[glslRow]
	functions map[string]*table.Row[functionRow]
	enums     map[string][]*table.Row[enumRow]
	alu       *opcodes.Table
	aluNum    map[string]int
	ir        *irtab.Tables
	errs      diag.List
}

func load(ctx *domain.Context) (*tables, error) {
	set, err := ctx.Load("spirv")
	if err != nil {
		return nil, err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	t := &tables{
		files: set.Files, functions: map[string]*table.Row[functionRow]{}, enums: map[string][]*table.Row[enumRow]{},
		aluNum: map[string]int{},
	}
	if t.alu, err = opcodes.Load(ctx); err != nil {
		return nil, err
	}
	for i, o := range t.alu.Ops {
		t.aluNum[o.Name] = i
	}
	if t.ir, err = irtab.Load(ctx); err != nil {
		return nil, err
	}
	t.files = append(append(t.files, t.alu.Files...), t.ir.Files...)
	if t.ops, err = table.Rows[opcodeRow](set, "opcode"); err != nil {
		return nil, err
	}
	if t.glsl, err = table.Rows[glslRow](set, "glsl"); err != nil {
		return nil, err
	}
	funcs, err := table.Rows[functionRow](set, "function")
	if err != nil {
		return nil, err
	}
	for _, f := range funcs {
		t.functions[f.Name] = f
	}
	for _, e := range enums {
		rows, err := table.Rows[enumRow](set, e.family)
		if err != nil {
			return nil, err
		}
		sort.SliceStable(rows, func(i, j int) bool { return rows[i].Val.Num < rows[j].Val.Num })
		t.enums[e.family] = rows
		unique(t, rows, math.MaxInt32, func(r *enumRow) int { return r.Num })
	}
	t.addFormats()
	sort.SliceStable(t.ops, func(i, j int) bool { return t.ops[i].Val.Num < t.ops[j].Val.Num })
	sort.SliceStable(t.glsl, func(i, j int) bool { return t.glsl[i].Val.Num < t.glsl[j].Val.Num })
	unique(t, t.ops, math.MaxUint16, func(r *opcodeRow) int { return r.Num })
	unique(t, t.glsl, math.MaxUint16, func(r *glslRow) int { return r.Num })
	return t, t.errs.Err()
}

// unique rejects rows with equal numbers or numbers above most. The rows are sorted by number.
func unique[T any](t *tables, rows []*table.Row[T], most int, num func(*T) int) {
	for i, r := range rows {
		if n := num(&r.Val); n < 0 || n > most {
			t.errs.Addf(r.At("num"), r.Full, "num: %d is not between 0 and %d", n, most)
		} else if i > 0 && num(&rows[i-1].Val) == n {
			t.errs.Addf(r.At("num"), r.Full, "num: %d is already used by [%s]", n, rows[i-1].Full)
		}
	}
}

// layout is an operand list in the form that the reader checks words against: one
// letter per word, i id, l literal, s string, w unchecked; words after ? may be
// missing, * repeats the letter before it.
type layout struct {
	text               string
	min                int
	ids                int // that text begins with, none of which may be missing
	hasType, hasResult bool
}

var letters = map[string]byte{"id": 'i', "literal": 'l', "string": 's', "words": 'w'}

func (t *tables) layout(r *table.Row[opcodeRow]) layout {
	l := layout{min: 1}
	var b strings.Builder
	optional := false
	for i, o := range r.Val.Operands {
		switch {
		case o == "type" && i == 0:
			l.hasType = true
			l.min++
			continue
		case o == "result" && (i == 0 || i == 1 && l.hasType):
			l.hasResult = true
			l.min++
			continue
		}
		name := strings.TrimRight(o, "?*")
		c, ok := letters[name]
		if !ok {
			known := []string{"type", "result", "id", "literal", "string", "words"}
			t.errs.Unknown(r.At("operands"), r.Full, "kind of operand", o, slices.Values(known))
			continue
		}
		switch suffix := o[len(name):]; {
		case suffix == "" && !optional:
			b.WriteByte(c)
			l.min++
		case suffix == "?" || suffix == "":
			if !optional {
				b.WriteByte('?')
			}
			optional = true
			b.WriteByte(c)
		case suffix == "*" && i == len(r.Val.Operands)-1:
			if !optional {
				b.WriteByte('?')
			}
			b.WriteByte(c)
			b.WriteByte('*')
		default:
			t.errs.Addf(r.At("operands"), r.Full, "operands: %q: only the last may repeat", o)
		}
	}
	l.text = b.String()
	l.ids = len(l.text) - len(strings.TrimLeft(l.text, "i"))
	return l
}

// plain returns the number of words before the first one, after the leading ids, that is an id or begins a string.
func (l layout) plain() int {
	n := 1 + l.ids
	if l.hasType {
		n++
	}
	if l.hasResult {
		n++
	}
	for _, c := range l.text[l.ids:] {
		switch c {
		case 'i', 's':
			return n
		case '*':
			return math.MaxUint16
		case 'l', 'w':
			n++
		}
	}
	return n
}

// enumValue returns the number of a value of one of the IR's enumerations.
func (t *tables) enumValue(pos diag.Pos, row, enum, name string) int {
	e := t.ir.Enum(enum)
	for i, v := range e.Val.Values {
		if v.Name == name {
			if e.Val.Mask {
				return 1 << i
			}
			return i
		}
	}
	t.errs.Unknown(pos, row, "value of ["+e.Full+"]", name, e.Val.Names())
	return 0
}

// intrinsicNum returns the number of an intrinsic in generated/intrinsic.
func (t *tables) intrinsicNum(pos diag.Pos, row, name string) int {
	for i, in := range t.ir.Intrinsics {
		if in.Row.Name == name {
			return i + 1
		}
	}
	t.errs.Unknown(pos, row, "intrinsic", name, t.ir.Named())
	return 0
}
