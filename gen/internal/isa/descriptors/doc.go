// SPDX-License-Identifier: MIT

// Package descriptors checks the tables of messages and writes their part of generated/isa: the enumerations of fields,
// the functions that build descriptors and decode them, and their words in listings. [Controls] returns the bits of
// descriptors by platform, for the selection of instructions.
//
// Its input is the tables of package isatab; its output is errors, Go code and [ControlSet]s. The package knows
// descriptors, but nothing about the instructions that send them.
package descriptors
