// SPDX-License-Identifier: MIT

package cli

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"jacquard.example/cmd/jacquard/archive"
)

// ShaderFiles returns the files among paths, whatever their names, and the shaders in the folders and archives among
// them, sorted and without duplicates.
func (a *App) ShaderFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		found := []string{path}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			found, err = a.shadersBelow(path, FileError(path, err))
		case info.IsDir():
			if found, err = inFolder(path); err != nil {
				err = FileError(path, err)
			}
		}
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			list, err := a.appendShaders(files, file)
			switch {
			case err == nil:
				files = list
			case info != nil && info.IsDir() && a.Ctx.Err() == nil: // a damaged archive does not hide the rest of the folder
				files = append(files, file)
			default:
				return nil, err
			}
		}
	}
	slices.Sort(files)
	if slices.ContainsFunc(files, func(name string) bool { return !utf8.ValidString(name) }) {
		slices.SortFunc(files, func(x, y string) int { return cmp.Or(cmp.Compare(Shown(x), Shown(y)), cmp.Compare(x, y)) })
	}
	return slices.Compact(files), nil
}

// Shown returns the name of a file in JSON. Bytes that are not UTF-8, which JSON cannot express, are spelled %XX.
func Shown(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return archive.Spelled(name)
}

// inFolder returns, sorted, the shaders in a folder or below, and the Fossilize archives. Symbolic links to files are
// followed, those to folders only if dir is one.
func inFolder(dir string) ([]string, error) {
	if info, err := os.Lstat(dir); err == nil && info.Mode().Type() == fs.ModeSymlink {
		dir += string(filepath.Separator) // otherwise WalkDir visits the link
	}
	all := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && isFile(path, d.Type()) {
			all[path] = true
		}
		return err
	})
	files := shadersAmong(all)
	for path := range all {
		if filepath.Ext(path) == ".foz" {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return files, err
}

// isFile reports whether a directory entry is a regular file, a symbolic link to a file, or a dangling link. It is false for
// pipes and devices, which may never end.
func isFile(path string, kind fs.FileMode) bool {
	if kind == fs.ModeSymlink {
		info, err := os.Stat(path)
		if err != nil {
			return true
		}
		kind = info.Mode()
	}
	return kind&(fs.ModeDir|fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) == 0
}

// shadersAmong returns, sorted, the modules among some files, and the sources that have no compiled module beside
// them. The compiled module of x.comp is x.comp.spv or x.spv.
func shadersAmong(all map[string]bool) (files []string) {
	for path := range all {
		ext := filepath.Ext(path)
		if ext == ".spv" || isSource(path) && !all[path+".spv"] && !all[strings.TrimSuffix(path, ext)+".spv"] {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return files
}
