// SPDX-License-Identifier: MIT

// Package target is the part of the generator that turns defs/intel/target, a row for each machine that can be compiled
// for, into generated/target ([Generate]). A target combines a platform, an ABI and a family of messages, and lists the
// properties that the compiler relies on: capabilities, limits, and the rewrite options that lower missing operations.
//
// Code that depends on the machine checks a capability or reads a row; a test rejects code that names a platform. So
// Gen11, whose hardware tracks registers, omits the scoreboard because it lacks a capability, and Gen9 runs an
// additional pass for three-source instructions. Their 32-bit float operands fit unchanged; 16-bit operands would have
// to be packed, so 16-bit products and sums are not fused there, although the machine could fuse them.
//
// [Machines] and [Capabilities] are for parts that refer to them.
package target
