// SPDX-License-Identifier: MIT

// Package structure checks the structured control flow of functions by SPIR-V's rules. [Constructs.Check]
// takes the graph of a function's blocks, with each block's merge instruction and kind of terminator, and returns the
// first [Fault], or nil. The package knows neither the words of a module nor the IR.
package structure
