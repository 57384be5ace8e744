// Package perf estimates how many cycles a thread takes to run a program, without
// running it: [Cycles] of machine code, an [Estimator] of instructions as they are encoded. Instructions are issued in program order, each as soon as its
// scoreboard waits allow or, if the hardware tracks registers, as soon as its operands
// are ready; instructions in a loop count ten times for each enclosing loop. Costs are
// the rows of defs/intel/latency.
//
// The figures serve to compare programs; only the model of the execution units knows
// actual trip counts. The compiler uses them for a single decision: whether code for 8
// lanes replaces code for 16 that spills.
package perf
