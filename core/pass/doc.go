// Package pass is the framework for transformations of the IR: a [Pass] is a function with a
// description, a [Pipeline] is a list of passes and of loops of passes, and a [Context] is what a
// pass works on: the shader, a builder, analyses and scratch memory that is reused by later passes
// and shaders. A pass reports whether it changed anything. A [Loop] is repeated until none of its
// passes does; a pass that has found nothing to do does not run again before the shader has changed.
//
// The passes are in the packages below: flow, vars, values, memory and lower, by what
// they change; pipeline has the tables of which passes run in which order. [Rules] makes
// a pass of a set of rewrite rules. The row of a pass documents what it requires and
// ensures (generated/docs/passes.md). Passes see the target as a record of its
// capabilities, never by name. Tests of a pass as text are in filetests/testdata.
package pass
