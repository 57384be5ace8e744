// Package irgen writes the Go packages that describe the IR: instruction kinds and
// enumerations (generated/kind), intrinsics (generated/intrinsic), constructors
// (generated/build), and their pages of the manual. [Generate] and [GenerateBuild] are
// its parts of the generator.
//
// The rows are loaded and checked by package irtab; opcodes have package opcodes.
// Nothing is generated that loops over a row can do at run time, such as printing,
// parsing and copying: core/text, core/wire and core/ir read the tables that are written
// here.
package irgen
