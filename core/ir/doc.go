// Package ir is the shader in the middle of the compiler: a container of
// instructions in SSA form under structured control flow.
//
// Everything is a handle: a Value is a 32-bit number that names an instruction
// and its result, a Node names a block, an if or a loop, and so on. The records
// behind the handles hold no pointers, lie in arenas that the Shader owns, and
// are reused when the Shader is Reset. Handle 0 is never valid.
//
// Control flow is a tree. A list of nodes (a function's body, an arm of an if,
// the body of a loop) starts and ends with a block, and between two nodes that
// are not blocks there is always one. Control falls from a node to the next one;
// a block may end in a jump (return, break, continue, halt). From the end of a
// loop's body control goes back to its start. Predecessors and successors
// follow from the tree (core/analysis computes them); nothing has to be kept up
// to date when the tree changes.
//
// The package knows what instructions look like from generated tables
// (generated/kind, op, intrinsic) and nothing of what they mean.
package ir
