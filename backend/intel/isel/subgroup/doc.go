// SPDX-License-Identifier: MIT

// Package subgroup selects operations across the lanes of a thread: [Ballot] and votes, [Shuffle], operations on quads,
// and [Reduction], which includes scans. They exchange values between registers and flags by regions and indirect
// addresses, without messages; no other package under isel reads registers of other lanes.
package subgroup
