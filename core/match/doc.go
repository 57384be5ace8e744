// Package match is the engine that applies rewrite rules to a shader: the generated rule
// sets (generated/rules/…) define patterns and replacements, the engine decides where, in
// which order and when to stop.
//
// [Apply], or a [Pass] that keeps its memory, runs a set on a function; [Stats] counts which
// rules fire. The package does not know the rules themselves.
//
// A set includes an automaton that reads the shader bottom-up: the state of a value follows
// from its opcode and the states of its operands, and determines which rules can match there
// at all. Only those are tried, by generated programs, in the order of the tables; the first
// that matches wins. A worklist revisits the users of rewritten values. When it is empty, no
// rule of the set matches anywhere.
//
// A rule that relaxes exact float behavior fires only if every matched float instruction
// allows it (Instr.Float) and the shader's float controls do not forbid it. New instructions
// may relax what all matched ones could.
package match
