// Package irtab loads the tables that describe the IR itself: instruction
// kinds and their variants, enumerations, index kinds and intrinsics. It
// resolves every name and refuses rows that don't fit together.
package irtab

import (
	"fmt"
	"sort"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/table"
)

// FieldClass says how the words of a field are read.
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
	Blocks              // one word a source, block handles
	EnumList            // one word a source, values of an enumeration
	Data                // one word a component, two for 64 bits
)

var classNames = []string{"u32", "i32", "u64", "bool", "enum", "mask", "type", "var", "func", "blocks", "enums", "data"}

func (c FieldClass) String() string { return classNames[c] }

// Words returns the number of words of a field, 0 when it depends on the
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
	Name string `toml:"name"`
	Doc  string `toml:"doc"`
}

// EnumDef is an [enum.x] row.
type EnumDef struct {
	Doc    string      `toml:"doc"`
	GoName string      `toml:"go"`
	Prefix string      `toml:"prefix"`
	Mask   bool        `toml:"mask"`
	Values []EnumValue `toml:"values"`
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
	Doc      string   `toml:"doc"`
	Sub      string   `toml:"sub"`
	Result   string   `toml:"result"`
	Src      []string `toml:"src"`
	Fields   []string `toml:"fields"`
	ValueSrc string   `toml:"value_src"`
	Builder  string   `toml:"builder"` // "core": core/ir has its constructors
}

// VariantDef is a [variant.kind_value] row.
type VariantDef struct {
	Doc    string   `toml:"doc"`
	Src    []string `toml:"src"`
	Fields []string `toml:"fields"`
}

// Variant is a resolved variant of a kind.
type Variant struct {
	Value  string
	Doc    string
	Src    []string
	Fields []Field // those of the kind, then its own
}

// Kind is a resolved instruction kind.
type Kind struct {
	Row      *table.Row[KindDef]
	SubEnum  *table.Row[EnumDef] // when sub is an enumeration
	Fields   []Field
	Src      []string
	Variadic bool // any number of sources follows Src
	Variants []Variant
}

// IndexDef is an [index.x] row.
type IndexDef struct {
	Doc     string `toml:"doc"`
	Type    string `toml:"type"`
	Default int64  `toml:"default"`
}

// Index is a resolved index kind.
type Index struct {
	Row   *table.Row[IndexDef]
	Field Field
}

// SrcDef is a declared source of an intrinsic.
type SrcDef struct {
	Name     string `toml:"name"`
	Comps    *int   `toml:"comps"`
	AnyComps bool   `toml:"any_comps"` // comps is not checked: pointers have the size their address format gives
}

// IntrinsicDef is an [intrinsic.x] row.
type IntrinsicDef struct {
	Doc      string   `toml:"doc"`
	Src      []SrcDef `toml:"src"`
	NumSrcs  *int     `toml:"num_srcs"` // when stated, must equal the number of entries in src
	Dest     *int     `toml:"dest"`
	Target   string   `toml:"target"`
	Indices  []string `toml:"indices"`
	Flags    []string `toml:"flags"`
	Family   string   `toml:"family"`
	AtomicOp string   `toml:"atomic_op"`
	Bits     []int    `toml:"bits"`
	Uniform  string   `toml:"uniform"` // always or never the same in a subgroup; else as its sources are
}

// Intrinsic is a resolved intrinsic.
type Intrinsic struct {
	Row     *table.Row[IntrinsicDef]
	Indices []*Index // a target's form comes last
}

// Flags are the flags an intrinsic may have, in the order of their bits.
var Flags = []string{"can_eliminate", "can_reorder", "convergent"}

// MaxIndices bounds the indices of one intrinsic.
const MaxIndices = 8

// MaxSrc bounds the declared sources of one intrinsic.
const MaxSrc = 6

// Tables is everything loaded.
type Tables struct {
	Enums      []*table.Row[EnumDef]
	Kinds      []*Kind
	Indices    []*Index
	Intrinsics []*Intrinsic
	Files      []string // all tables read

	enum  map[string]*table.Row[EnumDef]
	index map[string]*Index
}

