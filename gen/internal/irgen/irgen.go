// Package irgen writes the Go packages that describe the IR: instruction kinds
// and enumerations (generated/kind) and intrinsics (generated/intrinsic).
package irgen

import (
	"bytes"
	"fmt"
	"math"
	"sort"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
)

// Generate reads the IR's tables and adds their packages.
func Generate(c *domain.Context) error {
	t, err := irtab.Load(c)
	if err != nil {
		return err
	}
	if err := c.Out.Go("kind/kind.go", t.Files, kinds(t)); err != nil {
		return err
	}
	if err := c.Out.Go("kind/enums.go", t.Files, enums(t)); err != nil {
		return err
	}
	if err := c.Out.Go("intrinsic/intrinsic.go", t.Files, intrinsics(t)); err != nil {
		return err
	}
	if err := c.Out.Text("docs/intrinsics.md", "<!-- ", t.Files, intrinsicPage(t)); err != nil {
		return err
	}
	return c.Out.Text("docs/kinds.md", "<!-- ", t.Files, kindPage(t))
}

type buf struct{ bytes.Buffer }

func (b *buf) f(format string, args ...any) { fmt.Fprintf(&b.Buffer, format, args...) }

func enums(t *irtab.Tables) []byte {
	var b buf
	b.f("package kind\n\n")
	b.f("// Enum describes an enumeration. The names of a mask's bits, or of the values, are in order.\n")
	b.f("type Enum struct {\n\tName string\n\tMask bool\n\tNames []string\n}\n\n")
	b.f(`// Value finds a value (not a mask) by name.
func (e *Enum) Value(name string) (uint32, bool) {
	for i, n := range e.Names {
		if n == name {
			return uint32(i), true
		}
	}
	return 0, false
}

// String returns the name of a value; of a mask, the names of its bits joined
// by "|", and "none" when it is empty. Unknown values print as numbers.
func (e *Enum) String(v uint32) string {
	if !e.Mask {
		if int(v) < len(e.Names) {
			return e.Names[v]
		}
		return "?" + utoa(v)
	}
	out := ""
	for i, n := range e.Names {
		if v>>i&1 != 0 {
			if out != "" {
				out += "|"
			}
			out += n
			v &^= 1 << i
		}
	}
	if v != 0 {
		if out != "" {
			out += "|"
		}
		out += "?" + utoa(v)
	}
	if out == "" {
		return "none"
	}
	return out
}

func utoa(v uint32) string {
	var b [10]byte
	i := len(b)
	for {
		i--
		b[i] = '0' + byte(v%%10)
		if v /= 10; v == 0 {
			return string(b[i:])
		}
	}
}

`)
	for _, e := range t.Enums {
		d := &e.Val
		b.f("// %s: %s\ntype %s uint32\n\nconst (\n", d.GoName, d.Doc, d.GoName)
		for i, v := range d.Values {
			expr := fmt.Sprint(i)
			if d.Mask {
				expr = fmt.Sprintf("1 << %d", i)
			}
			doc := ""
			if v.Doc != "" {
				doc = " // " + v.Doc
			}
			b.f("\t%s %s = %s%s\n", d.Const(v.Name), d.GoName, expr, doc)
		}
		b.f(")\n\n// Enum%s describes %s.\nvar Enum%s = Enum{Name: %q, Mask: %v, Names: []string{", d.GoName, d.GoName, d.GoName, e.Name, d.Mask)
		for _, v := range d.Values {
			b.f("%q, ", v.Name)
		}
		b.f("}}\n\nfunc (v %s) String() string { return Enum%s.String(uint32(v)) }\n\n", d.GoName, d.GoName)
	}
	b.f("// Enums lists all enumerations.\nvar Enums = [...]*Enum{")
	for _, e := range t.Enums {
		b.f("&Enum%s, ", e.Val.GoName)
	}
	b.f("}\n")
	return b.Bytes()
}

func fieldList(b *buf, fs []irtab.Field) {
	b.f("[]Field{")
	for _, f := range fs {
		b.f("{%q, %s, ", f.Name, className(f.Class))
		if f.Enum != nil {
			b.f("&Enum%s", f.Enum.Val.GoName)
		} else {
			b.f("nil")
		}
		b.f("}, ")
	}
	b.f("}")
}

func className(c irtab.FieldClass) string { return "Class" + irtab.Camel(c.String()) }

func strs(b *buf, l []string) {
	if len(l) == 0 {
		b.f("nil")
		return
	}
	b.f("[]string{")
	for _, s := range l {
		b.f("%q, ", s)
	}
	b.f("}")
}

