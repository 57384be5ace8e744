// SPDX-License-Identifier: MIT

// Package latency writes generated/latency: the costs of classes of instructions, in
// cycles, by platform ([Generate]). A class has its costs in one row, and rows for the
// platforms or families where some differ. The tables give the sources of the
// figures. Estimates (backend/intel/perf) and the cycle counts of the model use
// them.
package latency
