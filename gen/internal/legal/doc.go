// Package legal is the part of the generator that turns defs/intel/legal into
// generated/legal: what a shader may still contain at the stages of lowering
// ([Generate]). A stage is a point in the pipeline of passes; a ban lists what must be
// gone from a stage on, on all targets or on those without a capability. What
// instruction selection matches is derived from its rows.
//
// It also checks that rewrite rules are closed: on every target, a selection row, a later rule
// or a declared lowering takes whatever a rule makes.
//
// The checks themselves are in core/pass/legal.
package legal
