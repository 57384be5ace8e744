// SPDX-License-Identifier: MIT

package main

import (
	"errors"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/cmd/jacquard/cli"
)

var asmCommand = cli.Command{
	Name:  "asm",
	Args:  "FILE.asm",
	Brief: "assemble machine code",
	Text: `
Assembles the output of dis or of compile --emit asm, whether edited or not.

Example:
  jacquard asm shader.asm --target tgl -o shader.bin`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		target, out := string(jacquard.DefaultTarget), ""
		fs.Codec(&target, "the GPU that the code is for")
		fs.Text(&out, "o", "OUT", "the file to write; standard output if there is none")
		return func(a *cli.App, args []string) error {
			file, err := cli.OneFile(args)
			if err != nil {
				return err
			}
			name, text, err := a.Read(file)
			if err != nil {
				return err
			}
			if len(text) == 0 {
				return cli.ErrEmpty(name)
			}
			platform, err := platformOf(target)
			if err != nil {
				return err
			}
			code, err := isatext.Assemble(platform, string(text))
			if err != nil {
				return asmError(name, err)
			}
			return a.WriteBinary(out, code)
		}
	},
}

// asmError adds the file's name to an error of the assembler.
func asmError(name string, err error) error {
	var e *isatext.Error
	if errors.As(err, &e) {
		return &jacquard.Error{File: name, Line: e.Line, Column: e.Col, Msg: e.Msg}
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}
