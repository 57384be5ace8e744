// Package intel is the back end for Intel GPUs. Its input is a shader in core/ir,
// lowered to what the machine supports; its output is machine code together with what a
// launcher needs to know. [Compile], or a [Compiler] that keeps its memory, runs the
// table of [Passes]. Each row of the table names the passes that must have run before it
// and the capability that a machine must have for it.
//
// Each stage is a package of its own: isel (selection, in source order), opt, lower, sched
// (order, before allocation only), ra (register allocation), guard (fused threads), swsb
// (scoreboard) and emit. They all work on mir. With Options.Verify, the mir validator checks
// the result of every pass, ordercheck checks the order, allocheck allocation, and hazards the
// scoreboard. The package does not run code; package eu does, and it is independent of this
// one.
package intel
