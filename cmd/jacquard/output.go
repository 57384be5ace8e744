package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/wire"
)

// write writes data to the file out, or to standard output if there is none.
func (a *app) write(out string, data []byte) error {
	if out == "" || out == "-" {
		if _, err := a.stdout.Write(data); err != nil {
			return fileError("(standard output)", err)
		}
		return nil
	}
	if err := os.WriteFile(out, data, 0o666); err != nil {
		return fileError(out, err)
	}
	return nil
}

// partial is an output file that is written under a temporary name and renamed when it is complete.
type partial struct {
	*os.File
	name string
}

// create opens an output file. A file that is not regular, such as a pipe, is written in place.
func create(out string) (*partial, error) {
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

// finish closes the file, and renames it if it is complete or else removes it.
func (p *partial) finish(complete bool) error {
	err := p.Close()
	switch {
	case p.name == "":
		return err
	case complete && err == nil:
		return os.Rename(p.File.Name(), p.name)
	}
	return errors.Join(err, os.Remove(p.File.Name()))
}

// writeShader writes a shader as text, or in binary form if the file's extension is .jirb.
func (a *app) writeShader(out string, s *ir.Shader) error {
	if filepath.Ext(out) == ".jirb" {
		return a.write(out, wire.Marshal(s))
	}
	return a.write(out, text.Print(s))
}

// writeBinary is like write, for output that must not go to a terminal.
func (a *app) writeBinary(out string, data []byte) error {
	if out == "" && isTerminal(a.stdout) {
		return errTerminal
	}
	return a.write(out, data)
}

var errTerminal = usagef("refusing to write machine code to the terminal; use -o OUT")

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
