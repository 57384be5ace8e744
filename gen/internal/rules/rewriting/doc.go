// Package rewriting runs rules on terms, to find rules that are correct but useless or that undo each other: [Hygiene]
// rejects rewriting that does not end, [Overlaps] lists the pairs of rules where the wrong rule wins.
//
// Loaded rules enter; errors and pairs leave. The package has a separate engine, independent of core/match.
package rewriting
