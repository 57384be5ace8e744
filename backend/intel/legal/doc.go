// Package legal checks encoded programs against the machine's restrictions: what can be
// written into an instruction word but may not be executed. Bytes go in, a [Violation]
// for each fault comes out ([Check]). It knows neither the compiler nor the source, so
// it serves for code that other compilers made, too.
//
// The restrictions are rows of the tables (isa.Restrictions), and the functions here are
// the checks that those rows name. What depends on time or on other threads is the
// business of packages hazards and eu.
package legal
