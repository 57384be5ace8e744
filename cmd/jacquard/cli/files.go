package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ShaderFiles returns the files among paths, whatever their names, and the shaders in the folders among them, sorted
// and without duplicates.
func ShaderFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, FileError(path, err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := inFolder(path)
		if err != nil {
			return nil, FileError(path, err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// inFolder returns, sorted, the modules in a folder or below, and the sources that have no compiled module beside
// them. The compiled module of x.comp is x.comp.spv or x.spv.
func inFolder(dir string) ([]string, error) {
	all := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all[path] = true
		}
		return err
	})
	var files []string
	for path := range all {
		ext := filepath.Ext(path)
		if ext == ".spv" || isSource(path) && !all[path+".spv"] && !all[strings.TrimSuffix(path, ext)+".spv"] {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return files, err
}
