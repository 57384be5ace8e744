package main

import (
	"bytes"
	"errors"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/listing"
	"jacquard.example/generated/isa"
)

var disCommand = command{
	name:  "dis",
	args:  "FILE.bin",
	brief: "disassemble machine code",
	text: `
Writes machine code as assembly, in the syntax of Intel's iga64, and says in comments what messages ask for. FILE
contains only the code, as written by compile --emit bin.

Example:
  jacquard dis shader.bin --target tgl`,
	setup: func(fs *flagSet) func(*app, []string) error {
		target := string(jacquard.DefaultTarget)
		var style listing.Style
		fs.target(&target, "the GPU that the code is for")
		var out string
		fs.text(&out, "o", "OUT", "the file to write; standard output if there is none")
		fs.boolean(&style.Bytes, "bytes", "say the offset and the bytes of each instruction")
		return func(a *app, args []string) error {
			file, err := oneFile(args)
			if err != nil {
				return err
			}
			name, code, err := a.readCode(file)
			if err != nil {
				return err
			}
			platform, err := platformOf(target)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if err := listing.Write(&b, name, platform, code, nil, style); err != nil {
				return err
			}
			return a.write(out, b.Bytes())
		}
	},
}

// readCode reads machine code. It rejects, with a specific message, kinds of files that are often mistaken for it.
func (a *app) readCode(file string) (name string, code []byte, err error) {
	name, code, err = a.read(file)
	is := ""
	switch {
	case err != nil:
		return name, nil, err
	case len(code) == 0:
		return name, nil, errEmpty(name)
	case isSPIRV(code):
		is = "a SPIR-V module"
	case bytes.HasPrefix(code, []byte("\x7fELF")):
		is = "an ELF file, such as a zebin"
	default:
		return name, code, nil
	}
	return name, nil, &jacquard.Error{File: name, Msg: "this is " + is + ", not machine code, which compile --emit bin writes"}
}

// platformOf returns the platform of a target.
func platformOf(target string) (isa.Platform, error) {
	if p, ok := isa.PlatformByName(target); ok {
		return p, nil
	}
	return 0, errors.New("jacquard: error: machine code of target " + target + " is not available yet")
}
