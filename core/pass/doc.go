// Package pass is the framework for transformations of the IR: a [Pass] is a row with a
// function, a pipeline is a list of rows, and a [Context] is what a pass works on: the
// shader, a builder, analyses and scratch memory that is reused by later passes and
// shaders. A pass reports whether it changed anything; groups of passes are repeated
// until none does. A row says which aspects of a shader the pass changes and which changes
// give it nothing to do, so that a loop leaves it out if nothing else has changed since it
// last ran, and what kinds of instructions it looks for, so that it does not search shaders
// that have never had any.
//
// The passes are in the packages below: flow, vars, values, memory and lower, by what
// they change; pipeline has the tables of which passes run in which order. [Rules] makes
// a pass of a set of rewrite rules. The row of a pass documents what it requires and
// ensures (generated/docs/passes.md). Passes see the target as a record of its
// capabilities, never by name. Tests of a pass as text are in filetests/testdata.
package pass
