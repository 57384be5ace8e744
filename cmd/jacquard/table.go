// SPDX-License-Identifier: MIT

package main

import (
	"jacquard.example/cmd/jacquard/cli"
	"jacquard.example/cmd/jacquard/rulebook"
	"jacquard.example/cmd/jacquard/stats"
)

// commands returns the table of subcommands, in the order of the help.
func commands() []cli.Command {
	return []cli.Command{
		compileCommand,
		reportCommand,
		optCommand,
		runCommand,
		disCommand,
		asmCommand,
		checkCommand,
		stats.Command,
		stats.MergeCommand,
		compareCommand,
		rulebook.RulesCommand,
		infoCommand,
		viewCommand,
		cli.CompletionCommand,
		cli.ManCommand,
	}
}
