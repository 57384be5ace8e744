// SPDX-License-Identifier: MIT

// Package legal checks encoded programs against the machine's restrictions, which forbid instructions that a
// word could encode. [Check] takes machine code and returns a [Violation] for each fault. It is independent of
// the compiler and of the source, so it also checks code from other compilers.
//
// The restrictions are rows of the tables (isa.Restrictions), which name the functions in this package.
// Packages hazards and eu check the rules that depend on time or on other threads.
package legal
