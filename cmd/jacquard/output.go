package main

import (
	"io"
	"os"
)

// write writes data to the file out, or to standard output if there is none.
func (a *app) write(out string, data []byte) error {
	if out == "" || out == "-" {
		_, err := a.stdout.Write(data)
		return err
	}
	if err := os.WriteFile(out, data, 0o666); err != nil {
		return fileError(out, err)
	}
	return nil
}

// writeBinary is write for what no terminal should show.
func (a *app) writeBinary(out string, data []byte) error {
	if out == "" && isTerminal(a.stdout) {
		return errTerminal
	}
	return a.write(out, data)
}

var errTerminal = usagef("machine code would go to the terminal; say where with -o OUT")

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
