// SPDX-License-Identifier: MIT

// Command jacquard compiles SPIR-V shaders to Intel GPU machine code, runs them without a GPU, and shows how they
// were compiled. "jacquard help" lists its subcommands and "jacquard help compile" explains one; each is a
// [cli.Command] in its own file.
//
// It is a front end to package jacquard and to the packages that show and run shaders:
// it reads files and flags, and writes results to standard output and errors with their
// positions to standard error. Exit status: 0 on success, 1 for bad input or a failed
// expectation, 2 for incorrect usage, 3 for a defect of jacquard.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"jacquard.example/cmd/jacquard/cli"
)

func main() { os.Exit(Main()) }

// Main runs the command on the process's arguments and streams and returns its
// exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	a := &cli.App{Ctx: ctx, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	return a.Main(commands(), os.Args[1:])
}