func kinds(t *irtab.Tables) []byte {
	var b buf
	b.f(`// Package kind lists the kinds of instructions, what each holds, and the
// enumerations that their fields use.
package kind

// Kind is a kind of instruction.
type Kind uint8

const (
`)
	for i, k := range t.Kinds {
		if i == 0 {
			b.f("\tInvalid Kind = iota\n")
		}
		b.f("\t%s // %s\n", irtab.Camel(k.Row.Name), k.Row.Val.Doc)
	}
	b.f("\t// Count is one more than the last kind.\n\tCount\n)\n\n")
	b.f("// FieldClass says how the words of a field are read.\ntype FieldClass uint8\n\n// The classes of fields.\nconst (\n")
	for c := irtab.U32; c <= irtab.Data; c++ {
		if c == irtab.U32 {
			b.f("\t%s FieldClass = iota\n", className(c))
		} else {
			b.f("\t%s\n", className(c))
		}
	}
	b.f(`)

// Words is the number of words of a field; 0 when it depends on the
// instruction: one per source (blocks, enums), or one per component and two at
// 64 bits (data).
func (c FieldClass) Words() int {
	switch c {
	case ClassU64:
		return 2
	case ClassBlocks, ClassEnums, ClassData:
		return 0
	}
	return 1
}

// Field is a field of an instruction: words behind the common record.
type Field struct {
	Name  string
	Class FieldClass
	Enum  *Enum // for enumerations and masks
}

// Shape is what an instruction of a kind (and, where the kind has variants, of
// one opcode) holds.
type Shape struct {
	Src      []string // names of the fixed sources
	Variadic bool     // any number of sources follows them
	Fields   []Field
}

// Sub says what the opcode field of a kind holds.
type Sub uint8

// What the opcode field of a kind holds.
const (
	SubNone Sub = iota
	SubOp
	SubIntrinsic
	SubEnum
)

// Result says whether instructions of a kind give a value.
type Result uint8

// Whether instructions of a kind give a value.
const (
	ResultNever Result = iota
	ResultAlways
	ResultBySub
)

// Info describes a kind.
type Info struct {
	Name     string
	Sub      Sub
	SubEnum  *Enum
	Result   Result
	SameSize bool    // sources have the size of the result
	Shape    Shape   // when the opcode does not matter
	Variants []Shape // by opcode, when it does
}

// Shape returns what an instruction with this opcode holds; nil when there is
// no such opcode.
func (i *Info) ShapeOf(sub uint16) *Shape {
	if i.Variants == nil {
		return &i.Shape
	}
	if int(sub) >= len(i.Variants) {
		return nil
	}
	return &i.Variants[sub]
}

func (k Kind) String() string {
	if k < Count {
		return Infos[k].Name
	}
	return "?"
}

// ByName finds a kind by its name.
func ByName(name string) (Kind, bool) {
	for k := Invalid + 1; k < Count; k++ {
		if Infos[k].Name == name {
			return k, true
		}
	}
	return Invalid, false
}

`)
	b.f("// Infos describes the kinds.\nvar Infos = [Count]Info{\n\tInvalid: {Name: \"invalid\"},\n")
	for _, k := range t.Kinds {
		sub, en := "SubNone", "nil"
		switch {
		case k.SubEnum != nil:
			sub, en = "SubEnum", "&Enum"+k.SubEnum.Val.GoName
		case k.Row.Val.Sub == "op":
			sub = "SubOp"
		case k.Row.Val.Sub == "intrinsic":
			sub = "SubIntrinsic"
		}
		res := map[string]string{"always": "ResultAlways", "never": "ResultNever", "by_sub": "ResultBySub"}[k.Row.Val.Result]
		b.f("\t%s: {Name: %q, Sub: %s, SubEnum: %s, Result: %s, SameSize: %v,\n\t\tShape: Shape{", irtab.Camel(k.Row.Name), k.Row.Name, sub, en, res, k.Row.Val.ValueSrc == "same")
		strs(&b, k.Src)
		b.f(", %v, ", k.Variadic)
		fieldList(&b, k.Fields)
		b.f("},\n")
		if k.Variants != nil {
			b.f("\t\tVariants: []Shape{\n")
			for _, v := range k.Variants {
				b.f("\t\t\t{")
				strs(&b, v.Src)
				b.f(", %v, ", k.Variadic)
				fieldList(&b, v.Fields)
				b.f("}, // %s\n", v.Value)
			}
			b.f("\t\t},\n")
		}
		b.f("\t},\n")
	}
	b.f("}\n\n// Positions of the fields among the words of an instruction.\nconst (\n")
	for _, k := range t.Kinds {
		pos := func(prefix string, fs []irtab.Field, from int) {
			at := 0
			for i, f := range fs {
				if i >= from {
					b.f("\t%s%s = %d\n", prefix, irtab.Camel(f.Name), at)
				}
				at += f.Class.Words()
			}
		}
		name := "Field" + irtab.Camel(k.Row.Name)
		pos(name, k.Fields, 0)
		for _, v := range k.Variants {
			pos(name+irtab.Camel(v.Value), v.Fields, len(k.Fields))
		}
	}
	b.f(")\n")
	return b.Bytes()
}

