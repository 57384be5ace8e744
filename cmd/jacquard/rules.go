package main

import (
	"fmt"
	"text/tabwriter"

	"jacquard.example/core/match"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	"jacquard.example/generated/rules/opt"
)

var rulesCommand = command{
	name:  "rules",
	args:  "list | show NAME | trace FILE | prove [NAME…]",
	brief: "list, show, trace and prove rewrite rules",
	text: `
list names the rewrite rules by set; show prints one; trace shows which rules are applied to a shader, in order; prove
sends rules to the solver z3, all of them if none is named.

Examples:
  jacquard rules list
  jacquard rules show udiv_by_power_of_two
  jacquard rules trace shader.spv`,
	setup: func(fs *flagSet) func(*app, []string) error {
		return func(a *app, args []string) error {
			if len(args) == 0 {
				return usagef("list, show, trace or prove is missing")
			}
			switch args[0] {
			case "list":
				return listRules(a, args[1:])
			case "show":
				return showRule(a, args[1:])
			case "trace", "prove":
				return notAvailable("rules " + args[0])
			}
			return usagef("unknown word %q; list, show, trace or prove is expected", args[0])
		}
	},
}

// ruleSets are the sets of rewrite rules in the order in which they run.
func ruleSets() []*match.Set { return []*match.Set{&opt.Set, &beforeffma.Set, &late.Set} }

func listRules(a *app, args []string) error {
	if len(args) != 0 {
		return usagef("nothing may follow list, and %q does", args[0])
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, set := range ruleSets() {
		for i := range set.Rules {
			r := &set.Rules[i]
			fmt.Fprintf(w, "%s\t%s\t%s\n", set.Name, r.Name, r.Text)
		}
	}
	return w.Flush()
}

func showRule(a *app, args []string) error {
	if len(args) != 1 {
		return usagef("show takes the NAME of a rule")
	}
	found := false
	for _, set := range ruleSets() {
		for i := range set.Rules {
			if r := &set.Rules[i]; r.Name == args[0] {
				fmt.Fprintf(a.stdout, "%s, in set %s, %s:\n  %s\n", r.Name, set.Name, r.Place, r.Text)
				found = true
			}
		}
	}
	if !found {
		return fmt.Errorf("jacquard: error: unknown rule %q; 'jacquard rules list' names them", args[0])
	}
	return nil
}
