// SPDX-License-Identifier: MIT

// Package explicitio turns accesses through derefs into accesses at byte offsets and 64-bit addresses ([ExplicitIO]).
//
// It expects a shader whose private variables package vars has split or promoted as far as possible. Afterwards, the
// shader has a binding table, offsets for the variables of workgroup and scratch memory, and no derefs: paths become
// offsets, images and samplers become entries of the binding table, and pointers that are used as values become the words
// of their format.
//
// The package knows the layouts of types and the limits of the target, but not which sizes of accesses have messages;
// package accesses handles sizes.
package explicitio
