// Package guard keeps code without a mask from harm where execution units are fused: there it
// also runs in a thread whose lanes have all left the loop or branch, while the neighbouring
// thread still has lanes in it (Wa_1407528679).
//
// [Guard.Insert] works on machine IR with allocated registers, so that it covers spills and copies
// too, and before the scoreboard. In control flow, an unmasked instruction is guarded if it
// is a message, or if it writes something that lanes may still need that wait elsewhere:
// registers and flags that are live where lanes resume that are not in the arm or loop
// around the instruction. What is written and read within one arm or trip stays as it is,
// and so does what the path on which those lanes resume writes again before it reads it.
//
// # What is free
//
// Branches and loops that all lanes of fused threads take together are marked by selection
// (mir.Inst.Uniform), which knows it from analysis.Divergence. No lane waits elsewhere while
// they run, so nothing in them is guarded, unless something around them is not uniform: there,
// if the last lanes leave, even a uniform branch is not jumped over. Where the workgroup's
// barrier is, all lanes are. A fill reads the thread's own scratch space at a constant offset
// with a header that is always right, and is harmless.
//
// # Which reading of the defect
//
// Of what is documented, two readings are possible: that unmasked code runs in any thread
// that has no lanes while its neighbour has, or only in one that has lost its last lanes on a
// path that its neighbour had left before (nested divergence). Compilers differ: one guards
// from the first level of control flow on, but messages only, the other all instructions, but
// only from the second level on. This package does not rely on either restriction: it guards
// from the first level on, registers and messages. The model (eu.Options.Fused) runs both.
//
// # How
//
// A guard is a predicate, true if any lane runs, in a flag register that is free at that
// place, or else saved around it; one load of the flag serves all guards of a block. What
// cannot have another predicate writes one element elsewhere, and a copy that has one
// follows; or else its destination is saved before and restored in threads without lanes.
package guard
