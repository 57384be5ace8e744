// SPDX-License-Identifier: MIT

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name string
	data []byte
	run  bool // whether the file can be executed
}

func (e entry) mode() int64 {
	if e.run {
		return 0o755
	}
	return 0o644
}

func sorted(files map[string][]byte) []string { return slices.Sorted(maps.Keys(files)) }

// pages are the files of the repository in every archive: the example is the shader of README's first command.
var pages = []string{"README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "tests/shaders/saxpy.comp.spv"}

// companions returns the files that every archive has: pages, and what the command writes about itself.
func companions(src source, command string) ([]entry, error) {
	var files []entry
	for _, name := range pages {
		data, err := os.ReadFile(filepath.Join(src.dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name: name, data: data})
	}
	write := func(name string, args ...string) error {
		text, err := output("", command, args...)
		files = append(files, entry{name: name, data: []byte(text + "\n")})
		return err
	}
	for shell, name := range map[string]string{"bash": "jacquard.bash", "zsh": "_jacquard", "fish": "jacquard.fish"} {
		if err := write("completions/"+name, "completion", shell); err != nil {
			return nil, err
		}
	}
	if err := write("man/jacquard.1", "man"); err != nil {
		return nil, err
	}
	for _, name := range subcommands(files[len(files)-1].data) {
		if err := write("man/jacquard-"+name+".1", "man", name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// subcommands returns the names in the manual page that lists them.
func subcommands(page []byte) (names []string) {
	for line := range strings.Lines(string(page)) {
		if name, ok := strings.CutPrefix(line, `.BR jacquard\-`); ok {
			names = append(names, strings.TrimSuffix(name, " (1)\n"))
		}
	}
	return names
}

// ext returns the ending of the archive's name.
func (p platform) ext() string {
	if p.os == "windows" {
		return ".zip"
	}
	return ".tar.gz"
}

// pack returns an archive of files in a folder, all with the same time, sorted by name.
func (p platform) pack(folder string, files []entry, date time.Time) ([]byte, error) {
	slices.SortFunc(files, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	if p.os == "windows" {
		return packZip(folder, files, date)
	}
	return packTar(folder, files, date)
}

func packTar(folder string, files []entry, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Format: tar.FormatPAX,
			Name: folder + "/" + f.name, Mode: f.mode(), Size: int64(len(f.data)), ModTime: date,
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func packZip(folder string, files []entry, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(os.FileMode(f.mode()))
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
