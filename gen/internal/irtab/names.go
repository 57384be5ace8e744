// SPDX-License-Identifier: MIT

package irtab

import (
	"go/token"
	"regexp"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

var (
	rowName   = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	valueName = regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
)

const rowNameRule = "the name must start with a letter and have only lower-case letters, digits and single underscores"

// reserved are the names in package kind that come from no row.
var reserved = map[string]bool{
	"Enum": true, "Enums": true, "Kind": true, "Invalid": true, "Count": true, "FieldClass": true, "Field": true, "Shape": true, "Sub": true,
	"Result": true, "Info": true, "Infos": true, "ByName": true, "SubNone": true, "SubOp": true, "SubIntrinsic": true, "SubEnum": true,
	"ResultNever": true, "ResultAlways": true, "ResultBySub": true,
}

// goNames are the names in package kind. A duplicate is reported here, where its
// position is known, and not by the Go compiler.
type goNames struct {
	errs *diag.List
	seen map[string]diag.Pos
}

func (g *goNames) claim(name, full string, pos diag.Pos) {
	switch first, dup := g.seen[name]; {
	case reserved[name]:
		g.errs.Addf(pos, full, "the Go name %s is declared in package kind itself", name)
	case !token.IsIdentifier(name) || !token.IsExported(name):
		g.errs.Addf(pos, full, "%q is not an exported Go name", name)
	case dup:
		g.errs.Addf(pos, full, "the Go name %s is already used by the row at %s", name, first)
	default:
		g.seen[name] = pos
	}
}

func (g *goNames) enum(e *table.Row[EnumDef]) {
	g.claim(e.Val.GoName, e.Full, e.At("go"))
	g.claim("Enum"+e.Val.GoName, e.Full, e.At("go"))
	for i, v := range e.Val.Values {
		name := e.Val.Const(v.Name)
		if i > 0 && e.Val.Values[i-1].Name == v.Name || !valueName.MatchString(v.Name) {
			continue // said elsewhere
		}
		g.claim(name, e.Full, e.At("values"))
	}
}

func (g *goNames) kind(r *table.Row[KindDef]) {
	if !rowName.MatchString(r.Name) {
		g.errs.Addf(r.Pos, r.Full, "%s", rowNameRule)
		return
	}
	g.claim(Camel(r.Name), r.Full, r.Pos)
}
