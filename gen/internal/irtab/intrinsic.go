// SPDX-License-Identifier: MIT

package irtab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/pattern"
	"jacquard.example/gen/internal/table"
)

// SrcDef is a declared source of an intrinsic.
type SrcDef struct {
	Name     string `toml:"name" doc:"The source's name." required:"true" pattern:"^[a-z_][a-z0-9_]*$"`
	Comps    *int   `toml:"comps" doc:"Its components; 0 means as many as the instruction's num_components." required:"true" minimum:"0" maximum:"16"`
	Role     string `toml:"role" doc:"The role of the source, a row of [role]; default: the one of its name, if there is one." pattern:"^[a-z_][a-z0-9_]*$"`
	AnyComps bool   `toml:"any_comps" doc:"The number of components is not checked: it depends on the address format for pointers, and on the subgroup size for ballots."`
	Bits     []int  `toml:"bits" doc:"Allowed bit sizes; default: any." itemsEnum:"1,8,16,32,64"`
	Same     bool   `toml:"same" doc:"Its bit size is the result's."`
}

// IntrinsicDef is an [intrinsic.x] row.
type IntrinsicDef struct {
	Doc      string         `toml:"doc" doc:"The operation of the intrinsic." required:"true"`
	Src      []SrcDef       `toml:"src" doc:"The declared sources in order."`
	NumSrcs  *int           `toml:"num_srcs" doc:"When stated, must equal the number of entries in src." minimum:"0"`
	Dest     *int           `toml:"dest" doc:"Components of the result; 0 means num_components; default: no result." minimum:"0" maximum:"16"`
	Target   string         `toml:"target" doc:"One more operand, after the declared sources: the object that the intrinsic acts on." enum:"image,texture"`
	Forms    string         `toml:"forms" doc:"How the target's form is represented: by an index of the instruction (field, the default), not at all because it is always a deref (deref), or by the intrinsic's name (names: three intrinsics, for a deref, an index and a bindless handle)." enum:"field,deref,names"`
	Indices  []string       `toml:"indices" doc:"Constant indices in the order they are stored; a target of forms = field adds form." items:"^[a-z_][a-z0-9_]*$"`
	Flags    []string       `toml:"flags" doc:"Permissions of passes. can_eliminate: remove it when its result is unused; can_reorder: move and merge it like arithmetic; convergent: it must stay under the same control flow." itemsEnum:"can_eliminate,can_reorder,convergent"`
	Traits   []string       `toml:"traits" doc:"Each [trait] of it, which passes test instead of its name." items:"^[a-z_][a-z0-9_]*$"`
	AtomicOp string         `toml:"atomic_op" doc:"The operation of an atomic, if it follows from the name rather than an index."`
	Bits     []int          `toml:"bits" doc:"Sizes that the result (or the value stored) may have; default: any." itemsEnum:"1,8,16,32,64"`
	Uniform  string         `toml:"uniform" doc:"Whether the invocations of a workgroup (always), of a subgroup, or of a cluster of one (by index cluster_size; 0 means a subgroup) that execute it together get the same result; default: the invocations of a subgroup do if its sources are the same." enum:"always,subgroup,cluster,never"`
	Stages   []string       `toml:"stages" doc:"The stages in which it has a meaning; default: all. Intrinsics that only occur in stages that the SPIR-V reader does not accept yet are never created."`
	For      map[string]any `toml:"for" doc:"Names and the values they take, one intrinsic each; the row's name and its texts use them as $name." shape:"for"`
}

// Form is the way in which the target of an intrinsic is given.
type Form int8

// NoForm is the form of intrinsics that have a form index or no target; other
// forms are values of [enum.target_form].
const NoForm Form = -1

