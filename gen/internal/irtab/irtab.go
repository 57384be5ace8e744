// SPDX-License-Identifier: MIT

package irtab

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// FieldClass is the interpretation of the words of a field.
type FieldClass uint8

// The classes of fields, in the order of the generated constants.
const (
	U32      FieldClass = iota
	I32                 // one word, two's complement
	U64                 // two words, low first
	Bool                // one word, 0 or 1
	Enum                // one word, the value of an enumeration
	Mask                // one word, a set of values of an enumeration
	TypeRef             // one word, a type handle
	VarRef              // one word, a variable handle
	FuncRef             // one word, a function handle
	Blocks              // one word per source, block handles
	EnumList            // one word per source, values of an enumeration
	Data                // one word per component, two at 64 bits
)

var classNames = []string{"u32", "i32", "u64", "bool", "enum", "mask", "type", "var", "func", "blocks", "enums", "data"}

func (c FieldClass) String() string { return classNames[c] }

// Words returns the number of words of a field, or 0 if it depends on the
// instruction.
func (c FieldClass) Words() int {
	switch c {
	case U64:
		return 2
	case Blocks, EnumList, Data:
		return 0
	}
	return 1
}

// EnumValue is one value of an enumeration.
type EnumValue struct {
	Name string `toml:"name" doc:"The value's name." required:"true" pattern:"^[a-z0-9_]+$"`
	Doc  string `toml:"doc" doc:"The meaning of the value."`
}

// EnumDef is an [enum.x] row.
type EnumDef struct {
	Doc    string      `toml:"doc" doc:"The property that the values distinguish." required:"true"`
	GoName string      `toml:"go" doc:"Name of the Go type." required:"true" pattern:"^[A-Z]\\w*$"`
	Prefix string      `toml:"prefix" doc:"The prefix of the Go constants; default: the type's name." pattern:"^[A-Z]\\w*$"`
	Mask   bool        `toml:"mask" doc:"The values are bits, and a field holds a set of them."`
	Values []EnumValue `toml:"values" doc:"The values in their order." required:"true"`
}

// Names yields the names of the values.
func (e *EnumDef) Names() iter.Seq[string] {
	return diag.Each(e.Values, func(v EnumValue) string { return v.Name })
}

// Const returns the name of the Go constant of a value.
func (e *EnumDef) Const(v string) string {
	p := e.Prefix
	if p == "" {
		p = e.GoName
	}
	return p + Camel(v)
}

// Field is a resolved field of a kind, a variant or an index.
type Field struct {
	Name  string
	Class FieldClass
	Enum  *table.Row[EnumDef] // for Enum, Mask and EnumList
}

// KindDef is a [kind.x] row.
type KindDef struct {
	Doc      string   `toml:"doc" doc:"The operation of instructions of the kind." required:"true"`
	Sub      string   `toml:"sub" doc:"The type of the record's opcode: op, intrinsic, or an enumeration. If absent, there is none."`
	Result   string   `toml:"result" doc:"Whether there is a result." enum:"always,never,by_sub" required:"true"`
	Src      []string `toml:"src" doc:"Names of the sources; ... at the end: any number of further ones." items:"^([a-z_][a-z0-9_]*|\\.\\.\\.)$"`
	Fields   []string `toml:"fields" doc:"Fields after the record, each as name: type." items:"^[a-z_][a-z0-9_]*: *(u32|i32|u64|bool|type|var|func|blocks|data|(enum|mask|enums):[a-z_0-9]+)$"`
	ValueSrc string   `toml:"value_src" doc:"The components that the sources read: same means as many as the result has." enum:"scalar,same,any"`
	Builder  string   `toml:"builder" doc:"core: core/ir has the constructors; otherwise they are generated." enum:"core"`
}

// VariantDef is a [variant.kind_value] row.
type VariantDef struct {
	Doc    string   `toml:"doc" doc:"The operation of the variant."`
	Src    []string `toml:"src" doc:"Sources after the kind's." items:"^[a-z_][a-z0-9_]*$"`
	Fields []string `toml:"fields" doc:"Fields after the kind's, each as name: type." items:"^[a-z_][a-z0-9_]*: *(u32|i32|u64|bool|type|var|func|blocks|data|(enum|mask|enums):[a-z_0-9]+)$"`
}

// Variant is a resolved variant of a kind.
type Variant struct {
	Value  string
	Doc    string
	Src    []string
	Fields []Field // the kind's fields, then its own
}

