package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"jacquard.example/core/ir"
	"jacquard.example/core/match"
	"jacquard.example/core/pass"
	"jacquard.example/core/text"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	mainrules "jacquard.example/generated/rules/opt"
)

var rulesCommand = command{
	name:  "rules",
	args:  "list | show NAME | trace FILE | prove [--rules FILE.toml] [NAME…]",
	brief: "list, show, trace and prove rewrite rules",
	text: `
list names the rewrite rules by set; show prints one; trace shows which rules are applied to a shader, in order.

prove shows with the solver z3 that rules are right, or by which input they are wrong: the ones that are named, or else
those whose proof is not in the ledger, defs/algebraic/proofs.json. It needs the project's source and the go command.
With --rules it takes the rules of a file in place of the project's own.

Examples:
  jacquard rules list
  jacquard rules show udiv_power_of_two
  jacquard rules trace shader.spv
  jacquard rules prove --rules mine.toml`,
	setup: func(fs *flagSet) func(*app, []string) error {
		var file string
		var asJSON bool
		fs.text(&file, "rules", "FILE", "prove the rules of this table")
		fs.boolean(&asJSON, "json", "print the verdicts as JSON")
		return func(a *app, args []string) error {
			if len(args) == 0 {
				return usagef("list, show, trace or prove is missing")
			}
			if args[0] != "prove" && (file != "" || asJSON) {
				return usagef("--rules and --json are flags of rules prove")
			}
			switch args[0] {
			case "list":
				return listRules(a, args[1:])
			case "show":
				return showRule(a, args[1:])
			case "trace":
				return traceRules(a, args[1:])
			case "prove":
				return proveRules(a, file, asJSON, args[1:])
			}
			return usagef("unknown word %q; list, show, trace or prove is expected", args[0])
		}
	},
}

// ruleSets are the sets of rewrite rules in the order in which they run.
func ruleSets() []*match.Set { return []*match.Set{&mainrules.Set, &beforeffma.Set, &late.Set} }

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

// traceRules brings a shader down to instruction selection and prints every
// rewrite as it happens: the set, the rule, the instruction that goes, and where
// in the source it came from.
func traceRules(a *app, args []string) error {
	file, err := oneFile(args)
	if err != nil {
		return err
	}
	s, name, _, err := a.shader(file, "")
	if err != nil {
		return err
	}
	c := newContext(s)
	c.Options.RuleStats = &match.Stats{Trace: func(set *match.Set, rule *match.Rule, old ir.Value, _ ir.Src) {
		fmt.Fprintf(a.stdout, "%s %s: %s\n", set.Name, rule.Name, strings.TrimSpace(text.Instr(s, old)))
	}}
	if err := c.Run(pass.Compute, nil); err != nil {
		return passError(name, err)
	}
	return nil
}

// printRuleStats lists the rules that were tried, in the order in which they are:
// how often each fired, and how often its checks ran.
func printRuleStats(w io.Writer, stats *match.Stats) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "fired\ttried\tset\trule\n")
	total := match.Count{}
	stats.Each(func(set *match.Set, rule *match.Rule, n match.Count) {
		fmt.Fprintf(tw, "%d\t%d\t%s\t%s\n", n.Fired, n.Tried, set.Name, rule.Name)
		total.Fired += n.Fired
		total.Tried += n.Tried
	})
	fmt.Fprintf(tw, "%d\t%d\t\ttotal\n", total.Fired, total.Tried)
	tw.Flush()
}
