package main

var viewCommand = command{
	name:  "view",
	args:  "FILE",
	brief: "write a page that shows every pass side by side",
	text: `
Writes a local HTML page with the shader before and after every pass, side by side.

Example:
  jacquard view shader.spv -o shader.html`,
	setup: func(fs *flagSet) func(*app, []string) error {
		out := ""
		fs.text(&out, "o", "OUT", "the file to write; standard output if there is none")
		return func(a *app, args []string) error {
			file, err := oneFile(args)
			if err != nil {
				return err
			}
			if _, err := a.load(file); err != nil {
				return err
			}
			return notAvailable("view")
		}
	},
}