// Kind is a resolved instruction kind.
type Kind struct {
	Row      *table.Row[KindDef]
	SubEnum  *table.Row[EnumDef] // when sub is an enumeration
	Fields   []Field
	Src      []string
	Variadic bool // any number of sources follow Src
	Variants []Variant
}

// IndexDef is an [index.x] row.
type IndexDef struct {
	Doc     string `toml:"doc" doc:"The meaning of the index."`
	Type    string `toml:"type" doc:"u32, i32, bool, enum:NAME or mask:NAME." pattern:"^(u32|i32|bool|(enum|mask):[a-z_0-9]+)$"`
	Default any    `toml:"default" doc:"The value a new instruction has and the printer omits: a number, true, or the name of a value of the enumeration. Default: zero."`
	Max     *int64 `toml:"max" doc:"The largest value of a u32." minimum:"0"`
}

// Index is a resolved index kind.
type Index struct {
	Row     *table.Row[IndexDef]
	Field   Field
	Default uint32
}

// RoleDef is a [role.x] row.
type RoleDef struct {
	Doc string `toml:"doc" doc:"The meaning of a source with the role." required:"true"`
}

// TraitDef is a [trait.x] row.
type TraitDef struct {
	Doc     string   `toml:"doc" doc:"The common property of the intrinsics with the trait." required:"true"`
	Roles   []string `toml:"roles" doc:"Each [role] that the sources of such an intrinsic must include, because code that tests the trait reads it." items:"^[a-z_][a-z0-9_]*$"`
	Indices []string `toml:"indices" doc:"Each [index] that such an intrinsic must have, for the same reason." items:"^[a-z_][a-z0-9_]*$"`
}

// maxTraits is the number of bits in a set of traits.
const maxTraits = 32

// Tables is everything loaded.
type Tables struct {
	Enums      []*table.Row[EnumDef]
	Kinds      []*Kind
	Indices    []*Index
	Roles      []*table.Row[RoleDef]
	Traits     []*table.Row[TraitDef]
	Formats    []*table.Row[FormatDef] // they are values of an enumeration too
	Atomics    []*table.Row[AtomicDef] // likewise
	Reductions []*table.Row[ReductionDef]
	Intrinsics []*Intrinsic
	Files      []string // all tables read

	enum  map[string]*table.Row[EnumDef]
	index map[string]*Index
	named map[string]*Intrinsic
}

// Enum returns an enumeration by its row name.
func (t *Tables) Enum(name string) *table.Row[EnumDef] { return t.enum[name] }

// Named yields the names of the intrinsics.
func (t *Tables) Named() iter.Seq[string] { return maps.Keys(t.named) }

// KindNames yields the names of the kinds of instructions.
func (t *Tables) KindNames() iter.Seq[string] {
	return diag.Each(t.Kinds, func(k *Kind) string { return k.Row.Name })
}

// Load reads defs/ir and defs/intrinsics.
func Load(c *domain.Context) (*Tables, error) { return domain.Once(c, "ir", read) }

