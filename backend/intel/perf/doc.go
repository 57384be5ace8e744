// Package perf estimates how many cycles a thread takes for a program, without running
// it ([Cycles]): instructions are issued in the order of the text, each as soon as its
// scoreboard waits allow, or what it reads and writes where hardware tracks registers,
// and what stands in a loop counts ten times for each loop around it. Costs are the rows
// of defs/intel/latency.
//
// The figures serve to compare programs; only the model of the execution units knows how
// often a loop really turns. In the compiler they decide one thing alone: whether code
// for 8 lanes takes the place of code for 16 that spills.
package perf
