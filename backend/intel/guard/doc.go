// Package guard keeps code without a mask from harm where execution units are fused: there it
// also runs in a thread whose lanes have all left the loop or branch, while the neighbouring
// thread still has lanes in it (Wa_1407528679).
//
// [Insert] works on machine IR with allocated registers, so that it covers spills and copies
// too, and before the scoreboard. In control flow, an unmasked instruction is guarded if it
// is a message, or if it writes something that lanes may still need that wait elsewhere:
// registers and flags that are live where lanes resume that are not in the arm or loop
// around the instruction. What is written and read within one arm or trip stays as it is.
//
// A guard is a predicate, true if any lane runs, in a flag register that is free at that
// place, or else saved around it. What cannot have another predicate is undone instead: its
// destination is saved before and restored in threads without lanes.
package guard
