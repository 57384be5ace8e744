// Package subgroup selects operations across the lanes of a thread: ballots and votes, shuffles, quads, reductions and
// scans. They exchange values between registers and flags, without messages.
package subgroup
