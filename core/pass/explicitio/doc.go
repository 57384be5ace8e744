// Package explicitio turns accesses through derefs into accesses at byte offsets and 64-bit addresses ([ExplicitIO]).
//
// A shader enters whose private variables have been split or promoted as far as possible, by package vars. It leaves
// with a binding table, with offsets for the variables of workgroup and scratch memory, and without derefs: paths become
// offsets, images and samplers entries of the binding table, and pointers that are used as values the words of their
// format.
//
// The package knows the layouts of types and the limits of the target, but not which sizes of accesses have messages;
// package accesses handles sizes.
package explicitio
