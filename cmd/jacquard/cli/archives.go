// SPDX-License-Identifier: MIT

package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/archive"
	"jacquard.example/cmd/jacquard/diag"
)

// An archive is named like a folder: a.zip/x/y.spv is a file in a.zip.

// Archive returns the archive that a file is, or nil if it is something else. Archives stay open.
func (a *App) Archive(file string) (*archive.Archive, error) {
	if n := len(file) - 1; n > 0 && os.IsPathSeparator(file[n]) { // a.zip/
		file = filepath.Clean(file)
	}
	if ext := filepath.Ext(file); ext == ".spv" || ext == ".jir" || ext == ".mir" || file == "-" {
		return nil, nil // decided by the name, as such files are many
	}
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil, nil
	}
	a.opened.Lock()
	defer a.opened.Unlock()
	x, known := a.archives[file]
	if !known {
		var err error
		if x, err = archive.Open(file); err != nil || x == nil {
			return nil, err
		}
		if a.archives == nil {
			a.archives = map[string]*archive.Archive{}
		}
		a.archives[file] = x
		a.warnCut(x)
	}
	return x, nil
}

// warnCut warns about an archive whose last entry is incomplete.
func (a *App) warnCut(x *archive.Archive) {
	if x.Foz == nil || x.Foz.Cut == nil {
		return
	}
	err := &jacquard.Error{File: x.File, Msg: x.Foz.Cut.Where() + " is cut off; it is ignored"}
	if a.Log != nil {
		a.Log.Warn(diag.Input, err)
		return
	}
	fmt.Fprintln(a.Stderr, strings.Replace(err.Error(), ": error: ", ": warning: ", 1))
}

// within returns the archive that a path leads into and the rest of the path, which is empty for a.zip/, or nil if it
// leads into none.
func (a *App) within(path string) (x *archive.Archive, member string, err error) {
	path = filepath.Clean(path)
	for dir := path; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.Mode().IsRegular() {
			x, err := a.Archive(dir)
			return x, strings.TrimPrefix(filepath.ToSlash(path[len(dir):]), "/"), err
		}
	}
	return nil, "", nil
}

// readMember reads a member of an archive. missing is the error if the input is not in an archive.
func (a *App) readMember(in *Input, missing error) error {
	x, member, err := a.within(in.file)
	if err != nil || x == nil {
		return cmp.Or(err, missing)
	}
	if member == "" {
		return a.unnamedMember(x)
	}
	c, err := x.Read(member)
	if err != nil {
		return err
	}
	in.Data, in.Stage = c.Data, c.Stage
	return nil
}

// appendShaders adds a file to a list, or the shaders in it if it is an archive.
func (a *App) appendShaders(files []string, file string) ([]string, error) {
	x, err := a.Archive(file)
	if err != nil || x == nil {
		return append(files, file), err
	}
	names, err := x.Names(a.Ctx)
	return append(files, shadersIn(x, names)...), err
}

// shadersBelow returns the shaders that a path into an archive names: a member, those below a folder, or the stages of
// a pipeline. missing is the error if the path leads into no archive.
func (a *App) shadersBelow(path string, missing error) ([]string, error) {
	x, member, err := a.within(path)
	if err != nil || x == nil {
		return nil, cmp.Or(err, missing)
	}
	if member == "" {
		return []string{x.File}, nil
	}
	names := x.Below(member)
	if slices.Equal(names, []string{member}) {
		return []string{path}, nil
	}
	if names = shadersIn(x, names); len(names) == 0 {
		return nil, &jacquard.Error{File: path, Msg: "the archive has no shader of this name, or below it"}
	}
	return names, nil
}

// shadersIn returns the files among the members of an archive that are shaders.
func shadersIn(x *archive.Archive, names []string) []string {
	if x.Foz == nil {
		all := map[string]bool{}
		for _, name := range names {
			all[name] = true
		}
		names = shadersAmong(all)
	}
	files := make([]string, len(names))
	for i, name := range names {
		files[i] = x.File + "/" + name
	}
	return files
}

// unnamedMember returns the error for an archive where one shader is needed.
func (a *App) unnamedMember(x *archive.Archive) error {
	const most = 24
	names, err := x.Names(a.Ctx)
	if err != nil {
		return err
	}
	files := shadersIn(x, names)
	if len(files) == 0 {
		return &jacquard.Error{File: x.File, Msg: "this is an archive, and it has no shaders"}
	}
	var b strings.Builder
	for i, file := range files {
		if i == most {
			fmt.Fprintf(&b, "\n  and %d more", len(files)-most)
			break
		}
		b.WriteString("\n  " + file)
	}
	return &jacquard.Error{File: x.File, Msg: "this is an archive; name one of its shaders:" + b.String()}
}
