// Package plan decides how the control flow of a function becomes a tree before anything is emitted. [CheckFunctions]
// gives package structure the blocks of each function to check; [PlanFunction] turns the blocks into constructs and
// actions: selections, loops, switches and exits. It reads terminators and merge instructions, and emits no IR. A new
// form of control flow is a construct or an exit here, and its emission in package emit.
package plan
