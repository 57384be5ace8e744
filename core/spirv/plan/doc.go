// SPDX-License-Identifier: MIT

// Package plan decides how the control flow of a function becomes a tree before anything is emitted. [CheckFunctions]
// gives package structure the blocks of each function to check; [Function] turns the blocks into a [Plan] of constructs
// and actions: selections, loops, switches and exits. It reads terminators and merge instructions, and emits no IR. A
// new form of control flow begins here, as a construct, an action or an exit; package emit emits it, package structure
// has SPIR-V's rules for it, and package module knows which opcodes end a block.
package plan
