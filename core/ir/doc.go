// Package ir is the shader in the middle of the compiler: functions, variables, types and
// instructions in SSA form under structured control flow. It says what instructions look
// like, by generated tables (generated/kind, op, intrinsic), and nothing of what they mean;
// it checks nothing (core/validate does) and computes no facts (core/analysis does).
// [New] makes a [Shader]; the constructors of generated/build put instructions into it.
//
// # Values
//
// A value is its instruction. A [Value] is a 32-bit number that names an instruction and, if
// it has one, its result; [Shader.At] returns its record, an [Instr] of 40 bytes, the same
// for every kind. A result has Comps components of Bits bits each. There are no types of
// values: whether 32 bits are an integer or a float is the business of who reads them. A
// bool is one bit. Bits is 0 where there is no result.
//
// An operand is a [Src]: the value that is read, how many components of it, and which, as a
// [Swizzle]. So reading one component of a vector takes no instruction.
//
// Constants are instructions (load_const, [Shader.Const]), undefined values too. Nothing
// forbids two that are equal; the pass cse merges them.
//
// # Kinds of instructions
//
// The kind of an instruction ([Instr].Kind) is a row of defs/ir/kinds.toml:
//
//   - ALU is arithmetic: Op holds its opcode (package op), Float what may be given up of
//     IEEE 754. An opcode has no effect and depends on its sources alone.
//   - Intrinsic is what is not pure arithmetic: memory, values of the system, barriers,
//     operations across a subgroup. Op holds which (package intrinsic). Its row has the
//     number of sources and their roles, whether it may be removed or moved, and its
//     indices: constants that are stored in the instruction ([Shader.Index]).
//   - Deref, a step of a path through a variable: the variable itself, a member, an
//     element, a cast. Accesses through derefs are intrinsics (load_deref, store_deref),
//     until the pass explicit_io makes byte offsets of them.
//   - Tex is an access to a texture or sampler; its sources have kinds of their own.
//   - LoadConst, Undef, Phi, ParallelCopy, Call and Jump are what their names say.
//
// What only some kinds have, such as indices, constants and the kind of a jump, stands in
// words beside the record ([Shader.Word], [Shader.Aux]), whose layout the tables give.
// Text format, binary form, copying, comparison and hashing go by these rows, so that a new
// row needs no code there.
//
// # Control flow
//
// Control flow is a tree of nodes: functions, blocks, ifs and loops, each named by a [Node].
// A list of nodes (the body of a function or a loop, an arm of an if) starts and ends with a
// block, and between two nodes that are not blocks there is always one. Control falls from a
// node to the next; a block may end in a jump (return, break, continue, halt). From the end
// of a loop's body control goes back to its start; a loop is left by a jump only. There is
// no goto, and continue goes to the start of the body, as its end does.
//
// Predecessors and successors follow from the tree. Package analysis computes them, with
// dominance and divergence; nothing has to be kept up to date when the tree changes.
//
// A phi stands at the start of a block and has one source for each predecessor
// ([Shader.PhiPred]). Late in the pipeline the pass out_of_ssa turns phis into registers:
// numbers of [Shader.NewReg], which load_reg and store_reg read and write as often as they
// like. Instruction selection takes no phis.
//
// # Variables and types
//
// A [Var] is a variable: its mode says where it lives (a buffer, workgroup memory, private
// memory, …), its [Type] what it holds. Types are interned in [Shader.Types], so that equal
// types have equal handles. They describe memory, not values: vectors, matrices, arrays and
// structs, with offsets and strides where the layout is explicit ([Layout]). A private
// variable that is read and written whole becomes values early, in the pass vars_to_ssa.
//
// # Uses
//
// Every value knows who reads it. The uses of a value are a list through the operands
// themselves ([Shader.Uses]), kept by everything that sets a source; the condition of an if
// is a use too. [Shader.ReplaceUses] makes all readers read something else, in time
// proportional to their number, and [Shader.Remove] refuses a value that still has uses.
//
// # Memory
//
// Everything is a handle: Value, Node, Func, Var, Type, Str, Loc. Handle 0 is never valid.
// The records behind handles hold no pointers and lie in arrays that the shader owns; a
// removed record is used again. [Shader.Reset] empties a shader and keeps its memory, which
// is how the compiler takes one shader after another without allocating.
//
// A pointer to an Instr stays good while instructions are added, since records lie in pages
// that never move, and until that instruction is removed. What [Shader.Var] and [Shader.Aux]
// return is good only until the next variable or instruction is made. A table indexed by
// Value has [Shader.NumValues] entries. A shader is for one goroutine at a time.
//
// # Editing
//
// A pass walks over blocks ([Shader.Blocks]) and instructions ([Shader.Instrs]), and may
// insert and remove while it walks: a [Builder] stands before or after an instruction, or at
// an end of a block. Splitting a block, or adding an if or a loop ([Shader.SplitBlock],
// [Shader.InsertIf], [Shader.InsertLoop]), keeps the shape of lists. What was computed by
// package analysis is stale after a change of the tree.
//
// The usual rewrite is: put the new instructions before the old one, replace its uses,
// remove it. The package's examples do so.
//
// # Text and checks
//
// Package text prints a shader (.jir) and reads it back without a change, so that every
// state between two passes can be looked at, kept, and gone on from. Package wire does the
// same in binary form. Package validate checks the tree, sizes, sources and fields by the
// rows, and that definitions dominate uses; passes may rely on that, and under --verify each
// is checked.
//
// What may remain of a shader shrinks from stage to stage (defs/intel/legal; package
// core/pass/legal checks it): after the inliner one function; after Optimize scalar
// arithmetic in SSA form, with memory behind derefs; after explicit_io memory by offsets; at
// instruction selection no phis, no derefs, no vectors, and only the opcodes and intrinsics
// at the sizes that rows of selection take.
package ir
