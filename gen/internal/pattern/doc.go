// SPDX-License-Identifier: MIT

// Package pattern parses the language of rewrite rules and selection rows for searches and replacements: prefix
// expressions over opcodes, such as (iadd (imul a b) #c:pos_pow2).
//
// [Parse] returns a [Node], [Infer] its [Typing], and [Covers] reports whether one pattern matches everything that
// another does.
//
//	(op@32 x y)      an instruction; @32 or @16|32 restricts its bit size
//	a  a@32          any value; the same name again must be the same value
//	#a               a constant
//	a:pred  (op:pred …)  a predicate of the value or of the instruction's uses
//	?a               in a condition: a constant with a one for each bit of a that may be one
//	a.x  a.yx        components of a value
//	1 -1 0x7f true   integer and bool constants; they match in every component
//	1.0 -0.0 inf     float constants, distinguished bit by bit: 0.0 is not -0.0
//
// The package parses, expands `for` templates, infers bit sizes and compares patterns. It depends on opcodes but not on
// the use of a match.
package pattern
