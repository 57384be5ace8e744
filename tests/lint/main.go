// SPDX-License-Identifier: MIT

// Command lint holds the project's own checks of its source text, for go vet:
//
//	go vet -vettool=$(go tool -n lint) ./...
//
// make lint runs it this way. Package checks has the checks and their reasons: import
// arrows, machines that code must not name, maps and formatting on hot paths, and more.
// The command only passes them to the go command.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"jacquard.example/tests/lint/checks"
)

func main() { unitchecker.Main(checks.All...) }
