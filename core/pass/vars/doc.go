// Package vars contains the passes on variables and their derefs: copies of objects
// ([ForwardCopies], [LowerVarCopies]), splitting ([SplitVars]), forwarding of stores ([CopyPropVars],
// [DeadWriteVars]), promotion to SSA values ([VarsToSSA]) and demotion to registers
// ([OutOfSSA]).
//
// For a SPIR-V phi, the reader stores to a function variable on each edge. VarsToSSA
// then places all phis, where the joined value is live: one algorithm for the phis of
// the source and for variables. OutOfSSA turns phis into register stores and loads, not
// into parallel copies, so that the back end sees which registers can be coalesced.
//
// Private variables are split until every level is indexed dynamically. Small arrays
// are then kept in registers ([LowerIndirectDerefs]). An array that is also written at
// dynamic indices must be smaller than one that is only read, since it occupies registers
// throughout the loop that fills it.
package vars