// forms are the expansions of forms = "names": the change of the name, and the additional index. Both follow the image
// intrinsics in Mesa 24.1's nir_intrinsics.py.
var forms = []struct {
	form       string
	name       func(target, rest string) string
	additional string
}{
	{"deref", func(target, rest string) string { return target + "_deref_" + rest }, ""},
	{"index", func(target, rest string) string { return target + "_" + rest }, "range_base"},
	{"bindless", func(target, rest string) string { return "bindless_" + target + "_" + rest }, ""},
}

// Intrinsic is a resolved intrinsic.
type Intrinsic struct {
	Row     *table.Row[IntrinsicDef] // after expansion, with the intrinsic's name
	Indices []*Index                 // a target's form comes last
	Form    Form
}

// Flags are the flags an intrinsic may have, in the order of their bits.
var Flags = []string{"can_eliminate", "can_reorder", "convergent"}

// MaxIndices bounds the indices of one intrinsic.
const MaxIndices = 10

// MaxSrc bounds the declared sources of one intrinsic.
const MaxSrc = 6

// expand adds the intrinsics of a row: one for each binding of its for and each
// form of its target.
func (t *Tables) expand(r *table.Row[IntrinsicDef], errs *diag.List) {
	rounds := []pattern.Binding{{}}
	if len(r.Val.For) > 0 {
		var err error
		if rounds, err = pattern.Expand(r.Val.For); err != nil {
			errs.Addf(r.At("for"), r.Full, "for: %v", err)
			return
		}
	}
	for i := range rounds {
		x, key, err := bound(r, &rounds[i])
		if err != nil {
			errs.Addf(r.At(key), r.Full, "%s: %v", key, err)
			return // one message is enough for a template
		}
		switch x.Val.Forms {
		case "names":
		case "deref":
			t.add(x, t.form("deref"), errs)
			continue
		default:
			t.add(x, NoForm, errs)
			continue
		}
		rest, ok := strings.CutPrefix(x.Name, x.Val.Target+"_")
		if !ok || x.Val.Target == "" {
			errs.Addf(r.At("forms"), x.Full, "forms = \"names\" needs a target, which must be the name's prefix: [intrinsic.image_…]")
			return
		}
		for _, f := range forms {
			y := *x
			y.Name = f.name(x.Val.Target, rest)
			y.Full = "intrinsic." + y.Name
			y.Val.Indices = slices.Clone(x.Val.Indices)
			if f.additional != "" && !slices.Contains(y.Val.Indices, f.additional) {
				y.Val.Indices = slices.Insert(y.Val.Indices, slices.Index(y.Val.Indices, "access")+1, f.additional)
			}
			t.add(&y, t.form(f.form), errs)
		}
	}
}

// form returns the number of a value of [enum.target_form].
func (t *Tables) form(name string) Form { return Form(slices.Index(t.Values("target_form"), name)) }

// bound returns a copy of the row with the values of a binding substituted. On an error it
// also returns the key that is wrong.
func bound(r *table.Row[IntrinsicDef], b *pattern.Binding) (*table.Row[IntrinsicDef], string, error) {
	x := *r
	d := &x.Val
	if len(d.For) == 0 {
		return &x, "", nil
	}
	d.Src, d.Indices, d.Flags = slices.Clone(d.Src), slices.Clone(d.Indices), slices.Clone(d.Flags)
	texts := []struct {
		key string
		at  *string
	}{{"name", &x.Name}, {"doc", &d.Doc}, {"atomic_op", &d.AtomicOp}, {"uniform", &d.Uniform}}
	for i := range d.Src {
		texts = append(texts, struct {
			key string
			at  *string
		}{"src", &d.Src[i].Name})
	}
	for i := range d.Indices {
		texts = append(texts, struct {
			key string
			at  *string
		}{"indices", &d.Indices[i]})
	}
	for _, text := range texts {
		var err error
		if *text.at, err = b.Apply(*text.at); err != nil {
			return nil, text.key, err
		}
	}
	x.Full = "intrinsic." + x.Name
	return &x, "", nil
}

