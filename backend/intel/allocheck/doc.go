// Package allocheck shows, for one function, that register allocation kept its
// meaning: wherever an instruction reads a register, it finds what its virtual
// register held, on all paths and in all lanes that count. It knows nothing of
// the allocator: it gets the machine IR before (virtual registers, without end)
// and after (GRFs, spills and fills) and compares the two as programs.
//
// [Check] compares the two and returns the first difference as an error.
//
// # What is known
//
// A fact says that byte b of a virtual register lies at a place: a byte of the
// register file, of the thread's scratch, or of a constant. Facts are followed
// forwards from the start of the function to a fixed point; where paths meet,
// what all of them know is left. Every instruction of the first program must
// stand in the second, in the same order, its virtual registers replaced by
// places where the facts put them. What the second has besides may only be
// fills, spills, constants, moves of one element or register, and operations of the
// first, which are computed again; what it lacks only copies, constants, marks of
// undefined registers, and operations.
//
// The header of a fill or a spill is the thread's, or a copy of it with another base,
// made in the same block: then the place counts from there.
//
// Flag and address registers and accumulators, for which allocation picks f0, f1, a0 and
// acc0, are followed apart from these, bit by bit: which virtual register each belongs to.
//
// # Lanes
//
// A masked write changes the active lanes alone, and a lane that another path
// leaves waiting keeps what it has, unless something without mask or in another
// lane's bytes gets in between. So there are two facts for each byte. One is
// about the lane that the byte belongs to, along the way that lanes take (the
// logical flow), whenever that lane is active; writes by what runs while the
// lane waits are taken from it. The other holds whatever the lane does, along
// the ways that the thread can take (the physical flow). A masked read of the
// lane's own bytes needs the first, every other read both.
//
// Facts are kept for registers that are needed: those of which something is read, by
// their lanes or by others, before it is written again. What is known of a register
// is a row, which is kept once and compared by its address; what a block does to the
// rows of lanes that wait meanwhile is remembered for all that do.
//
// A byte that nothing has written holds anything, and so does, for reads across
// lanes, a byte of a register that only masked instructions write, as long as
// its lane is inactive: any choice of the machine's is right there.
package allocheck
