// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"errors"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/listing"
	"jacquard.example/generated/isa"
)

var disCommand = cli.Command{
	Name:  "dis",
	Args:  "FILE.bin",
	Brief: "disassemble machine code",
	Text: `
Writes machine code as assembly, in the syntax of Intel's iga64, and says in comments what messages ask for. FILE
contains only the code, as written by compile --emit bin.

Example:
  jacquard dis shader.bin --target tgl`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		target := string(jacquard.DefaultTarget)
		var style listing.Style
		fs.Codec(&target, "the GPU that the code is for")
		var out string
		fs.Text(&out, "o", "OUT", "the file to write; standard output if there is none")
		fs.Boolean(&style.Bytes, "bytes", "print the offset and the bytes of each instruction")
		return func(a *cli.App, args []string) error {
			file, err := cli.OneFile(args)
			if err != nil {
				return err
			}
			name, code, err := readCode(a, file)
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
			return a.Write(out, b.Bytes())
		}
	},
}

// readCode reads machine code. It rejects, with a specific message, kinds of files that are often mistaken for it.
func readCode(a *cli.App, file string) (name string, code []byte, err error) {
	name, code, err = a.Read(file)
	is := ""
	switch {
	case err != nil:
		return name, nil, err
	case len(code) == 0:
		return name, nil, cli.ErrEmpty(name)
	case cli.IsSPIRV(code):
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
