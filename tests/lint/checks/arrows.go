// SPDX-License-Identifier: MIT

package checks

import (
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Arrows rejects imports that the table of arrows does not allow.
var Arrows = &analysis.Analyzer{
	Name: "arrows",
	Doc:  "arrows: packages import what the table of arrows allows, and the product nothing but the standard library",
	Run:  runArrows,
}

func runArrows(pass *analysis.Pass) (any, error) {
	path, ours := packageOf(pass)
	if !ours {
		return nil, nil
	}
	files := sources(pass)
	row, known := rowOf(path)
	if !known && len(files) > 0 {
		pass.Reportf(files[0].Name.Pos(), "package %s has no row in the table of arrows", path)
		return nil, nil
	}
	for _, f := range files {
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, err
			}
			first, _, _ := strings.Cut(name, "/")
			switch target, isOurs := local(name); {
			case isOurs && !within(target, strings.Fields(arrows[row])):
				pass.Reportf(spec.Pos(), "%s imports %s; the arrows of %q allow: %s", path, target, row, arrows[row])
			case !isOurs && strings.Contains(first, ".") && !within(path, thirdParty):
				pass.Reportf(spec.Pos(), "%s is part of the product and imports %s", path, name)
			}
		}
	}
	return nil, nil
}

// rowOf returns the longest row that contains path, and false if there is none.
func rowOf(path string) (string, bool) {
	for p := path; p != ""; {
		if _, ok := arrows[p]; ok {
			return p, true
		}
		p = p[:max(strings.LastIndexByte(p, '/'), 0)]
	}
	return "", false
}
