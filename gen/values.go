// SPDX-License-Identifier: MIT

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/table"
)

// ofRows lists the enumerations whose values are rows, which other parts check.
var ofRows = []string{irtab.FormatEnum, irtab.AtomicEnum, irtab.ReductionEnum}

// constant matches a constant of package kind in Go.
var constant = regexp.MustCompile(`\bkind\.([A-Z]\w*)`)

// values rejects a value of an enumeration that instructions hold if no code handles or refuses it: some package of core or
// backend must name each value, unless none is named yet.
func values(ctx *domain.Context) error {
	root, err := project()
	if err != nil {
		return err
	}
	ir, err := irtab.Load(ctx)
	if err != nil {
		return err
	}
	named := map[string]bool{}
	for _, dir := range []string{"core", "backend"} {
		if err := namedBelow(filepath.Join(root, dir), named); err != nil {
			return err
		}
	}
	var errs diag.List
	for _, e := range ir.Enums {
		if e.Val.Mask || slices.Contains(ofRows, e.Name) || !held(ir, e) {
			continue
		}
		known := func(v irtab.EnumValue) bool { return named[e.Val.Const(v.Name)] }
		if !slices.ContainsFunc(e.Val.Values, known) {
			continue // a new kind of instruction or index, which no code uses yet
		}
		for _, v := range e.Val.Values {
			if c := e.Val.Const(v.Name); !known(v) {
				errs.Addf(e.At("values"), e.Full, "no code in core or backend handles or refuses the value %s, kind.%s", v.Name, c)
			}
		}
	}
	return errs.Err()
}

// held reports whether an enumeration is the type of a field or an index of instructions, or the sub of a kind.
func held(ir *irtab.Tables, e *table.Row[irtab.EnumDef]) bool {
	of := func(f irtab.Field) bool { return f.Enum == e }
	ofVariant := func(v irtab.Variant) bool { return slices.ContainsFunc(v.Fields, of) }
	for _, k := range ir.Kinds {
		if k.SubEnum == e || slices.ContainsFunc(k.Fields, of) || slices.ContainsFunc(k.Variants, ofVariant) {
			return true
		}
	}
	return slices.ContainsFunc(ir.Indices, func(x *irtab.Index) bool { return of(x.Field) })
}

// namedBelow adds the constants of package kind that the Go files below a folder name, except tests.
func namedBelow(dir string, named map[string]bool) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range constant.FindAllSubmatch(text, -1) {
			named[string(m[1])] = true
		}
		return err
	})
}