// Enum finds an enumeration by its row name.
func (t *Tables) Enum(name string) *table.Row[EnumDef] { return t.enum[name] }

// Load reads defs/ir and defs/intrinsics.
func Load(c *domain.Context) (*Tables, error) {
	irset, err := c.Load("ir")
	if err != nil {
		return nil, err
	}
	inset, err := c.Load("intrinsics")
	if err != nil {
		return nil, err
	}
	if err := irset.Only("kind", "variant", "enum", "index"); err != nil {
		return nil, err
	}
	if err := inset.Only("intrinsic"); err != nil {
		return nil, err
	}
	t := &Tables{enum: map[string]*table.Row[EnumDef]{}, index: map[string]*Index{}}
	t.Files = append(append([]string{}, irset.Files...), inset.Files...)
	var errs diag.List
	if t.Enums, err = table.Rows[EnumDef](irset, "enum"); err != nil {
		return nil, err
	}
	for _, e := range t.Enums {
		t.enum[e.Name] = e
		checkEnum(e, &errs)
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
		ix := &Index{Row: r, Field: f}
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
		t.Kinds = append(t.Kinds, t.kind(r, variants, used, &errs))
	}
	for _, v := range variants {
		if !used[v.Name] {
			errs.Addf(v.Pos, v.Full, "no kind has a sub enumeration with this value; the name is KIND_VALUE")
		}
	}
	intr, err := table.Rows[IntrinsicDef](inset, "intrinsic")
	if err != nil {
		return nil, err
	}
	for _, r := range intr {
		t.Intrinsics = append(t.Intrinsics, t.intrinsic(r, &errs))
	}
	return t, errs.Err()
}

