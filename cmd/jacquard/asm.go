package main

import "jacquard.example"

var asmCommand = command{
	name:  "asm",
	args:  "FILE.asm",
	brief: "assemble machine code",
	text: `
Assembles what dis or compile --emit asm wrote, changed by hand or not.

Example:
  jacquard asm shader.asm --target tgl -o shader.bin`,
	setup: func(fs *flagSet) func(*app, []string) error {
		target, out := jacquard.DefaultTarget, ""
		fs.choice(&target, "target", jacquard.Targets(), "the GPU that the code is for")
		fs.text(&out, "o", "OUT", "the file to write; standard output if there is none")
		return func(a *app, args []string) error {
			file, err := oneFile(args)
			if err != nil {
				return err
			}
			if _, _, err := a.read(file); err != nil {
				return err
			}
			return notAvailable("asm")
		}
	},
}
