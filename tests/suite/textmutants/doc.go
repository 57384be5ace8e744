// Package textmutants changes texts of IR at random, token by token, so that what the
// validator accepts is known to be what the passes can work on. [Mutant] makes one; those that are accepted go
// through all passes, which must neither panic nor make anything that it refuses.
package textmutants
