// Package vars holds the passes on variables and derefs of them: copies of objects
// ([LowerVarCopies]), splitting ([SplitVars]), forwarding of stores ([CopyPropVars],
// [DeadWriteVars]), promotion to SSA values ([VarsToSSA]) and back to registers
// ([OutOfSSA]).
//
// The reader stores to a function variable on each edge where SPIR-V has a phi, and
// VarsToSSA places all phis, where what they join is read: one algorithm for those of
// the source and those of variables. OutOfSSA turns phis into stores to and loads of
// registers, not into parallel copies, so that the back end sees when two registers may
// be one.
//
// Private variables are split until every level is indexed by what is not known. Small
// arrays that are only read so are chosen from registers ([LowerIndirectDerefs]); an
// array that is also stored to so stays in memory, since all of it would live in
// registers through the loop that fills it.
package vars
