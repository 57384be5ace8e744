// SPDX-License-Identifier: MIT

package rulebook

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/core/match"
	"jacquard.example/generated/rules/beforeffma"
	"jacquard.example/generated/rules/late"
	mainrules "jacquard.example/generated/rules/opt"
)

// RulesCommand lists, explains, traces and proves rewrite rules.
var RulesCommand = cli.Command{
	Name:  "rules",
	Args:  "list | show NAME | trace FILE | prove [--rules FILE.toml] [NAME…]",
	Brief: "list, show, trace and prove rewrite rules",
	Text: `
list names the rewrite rules by set, in the order in which they are tried. show prints one: its row, what it gives up,
an example, where the automaton tries it, and its entry in the ledger of proofs (inside the project's source). A name
without /… shows all rules of a row. trace shows which rules are applied to a shader, in order: the source position of
the rule, the expression that is replaced (-) and its replacement (+), with the constants and operands that the rule
examines. Values have their internal numbers.

prove uses the solver z3 to show that rules are correct, or for which input they are wrong: the named ones, or else
those whose proof is not in the ledger, defs/algebraic/proofs.json. It needs the project's source and the go command.
With --rules it takes the rules from a file instead of the project's own.

Examples:
  jacquard rules list
  jacquard rules show udiv_power_of_two
  jacquard rules trace shader.spv
  jacquard rules prove --rules mine.toml`,
	Setup: func(fs *cli.FlagSet) func(*cli.App, []string) error {
		var file string
		var asJSON bool
		fs.Text(&file, "rules", "FILE", "prove the rules of this table")
		fs.Boolean(&asJSON, "json", "print the verdicts as JSON")
		traced := &cli.Selection{}
		traced.Flags(fs)
		return func(a *cli.App, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("list, show, trace or prove is missing")
			}
			if args[0] != "prove" && (file != "" || asJSON) {
				return cli.Usagef("--rules and --json are flags of rules prove")
			}
			switch args[0] {
			case "list":
				return listRules(a, args[1:])
			case "show":
				return showRule(a, args[1:])
			case "trace":
				return traceRules(a, traced, args[1:])
			case "prove":
				return proveRules(a, file, asJSON, args[1:])
			}
			known := []string{"list", "show", "trace", "prove"}
			return cli.Usagef("unknown word %q; expected %s%s", args[0], cli.OrList(known), cli.Guess(args[0], slices.Values(known)))
		}
	},
}

// ruleSets returns the sets of rewrite rules in the order in which they run.
func ruleSets() []*match.Set { return []*match.Set{&mainrules.Set, &beforeffma.Set, &late.Set} }

func listRules(a *cli.App, args []string) error {
	if len(args) != 0 {
		return cli.Usagef("nothing may follow list, found %q", args[0])
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	ledger := readLedger()
	for _, set := range ruleSets() {
		for i := range set.Rows {
			r := set.Rule(i)
			text := r.Text
			if weak := ledger.weak(r.Name); weak != "" {
				text += "  [" + weak + "]"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\n", set.Name, r.Name, text)
		}
	}
	return w.Flush()
}

// PrintRuleStats lists the rules that were tried, in order, with the number of times that each fired and that its
// conditions were checked.
func PrintRuleStats(w io.Writer, stats *match.Stats) {
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
	for _, e := range stats.Exhausted {
		fmt.Fprintf(w, "stopped: %v\n", e)
	}
}
