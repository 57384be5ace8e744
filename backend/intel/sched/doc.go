// Package sched orders the instructions of each block so that results are available by the
// time they are needed ([Scheduler.Run]): list scheduling with the latencies of the target's
// table, before registers are allocated.
//
// A block is cut into regions at control flow. The instructions of a region are the nodes
// of a graph (graph.go) whose edges are what their operands and mir.Inst.Implicit demand.
// Of the nodes whose predecessors have been placed, the one that can start first is placed
// next, given its operands and the unit that it occupies, and of several the one with the
// longest path to the end of the region. While more registers are live than a limit, nodes
// that need no further registers come first, and otherwise the order of the source
// (pick.go). A block that would need more registers than the limit and than it did before is
// ordered again with pressure deciding earlier, and keeps its order if that does not help.
//
// There are two flag registers, one address register and one accumulator, so lives of those
// do not overlap more than they did in the source (flags.go).
//
// The scheduler works in memory that it keeps, visits a bounded window of each region per
// instruction, and remembers the source order, which [Scheduler.Restore] returns to if the
// result does not fit into the register file.
package sched
