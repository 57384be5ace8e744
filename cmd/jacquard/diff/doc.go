// SPDX-License-Identifier: MIT

// Package diff compares the machine code of two versions of a shader. [Compare] aligns their instructions by
// operation, regardless of registers, then tracks which register of the new version holds the value of each register
// of the old version. An instruction that reads another value differs; an instruction with other register numbers but
// the same values does not. Between aligned instructions, instructions of the same kind, for example with another
// constant, are versions of each other: their results count as the same value, so that their users do not differ
// because of them. Flag registers are treated alike. Dependencies between instructions and the addresses of jump
// targets are not compared; instructions that only wait are left out.
package diff
