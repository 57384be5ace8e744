// Package perf estimates how many cycles a thread takes to run a program, without running it:
// [Cycles] takes machine code, an [Estimator] instructions as they are encoded. Instructions are
// issued in program order, each as soon as its unit is free and its scoreboard waits are over or,
// if the hardware tracks registers, its operands are ready. Costs are the rows of
// defs/intel/latency.
//
// The body of a loop counts as often as it is known to run (package trips), otherwise
// [AssumedTrips] times. Its time is that of an iteration after the first. Both arms of an if
// count, one after the other. The estimate ignores divergence, other threads, and the addresses
// of memory accesses. [Measured] counts instructions as often as they ran on the model of the
// execution units.
//
// The figures serve to compare programs. The compiler uses them for a single decision: whether
// code for 8 lanes replaces code for 16 that spills.
package perf
