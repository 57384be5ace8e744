// SPDX-License-Identifier: MIT

// Package report explains the cost of a shader: [Make] compiles it at every width and collects the facts in a [Report],
// which is also the JSON object of jacquard report; [Write] lays several out as text, Markdown or HTML.
//
// Every figure is one of the compiler's, or follows from it and the table of devices; hints are derived from the figures.
// Cycles are estimates for a thread that has an execution unit to itself, see package backend/intel/perf.
package report
