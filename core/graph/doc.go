// Package graph solves problems on control flow graphs, for both halves of the compiler: it
// orders nodes ([Order]), finds dominators ([Dominators]), where one thing is live
// ([Live]), and fixed points of other data-flow problems ([Solver]). A node is a number.
// Nothing in a [Graph] refers to the IR or to machine code. Every type reuses its memory from
// graph to graph, and all but Solver take time linear in the nodes and edges of structured
// control flow.
package graph
