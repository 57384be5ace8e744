// SPDX-License-Identifier: MIT

package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	return slices.Compact(files), nil
}

// inFolder returns, sorted, the shaders in a folder or below, and the Fossilize archives.
func inFolder(dir string) ([]string, error) {
	all := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
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
