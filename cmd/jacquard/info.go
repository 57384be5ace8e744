package main

import (
	"fmt"

	"jacquard.example"
)

var infoCommand = command{
	name:  "info",
	args:  "intrinsics|opcodes|targets|passes [NAME]",
	brief: "show what the compiler knows",
	text: `
Lists the intrinsics, opcodes, targets or passes, or shows one of them.

Examples:
  jacquard info targets
  jacquard info opcodes ishl`,
	setup: func(fs *flagSet) func(*app, []string) error {
		return func(a *app, args []string) error {
			if len(args) == 0 {
				return usagef("intrinsics, opcodes, targets or passes is missing")
			}
			if len(args) > 2 {
				return usagef("one NAME is expected, and %q is another", args[2])
			}
			name := ""
			if len(args) == 2 {
				name = args[1]
			}
			topic, ok := topics[args[0]]
			if !ok {
				return usagef("unknown word %q; intrinsics, opcodes, targets or passes is expected", args[0])
			}
			if topic == nil {
				return notAvailable("info " + args[0])
			}
			return topic(a, name)
		}
	},
}

// topics are what info can show; nil is not available yet.
var topics = map[string]func(a *app, name string) error{
	"intrinsics": infoIntrinsics,
	"opcodes":    infoOpcodes,
	"passes":     nil,
	"targets":    infoTargets,
}

func infoTargets(a *app, name string) error {
	found := false
	for _, t := range jacquard.Targets() {
		if name == "" || name == t {
			fmt.Fprintln(a.stdout, t)
			found = true
		}
	}
	if !found {
		return fmt.Errorf("jacquard: error: unknown target %q; the targets are %s", name, orList(jacquard.Targets()))
	}
	return nil
}
