// SPDX-License-Identifier: MIT

// Package clock accounts for time and hazards. Before an instruction executes, [ScoreboardStep] or [BoardStep] issues it
// at the cycle at which its operands and its unit are available, and checks that it waits for the results that it reads,
// by the software scoreboard of the code or the rules of a hardware scoreboard, and that these are defined. The package
// takes the footprint of an instruction and knows nothing of its arithmetic.
package clock
