package main

import (
	"bytes"
	"errors"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

var disCommand = command{
	name:  "dis",
	args:  "FILE.bin",
	brief: "disassemble machine code",
	text: `
Writes machine code as assembly, in the syntax of Intel's iga64. FILE contains only the code, as written by
compile --emit bin.

Example:
  jacquard dis shader.bin --target tgl`,
	setup: func(fs *flagSet) func(*app, []string) error {
		target := jacquard.DefaultTarget
		fs.target(&target, "the GPU that the code is for")
		return func(a *app, args []string) error {
			file, err := oneFile(args)
			if err != nil {
				return err
			}
			name, code, err := a.read(file)
			if err != nil {
				return err
			}
			if len(code) == 0 {
				return errEmpty(name)
			}
			text, err := disassemble(name, target, code)
			if err != nil {
				return err
			}
			return a.write("", text)
		}
	},
}

// disassemble writes code as assembly. Its error names the word.
func disassemble(name, target string, code []byte) ([]byte, error) {
	platform, err := platformOf(target)
	if err != nil {
		return nil, err
	}
	if len(code)%8 != 0 {
		return nil, jacquard.WordError(name, len(code)/4, "the last instruction is truncated: %d bytes are not a whole number of instructions", len(code))
	}
	for at := 0; at < len(code); {
		in, err := isa.Decode(platform, code[at:])
		if err != nil {
			return nil, jacquard.WordError(name, at/4, "%s", err)
		}
		at += int(in.Size)
	}
	var b bytes.Buffer
	if err := isatext.Disassemble(platform, code, &b); err != nil {
		return nil, &jacquard.Error{File: name, Msg: err.Error()}
	}
	return b.Bytes(), nil
}

// platformOf returns the platform of a target.
func platformOf(target string) (isa.Platform, error) {
	if p, ok := isa.PlatformByName(target); ok {
		return p, nil
	}
	return 0, errors.New("jacquard: error: machine code of target " + target + " is not available yet")
}
