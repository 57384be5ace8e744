// SPDX-License-Identifier: MIT

// Package swsb fills in the software scoreboard, on machines that have one: the waits of each instruction (TGL
// PRM vol. 2a, "Software Scoreboard"). [Inserter.Insert] works on machine IR with allocated registers.
//
// An instruction waits for in-order instructions (ALU and branches) by distance, also before it overwrites
// their results, and for sends and math by one of sixteen tokens, which are assigned in turn, passing over tokens of
// instructions that are probably still under way (token.go). The state of outstanding operations is two sets of
// registers, written and used, for each of the last in-order instructions (history.go), and the registers of each token
// (state.go). They are propagated along the physical edges between blocks to a fixed point. The pass does not run for
// machines whose hardware tracks registers. Package hazards checks the result by independently written rules.
package swsb
