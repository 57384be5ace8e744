// Package mir is the machine IR of the scalar back end: machine instructions
// on virtual registers, in blocks that follow from structured control flow.
//
// A Func holds instructions as records without pointers, named by ID and linked
// into blocks; blocks stand in the order of the final code. Control flow is the
// machine's own (if, else, endif, break, cont, while, halt) plus OpLoop, which
// marks where a loop starts and emits nothing.
//
// A virtual register is a number of bytes. A divergent one has a slot of Lane
// bytes for every lane, component after component, and starts at a GRF; a
// uniform one holds scalars and may share a GRF with others. Instructions on
// divergent registers run at the width of the dispatch, under the channel mask;
// those that compute uniform values run one lane wide and without mask
// (NoMask). Since such a write reaches the register even where no lane is
// active, registers are kept apart along the physical flow of control (then →
// else, break → rest of the loop), not only along the logical one.
//
// Registers may be written in several places, in parts and under predicates. One that a
// single instruction writes is marked with it (RegInfo.Def): selection marks them,
// passes keep the marks, the validator checks them.
//
// Predicates and condition modifiers name a flag register, a virtual one (Flag)
// until registers are allocated. It has a bit for each lane; operations across lanes
// copy it whole, from and to a scalar, and nothing else has it as an operand.
//
// What instructions read and write besides their operands, flags, the accumulator, the
// float mode, the channel mask and the memory of each space, Inst.Implicit says; it is
// what a scheduler must keep in order. The validator checks what a wrong order would
// break first: what reads the accumulator follows in its block what wrote it for the
// same lanes, and fences and barriers are awaited before the next access to the memory
// that they keep in order.
//
// Code for 32 lanes is built with instructions of exec size 32 and split into
// halves before registers are allocated.
package mir
