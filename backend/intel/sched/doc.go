// SPDX-License-Identifier: MIT

// Package sched orders the instructions of each block so that results are available by the time they are needed
// ([Scheduler.Run]). It is a list scheduler with the latencies of the target's table, and runs before register
// allocation.
//
// A block is cut into regions at control flow. The instructions of a region are the nodes of a graph
// (graph.go), whose edges are the dependences through operands and mir.Inst.Implicit. Among the nodes whose
// predecessors have been placed, the scheduler chooses the node with the earliest start, given its operands and its
// unit; ties are broken by the longest path to the end of the region. While more registers are live than a
// limit, it prefers nodes that need no further registers, and otherwise keeps source order (pick.go) or, in a lean
// schedule, follows demand (demand.go). A block whose new order needs more registers than both the limit and the old
// order is scheduled again, with pressure deciding earlier, and keeps its order if that does not help.
//
// There are two flag registers, one address register and one accumulator, so the live ranges of virtual ones
// must not overlap more than in the source (flags.go).
//
// The scheduler reuses its memory and visits a bounded window of each region per instruction. It remembers the
// source order, to which [Scheduler.Restore] returns the function, or its crowded blocks, if the result does not
// fit into the register file.
package sched
