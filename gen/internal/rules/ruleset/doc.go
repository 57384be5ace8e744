// SPDX-License-Identifier: MIT

// Package ruleset checks the rules and writes generated/rules ([Generate]): for each rule set its automaton, programs,
// conditions and texts for messages; the options; and the page of the manual.
//
// Its input is the table of package rules; its output has the format that core/match reads. Packages vectors and
// rewriting check that rules are correct.
package ruleset
