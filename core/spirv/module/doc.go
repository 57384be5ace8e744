// SPDX-License-Identifier: MIT

// Package module reads the parts of a module outside the code of functions: words, ids, types, constants and their
// specialization, decorations, entry points, execution modes, and global variables. Of functions it finds the blocks
// ([Block]) and checks the layout of instructions. [Reader] is the state of reading a module; the packages above plan
// and emit functions with it. The input is a module's bytes ([Words]); the output is types and variables of the IR.
// Errors about any instruction are made here ([Reader.Fail]), with their position in the source ([Reader.Located]). The
// package knows neither the constructs of control flow nor the meaning of instructions in functions.
package module
