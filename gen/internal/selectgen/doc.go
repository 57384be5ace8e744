// Package selectgen turns the rows of defs/intel/select into the instruction
// selector, generated/intel/select.
//
// [Generate] writes the selector; [Claims] are what rows say that they compute, for
// tests and the solver; [Covers] tells which rows hide others.
//
//	[select.fadd_sat]
//	find = "(fsat (fadd@32|16 a:mod b:mod:imm))"
//	emit = ["add.sat:float dst a b"]
//
// find is a pattern (see package pattern). Its root is an ALU opcode, an
// intrinsic, or cond, which stands for the condition of an if and takes one
// bool. Behind a variable may stand, besides the predicates of the rules:
//
//	:mod   negations and magnitudes of the value become source modifiers
//	:abs   magnitudes alone
//	:neg   negations alone
//	:not   complements, for the logic opcodes
//	:imm   a constant may be an immediate; without it, it goes to a register
//
// Behind an inner instruction, :free says that it may be computed again: without
// it the pattern matches only when nothing else reads the inner result and it
// stands in the root's block.
//
// emit lists machine instructions:
//
//	(~f0.any4h) op.sat.lt.f1:type dst src src
//
// An operand is dst, a variable, a temporary t0 t1 …, null, acc0 or a number;
// -x negates, |x| takes the magnitude, ~x complements, x+2 starts 2 bytes
// further on in each lane, x:uw reads as another type. A type is one of the
// machine's or float, int, uint: then the size of each operand chooses it. The
// instruction's type holds for all operands that state none.
//
// What emit computes has to be what find computes: every row is tried on vectors
// at every size and with every modifier that it folds, by the meanings of the
// opcodes and of the machine instructions (defs/intel/meaning); make prove asks
// z3. gives_up lists what the machine does not keep of exact IEEE behaviour, as
// in rewrite rules; undefined is a condition under which nothing is claimed, and
// allowed_by says why either is allowed.
//
// needs and without list capabilities (see defs/intel/target): the row holds on the
// machines that have all of the first and none of the second, and on every machine when
// both are left out. A row for some machines stands before the one for the others.
//
// call names a method of the back end instead: it gets the instruction and the
// variables that args lists; a test compares what it emits with the meanings. Rows stand in the order in which they are tried;
// within a file and over files the more specific one must come first.
//
// Every row that emits instructions claims, at each assignment of sizes and with each
// modifier that it folds, that what it emits is what it finds; the generator tries the
// claims on vectors, the solver proves them. Rows that call the back end are compiled
// alone and run on the model, in tests.
package selectgen
