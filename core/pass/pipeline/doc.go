// Package pipeline holds the tables of passes: [Optimize] brings a shader from the
// reader to scalar SSA with memory still behind derefs, [Lower] from there to what
// instruction selection takes, and [Known] lists every pass once. [ForTarget] runs both
// for a target and checks between them, by package legal, what may remain.
//
// It is the one package that imports all passes and all sets of rules; passes do not
// know one another, nor in which order they run.
package pipeline
