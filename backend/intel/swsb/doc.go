// Package swsb fills in the software scoreboard of machines that have one: what each
// instruction must wait for (TGL PRM vol. 2a, "Software Scoreboard"). [Inserter.Insert]
// works on machine IR with allocated registers.
//
// In-order instructions (ALU and branches) are waited for by distance, also where one
// writes over another's result; sends and math by one of sixteen tokens, which are given
// in turn. What may be outstanding is tracked for every GRF and carried along the
// physical edges between blocks to a fixed point, in one pass over all registers.
// Machines whose hardware tracks registers leave the pass out. Package hazards checks
// the result by rules written apart.
package swsb
