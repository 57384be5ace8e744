// Package trips has the type of what is known about how often a loop repeats: a number, a bound, or
// nothing. A pass counts before registers replace phis; the count then travels with the loop through both
// IRs, their texts and the binary form, to the estimate of cycles.
package trips

// Count is how often the body of a loop is entered each time that control reaches the loop,
// whatever the invocations do: 0 if that is unknown.
type Count uint32

// Unknown is the count of loops of which nothing is known.
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

// AtMost returns the count of a loop whose body is entered n times unless it is left earlier;
// Unknown if n is not from 1 to Max.
func AtMost(n int) Count {
	if c := Exactly(n); c != Unknown {
		return c | bound
	}
	return Unknown
}

// Exact returns the number of a count that is no bound, 0 if there is none.
func (c Count) Exact() int {
	if c&bound != 0 {
		return 0
	}
	return int(c)
}

// Bound returns the number of a count that is only a bound, 0 if there is none.
func (c Count) Bound() int {
	if c&bound == 0 {
		return 0
	}
	return int(c &^ bound)
}
