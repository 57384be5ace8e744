// Command mutants shows that tests find what they are there to find. The tables
// in rows/ list mutants of the compiler: a text of a file, what stands in its
// place, and the test that has to fail then. Each mutant is built with an overlay
// of the go command, so that nothing in the tree is touched, and its test is run.
//
//	go run ./tests/suite/mutants [-rows FILE] [-skip N] [NAME…]
//
// prints a line for each mutant, or for those whose names match one of the
// regular expressions, and ends with status 1 if one is not found. make mutants
// runs all of them. A row is
//
//	[mutant.cse_swaps_subtraction]
//	file    = "core/ir/clone.go"
//	find    = "in.Kind == kind.ALU && in.ALUOp().Info().Has(op.Commutative)"
//	replace = "in.Kind == kind.ALU"
//	by      = "core/ir TestD07CommutativeOperands"
//	why     = "Operands of any opcode count as interchangeable."
//
// The text to find occurs once in its file. The mutant has to compile, and the
// test passes without it: a mutant that breaks the build, hangs or makes some
// other test fail is not found by this one. by names a package and a test, or a
// subtest as go test prints it.
//
// more = [{ find = "…", replace = "…" }] are further changes of the same file.
//
// A mutant of a table (a file below defs/), or of the generator if the row has
// generate = true, is generated from first, into a folder of its own, which
// stands in for generated/. In place of by, refused is a part of the message with
// which generation has to end:
//
//	[mutant.imul_as_iadd]
//	file    = "defs/opcodes/integer.toml"
//	…
//	refused = "[op.imul] is wrong"
//
// hangs = true is for a mutant whose test does not end: it is found if the test
// is still running after a minute.
//
// With -rows, the rows of another file are run; there, by may name a package
// alone, and the line then lists the tests of the package that fail. That is how
// to see what finds a change before it becomes a row.
package main
