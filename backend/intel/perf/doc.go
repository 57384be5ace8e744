// Package perf estimates how many cycles a thread takes to run a program, without
// running it: [Cycles] of machine code, an [Estimator] of instructions as they are encoded.
// Instructions are issued in program order, each as soon as its scoreboard waits allow or, if
// the hardware tracks registers, as soon as its operands are ready, and its unit is free. Costs
// are the rows of defs/intel/latency.
//
// A loop counts as often as it is known to run (package trips), else [AssumedTrips] times; an
// iteration takes as long as one that follows another. Both arms of an if count, one after the
// other. What code does not show is not counted: divergence, other threads, and where memory is
// accessed. With the numbers of times that instructions have run, as the model of the
// execution units counts them, [Measured] is what remains of the difference: latencies.
//
// The figures serve to compare programs. The compiler uses them for a single decision: whether code for 8
// lanes replaces code for 16 that spills.
package perf
