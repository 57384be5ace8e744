// SPDX-License-Identifier: MIT

// Package irgen writes the Go packages that describe the IR: instruction kinds and enumerations (generated/kind),
// intrinsics (generated/intrinsic), constructors (generated/build), and their pages of the manual. [Generate] and
// [GenerateBuild] are its parts of the generator.
//
// Package irtab loads and checks the rows; package opcodes handles the opcodes. No code is generated for tasks that a
// loop over a row can do at run time, such as printing, parsing and copying: core/text, core/wire and core/ir read the
// tables that are written here.
package irgen
