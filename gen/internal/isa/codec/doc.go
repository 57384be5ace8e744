// Package codec writes the functions of generated/isa that encode and decode instruction words, for each layout, and the
// functions that choose among them by platform ([EmitCodec]).
//
// The tables of package isatab enter, checked; Go code leaves. The order of fields, and which of them a format has, is
// known here; their bits are columns of the tables.
package codec
