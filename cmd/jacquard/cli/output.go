// SPDX-License-Identifier: MIT

package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/wire"
)

// Write writes data to the file out, or to standard output if there is none.
func (a *App) Write(out string, data []byte) error {
	if out == "" || out == "-" {
		if _, err := a.Stdout.Write(data); err != nil {
			return FileError("(standard output)", err)
		}
		return nil
	}
	if err := os.WriteFile(out, data, 0o666); err != nil {
		return FileError(out, err)
	}
	return nil
}

// JSON writes one JSON object on a line.
func JSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("cli: a value has no JSON: " + err.Error()) // the types that are passed have no other kinds of values
	}
	return append(data, '\n')
}

// Count formats "1 dispatch", "2 dispatches".
func Count(n int, noun string) string {
	switch {
	case n == 1:
	case noun == "dispatch":
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// partial is an output file that is written under a temporary name and renamed when it is complete.
type partial struct {
	*os.File
	name string
}

// Create opens an output file. A file that is not regular, such as a pipe, is written in place.
func Create(out string) (*partial, error) {
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(out, os.O_WRONLY, 0)
		return &partial{f, ""}, err
	}
	dir, base := filepath.Split(out)
	for i := 0; ; i++ {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf(".%s.%d.%d", base, os.Getpid(), i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return &partial{f, out}, err
		}
	}
}

// Finish closes the file, and renames it if it is complete or else removes it.
func (p *partial) Finish(complete bool) error {
	err := p.Close()
	switch {
	case p.name == "":
		return err
	case complete && err == nil:
		return os.Rename(p.File.Name(), p.name)
	}
	return errors.Join(err, os.Remove(p.File.Name()))
}

// Partials returns the files that Create made for an output file, and that no Finish has renamed or removed, sorted:
// they are left by processes that were killed, or belong to some that are running.
func Partials(out string) (list []string, err error) {
	folder, base := filepath.Split(out)
	files, err := os.ReadDir(cmp.Or(folder, "."))
	for _, f := range files {
		rest, ok := strings.CutPrefix(f.Name(), "."+base+".")
		pid, i, cut := strings.Cut(rest, ".")
		if ok && cut && strings.Trim(pid+i, "0123456789") == "" {
			list = append(list, folder+f.Name())
		}
	}
	return list, err
}

// WriteShader writes a shader as text, or in binary form if the file's extension is .jirb.
func (a *App) WriteShader(out string, s *ir.Shader) error {
	if filepath.Ext(out) == ".jirb" {
		return a.Write(out, wire.Marshal(s))
	}
	return a.Write(out, text.Print(s))
}

// WriteBinary is like Write, for output that must not go to a terminal.
func (a *App) WriteBinary(out string, data []byte) error {
	if out == "" && IsTerminal(a.Stdout) {
		return ErrTerminal
	}
	return a.Write(out, data)
}

// ErrTerminal is the error for binary output to a terminal.
var ErrTerminal = Usagef("refusing to write machine code to the terminal; use -o OUT")

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
