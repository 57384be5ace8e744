// SPDX-License-Identifier: MIT

// Package alu executes arithmetic and logic on the lanes of an instruction. [PredecodeALU] chooses the handler of an
// instruction for its operation and types: on integers of up to 64 bits, on floats, or a fast path for 32 bits. Results
// have the bits that the hardware computes, except those of the math unit ([thread.MathUnit]). No handler accesses memory.
package alu
