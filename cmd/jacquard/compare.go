package main

var compareCommand = command{
	name:  "compare",
	args:  "OLD.json NEW.json",
	brief: "compare two files of statistics",
	text: `
Shows what changed between two files that stats wrote.

Example:
  jacquard compare old.json new.json`,
	setup: func(fs *flagSet) func(*app, []string) error {
		return func(a *app, args []string) error {
			if len(args) != 2 {
				return usagef("two files are expected: OLD.json and NEW.json")
			}
			return notAvailable("compare")
		}
	},
}
