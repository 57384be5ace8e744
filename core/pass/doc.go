// SPDX-License-Identifier: MIT

// Package pass is the framework for transformations of the IR. A [Pass] is a function with a description, a [Pipeline]
// is a list of passes and of loops of passes, and a [Context] is the environment of a pass: the shader, a builder,
// analyses, and scratch memory that later passes and shaders reuse. A pass reports whether it changed anything. A
// [Loop] repeats until none of its passes changes the shader; a pass that changed nothing is skipped until another pass
// changes the shader.
//
// The passes are in the packages below, by what they change: flow (control flow), vars (private variables), values (SSA
// values), explicitio (derefs, which become offsets), accesses (loads and stores at offsets), lower and memory
// (operations and accesses that a target lacks), stageio and link (inputs and outputs of stages). Package pipeline has
// the tables that list which passes run in which order; package legal checks what remains. [Rules] makes a pass of a
// set of rewrite rules. The row of a pass documents its requirements and guarantees (generated/docs/passes.md). Passes
// see the target as a record of its capabilities, never by name. Tests of passes in text form are in
// filetests/testdata.
package pass
