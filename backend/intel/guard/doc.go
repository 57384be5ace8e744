// SPDX-License-Identifier: MIT

// Package guard protects lanes from unmasked code on machines with fused execution units. There, unmasked code
// also runs in a thread whose lanes have all left the loop or branch, while the neighboring thread still has
// lanes in it (Wa_1407528679).
//
// [Guard.Insert] runs after register allocation, to cover spills and copies, and before the scoreboard pass. It
// guards an unmasked instruction in control flow if the instruction is a message, or if it writes registers or
// flags that lanes waiting outside of its arm or loop may still need, because they are live where these lanes
// resume. Values that are written and read within one arm or iteration are not guarded, nor are values that the
// waiting lanes overwrite before they read them.
//
// # Exemptions
//
// Selection marks branches and loops that all lanes of fused threads take together (mir.Inst.Uniform), as found
// by analysis.Divergence. No lane waits elsewhere while they run, so nothing in them is guarded, unless an
// enclosing construct is not uniform: once the last lanes leave that construct, even a uniform branch in it
// does not jump. A block with the workgroup's barrier has all lanes. A fill is harmless: it reads the thread's
// own scratch space at a constant offset, with a header that is always valid.
//
// # Which reading of the defect
//
// The documentation allows two readings: unmasked code runs in any thread without lanes whose neighbor has
// some, or only in a thread that has lost its last lanes on a path that its neighbor had left before (nested
// divergence). Compilers differ: one guards at every level of control flow, but only messages; the other guards all
// instructions, but only at the second level and deeper. This package relies on neither restriction: it guards both
// registers and messages at every level. The model (eu.Options.Fused) runs both.
//
// # How
//
// A guard is a predicate that is true if any lane is active. Its flag register is free at that place, or else
// saved around it; one load of the flag serves all guards of a block. An instruction that cannot take the
// predicate writes its single element elsewhere, followed by a predicated copy; or else its destination is
// saved before it and restored in threads without lanes.
package guard
