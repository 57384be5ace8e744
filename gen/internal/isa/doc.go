// SPDX-License-Identifier: MIT

// Package isa is the generator's part that turns defs/intel/isa, the tables of Intel's
// EU instruction words, into generated/isa: enumerations, instructions, encoder,
// decoder, compaction, message descriptors, restrictions, register files and devices
// ([Run]). The assembler, backend/intel/isatext, is written by hand and reads its tables.
//
// Differences between machines are columns or rows: a layout of words, a code,
// a register file, the bits of a message's descriptor. A column may belong to a platform
// or to its family; the platform's own takes precedence. Two rows with the same code on a platform
// are rejected, and so is a layout with overlapping or missing fields. [LoadMachine], [Platforms] and
// [descriptors.Controls] return the rows that other parts may refer to.
//
// Package isatab has the rows and layouts, package codec writes the encoder and decoder of words, and package descriptors
// writes the message descriptors. This package writes the rest and runs all checks.
//
// Architecture registers have the same numbers on all machines. The model of the
// execution units decodes the descriptors of Gen9 to Gen12.1 by its own rules, which must be
// extended if the columns of a new machine change them.
package isa
