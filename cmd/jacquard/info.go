package main

import (
	"fmt"
	"text/tabwriter"

	"jacquard.example"
	"jacquard.example/core/pass/pipeline"
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
			return topic(a, name)
		}
	},
}

// topics are what info can show.
var topics = map[string]func(a *app, name string) error{
	"intrinsics": infoIntrinsics,
	"opcodes":    infoOpcodes,
	"passes":     infoPasses,
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

func infoPasses(a *app, name string) error {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	found := false
	for _, p := range pipeline.Known {
		if name == "" || name == p.Name {
			fmt.Fprintf(w, "%s\t%s\n", p.Name, p.Doc)
			found = true
		}
	}
	if !found {
		return fmt.Errorf("jacquard: error: unknown pass %q", name)
	}
	return w.Flush()
}