// add checks an intrinsic and adds it.
func (t *Tables) add(r *table.Row[IntrinsicDef], form Form, errs *diag.List) {
	if !rowName.MatchString(r.Name) {
		errs.Addf(r.Pos, r.Full, "%s", rowNameRule)
	}
	if first := t.named[r.Name]; first != nil {
		errs.Addf(r.Pos, r.Full, "the row at %s defines %s already", first.Row.Pos, r.Name)
		return
	}
	in := t.intrinsic(r, form, errs)
	t.named[r.Name] = in
	t.Intrinsics = append(t.Intrinsics, in)
}

func (t *Tables) intrinsic(r *table.Row[IntrinsicDef], form Form, errs *diag.List) *Intrinsic {
	in := &Intrinsic{Row: r, Form: form}
	d := &r.Val
	if d.NumSrcs != nil && *d.NumSrcs != len(d.Src) {
		errs.Addf(r.At("num_srcs"), r.Full, "num_srcs is %d, but src lists %d", *d.NumSrcs, len(d.Src))
	}
	t.sources(r, errs)
	if d.Forms != "" && d.Target == "" {
		errs.Addf(r.At("forms"), r.Full, "forms requires a target")
	}
	t.indices(in, errs)
	words(r, "flags", "flag", d.Flags, Flags, errs)
	words(r, "traits", "trait", d.Traits, slices.Collect(table.Names(t.Traits)), errs)
	t.checkTraits(r, errs)
	flags(r, errs)
	if d.AtomicOp != "" {
		t.word(r, "atomic_op", "atomic operation", d.AtomicOp, "atomic_op", errs)
	}
	switch d.Uniform {
	case "", "always", "subgroup", "never":
	case "cluster":
		if !slices.Contains(d.Indices, "cluster_size") {
			errs.Addf(r.At("uniform"), r.Full, "uniform is %q, which needs the index cluster_size", d.Uniform)
		}
	default:
		errs.Unknown(r.At("uniform"), r.Full, "uniform", d.Uniform, slices.Values([]string{"always", "subgroup", "cluster", "never"}))
	}
	words(r, "stages", "stage", d.Stages, t.Values("stage"), errs)
	return in
}

func (t *Tables) sources(r *table.Row[IntrinsicDef], errs *diag.List) {
	src := r.Val.Src
	if len(src) > MaxSrc {
		errs.Addf(r.At("src"), r.Full, "%d sources; at most %d are possible", len(src), MaxSrc)
	}
	for i, s := range src {
		if s.Same && r.Val.Dest == nil {
			errs.Addf(r.At("src"), r.Full, "source %d has the size of the result, but there is no result", i)
		}
		for _, o := range src[:i] {
			if o.Name == s.Name && s.Name != "" {
				errs.Addf(r.At("src"), r.Full, "two sources are named %q", s.Name)
			}
		}
		if s.Role != "" && t.Role(&s) < 0 {
			errs.Unknown(r.At("src"), r.Full, "role", s.Role, table.Names(t.Roles))
		}
		for _, o := range src[:i] {
			if role := t.Role(&o); role >= 0 && role == t.Role(&s) && o.Name != s.Name {
				errs.Addf(r.At("src"), r.Full, "sources %q and %q have the same role, %s", o.Name, s.Name, t.Roles[role].Name)
			}
		}
	}
}

// Source returns the source with a role, or nil.
func (d *IntrinsicDef) Source(role string) *SrcDef {
	i := slices.IndexFunc(d.Src, func(s SrcDef) bool { return cmp.Or(s.Role, s.Name) == role })
	if i < 0 {
		return nil
	}
	return &d.Src[i]
}

// Role returns the index in Roles of a source's role, or -1 if it has none.
func (t *Tables) Role(s *SrcDef) int {
	name := cmp.Or(s.Role, s.Name)
	return slices.IndexFunc(t.Roles, func(r *table.Row[RoleDef]) bool { return r.Name == name })
}

