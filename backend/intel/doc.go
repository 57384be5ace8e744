// Package intel is the back end for Intel GPUs: a shader in core/ir, lowered to what the
// machine has, goes in; machine code with what a launcher has to know comes out.
// [Compile], or a [Compiler] that keeps its memory, runs the table of [Passes]; a pass
// of the table names the passes that must have run before and the capability that a
// machine must have for it.
//
// The stages are packages of their own: isel (selection), opt, lower, ra (register
// allocation), swsb (scoreboard) and emit; mir is what they work on. Under
// Options.Verify every pass is checked by the validator of mir, allocation by allocheck
// and the scoreboard by hazards.
//
// There is no scheduler yet, before or after allocation, and no loop is unrolled:
// selection emits in the order of the source. The package does not run code; that is eu,
// which knows nothing of it.
package intel
