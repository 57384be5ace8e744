package main

import "jacquard.example"

var disCommand = command{
	name:  "dis",
	args:  "FILE.bin",
	brief: "disassemble machine code",
	text: `
Writes machine code as assembly. FILE holds the code alone, as compile --emit bin gives it.

Example:
  jacquard dis shader.bin --target tgl`,
	setup: func(fs *flagSet) func(*app, []string) error {
		target := jacquard.DefaultTarget
		fs.choice(&target, "target", jacquard.Targets(), "the GPU that the code is for")
		return func(a *app, args []string) error {
			file, err := oneFile(args)
			if err != nil {
				return err
			}
			if _, _, err := a.read(file); err != nil {
				return err
			}
			return notAvailable("dis")
		}
	},
}
