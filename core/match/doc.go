// Package match is the engine that applies rewrite rules to a shader: the
// generated rule sets (generated/rules/…) say what to look for and what to put
// in its place, the engine says where, in which order and when to stop.
//
// [Apply], or a [Pass] that keeps its memory, runs a set on a function; [Stats] counts
// which rules fire. What rules there are the package does not know.
//
// A set brings an automaton that reads the shader bottom-up: the state of a
// value follows from its opcode and the states of its operands, and tells which
// rules can match there at all. Only those are tried, by generated programs, in
// the order of the tables; the first that matches wins. A worklist revisits the
// users of what was rewritten. When it is empty no rule of the set matches
// anywhere.
//
// A rule that gives something up of exact float behaviour fires only where every
// matched float instruction allows that (Instr.Float) and the shader's float
// controls do not forbid it. New instructions may give up what all matched ones
// could.
package match