func read(c *domain.Context) (*Tables, error) {
	irset, err := c.Load("ir")
	if err != nil {
		return nil, err
	}
	inset, err := c.Load("intrinsics")
	if err != nil {
		return nil, err
	}
	if err := irset.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	if err := inset.Only(IntrinsicSchema.Names()...); err != nil {
		return nil, err
	}
	t := &Tables{enum: map[string]*table.Row[EnumDef]{}, index: map[string]*Index{}, named: map[string]*Intrinsic{}}
	t.Files = append(append([]string{}, irset.Files...), inset.Files...)
	var errs diag.List
	names := goNames{errs: &errs, seen: map[string]diag.Pos{}}
	if t.Enums, err = table.Rows[EnumDef](irset, "enum"); err != nil {
		return nil, err
	}
	if t.Formats, err = table.Rows[FormatDef](irset, FormatEnum); err != nil {
		return nil, err
	}
	for _, e := range t.Enums {
		t.enum[e.Name] = e
	}
	t.addFormats(&errs)
	if t.Atomics, err = table.Rows[AtomicDef](irset, "atomic"); err != nil {
		return nil, err
	}
	if t.Reductions, err = table.Rows[ReductionDef](irset, "reduction"); err != nil {
		return nil, err
	}
	addNames(t, ReductionEnum, t.Reductions, func(d *ReductionDef) string { return d.Doc }, &errs)
	addNames(t, AtomicEnum, t.Atomics, func(d *AtomicDef) string { return d.Doc }, &errs)
	for _, e := range t.Enums {
		checkEnum(e, &errs)
		names.enum(e)
	}
	indices, err := table.Rows[IndexDef](irset, "index")
	if err != nil {
		return nil, err
	}
	for _, r := range indices {
		f, err := t.field(r.Name, r.Val.Type)
		if err == nil && (f.Class.Words() != 1 || f.Class >= TypeRef) {
			err = fmt.Errorf("an index is one word: u32, i32, bool, enum or mask, not %s", r.Val.Type)
		}
		if err != nil {
			errs.Addf(r.At("type"), r.Full, "%v", err)
		}
		if !rowName.MatchString(r.Name) {
			errs.Addf(r.Pos, r.Full, "%s", rowNameRule)
		}
		ix := &Index{Row: r, Field: f}
		if r.Val.Doc == "" {
			errs.Addf(r.Pos, r.Full, "doc is missing")
		}
		if err == nil {
			if ix.Default, err = f.number(r.Val.Default); err != nil {
				errs.Addf(r.At("default"), r.Full, "default: %v", err)
			}
			if m := r.Val.Max; m != nil && (f.Class != U32 || *m < int64(ix.Default)) {
				errs.Addf(r.At("max"), r.Full, "max applies to a u32 only, and must be at least its default")
			}
		}
		t.Indices = append(t.Indices, ix)
		t.index[r.Name] = ix
	}
	kinds, err := table.Rows[KindDef](irset, "kind")
	if err != nil {
		return nil, err
	}
	variants, err := table.Rows[VariantDef](irset, "variant")
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, r := range kinds {
		t.Kinds = append(t.Kinds, t.kind(r, variants, used, &names, &errs))
	}
	for _, v := range variants {
		if !used[v.Name] {
			errs.Addf(v.Pos, v.Full, "no kind has a sub enumeration with this value; the name is KIND_VALUE")
		}
	}
	if t.Roles, err = table.Rows[RoleDef](irset, "role"); err != nil {
		return nil, err
	}
	for _, r := range t.Roles {
		if !rowName.MatchString(r.Name) {
			errs.Addf(r.Pos, r.Full, "%s", rowNameRule)
		}
	}
	if t.Traits, err = table.Rows[TraitDef](irset, "trait"); err != nil {
		return nil, err
	}
	for i, r := range t.Traits {
		if !rowName.MatchString(r.Name) {
			errs.Addf(r.Pos, r.Full, "%s", rowNameRule)
		}
		if i == maxTraits {
			errs.Addf(r.Pos, r.Full, "more than %d traits", maxTraits)
		}
		words(r, "roles", "role", r.Val.Roles, slices.Collect(table.Names(t.Roles)), &errs)
		words(r, "indices", "index", r.Val.Indices, slices.Collect(maps.Keys(t.index)), &errs)
	}
	intr, err := table.Rows[IntrinsicDef](inset, "intrinsic")
	if err != nil {
		return nil, err
	}
	for _, r := range intr {
		t.expand(r, &errs)
	}
	if errs.Err() == nil {
		t.checkAtomics(&errs)
	}
	return t, errs.Err()
}

func checkEnum(e *table.Row[EnumDef], errs *diag.List) {
	v := &e.Val
	if v.Mask && len(v.Values) > 32 {
		errs.Addf(e.At("values"), e.Full, "a mask has at most 32 values, this one has %d", len(v.Values))
	}
	seen := map[string]bool{}
	for _, x := range v.Values {
		if !valueName.MatchString(x.Name) {
			errs.Addf(e.At("values"), e.Full, "the value's name %q must have only lower-case letters, digits and underscores", x.Name)
		}
		if seen[x.Name] {
			errs.Addf(e.At("values"), e.Full, "value %q occurs twice", x.Name)
		}
		seen[x.Name] = true
	}
}

func (t *Tables) field(name, typ string) (Field, error) {
	f := Field{Name: name}
	base, arg, _ := strings.Cut(typ, ":")
	found := false
	for i, n := range classNames {
		if n == base {
			f.Class, found = FieldClass(i), true
		}
	}
	if !found {
		return f, errors.New(diag.Unknown("type", base, slices.Values(classNames)))
	}
	switch f.Class {
	case Enum, Mask, EnumList:
		e := t.enum[arg]
		if e == nil {
			return f, errors.New(diag.Unknown("enumeration", arg, maps.Keys(t.enum)))
		}
		if (f.Class == Mask) != e.Val.Mask {
			return f, fmt.Errorf("%s: enumeration %s is declared with mask = %v", typ, arg, e.Val.Mask)
		}
		f.Enum = e
	default:
		if arg != "" {
			return f, fmt.Errorf("type %s takes no argument", base)
		}
	}
	return f, nil
}

