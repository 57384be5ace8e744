// Package work bounds what the compiler does for one input. Most of it costs time in
// proportion to the input and needs no bound of its own. What may grow beyond that has
// one here: an input that reaches it ends with an error, however deep in the compiler
// that is noticed ([Exceeded], [Catch]), and a [Meter] counts steps and looks at the
// context.
//
// The budgets are amounts of work and memory, never seconds, so that an input meets the
// same fate on every machine. "jacquard help limits" lists them.
package work
