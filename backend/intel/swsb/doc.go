// SPDX-License-Identifier: MIT

// Package swsb fills in the software scoreboard, on machines that have one: the waits of each instruction (TGL
// PRM vol. 2a, "Software Scoreboard"). [Inserter.Insert] works on machine IR with allocated registers.
//
// An instruction waits for in-order instructions (ALU and branches, and math on machines with four pipes) by distance, in
// one pipe or in all (pipe.go), also before it overwrites their results, and for other operations by one of the machine's
// tokens, which are assigned in turn, passing over tokens of instructions that are probably still under way (token.go). The
// state of outstanding operations is, for each pipe, two sets of registers, written and used, for each of the last
// instructions (history.go), and the registers of each token
// (state.go). They are propagated along the physical edges between blocks to a fixed point. The pass does not run for
// machines whose hardware tracks registers. Package hazards checks the result by independently written rules.
package swsb
