// Package isa is the generator's part that turns defs/intel/isa, the tables of Intel's
// EU instruction words, into generated/isa: enumerations, instructions, encoder,
// decoder, compaction, message descriptors, restrictions, register files and devices
// ([Run]). The assembler, backend/intel/isatext, is written by hand and reads its tables.
//
// What differs from machine to machine is a column or a row: a layout of words, a code,
// a register file, the bits of a message's descriptor. A column may belong to a platform or to its family; the platform's
// own wins. The package refuses a layout with overlapping or missing fields and two rows
// with one code on a platform. [LoadMachine], [Platforms] and [Controls] tell other
// parts what they may name.
//
// Architecture registers have the same numbers on all machines. The model of the
// execution units reads the descriptors of Gen9 to Gen12.1 by rules of its own: what the
// columns of a further machine move there, it has to be told.
package isa
