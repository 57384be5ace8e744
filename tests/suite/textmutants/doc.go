// SPDX-License-Identifier: MIT

// Package textmutants tests that passes and back ends can handle whatever the validator accepts. [Mutant]
// changes random tokens of an IR text to other tokens of the text, or to values that the tables declare.
// Mutants that the validator accepts are compiled, with all checks; that must neither panic nor fail a check.
package textmutants
