// Package textmutants changes texts of IR at random, token by token, so that what the
// validator accepts is known to be what the passes can work on.
package textmutants
