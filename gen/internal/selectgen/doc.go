// Package selectgen turns the rows of defs/intel/select into the instruction
// selector, generated/intel/select.
//
// [Generate] writes the selector; [Claims] returns the claims of rows about what they compute,
// for tests and the solver; [Covers] returns what the rows match.
//
//	[select.fadd_sat]
//	find = "(fsat (fadd@32|16 a:mod b:mod:imm))"
//	emit = ["add.sat:float dst a b"]
//
// find is a pattern (see package pattern). Its root is an ALU opcode, an
// intrinsic, or cond, which stands for the condition of an if and takes one
// bool. A variable may be followed, in addition to the predicates of the rules, by:
//
//	:mod   negations and magnitudes of the value become source modifiers
//	:abs   only magnitudes
//	:neg   only negations
//	:not   complements, for the logic opcodes
//	:imm   a constant may be an immediate; without it, it is in a register
//
// After an inner instruction, :free says that it may be recomputed: without
// it the pattern matches only if nothing else reads the inner result and it
// is in the root's block.
//
// emit lists machine instructions:
//
//	(~f0.any4h) op.sat.lt.f1:type dst src src
//
// An operand is dst, a variable, a temporary t0 t1 …, null, acc0 or a number;
// -x negates, |x| takes the magnitude, ~x complements, x+2 starts 2 bytes
// later in each lane, x:uw reads as another type. A type is one of the
// machine's or float, int, uint, where the size of each operand determines it. The
// instruction's type applies to all operands without their own.
//
// emit must compute what find computes: every row is tested on vectors
// at every size and with every modifier that it folds, by the meanings of the
// opcodes and of the machine instructions (defs/intel/meaning); make prove runs
// z3. gives_up lists deviations of the machine from exact IEEE behavior, as
// in rewrite rules; undefined is a condition under which nothing is claimed, and
// allowed_by says why either is allowed.
//
// needs and without list capabilities (see defs/intel/target): the row applies to
// machines that have all of the former and none of the latter, and to every machine if
// both are omitted. A row for some machines precedes the one for the others.
//
// call names a method of the back end instead, which receives the instruction and the
// variables in args; a test compares what it emits with the meanings. Rows are
// tried in order; within a file and across files the more specific one must come first.
//
// Every row that emits instructions claims, at each assignment of sizes and with each
// modifier that it folds, that they compute what it finds; the generator tests the
// claims on vectors, the solver proves them. Tests compile rows that call the back end
// in isolation and run them on the model.
package selectgen
