// SPDX-License-Identifier: MIT

// Package codec writes the functions of generated/isa that encode and decode instruction words, for each layout, and the
// functions that choose among them by platform ([EmitCodec]).
//
// Its input is the tables of package isatab, which must have been checked; its output is Go code. The package knows the
// order of fields and which of them each format has, but not their bits, which are columns of the tables.
package codec
