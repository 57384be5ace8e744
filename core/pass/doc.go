// Package pass is the frame of the transformations of the IR: a [Pass] is a row with a
// function, a pipeline is a list of rows, and a [Context] is what a pass works on: the
// shader, a builder, analyses and scratch memory that lives from pass to pass and from
// shader to shader. A pass reports whether it changed anything; groups of passes are
// repeated until none does.
//
// The passes are in the packages below: flow, vars, values, memory and lower by what
// they change, and pipeline has the tables of what runs in which order. [Rules] makes a
// pass of a set of rewrite rules. What a pass needs and leaves is said in its row
// (generated/docs/passes.md). Passes know the target as a record of what it can do,
// never by its name.
package pass
