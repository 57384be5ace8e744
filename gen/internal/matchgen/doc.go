// SPDX-License-Identifier: MIT

// Package matchgen writes the Go code that matches a pattern: nested checks, and a loop over both orders for every
// commutative instruction. A failed check tries the next order, or fails the match after the last. A [Matcher] writes
// the code for one pattern; the instruction selector is written with it.
//
// Rewrite rules use programs instead (core/match/prog), whose checks follow the same rules ([OrderMatters],
// [IsFloatOp]). The package does not depend on the use of a match.
package matchgen
