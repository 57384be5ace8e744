// Package prove shows rewrite rules right or wrong, and the rows of instruction
// selection, which package selectgen turns into such rules: what is found is the
// left side, what the machine instructions compute the right one.
//
// A [Prover] runs rules on a [Solver] and returns a [Result] for each; nothing in the
// generator waits for it.
//
// Every rule is taken at every assignment of sizes it can match at. Both sides
// become terms over bit vectors and floats through the meanings of the opcodes,
// and z3 is asked for an input on which they differ. What a rule gives up is
// assumed: where find computes with or gives a NaN (nan), an infinity (inf) or a
// denormal (denorm) nothing is claimed, and the sign of a zero result does not
// count (nsz). Float rules are proved a second time with denormals flushed at the
// sources and results of every operation, as the target does: what is assumed of
// find does not keep the replacement from meeting denormals.
//
// The ways to a verdict, cheapest first:
//
//	bits        the sides are equal bit for bit, every NaN being one value
//	abstract    the same with multiplications, divisions and float arithmetic as
//	            functions of which nothing is known; what holds so holds for them
//	cases       a constant has so few values with its predicates that each is
//	            asked for by itself, and z3 confirms that the list is complete; or
//	            each amount of a shift modulo the width is
//	reals       the sides are equal as real numbers: for rules that give up
//	            contract, reassoc or transform, which may round otherwise
//	enumeration all inputs are run through the meanings
//	smaller     only a smaller size of the same rule is known: evidence, no proof
//
// A rule that gives contract up and may not round otherwise beside that is proved
// with its products unfused, bit for bit. Every flag that a rule gives up needs a
// witness: a vector that shows the rule wrong without it.
//
// A counterexample of z3 counts only when running the meanings confirms it.
// Commutative operands are put in order first; that the opcodes that claim to
// be commutative are is checked where they are loaded. Budgets are z3's resource
// limit, never seconds, so that a verdict does not depend on the machine.
//
// The verdicts are kept in a ledger (defs/algebraic/proofs.json) with a key of all that
// a proof depends on, so that only what changed is proved again; tests/bench/README.md
// has how many are proved, and by what. Rows of instruction selection are proved in the
// same way, from the meanings of machine instructions in defs/intel/meaning.
package prove