func (t *Tables) indices(in *Intrinsic, errs *diag.List) {
	r := in.Row
	for _, n := range r.Val.Indices {
		ix := t.index[n]
		if ix == nil {
			errs.Unknown(r.At("indices"), r.Full, "index", n, maps.Keys(t.index))
			continue
		}
		if slices.Contains(in.Indices, ix) {
			errs.Addf(r.At("indices"), r.Full, "index %q occurs twice", n)
		}
		in.Indices = append(in.Indices, ix)
	}
	if r.Val.Target != "" && in.Form == NoForm {
		if ix := t.index["form"]; ix != nil {
			in.Indices = append(in.Indices, ix)
		}
	}
	if len(in.Indices) > MaxIndices {
		errs.Addf(r.At("indices"), r.Full, "%d indices; at most %d are possible", len(in.Indices), MaxIndices)
	}
}

// checkTraits checks that an intrinsic has the roles and indices that its traits require.
func (t *Tables) checkTraits(r *table.Row[IntrinsicDef], errs *diag.List) {
	for _, trait := range t.Traits {
		if !slices.Contains(r.Val.Traits, trait.Name) {
			continue
		}
		var missing []string
		for _, role := range trait.Val.Roles {
			if r.Val.Source(role) == nil {
				missing = append(missing, "a source with the role "+role)
			}
		}
		for _, index := range trait.Val.Indices {
			if !slices.Contains(r.Val.Indices, index) {
				missing = append(missing, "the index "+index)
			}
		}
		if len(missing) > 0 {
			errs.Addf(r.At("traits"), r.Full, "the trait %s needs %s", trait.Name, strings.Join(missing, ", "))
		}
	}
}

// words checks a list of words, each of which must be known and occur once.
func words[T any](r *table.Row[T], key, what string, list, known []string, errs *diag.List) {
	for i, f := range list {
		if !slices.Contains(known, f) {
			errs.Unknown(r.At(key), r.Full, what, f, slices.Values(known))
		}
		if slices.Contains(list[:i], f) {
			errs.Addf(r.At(key), r.Full, "%s %q occurs twice", what, f)
		}
	}
}

func (t *Tables) word(r *table.Row[IntrinsicDef], key, what, word, enum string, errs *diag.List) {
	if !slices.Contains(t.Values(enum), word) {
		errs.Unknown(r.At(key), r.Full, what, word, slices.Values(t.Values(enum)))
	}
}

// Values returns the names of an enumeration's values, or nil if there is no
// such enumeration.
func (t *Tables) Values(enum string) []string {
	var out []string
	if e := t.enum[enum]; e != nil {
		for _, v := range e.Val.Values {
			out = append(out, v.Name)
		}
	}
	return out
}

// StageMask returns the set of stages in which an intrinsic is defined, one bit
// each in the order of the enumeration.
func (t *Tables) StageMask(in *Intrinsic) uint32 {
	all := t.Values("stage")
	if len(in.Row.Val.Stages) == 0 {
		return 1<<len(all) - 1
	}
	m := uint32(0)
	for _, s := range in.Row.Val.Stages {
		if i := slices.Index(all, s); i >= 0 {
			m |= 1 << i
		}
	}
	return m
}

// String returns the signature of an intrinsic for documentation; n stands
// for the instruction's number of components.
func (in *Intrinsic) String() string {
	d := &in.Row.Val
	comps := func(n int) string {
		if n == 0 {
			return "n"
		}
		return fmt.Sprint(n)
	}
	var src []string
	for _, s := range d.Src {
		n := comps(*s.Comps)
		if s.AnyComps {
			n = "any"
		}
		src = append(src, s.Name+" "+n)
	}
	if d.Target != "" {
		src = append(src, d.Target)
	}
	out := in.Row.Name + "(" + strings.Join(src, ", ") + ")"
	if d.Dest != nil {
		out += " → " + comps(*d.Dest)
	}
	return out
}
