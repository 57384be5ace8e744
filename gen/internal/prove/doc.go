// SPDX-License-Identifier: MIT

// Package prove proves or refutes rewrite rules, and the rows of instruction selection, which package selectgen turns
// into such rules: the pattern is the left side, the meaning of the machine instructions the right side.
//
// A [Prover] runs rules on a [Solver] and returns a [Result] for each; the generator does not depend on it.
//
// Every rule is proved at every assignment of sizes it can match at. The meanings of the opcodes turn both sides into
// terms over bit vectors and floats, and z3 is asked for an input on which they differ. A rule's proof assumes the
// flags that it gives up: nothing is claimed where an operand or a result in find is a NaN (nan), an infinity (inf) or
// a denormal (denorm), and the sign of a zero result does not matter (nsz). Float rules are proved a second time with
// denormals flushed at the sources and results of every operation, as the target does: assumptions about find do not
// keep the replacement from encountering denormals.
//
// The methods of proof, cheapest first:
//
//	bits        the sides are equal bit for bit, with all NaNs being one value
//	abstract    the same with multiplications, divisions and float arithmetic as
//	            uninterpreted functions; a proof for these holds in general
//	cases       a constant has so few values with its predicates that each is
//	            proved separately, and z3 confirms that the list is complete; or
//	            each amount of a shift modulo the width is
//	reals       the sides are equal as real numbers: for rules that give up
//	            contract, reassoc or transform, which may round differently
//	enumeration all inputs are run through the meanings
//	smaller     only a smaller size of the same rule is proved: evidence, not proof
//
// A rule that gives up contract and may not otherwise round differently is proved with its products unfused, bit for
// bit. Every flag that a rule gives up needs a witness: a vector that refutes the rule without it.
//
// A counterexample of z3 counts only if running the meanings confirms it. Commutative operands are sorted first;
// loading the opcodes checks that opcodes declared commutative are. Budgets are z3's resource limit, never seconds, so
// that a verdict does not depend on the machine.
//
// The verdicts are kept in a ledger (defs/algebraic/proofs.json) under a key of everything that a proof depends on, so
// that only rules whose key changed are proved again; tests/bench/README.md has the numbers of proved rules by method.
// Rows of instruction selection are proved in the same way, from the meanings of machine instructions in
// defs/intel/meaning.
package prove
