// Command jacquard compiles SPIR-V shaders to Intel GPU machine code, runs
// them without a GPU, and shows what the compiler did. "jacquard help" lists
// its subcommands.
package main

import (
	"context"
	"os"
	"os/signal"
)

func main() { os.Exit(Main()) }

// Main runs the command on the process's arguments and streams and returns its
// exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	a := &app{ctx: ctx, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	return a.main(commands(), os.Args[1:])
}
