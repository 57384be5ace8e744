// SPDX-License-Identifier: MIT

// Package isa tests generated/isa: encodings against vectors, encoder and decoder,
// assembler and disassembler against each other, on every form and at random, and all
// against Intel's assembler iga64 where it is installed. Damaged words and texts must
// result in errors. It tests the meaning of instruction words, for every platform of the
// tables; whether a program may be executed is tested with packages legal, hazards and eu.
package isa
