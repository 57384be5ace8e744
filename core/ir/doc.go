// SPDX-License-Identifier: MIT

// Package ir is the compiler's intermediate representation: functions, variables, types and
// instructions in SSA form under structured control flow. Generated tables (generated/kind,
// op, intrinsic) define the form of instructions; their meaning is defined elsewhere. The
// package neither validates (core/validate does) nor analyzes (core/analysis does). [New]
// returns a [Shader]; the constructors of generated/build insert instructions into it.
//
// # Values
//
// A value is its instruction. A [Value] is a 32-bit number that names an instruction and, if
// it has one, its result; [Shader.At] returns its record, an [Instr] of 40 bytes, the same
// for every kind. A result has Comps components of Bits bits each. Values are untyped:
// whether 32 bits are an integer or a float is determined by their users. A bool is one bit.
// Bits is 0 if there is no result.
//
// An operand is a [Src], which [Shader.Src] returns: the value that is read, and the number and
// selection of its components, as a [Swizzle]. Reading one component of a vector thus takes no
// instruction.
//
// Constants are instructions (load_const, [Shader.Const]), and so are undefined values.
// Duplicates are allowed; the pass cse merges them.
//
// # Kinds of instructions
//
// The kind of an instruction ([Instr].Kind) is a row of defs/ir/kinds.toml:
//
//   - ALU is arithmetic: Op is its opcode (package op), Float the IEEE 754 guarantees that
//     may be relaxed. An opcode has no side effects and depends only on its sources.
//   - Intrinsic is everything that is not pure arithmetic: memory, system values, barriers,
//     subgroup operations. Op selects it (package intrinsic). Its row defines the number of
//     sources and their roles, whether it may be removed or moved, and its indices:
//     constants stored in the instruction ([Shader.Index]).
//   - Deref is a step of a path through a variable: the variable itself, a member, an
//     element, a cast. Accesses through derefs are intrinsics (load_deref, store_deref),
//     until the pass explicit_io lowers them to byte offsets.
//   - Tex is an access to a texture or sampler; its sources have their own kinds.
//   - LoadConst, Undef, Phi, ParallelCopy, Call and Jump have their usual meaning.
//
// Fields that only some kinds have, such as indices, constants and the kind of a jump, are
// stored in words outside the record ([Shader.Words]), with a layout defined by the tables.
// Text format, binary form, copying, comparison and hashing are driven by these rows, so that
// a new row needs no code there.
//
// # Control flow
//
// Control flow is a tree of nodes: functions, blocks, ifs and loops, each named by a [Node].
// A list of nodes (the body of a function or a loop, an arm of an if) starts and ends with a
// block, and there is always a block between two nodes that are not blocks. Control falls
// through from a node to the next; a block may end in a jump (return, break, continue, halt).
// From the end of a loop's body control returns to its start; only a jump leaves a loop. There
// is no goto, and continue goes to the start of the body, as its end does.
//
// Predecessors and successors follow from the tree. Package analysis computes them, with
// dominance and divergence; nothing needs updating when the tree changes.
//
// A phi is at the start of a block and has one source for each predecessor
// ([Shader.PhiPred]). Late in the pipeline the pass out_of_ssa turns phis into registers:
// numbers from [Registers.New], which load_reg and store_reg read and write any number of
// times. Instruction selection does not accept phis.
//
// # Variables and types
//
// A [Var] is a variable: its mode is the kind of memory that it is in (a buffer, workgroup
// memory, private memory, …), its [Type] describes its contents. Types are interned in
// [Shader.Types], so that equal types have equal handles. They describe memory, not values:
// vectors, matrices, arrays and structs, with offsets and strides if the layout is explicit
// ([Layout]). Private variables that are read and written whole are promoted to values early,
// in the pass vars_to_ssa.
//
// # Uses
//
// Every value knows its uses. The uses of a value are a linked list through the operands
// themselves ([Shader.Uses]), maintained by everything that sets a source; the condition of an
// if is a use too. [Shader.UseSrc] returns the operand of a use. [Shader.ReplaceUses] replaces
// the value in all its uses, in time proportional to their number, and [Shader.Remove] panics
// if a value still has uses.
//
// # Memory
//
// Everything is a handle: Value, Node, Func, Var, Type, Str, Loc. Handle 0 is never valid.
// The records behind handles contain no pointers and are in arrays that the shader owns;
// removed records are reused. [Shader.Reset] empties a shader and keeps its memory, so that
// the compiler processes one shader after another without allocating.
//
// A pointer to an Instr stays valid while instructions are added, since records are in pages
// that never move, and until that instruction is removed. The results of [Shader.Var],
// [Shader.Func], [Shader.Node] and [Shader.Words] are valid only until the next variable,
// function, node or instruction is created. A table indexed by Value has [Shader.NumValues]
// entries. A shader must not be used by several goroutines at a time.
//
// # Editing
//
// A pass iterates over blocks ([Shader.Blocks]) and instructions ([Shader.Instrs]), and may
// insert and remove while iterating: a [Builder] is positioned before or after an instruction,
// or at an end of a block. Splitting a block, or adding an if or a loop ([Shader.SplitBlock],
// [Shader.InsertIf], [Shader.InsertLoop]), preserves the shape of lists. Results of package
// analysis are stale after a change of the tree.
//
// The usual rewrite is: insert the new instructions before the old one, replace its uses,
// remove it. See the package's examples.
//
// # Text and checks
//
// Package text prints a shader (.jir) and parses it without loss, so that the state between
// any two passes can be inspected, saved, and resumed from. Package wire does the same in
// binary form. Package validate checks the tree, sizes, sources and fields against the rows,
// and that definitions dominate uses; passes may rely on that, and under --verify each is
// checked.
//
// The set of operations that may remain in a shader shrinks from stage to stage
// (defs/intel/legal; package core/pass/legal checks it): after the inliner one function; after
// Optimize scalar arithmetic in SSA form, with memory accessed through derefs; after
// explicit_io memory accessed by offsets; at instruction selection no phis, no derefs, no
// vectors (unless the machine computes with vectors), and only the opcodes and intrinsics at the
// sizes that selection rows accept.
package ir
