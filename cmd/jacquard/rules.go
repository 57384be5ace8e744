package main

var rulesCommand = command{
	name:  "rules",
	args:  "list | show NAME | trace FILE | prove [NAME…]",
	brief: "list, show, trace and prove rewrite rules",
	text: `
list names the rewrite rules; show prints one with its proof; trace shows which rules are applied to a shader, in
order; prove sends rules to the solver z3, all of them if none is named.

Examples:
  jacquard rules show udiv_by_power_of_two
  jacquard rules trace shader.spv`,
	setup: func(fs *flagSet) func(*app, []string) error {
		return func(a *app, args []string) error {
			if len(args) == 0 {
				return usagef("list, show, trace or prove is missing")
			}
			switch args[0] {
			case "list", "show", "trace", "prove":
				return notAvailable("rules " + args[0])
			}
			return usagef("unknown word %q; list, show, trace or prove is expected", args[0])
		}
	},
}
