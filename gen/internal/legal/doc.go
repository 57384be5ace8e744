// Package legal is the generator's part that turns defs/intel/legal into
// generated/legal: what may remain of a shader at the stages of its way to the machine
// ([Generate]). A stage is a place in the pipeline of passes, a ban says what must be
// gone from a stage on, on all targets or on those without a capability. What
// instruction selection takes is read off its rows, so that nobody has to say it twice.
//
// The checks themselves are core/pass/legal.
package legal