func checkEnum(e *table.Row[EnumDef], errs *diag.List) {
	v := &e.Val
	if v.Doc == "" {
		errs.Addf(e.Pos, e.Full, "doc is missing")
	}
	if v.GoName == "" {
		errs.Addf(e.Pos, e.Full, "go, the name of the Go type, is missing")
	}
	if v.Mask && len(v.Values) > 32 {
		errs.Addf(e.At("values"), e.Full, "a mask has at most 32 values, this has %d", len(v.Values))
	}
	seen := map[string]bool{}
	for _, x := range v.Values {
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
		return f, fmt.Errorf("unknown type %q; types are %s", typ, strings.Join(classNames, ", "))
	}
	switch f.Class {
	case Enum, Mask, EnumList:
		e := t.enum[arg]
		if e == nil {
			return f, fmt.Errorf("unknown enumeration %q", arg)
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

func (t *Tables) kind(r *table.Row[KindDef], variants []*table.Row[VariantDef], used map[string]bool, errs *diag.List) *Kind {
	k := &Kind{Row: r}
	d := &r.Val
	if d.Doc == "" {
		errs.Addf(r.Pos, r.Full, "doc is missing")
	}
	switch d.Result {
	case "always", "never", "by_sub":
	default:
		errs.Addf(r.At("result"), r.Full, "result is %q; it must be always, never or by_sub", d.Result)
	}
	if d.Builder != "" && d.Builder != "core" {
		errs.Addf(r.At("builder"), r.Full, "builder is %q; it must be core or left out", d.Builder)
	}
	switch d.Sub {
	case "", "op", "intrinsic":
	default:
		if k.SubEnum = t.enum[d.Sub]; k.SubEnum == nil || k.SubEnum.Val.Mask {
			errs.Addf(r.At("sub"), r.Full, "sub %q is neither op, intrinsic nor an enumeration", d.Sub)
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
				errs.Addf(row.At("fields"), row.Full, "the kind's last field has no fixed size, so that nothing can follow it")
			}
			v.Doc = row.Val.Doc
			v.Src = append(append([]string{}, k.Src...), row.Val.Src...)
			v.Fields = append(append([]Field{}, k.Fields...), fs...)
		}
		k.Variants = append(k.Variants, v)
	}
	return k
}

func (t *Tables) intrinsic(r *table.Row[IntrinsicDef], errs *diag.List) *Intrinsic {
	in := &Intrinsic{Row: r}
	d := &r.Val
	if d.Doc == "" {
		errs.Addf(r.Pos, r.Full, "doc is missing")
	}
	if d.NumSrcs != nil && *d.NumSrcs != len(d.Src) {
		errs.Addf(r.At("num_srcs"), r.Full, "num_srcs is %d, but src lists %d", *d.NumSrcs, len(d.Src))
	}
	if len(d.Src) > MaxSrc {
		errs.Addf(r.At("src"), r.Full, "%d sources; at most %d are possible", len(d.Src), MaxSrc)
	}
	for i, s := range d.Src {
		if s.Name == "" {
			errs.Addf(r.At("src"), r.Full, "source %d has no name", i)
		}
		if s.Comps == nil {
			errs.Addf(r.At("src"), r.Full, "source %d (%s) does not say how many components it has (comps; 0: as many as num_components)", i, s.Name)
		} else if c := *s.Comps; c < 0 || c > 16 {
			errs.Addf(r.At("src"), r.Full, "source %d (%s) has %d components; 0 to 16 are possible", i, s.Name, c)
		}
	}
	if d.Dest != nil && (*d.Dest < 0 || *d.Dest > 16) {
		errs.Addf(r.At("dest"), r.Full, "dest is %d; 0 to 16 components are possible", *d.Dest)
	}
	if d.Target != "" && d.Target != "image" && d.Target != "texture" {
		errs.Addf(r.At("target"), r.Full, "unknown target %q; it must be image or texture", d.Target)
	}
	for _, n := range d.Indices {
		ix := t.index[n]
		if ix == nil {
			errs.Addf(r.At("indices"), r.Full, "unknown index %q", n)
			continue
		}
		for _, o := range in.Indices {
			if o == ix {
				errs.Addf(r.At("indices"), r.Full, "index %q occurs twice", n)
			}
		}
		in.Indices = append(in.Indices, ix)
	}
	if d.Target != "" {
		if ix := t.index["form"]; ix != nil {
			in.Indices = append(in.Indices, ix)
		}
	}
	if len(in.Indices) > MaxIndices {
		errs.Addf(r.At("indices"), r.Full, "%d indices; at most %d are possible", len(in.Indices), MaxIndices)
	}
	seen := map[string]bool{}
	for _, f := range d.Flags {
		ok := false
		for _, g := range Flags {
			ok = ok || f == g
		}
		if !ok {
			errs.Addf(r.At("flags"), r.Full, "unknown flag %q; flags are %s", f, strings.Join(Flags, ", "))
		}
		if seen[f] {
			errs.Addf(r.At("flags"), r.Full, "flag %q occurs twice", f)
		}
		seen[f] = true
	}
	if d.AtomicOp != "" {
		e := t.enum["atomic_op"]
		ok := false
		for _, v := range e.Val.Values {
			ok = ok || v.Name == d.AtomicOp
		}
		if !ok {
			errs.Addf(r.At("atomic_op"), r.Full, "unknown atomic operation %q", d.AtomicOp)
		}
	}
	switch d.Uniform {
	case "", "always", "never":
	default:
		errs.Addf(r.At("uniform"), r.Full, "uniform is %q; it must be always, never, or left out (as the sources are)", d.Uniform)
	}
	for _, b := range d.Bits {
		switch b {
		case 1, 8, 16, 32, 64:
		default:
			errs.Addf(r.At("bits"), r.Full, "%d is no bit size", b)
		}
	}
	return in
}

// Families returns the names of intrinsic families, sorted.
func (t *Tables) Families() []string {
	seen := map[string]bool{}
	var out []string
	for _, in := range t.Intrinsics {
		if f := in.Row.Val.Family; f != "" && !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	sort.Strings(out)
	return out
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
