// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"
	"go/token"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

type prop struct{ name, doc string }

// props are the properties that a restriction may refer to.
var props = []prop{
	{"pred", "a predicate"},
	{"cmod", "a condition modifier"},
	{"sat", "saturation"},
	{"neg", "a negated source"},
	{"abs", "an absolute source"},
	{"acc_wr", "the accumulator's write enable"},
	{"indirect", "an indirect operand"},
	{"no_dd", "NoDDClr or NoDDChk"},
}

func propIndex(n string) int {
	for i, p := range props {
		if p.name == n {
			return i
		}
	}
	return -1
}

func checkRestricts(t *isatab.Tables, errs *diag.List, cols isatab.Columns) {
	for _, r := range t.Restricts {
		v := &r.Val
		cols.Check(errs, r.At("on"), r.Full, v.On...)
		for _, o := range v.Ops {
			if _, ok := opsOf(t, o); !ok {
				errs.Unknown(r.At("ops"), r.Full, "opcode or format", o, diag.Join(slices.Values(isatab.OpFormats), table.Names(t.Ops)))
			}
		}
		for _, key := range []string{"need", "forbid"} {
			list := v.Need
			if key == "forbid" {
				list = v.Forbid
			}
			for _, p := range list {
				if propIndex(p) < 0 {
					errs.Unknown(r.At(key), r.Full, "property", p, diag.Each(props, func(p prop) string { return p.name }))
				}
			}
		}
		if (v.Check != "") == (len(v.Need)+len(v.Forbid) > 0) {
			errs.Addf(r.Pos, r.Full, "a restriction has either check, or need or forbid")
		}
		if v.Check != "" && !token.IsIdentifier(v.Check) {
			errs.Addf(r.At("check"), r.Full, "%q is not a function name", v.Check)
		}
	}
}

// opsOf returns the opcodes that a name in a restriction denotes.
func opsOf(t *isatab.Tables, name string) ([]string, bool) {
	var out []string
	for _, o := range t.Ops {
		if o.Name == name || o.Val.Format == name {
			out = append(out, isatab.GoName(o.Name, ""))
		}
	}
	return out, len(out) > 0
}

// restrictions returns the file of restrictions.
func restrictions(t *isatab.Tables) *emit.File {
	f := emit.NewFile("isa", "")
	f.Type("Prop is a set of properties of an instruction that restrictions refer to.", "Prop", "uint16")
	var list []emit.Name
	for i, p := range props {
		list = append(list, emit.Name{Name: "Prop" + isatab.GoName(p.name, ""), Is: fmt.Sprintf("Prop = 1 << %d", i), Doc: p.doc})
	}
	f.Consts("The properties.", list)
	f.Struct("Restriction describes instructions that can be encoded but are not\nallowed.", "Restriction", `
		ID string
		Doc string
		Ref string // the place in the manual
		On uint32 // the platforms concerned, bit n for Platform n
		Ops [2]uint64 // the opcodes concerned, bit n for Op n; empty for all
		Need Prop // exactly one of these
		Forbid Prop // none of these
		Check string // a function of backend/intel/legal`)
	f.Func("Concerns reports whether the restriction applies to the opcode\non the platform.",
		"(r *Restriction) Concerns(p Platform, o Op) bool",
		emit.Return("r.On>>p&1 != 0 && (r.Ops == [2]uint64{} || r.Ops[o>>6&1]>>(o&63)&1 != 0)"))
	var rows emit.Rows
	for _, r := range t.Restricts {
		restriction(t, &rows, r)
	}
	f.Table("Restrictions holds all restrictions, in the order of the table.", "Restrictions", "[...]Restriction", &rows)
	return f
}

func restriction(t *isatab.Tables, b *emit.Rows, r *table.Row[isatab.RestrictRow]) {
	bits := func(list []string) (out []string) {
		for _, p := range list {
			out = append(out, "Prop"+isatab.GoName(p, ""))
		}
		return out
	}
	v := &r.Val
	b.F("{ID: %q, Doc: %q, Ref: %q", r.Name, v.Doc, v.Ref)
	on := uint32(0)
	for i, p := range t.Platforms {
		if len(v.On) == 0 || isatab.Index(v.On, p.Name) >= 0 || isatab.Index(v.On, p.Val.Family) >= 0 {
			on |= 1 << i
		}
	}
	b.F(", On: %#x", on)
	if len(v.Ops) > 0 {
		var set [2]uint64
		for i, o := range t.Ops {
			for _, n := range v.Ops {
				if o.Name == n || o.Val.Format == n {
					set[i>>6] |= 1 << (i & 63)
				}
			}
		}
		b.F(", Ops: [2]uint64{%#x, %#x}", set[0], set[1])
	}
	b.Set("Need", bits(v.Need))
	b.Set("Forbid", bits(v.Forbid))
	if v.Check != "" {
		b.F(", Check: %q", v.Check)
	}
	b.F("},\n")
}
