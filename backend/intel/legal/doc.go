// Package legal checks encoded programs against the machine's restrictions: what an
// instruction word can encode but must not be executed. [Check] takes machine code and
// returns a [Violation] for each fault. It is independent of the compiler and of the
// source, so it also serves for code from other compilers.
//
// The restrictions are rows of the tables (isa.Restrictions), and the functions here are
// the checks that those rows name. Packages hazards and eu check what depends on time or
// on other threads.
package legal
