package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ShaderFiles lists the shaders of files and folders by name, each once. A file
// named explicitly is always included.
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

// inFolder lists the modules below a folder, and the sources without a compiled module beside them: x.comp is
// compiled to x.comp.spv, x.spvasm to x.spv.
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
