package main

var optCommand = command{
	name:  "opt",
	args:  "FILE",
	brief: "run passes over a shader and show the result",
	text: `
Reads a SPIR-V module or Jacquard's text (.jir), runs passes over it and writes the result as .jir.

Examples:
  jacquard opt shader.spv
  jacquard opt shader.jir --passes= --verify
  jacquard opt shader.spv --passes opt_constant_folding,opt_dce --print-after opt_dce`,
	setup: func(fs *flagSet) func(*app, []string) error {
		o := &opt{}
		o.verify.bare = "validate"
		fs.optional(&o.passes, "passes", "A,B,C", "the passes to run, in order; none if the value is empty (default: those of compile)")
		fs.text(&o.printAfter, "print-after", "PASS", "also print the shader after this pass, to standard error")
		fs.boolean(&o.timePasses, "time-passes", "print what each pass took, to standard error")
		fs.optional(&o.verify, "verify", "[=run]", "validate the shader after each pass; with =run, also execute it and compare")
		fs.boolean(&o.ruleStats, "rule-stats", "print how often each rewrite rule was applied, to standard error")
		fs.text(&o.out, "o", "OUT", "the file to write; standard output if there is none")
		return o.run
	},
}

type opt struct {
	passes, verify        optional
	printAfter, out       string
	timePasses, ruleStats bool
}

func (o *opt) run(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	if o.verify.set && o.verify.value != "run" && o.verify.value != o.verify.bare {
		return usagef("--verify is --verify or --verify=run, not --verify=%s", o.verify.value)
	}
	if _, err := a.load(file); err != nil {
		return err
	}
	return notAvailable("opt")
}
