// Package engine executes the dispatches of AmberScripts with what the project has for
// that: [EU] compiles a shader and runs the code on the model of the execution units, by
// way of a zebin if asked to,
// [Interp] runs the IR on the interpreter. Both are an amber.Engine, so that a script
// runs on either.
//
// It joins packages that must not know each other: scripts know no compiler, the model
// knows no compiler, and the compiler knows neither. What a launcher does, such as
// laying out push constants by the ABI and numbering buffers, is done here.
package engine
