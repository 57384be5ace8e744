// Package rules turns the rows of defs/algebraic into the rule sets that
// core/match runs.
//
// [Generate] writes the sets. A [Loader] reads, expands and checks rows, for the
// generator, for proofs and for the mutants of rules; a [Rule] at one assignment of
// sizes is an [Instance].
//
//	[rule.udiv_power_of_two]
//	find     = "(udiv a #b:pos_pow2)"
//	replace  = "(ushr a (find_lsb b))"
//	where    = "(ult b 16)"               # a bool over constants of find
//	when     = "!lower_bitops"            # options, joined by ! && ||
//	gives_up = []                         # words of enum float_flag
//	allowed_by = ""                       # why the rule may give that up on every
//	                                      # instruction, such as "Vulkan: OpFDiv 2.5 ULP"
//	set      = "main"                     # main, before_ffma or late
//	for      = { N = [8, 16] }            # the row once for each value of $N
//	ends     = ""                         # why rewriting ends, where the measure
//	                                      # (see measure.go) does not say so
//
// Package pattern says how expressions are written. A rule is refused unless
// every name is known, arities and sizes fit, no earlier rule makes it
// superfluous or has rewritten what it finds, and its two sides agree on all
// vectors that are tried, at every size it can match at. Instructions of the replacement whose operands are all
// constant are computed when the rule fires.
//
// Work is bounded before it is done (see budget.go): a table that asks for more
// is refused.
package rules
