// SPDX-License-Identifier: MIT

package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/analysis"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Platforms rejects code that names a platform or a target. The compiler, the model
// and the command query the target's record for a capability or a limit.
var Platforms = &analysis.Analyzer{
	Name: "platforms",
	Doc:  "platforms: outside the tables no code names a platform or a target",
	Run:  runPlatforms,
}

// unnamed are the parts of the project that must not name a platform.
var unnamed = []string{"jacquard", "core", "backend", "cmd"}

// platforms are the names of platforms and targets.
var platforms = func() []string {
	names := target.Names()
	for p := range isa.Platform(isa.NumPlatforms) {
		names = append(names, p.String())
	}
	slices.Sort(names)
	return slices.Compact(names)
}()

func runPlatforms(pass *analysis.Pass) (any, error) {
	if path, ours := packageOf(pass); !ours || !within(path, unnamed) {
		return nil, nil
	}
	for _, f := range sources(pass) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if namesPlatform(n.Name) {
					pass.Reportf(n.Pos(), "%s names a platform: ask the target's record", n.Name)
				} else if c, ok := pass.TypesInfo.Uses[n].(*types.Const); ok && isPlatform(c.Type()) && c.Name() != "NumPlatforms" {
					pass.Reportf(n.Pos(), "%s is a platform: ask the target's record", n.Name)
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && slices.Contains(platforms, s) {
					pass.Reportf(n.Pos(), "%s names a platform: ask the target's record", n.Value)
				}
			}
			return true
		})
	}
	return nil, nil
}

// isPlatform reports whether a type is isa.Platform.
func isPlatform(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Platform" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == module+"/generated/isa"
}

// namesPlatform reports whether a word of an identifier is a platform's name, as in
// TGL, isTGL and tglOnly.
func namesPlatform(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(platforms, strings.ToLower(w)) })
}

// words splits an identifier into words, at underscores and where capitals begin or end
// a word.
func words(name string) (out []string) {
	r := []rune(name)
	from := 0
	for i := range r {
		begins := i > from && unicode.IsUpper(r[i]) && (!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1]))
		if begins || r[i] == '_' {
			out = append(out, strings.Trim(string(r[from:i]), "_"))
			from = i
		}
	}
	return append(out, strings.Trim(string(r[from:]), "_"))
}
