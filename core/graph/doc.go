// SPDX-License-Identifier: MIT

// Package graph has the algorithms on control flow graphs that the middle end and the back end
// share: orders of nodes ([Order]), dominator trees ([Dominators]), the liveness of one variable
// ([Live]), and fixed points of other data-flow problems ([Solver]). A node is a number; a
// [Graph] refers neither to the IR nor to machine code. All types reuse their memory from graph
// to graph. On structured control flow, all but Solver take time linear in nodes and edges.
package graph
