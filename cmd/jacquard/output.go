package main

import (
	"io"
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

// writeShader writes a shader as text, or in binary form if the file's name
// says so.
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
