// SPDX-License-Identifier: MIT

// Package legal is the part of the generator that turns defs/intel/legal into generated/legal: the restrictions on a
// shader at the stages of lowering ([Generate]). A stage is a point in the pipeline of passes; a ban lists opcodes and
// other features that must be gone at a stage and after it, on all targets or on targets without a capability. The
// features that instruction selection accepts are derived from its rows.
//
// It also checks that rewrite rules are closed: on every target, a selection row, a later rule or a declared lowering
// takes whatever a rule makes.
//
// The checks themselves are in core/pass/legal.
package legal
