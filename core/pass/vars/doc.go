// SPDX-License-Identifier: MIT

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
// are then kept in registers ([LowerIndirectDerefs]). The limit is lower for an array that a
// loop writes at dynamic indices, since it occupies registers throughout the loop.
package vars
