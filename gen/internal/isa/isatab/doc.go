// SPDX-License-Identifier: MIT

// Package isatab reads the tables of defs/intel/isa ([Load]) and gives access to their rows: codes by platform or family,
// layouts of instruction words with the bits of their fields ([Layout], [Coder]), and the tables that need no more than
// their rows to be checked and emitted: devices, register files and surface formats.
//
// Its input is the folder of the tables, its output is [Tables]. The package does not know the code that reads or writes
// words.
package isatab
