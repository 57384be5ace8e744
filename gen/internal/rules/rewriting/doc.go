// SPDX-License-Identifier: MIT

// Package rewriting runs rules on terms, to find rules that are correct but useless or that undo each other: [Hygiene]
// rejects rewriting that does not end, [Overlaps] lists the pairs of rules where the wrong rule wins.
//
// Its input is loaded rules; its output is errors and pairs of rules. The package has its own engine, independent of
// core/match.
package rewriting
