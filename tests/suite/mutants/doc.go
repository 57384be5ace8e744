// SPDX-License-Identifier: MIT

// Command mutants shows that tests find the defects that they are meant to find. The tables in rows/ list mutants of
// the compiler: a text in a file, its replacement, and the test that must then fail. Each mutant is built with an
// overlay of the go command, so that nothing in the tree is touched, and its test is run.
//
//	go run ./tests/suite/mutants [-rows FILE] [-skip N] [-share K/N] [-move] [NAME…]
//
// prints a line for each mutant, or for each whose name matches one of the regular expressions, and ends with status 1
// if one is not found. make mutants runs all of them. A row is
//
//	[mutant.cse_swaps_subtraction]
//	file    = "core/ir/clone.go"
//	find    = "in.Kind == kind.ALU && in.ALUOp().Info().Has(op.Commutative)"
//	replace = "in.Kind == kind.ALU"
//	by      = "core/ir TestD07CommutativeOperands"
//	why     = "Operands of any opcode count as interchangeable."
//
// The text to find occurs once in its file. The mutant must compile, and the test must pass without it: a mutant that
// breaks the build, hangs or makes another test fail does not count as found. by names a package and a test, or a
// subtest as go test prints it.
//
// more = [{ find = "…", replace = "…" }] are further changes of the same file.
//
// For a mutant of a table (a file below defs/), or of the generator if the row has generate = true, the generator runs
// first, into a separate directory that replaces generated/. Instead of by, refused is a part of the error with which the
// generator must fail:
//
//	[mutant.imul_as_iadd]
//	file    = "defs/opcodes/integer.toml"
//	…
//	refused = "[op.imul] is wrong"
//
// hangs = true is for a mutant whose test does not terminate: it is found if the test is still running after a minute.
//
// soak = true is for a mutant that a test finds only if it runs all of its cases, as make soak does, instead of a
// sample, as make test does. At most one row in twenty has it.
//
//	make mutants MOVE=1
//
// rewrites rows after code has moved to another file or changed its indentation, or a test has moved to another
// package. It lists rows whose text is in no place, or in several.
//
// With -rows, the rows of another file are run; there, by may name only a package, and the line then lists the tests of
// the package that fail. This finds the tests that detect a change before it becomes a row.
package main
