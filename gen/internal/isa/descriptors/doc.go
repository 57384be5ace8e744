// Package descriptors checks the tables of messages and writes their part of generated/isa: the enumerations of fields,
// the functions that build descriptors and decode them, and their words in listings. [Controls] returns the bits of
// descriptors by platform, for the selection of instructions.
//
// The tables of package isatab enter; errors, Go code and [ControlSet]s leave. The package knows descriptors, and nothing
// of the instructions that send them.
package descriptors
