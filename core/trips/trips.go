// Package trips defines [Count], the trip count of a loop: a number, an upper bound, or unknown. A pass counts trips
// before registers replace phis; the count then travels with the loop through both IRs, their texts and the
// binary form, to the estimate of cycles.
package trips

// Count is how often the body of a loop is entered each time that control reaches the loop,
// in any invocation; 0 if that is unknown.
type Count uint32

// Unknown is the count of loops that could not be counted.
const Unknown Count = 0

// Max is the largest number of a count.
const Max = 1<<31 - 1

// bound marks a count that is only an upper bound.
const bound Count = 1 << 31

// Exactly returns the count of a loop whose body is entered n times; Unknown if n is not
// from 1 to Max.
func Exactly(n int) Count {
	if n < 1 || n > Max {
		return Unknown
	}
	return Count(n)
}

// AtMost returns the count of a loop whose body is entered at most n times;
// Unknown if n is not from 1 to Max.
func AtMost(n int) Count {
	if c := Exactly(n); c != Unknown {
		return c | bound
	}
	return Unknown
}

// Exact returns the number of an exact count, 0 for other counts.
func (c Count) Exact() int {
	if c&bound != 0 {
		return 0
	}
	return int(c)
}

// Bound returns the number of a count that is only a bound, 0 for other counts.
func (c Count) Bound() int {
	if c&bound == 0 {
		return 0
	}
	return int(c &^ bound)
}
