// SPDX-License-Identifier: MIT

// Package allocheck verifies, for one function, that register allocation preserved its meaning: wherever an
// instruction reads a register, it finds the contents of its virtual register, on all paths and in all lanes
// that matter. It is independent of the allocator: it compares two programs, the machine IR before allocation
// (with unlimited virtual registers) and after (with GRFs, spills and fills).
//
// [Check] returns the first difference as an error. [CheckFused] checks allocated code, with guards on unmasked
// instructions, for machines whose threads run in fused pairs.
//
// # Facts
//
// A fact states that byte b of a virtual register is at a place: a byte of the register file, of the thread's
// scratch space, or of a constant. Facts are propagated forward from the start of the function to a fixed
// point; where paths meet, the facts common to all of them remain. Every instruction of the first program must
// be in the second, in the same order, with its virtual registers replaced by places that hold them according
// to the facts. The second program may additionally contain fills, spills, constants, moves of one element or
// register, and rematerialized operations of the first program, but no other instructions. It may lack copies,
// constants, marks of undefined registers, and operations.
//
// The header of a fill or spill is the thread's own, or a copy with another base that was made in the same
// block; then places are relative to that base. If scratch is a surface, the addresses of each fill or spill are
// constants computed in the same block, and its state comes from the thread's own header.
//
// Flag and address registers and accumulators, which are allocated to f0, f1, a0 and acc0, are tracked
// separately. For each bit of the physical registers, the check tracks the virtual register it belongs to.
//
// # Lanes
//
// A masked write changes only the active lanes. A lane that waits while another path runs keeps its contents,
// unless an unmasked write, or a write of another lane's bytes, changes them. So there are two facts for each
// byte. The first is about the lane that owns the byte, along the logical control flow, whenever that lane is
// active; instructions that run while the lane waits may invalidate it. The second holds regardless of the
// lane's state, along the physical control flow of the thread. A masked read of the lane's own bytes needs the
// first fact, every other read both.
//
// Facts are kept for live registers: registers that their own lanes or others read before they are written
// again. The facts about one register form a row, which is interned and compared by address. The effect of a
// block on the rows of waiting lanes is memoized.
//
// An unwritten byte has any contents. For reads across lanes, so has a byte of a register that only masked
// instructions write, as long as its lane is inactive. Any value that the machine finds there is correct.
package allocheck
