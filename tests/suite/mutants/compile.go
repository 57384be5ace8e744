// SPDX-License-Identifier: MIT

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// checker type-checks mutants against the packages that the go command has built, each
// in a few milliseconds: of a mutant's package, only the bodies of functions whose text
// differs are checked, or all if anything outside of bodies does.
type checker struct {
	root     string
	fset     *token.FileSet
	imports  types.Importer
	packages map[string]*listed // by folder
}

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles                       []string
	DepOnly                       bool
	Module                        *struct{ GoVersion string }
	Error                         *struct{ Err string }

	files map[string]*source // by name
}

// source is a file of a package.
type source struct {
	full   *ast.File
	bare   *ast.File // without the bodies of functions
	bodies map[string]bool
	rest   string // the text without the bodies
}

// newChecker builds the packages that rows change, and their imports.
func newChecker(root string, list []*row) (*checker, error) {
	dirs := map[string]bool{}
	for _, r := range list {
		if strings.HasSuffix(r.File, ".go") {
			dirs["./"+path.Dir(r.File)] = true
		}
	}
	c := &checker{root: root, fset: token.NewFileSet(), packages: map[string]*listed{}}
	if len(dirs) == 0 {
		return c, nil
	}
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Name,Dir,Export,GoFiles,DepOnly,Module,Error"}
	cmd := exec.Command("go", append(args, slices.Sorted(maps.Keys(dirs))...)...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			return nil, fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
		}
		return nil, err
	}
	exports := map[string]string{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		p := &listed{files: map[string]*source{}}
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			c.packages[p.Dir] = p
		}
	}
	c.imports = importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s is not built", path)
		}
		return os.Open(exports[path])
	})
	return c, nil
}

// compiles returns an error if a mutant does not compile. Packages that import the changed one are not checked. For
// tables, only the syntax is checked, since the rest requires the generator.
func (c *checker) compiles(r *row) error {
	text, err := r.apply(c.root)
	if err != nil {
		return err
	}
	if strings.HasSuffix(r.File, ".toml") {
		var any map[string]any
		if _, err := toml.Decode(string(text), &any); err != nil && r.Refused == "" {
			return err
		}
		return nil
	}
	if !strings.HasSuffix(r.File, ".go") {
		return nil
	}
	at := filepath.Join(c.root, filepath.FromSlash(r.File))
	p := c.packages[filepath.Dir(at)]
	if p == nil || !slices.Contains(p.GoFiles, filepath.Base(at)) {
		return fmt.Errorf("%s is not part of a package", r.File)
	}
	return c.check(p, filepath.Base(at), text)
}

// source reads a file of a package, once.
func (c *checker) source(p *listed, name string) (*source, error) {
	if s := p.files[name]; s != nil {
		return s, nil
	}
	text, err := os.ReadFile(filepath.Join(p.Dir, name))
	if err != nil {
		return nil, err
	}
	s, err := c.read(name, text, nil)
	p.files[name] = s
	return s, err
}

// read parses a file. The bare form lacks the function bodies that old also has, or all if old is nil.
func (c *checker) read(name string, text []byte, old *source) (*source, error) {
	s := &source{bodies: map[string]bool{}}
	var err error
	if s.full, err = parser.ParseFile(c.fset, name, text, 0); err != nil {
		return nil, err
	}
	bare := *s.full
	bare.Decls = slices.Clone(bare.Decls)
	s.bare = &bare
	from := 0
	for i, d := range bare.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		start, end := c.fset.Position(f.Body.Pos()).Offset, c.fset.Position(f.Body.End()).Offset
		body := string(text[start:end])
		s.bodies[body] = true
		s.rest += string(text[from:start])
		from = end
		if old == nil || old.bodies[body] {
			stop := &ast.CallExpr{Fun: ast.NewIdent("panic"), Args: []ast.Expr{ast.NewIdent("nil")}}
			empty := *f
			empty.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: stop}}}
			bare.Decls[i] = &empty
		}
	}
	s.rest += string(text[from:])
	return s, nil
}

// check type-checks a package in which one file has another text.
func (c *checker) check(p *listed, name string, text []byte) error {
	old, err := c.source(p, name)
	if err != nil {
		return err
	}
	now, err := c.read(name, text, old)
	if err != nil {
		return err
	}
	if err := c.unused(now.full); err != nil {
		return err
	}
	var trees []*ast.File
	for _, f := range p.GoFiles {
		s := now
		if f != name {
			if s, err = c.source(p, f); err != nil {
				return err
			}
		}
		if now.rest == old.rest {
			trees = append(trees, s.bare)
		} else {
			trees = append(trees, s.full)
		}
	}
	var first error
	conf := types.Config{Importer: c.imports, Error: func(err error) {
		// Imports that are used only in bodies that are left out; see unused.
		if first == nil && !strings.Contains(err.Error(), "imported and not used") && !strings.Contains(err.Error(), "imported as ") {
			first = err
		}
	}}
	if p.Module != nil {
		conf.GoVersion = "go" + p.Module.GoVersion
	}
	_, err = conf.Check(p.ImportPath, c.fset, trees, nil)
	if first == nil && !errors.As(err, new(types.Error)) {
		return err
	}
	return first
}

// unused returns an error for an import of a whole file that nothing in it names.
func (c *checker) unused(tree *ast.File) error {
	names := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && id.Obj == nil {
				names[id.Name] = true
			}
		}
		return true
	})
	for _, i := range tree.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		name := ""
		if i.Name != nil {
			name = i.Name.Name
		} else if p, err := c.imports.Import(path); err != nil {
			return err
		} else {
			name = p.Name()
		}
		if name != "_" && name != "." && !names[name] {
			return fmt.Errorf("%s: %q imported and not used", c.fset.Position(i.Pos()), path)
		}
	}
	return nil
}
