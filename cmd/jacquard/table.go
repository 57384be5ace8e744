package main

// commands is the table of subcommands, in the order of the help.
func commands() []command {
	return []command{
		compileCommand,
		reportCommand,
		optCommand,
		runCommand,
		disCommand,
		asmCommand,
		checkCommand,
		statsCommand,
		compareCommand,
		rulesCommand,
		infoCommand,
		viewCommand,
		completionCommand,
		manCommand,
	}
}
