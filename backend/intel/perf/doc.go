// SPDX-License-Identifier: MIT

// Package perf estimates the number of cycles that a thread takes for a program, without running it. [Cycles]
// reads machine code; an [Estimator] receives each instruction as it is encoded. Instructions issue in program
// order, each as soon as its unit is free and its operands are ready, according to the software scoreboard or,
// where hardware tracks registers, to a model of its scoreboard. Costs come from defs/intel/latency.
//
// The time of a loop is the time of an iteration after the first, multiplied by the trip count (package trips)
// or, if that is unknown, by [AssumedTrips]. Both arms of an if count. The estimate ignores divergence, other
// threads, and the addresses of memory accesses. [Measured] takes the counts from a run on the model of the
// execution units instead.
//
// The figures are meant for comparing programs. The compiler uses them for a single decision: whether code for
// 8 lanes replaces code for 16 that spills.
package perf