// number returns a default as a word.
func (f *Field) number(v any) (uint32, error) {
	switch x := v.(type) {
	case nil:
		return 0, nil
	case bool:
		if f.Class == Bool {
			if x {
				return 1, nil
			}
			return 0, nil
		}
	case int64:
		if f.Class == I32 && x == int64(int32(x)) || f.Class == U32 && x == int64(uint32(x)) {
			return uint32(x), nil
		}
	case string:
		if f.Class != Enum {
			break
		}
		for i, e := range f.Enum.Val.Values {
			if e.Name == x {
				return uint32(i), nil
			}
		}
		return 0, errors.New(diag.Unknown("value of ["+f.Enum.Full+"]", x, f.Enum.Val.Names()))
	}
	return 0, fmt.Errorf("%v is not a value of type %s", v, f.Class)
}

func (t *Tables) fields(list []string) ([]Field, error) {
	var out []Field
	for i, s := range list {
		name, typ, ok := strings.Cut(s, ":")
		if !ok {
			return nil, fmt.Errorf("field %q is not of the form \"name: type\"", s)
		}
		f, err := t.field(strings.TrimSpace(name), strings.TrimSpace(typ))
		if err != nil {
			return nil, err
		}
		if f.Class.Words() == 0 && i != len(list)-1 {
			return nil, fmt.Errorf("field %s has no fixed size and must be the last", f.Name)
		}
		out = append(out, f)
	}
	return out, nil
}

// subs yields the values that sub of a kind can have.
func (t *Tables) subs() iter.Seq[string] {
	out := []string{"op", "intrinsic"}
	for _, e := range t.Enums {
		if !e.Val.Mask {
			out = append(out, e.Name)
		}
	}
	return slices.Values(out)
}

func (t *Tables) kind(r *table.Row[KindDef], variants []*table.Row[VariantDef], used map[string]bool, names *goNames,
	errs *diag.List) *Kind {
	k := &Kind{Row: r}
	d := &r.Val
	names.kind(r)
	switch d.Sub {
	case "", "op", "intrinsic":
	default:
		if k.SubEnum = t.enum[d.Sub]; k.SubEnum == nil || k.SubEnum.Val.Mask {
			errs.Unknown(r.At("sub"), r.Full, "sub", d.Sub, t.subs())
		}
	}
	var err error
	if k.Fields, err = t.fields(d.Fields); err != nil {
		errs.Addf(r.At("fields"), r.Full, "%v", err)
	}
	k.Src = d.Src
	if n := len(k.Src); n > 0 && k.Src[n-1] == "..." {
		k.Variadic, k.Src = true, k.Src[:n-1]
	}
	if k.SubEnum == nil {
		return k
	}
	for _, val := range k.SubEnum.Val.Values {
		v := Variant{Value: val.Name, Doc: val.Doc, Src: k.Src, Fields: k.Fields}
		for _, row := range variants {
			if row.Name != r.Name+"_"+val.Name {
				continue
			}
			used[row.Name] = true
			fs, err := t.fields(row.Val.Fields)
			if err != nil {
				errs.Addf(row.At("fields"), row.Full, "%v", err)
			}
			if len(fs) > 0 && len(k.Fields) > 0 && k.Fields[len(k.Fields)-1].Class.Words() == 0 {
				errs.Addf(row.At("fields"), row.Full, "the kind's last field has no fixed size, so nothing can follow it")
			}
			v.Doc = row.Val.Doc
			v.Src = append(append([]string{}, k.Src...), row.Val.Src...)
			v.Fields = append(append([]Field{}, k.Fields...), fs...)
		}
		k.Variants = append(k.Variants, v)
	}
	return k
}

// initialisms keep their capitals in Go names.
var initialisms = map[string]string{
	"id": "ID", "ubo": "UBO", "ssbo": "SSBO", "lsb": "LSB", "msb": "MSB", "1d": "1D", "2d": "2D", "3d": "3D", "alu": "ALU", "io": "IO", "lod": "LOD",
}

// Camel turns snake_case into the Go spelling: load_ubo → LoadUBO.
func Camel(s string) string {
	var b strings.Builder
	for _, p := range strings.Split(s, "_") {
		if p == "" {
			continue
		}
		if w, ok := initialisms[p]; ok {
			b.WriteString(w)
			continue
		}
		b.WriteString(strings.ToUpper(p[:1]) + p[1:])
	}
	return b.String()
}
