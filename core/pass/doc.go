// Package pass is the framework for transformations of the IR: a [Pass] is a function with a
// description, a [Pipeline] is a list of passes and of loops of passes, and a [Context] holds what a
// pass works on: the shader, a builder, analyses and scratch memory that is reused by later passes
// and shaders. A pass reports whether it changed anything. A [Loop] repeats until none of its
// passes changes the shader; a pass that changed nothing is skipped until another pass has.
//
// The passes are in the packages below: flow, vars, values, memory and lower, by what
// they change; pipeline has the tables of which passes run in which order. [Rules] makes
// a pass of a set of rewrite rules. The row of a pass documents what it requires and
// ensures (generated/docs/passes.md). Passes see the target as a record of its
// capabilities, never by name. Tests of a pass as text are in filetests/testdata.
package pass
