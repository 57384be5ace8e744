// Package swsb fills in the software scoreboard of machines that have one: what each
// instruction must wait for (TGL PRM vol. 2a, "Software Scoreboard"). [Inserter.Insert]
// works on machine IR with allocated registers.
//
// In-order instructions (ALU and branches) are waited for by distance, also if one
// overwrites another's result; sends and math by one of sixteen tokens, which are
// assigned round-robin. What is outstanding is sets of registers: those that each of the last
// in-order instructions writes and uses (history.go), and those of each token (state.go). They
// are propagated along the physical edges between blocks to a fixed point.
// The pass does not run for machines whose hardware tracks registers. Package hazards
// checks the result by independently written rules.
package swsb
