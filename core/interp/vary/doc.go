// Package vary changes a shader into one that computes something else wherever its result
// depends on what its float instructions leave open: rounding, the sign of a zero, whether a
// denormal is flushed, what becomes of NaN and infinity.
//
// The interpreter computes one of the results that SPIR-V allows, and the code of a compiler may
// compute another. Between the two, only what all variants of the shader agree on can be
// compared bit for bit. What an instruction leaves open is what Instr.Float says, and what the
// API leaves open of its opcode even where nothing may be relaxed: see [Open].
//
// What the fixed functions of a graphics pipeline leave open is varied apart from that: see [Fixed].
//
// The package knows no rewrite rules: it goes by what the flags mean, so that a rule that gives
// up more than it says is found.
package vary