func intrinsics(t *irtab.Tables) []byte {
	var b buf
	b.f(`// Package intrinsic lists the intrinsics: their sources, results, constant
// indices and flags.
package intrinsic

// ID is an intrinsic.
type ID uint16

const (
	None ID = iota
`)
	for _, in := range t.Intrinsics {
		b.f("\t%s // %s\n", irtab.Camel(in.Row.Name), in.Row.Val.Doc)
	}
	b.f("\t// Count is one more than the last intrinsic.\n\tCount\n)\n\n// Index is a kind of constant index.\ntype Index uint8\n\nconst (\n")
	for i, ix := range t.Indices {
		first := ""
		if i == 0 {
			first = " Index = iota"
		}
		b.f("\tIx%s%s // %s\n", irtab.Camel(ix.Row.Name), first, ix.Row.Val.Doc)
	}
	b.f("\t// NumIndices is the number of index kinds.\n\tNumIndices\n)\n\n// Flag is a set of properties of an intrinsic.\ntype Flag uint8\n\n// Properties of intrinsics.\nconst (\n")
	docs := map[string]string{
		"can_eliminate": "may be dropped when its result is not used",
		"can_reorder":   "may be moved and merged like arithmetic",
		"convergent":    "must stay under the same control flow",
	}
	for i, f := range irtab.Flags {
		b.f("\t%s Flag = 1 << %d // %s\n", irtab.Camel(f), i, docs[f])
	}
	b.f(")\n\n// Family groups intrinsics that passes treat alike.\ntype Family uint8\n\n// Families of intrinsics.\nconst (\n\tFamilyNone Family = iota\n")
	for _, f := range t.Families() {
		b.f("\tFamily%s\n", irtab.Camel(f))
	}
	b.f(`)

// Target is what an intrinsic acts on through an operand of its own, which
// stands behind the declared sources.
type Target uint8

// Targets of intrinsics.
const (
	TargetNone Target = iota
	TargetImage
	TargetTexture
)

// Role is what a source is to its intrinsic.
type Role uint8

// Roles of sources.
const (
`)
	for i, r := range t.Roles {
		first := ""
		if i == 0 {
			first = " Role = iota"
		}
		b.f("\tRole%s%s // %s\n", irtab.Camel(r.Name), first, r.Val.Doc)
	}
	b.f(`	// NumRoles is the number of roles.
	NumRoles
)

// Src is a declared source.
type Src struct {
	Name  string
	Comps uint8 // 0: as many as the instruction's component count
	Any   bool  // the size is not checked
}

// Info describes an intrinsic.
type Info struct {
	Name      string
	Doc       string
	NumSrc    uint8 // declared sources; a target comes on top
	Src       [%d]Src
	HasDest   bool
	DestComps uint8 // 0: the instruction's component count
	NumIx     uint8
	Ix        [%d]Index
	Flags     Flag
	Family    Family
	Target    Target
	Form      int8  // how the target is given, when the name says it; -1: the form index says, or there is none
	Stages    Stages
	Atomic    int8  // the atomic operation that the name says, -1: none
	Bits      uint8 // allowed sizes of the result, one bit each: 1, 8, 16, 32, 64; 0: any
	Uniform   Uniformity
}

// Uniformity says whether the invocations of a subgroup that run an intrinsic
// together all get the same result.
type Uniformity uint8

// Uniformity of results.
const (
	UniformAsSources Uniformity = iota // when all sources are the same
	UniformAlways
	UniformNever
)

// Stages is the set of stages in which an intrinsic has a meaning: a bit for
// each value of kind.Stage.
type Stages uint16

// Has says whether a stage, a value of kind.Stage, is in the set.
func (s Stages) Has(stage uint32) bool { return s>>stage&1 != 0 }

// NumOperands counts the declared sources and the target.
func (i *Info) NumOperands() int {
	if i.Target != TargetNone {
		return int(i.NumSrc) + 1
	}
	return int(i.NumSrc)
}

// Info returns the description of an intrinsic.
func (id ID) Info() *Info { return &Table[id] }

func (id ID) String() string {
	if id < Count {
		return Table[id].Name
	}
	return "?"
}

// Slot returns the position of an index among the words of the intrinsic, -1
// when it has none of this kind.
func (id ID) Slot(ix Index) int { return int(slots[id][ix]) - 1 }

// Source returns the position of the source that has a role, -1 when the
// intrinsic has none.
func (id ID) Source(role Role) int { return int(sources[id][role]) - 1 }

// ByName finds an intrinsic by its name.
func ByName(name string) (ID, bool) {
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
	return None, false
}

`, irtab.MaxSrc, irtab.MaxIndices)
	b.f("// Table describes the intrinsics.\nvar Table = [Count]Info{\n")
	atomics := t.Enum("atomic_op")
	for _, in := range t.Intrinsics {
		d := &in.Row.Val
		b.f("\t%s: {Name: %q, Doc: %q, NumSrc: %d, ", irtab.Camel(in.Row.Name), in.Row.Name, d.Doc, len(d.Src))
		if len(d.Src) > 0 {
			b.f("Src: [%d]Src{", irtab.MaxSrc)
			for _, s := range d.Src {
				b.f("{%q, %d, %v}, ", s.Name, *s.Comps, s.AnyComps)
			}
			b.f("}, ")
		}
		if d.Dest != nil {
			b.f("HasDest: true, DestComps: %d, ", *d.Dest)
		}
		if len(in.Indices) > 0 {
			b.f("NumIx: %d, Ix: [%d]Index{", len(in.Indices), irtab.MaxIndices)
			for _, ix := range in.Indices {
				b.f("Ix%s, ", irtab.Camel(ix.Row.Name))
			}
			b.f("}, ")
		}
		if len(d.Flags) > 0 {
			var fs []string
			for _, f := range d.Flags {
				fs = append(fs, irtab.Camel(f))
			}
			b.f("Flags: %s, ", strings.Join(fs, " | "))
		}
		if d.Family != "" {
			b.f("Family: Family%s, ", irtab.Camel(d.Family))
		}
		if d.Target != "" {
			b.f("Target: Target%s, ", irtab.Camel(d.Target))
		}
		atomic := -1
		for i, v := range atomics.Val.Values {
			if v.Name == d.AtomicOp {
				atomic = i
			}
		}
		b.f("Form: %d, Stages: %#x, Atomic: %d, ", in.Form, t.StageMask(in), atomic)
		if len(d.Bits) > 0 {
			m := 0
			for _, n := range d.Bits {
				m |= map[int]int{1: 1, 8: 2, 16: 4, 32: 8, 64: 16}[n]
			}
			b.f("Bits: %#x, ", m)
		}
		if d.Uniform != "" {
			b.f("Uniform: Uniform%s, ", irtab.Camel(d.Uniform))
		}
		b.f("},\n")
	}
	b.f("}\n\nvar slots = [Count][NumIndices]uint8{\n")
	for _, in := range t.Intrinsics {
		if len(in.Indices) == 0 {
			continue
		}
		b.f("\t%s: {", irtab.Camel(in.Row.Name))
		for i, ix := range in.Indices {
			b.f("Ix%s: %d, ", irtab.Camel(ix.Row.Name), i+1)
		}
		b.f("},\n")
	}
	b.f("}\n\nvar sources = [Count][NumRoles]uint8{\n")
	for _, in := range t.Intrinsics {
		var at []string
		for i := range in.Row.Val.Src {
			if role := t.Role(&in.Row.Val.Src[i]); role >= 0 {
				at = append(at, fmt.Sprintf("Role%s: %d", irtab.Camel(t.Roles[role].Name), i+1))
			}
		}
		if len(at) > 0 {
			b.f("\t%s: {%s},\n", irtab.Camel(in.Row.Name), strings.Join(at, ", "))
		}
	}
	b.f("}\n\nvar sorted = [...]ID{")
	names := make([]string, 0, len(t.Intrinsics))
	for _, in := range t.Intrinsics {
		names = append(names, in.Row.Name)
	}
	sort.Strings(names)
	for _, n := range names {
		b.f("%s, ", irtab.Camel(n))
	}
	b.f("}\n\n// IndexInfo describes a kind of index.\ntype IndexInfo struct {\n\tName string\n\tDoc string\n\tClass string // u32, i32, bool, enum or mask\n\tEnum string // name of the enumeration\n\tDefault uint32 // what the printer leaves out\n\tMax uint32 // the largest value of a u32\n}\n\n// Indices describes the kinds of indices.\nvar Indices = [NumIndices]IndexInfo{\n")
	for _, ix := range t.Indices {
		en := ""
		if ix.Field.Enum != nil {
			en = ix.Field.Enum.Name
		}
		most := uint32(math.MaxUint32)
		if m := ix.Row.Val.Max; m != nil {
			most = uint32(*m)
		}
		b.f("\tIx%s: {%q, %q, %q, %q, %d, %#x},\n", irtab.Camel(ix.Row.Name), ix.Row.Name, ix.Row.Val.Doc, ix.Field.Class.String(), en, ix.Default, most)
	}
	b.f("}\n")
	return b.Bytes()
}
