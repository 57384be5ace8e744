package main

// commands is the table of subcommands, in the order of the help.
func commands() []command {
	return []command{
		compileCommand,
		optCommand,
		runCommand,
		disCommand,
		asmCommand,
		statsCommand,
		compareCommand,
		rulesCommand,
		infoCommand,
		viewCommand,
	}
}
