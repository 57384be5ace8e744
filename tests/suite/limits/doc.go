// SPDX-License-Identifier: MIT

// Package limits generates demanding inputs: modules, texts, machine code and scripts of any size, where each family
// repeats one construct. The tests check that the work is proportional to the size, or is counted and ends at a budget
// (core/work) with one error. make limits runs the large ones and reports time and memory.
package limits
