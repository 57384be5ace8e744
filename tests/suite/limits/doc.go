// Package limits holds inputs that ask for much: modules, texts, machine code and
// scripts of any size, each family with much of one thing. The tests see that the
// work grows with the size, or is counted and ends at a budget (core/work) with
// one error. make limits runs the large ones and reports time and memory.
package limits
