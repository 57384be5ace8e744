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
Writes machine code as assembly, in the syntax of Intel's iga64, and says in comments what messages ask for. FILE contains
only the code, as written by compile --emit bin.

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
			name, code, err := a.read(file)
			if err != nil {
				return err
			}
			if len(code) == 0 {
				return errEmpty(name)
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

// platformOf returns the platform of a target.
func platformOf(target string) (isa.Platform, error) {
	if p, ok := isa.PlatformByName(target); ok {
		return p, nil
	}
	return 0, errors.New("jacquard: error: machine code of target " + target + " is not available yet")
}
