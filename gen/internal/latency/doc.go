// Package latency writes generated/latency: what classes of instructions cost, in
// cycles, by platform ([Generate]). A class has its figures in one row, and rows for the
// platforms or families where some differ. Where the figures are from is said in the
// tables. They serve estimates (backend/intel/perf) and the cycles that the model
// counts.
package latency
