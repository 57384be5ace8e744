// Package allocheck verifies, for one function, that register allocation preserved its
// meaning: wherever an instruction reads a register, it finds the contents of its
// virtual register, on all paths and in all lanes that matter. It is independent of the
// allocator: it takes the machine IR before allocation (unlimited virtual registers) and
// after (GRFs, spills and fills) and compares the two as programs.
//
// [Check] compares the two and returns the first difference as an error. [CheckFused] checks
// allocated code for machines whose threads run in fused pairs, after unmasked instructions
// have been guarded.
//
// # Facts
//
// A fact states that byte b of a virtual register is at a place: a byte of the register
// file, of the thread's scratch space, or of a constant. Facts are propagated forward
// from the start of the function to a fixed point; where paths meet, the facts common to
// all of them remain. Every instruction of the first program must be in the second, in
// the same order, with its virtual registers replaced by places where the facts put
// them. The second program may additionally contain only fills, spills, constants, moves
// of one element or register, and operations of the first that are rematerialized; it
// may lack only copies, constants, marks of undefined registers, and operations.
//
// The header of a fill or a spill is the thread's, or a copy of it with another base,
// made in the same block; then places are relative to that base.
//
// Flag and address registers and accumulators, for which allocation picks f0, f1, a0 and
// acc0, are tracked separately, bit by bit: which virtual register each bit belongs to.
//
// # Lanes
//
// A masked write changes only the active lanes, and a lane that waits while another path
// runs keeps its contents, unless something without a mask or in another lane's bytes
// intervenes. So there are two facts for each byte. One is about the lane that owns the
// byte, along the logical control flow, whenever that lane is active; writes by what
// runs while the lane waits invalidate it. The other holds whatever the lane does, along
// the physical control flow of the thread. A masked read of the lane's own bytes needs
// the first, every other read both.
//
// Facts are kept for live registers: those that are read, by their own lanes or by
// others, before they are written again. The facts about one register form a row, which
// is interned and compared by address; the effect of a block on the rows of waiting
// lanes is memoized for all of them.
//
// A byte that nothing has written contains anything, and so does, for reads across
// lanes, a byte of a register that only masked instructions write, as long as its lane
// is inactive: any value that the machine finds there is right.
package allocheck
