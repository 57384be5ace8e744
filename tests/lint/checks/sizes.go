// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const (
	mostFiles        = 20   // files in a package
	mostPackageLines = 5000 // lines in all its files
	licenseLines     = 2    // about the license at the start of a file, which do not count
)

// Sizes rejects packages that are too large to be about one thing. Tests and generated files do not count.
var Sizes = &analysis.Analyzer{
	Name: "sizes",
	Doc:  "sizes: no package has more than 20 files or 5,000 lines, without tests and generated files",
	Run:  runSizes,
}

func runSizes(pass *analysis.Pass) (any, error) {
	path, ours := packageOf(pass)
	if !ours {
		return nil, nil
	}
	files, lines := 0, 0
	var first *ast.File
	for _, f := range sources(pass) {
		if ast.IsGenerated(f) {
			continue
		}
		if first == nil {
			first = f
		}
		files++
		lines += pass.Fset.File(f.FileStart).LineCount()
		if len(f.Comments) > 0 && strings.HasPrefix(f.Comments[0].List[0].Text, "// SPDX-License-Identifier:") {
			lines -= licenseLines
		}
	}
	if files > mostFiles {
		pass.Reportf(first.Package, "package %s has %d files, more than %d", path, files, mostFiles)
	}
	if lines > mostPackageLines {
		pass.Reportf(first.Package, "package %s has %d lines, more than %d", path, lines, mostPackageLines)
	}
	return nil, nil
}
