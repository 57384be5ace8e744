// SPDX-License-Identifier: MIT

// Package match is the engine that applies rewrite rules to a shader. The generated rule sets (generated/rules/…)
// define patterns and replacements; the engine decides where and in which order to apply them, and when to stop.
//
// [Apply], or a [Pass] that keeps its memory, runs a set on a function; [Stats] counts which rules fire. The package
// does not know the rules themselves.
//
// A set includes an automaton that reads the shader bottom-up. The state of a value follows from its opcode and the
// states of its operands, and determines which rules can match there at all. Generated programs try only these, in the
// order of the tables; the first match wins. A worklist revisits the users of rewritten values. When it is empty, no
// rule of the set matches anywhere.
//
// A rule that relaxes exact float behavior fires only if every matched float instruction allows it (Instr.Float) and
// the shader's float controls do not forbid it. New instructions allow the relaxations that all matched ones allowed.
package match
