package main

import (
	"errors"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
)

var asmCommand = command{
	name:  "asm",
	args:  "FILE.asm",
	brief: "assemble machine code",
	text: `
Assembles the output of dis or of compile --emit asm, whether edited or not.

Example:
  jacquard asm shader.asm --target tgl -o shader.bin`,
	setup: func(fs *flagSet) func(*app, []string) error {
		target, out := string(jacquard.DefaultTarget), ""
		fs.target(&target, "the GPU that the code is for")
		fs.text(&out, "o", "OUT", "the file to write; standard output if there is none")
		return func(a *app, args []string) error {
			file, err := oneFile(args)
			if err != nil {
				return err
			}
			name, text, err := a.read(file)
			if err != nil {
				return err
			}
			if len(text) == 0 {
				return errEmpty(name)
			}
			platform, err := platformOf(target)
			if err != nil {
				return err
			}
			code, err := isatext.Assemble(platform, string(text))
			if err != nil {
				return asmError(name, err)
			}
			return a.writeBinary(out, code)
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
