// SPDX-License-Identifier: MIT

// Package control executes branches: if, else, while, break, goto, join, calls and jumps. [PredecodeFlow] chooses the
// handler of an instruction. Handlers move lanes of a thread between the running and the waiting state, by the masks
// that package thread keeps; their only operands are conditions, jump targets and the registers of calls.
package control
