// SPDX-License-Identifier: MIT

// Package rules reads the rows of defs/algebraic, from which package ruleset writes the rule sets that core/match runs.
//
// A [Loader] reads, expands and checks rows for the generator, the prover and the mutants of rules; its output is a
// [Table] of [Rule]s. Package vectors tests rules on values, package rewriting runs them on each other's results. This
// package knows neither values nor the format of the sets.
//
//	[rule.udiv_power_of_two]
//	find     = "(udiv a #b:pos_pow2)"
//	replace  = "(ushr a (find_lsb b))"
//	where    = "(ult b 16)"               # a bool over constants of find
//	when     = "!lower_bitfield"          # options, joined by ! && ||
//	gives_up = []                         # words of enum float_flag
//	inherits = []                         # words of gives_up that only later rows give up
//	                                      # on the operations that it makes
//	allowed_by = ""                       # why the rule may give these up on every
//	                                      # instruction, such as "Vulkan: OpFDiv 2.5 ULP"
//	set      = "main"                     # main, before_ffma or late
//	for      = { N = [8, 16] }            # the row once for each value of $N
//	ends     = ""                         # why rewriting terminates, where the measure
//	                                      # (see measure.go) does not prove it
//
// Package pattern defines the syntax of expressions. A rule is rejected unless every name is known, arities and sizes
// match, no earlier rule makes it redundant or always rewrites its search expression, and its two sides agree on all
// test vectors, at every size it can match at. Instructions of the replacement whose operands are all constant are
// folded when the rule fires.
//
// Work is limited in advance (see budget.go): a table that needs more is rejected.
package rules
