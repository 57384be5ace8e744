// Package legal checks encoded programs against the machine's restrictions:
// what can be written into an instruction word but may not be executed. Bytes
// go in, violations come out. It knows neither the compiler nor the source; the
// restrictions are rows of the tables (isa.Restrictions), and the functions here
// are the checks that those rows name.
package legal
