// SPDX-License-Identifier: MIT

// Package trips defines [Count], the trip count of a loop: a number, an upper bound, or unknown. A pass counts trips
// before registers replace phis. The estimate of cycles uses the counts, so both IRs, their texts and the binary form
// keep them.
package trips

// Count is the number of iterations of a loop each time that control reaches it, for any
// invocation; 0 if it is unknown.
type Count uint32

// Unknown is the count of a loop that could not be counted.
const Unknown Count = 0

// Max is the largest number that a count can hold.
const Max = 1<<31 - 1

// bound marks a count that is only an upper bound.
const bound Count = 1 << 31

// Exactly returns the count of a loop of n iterations, or Unknown if n is not from 1 to Max.
func Exactly(n int) Count {
	if n < 1 || n > Max {
		return Unknown
	}
	return Count(n)
}

// AtMost returns the count of a loop of at most n iterations, or Unknown if n is not from 1 to
// Max.
func AtMost(n int) Count {
	if c := Exactly(n); c != Unknown {
		return c | bound
	}
	return Unknown
}

// Exact returns the number of an exact count, or 0.
func (c Count) Exact() int {
	if c&bound != 0 {
		return 0
	}
	return int(c)
}

// Bound returns the number of an upper bound, or 0.
func (c Count) Bound() int {
	if c&bound == 0 {
		return 0
	}
	return int(c &^ bound)
}
