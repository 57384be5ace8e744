// Package target is the generator's part that turns defs/intel/target, a row for each
// machine that can be compiled for, into generated/target ([Generate]). A target joins a
// platform, an ABI and a family of messages, and says what the compiler may rely on:
// capabilities, limits, and the rewrite options that lower what the machine lacks.
//
// Code that depends on the machine asks for a capability or reads a row; code that names
// a platform fails a check. So Gen11, whose hardware tracks registers, leaves the
// scoreboard out because it lacks a capability, and Gen9 has one pass more for its words
// of three sources. Of floats all operands of these fit as they are; 16-bit ones would
// have to be packed and are not fused there, though the machine could.
//
// [Machines] and [Capabilities] are for parts that refer to them.
package target
