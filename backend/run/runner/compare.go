// SPDX-License-Identifier: MIT

package runner

import (
	"fmt"
	"math"

	"jacquard.example/core/work"
)

// Comparator is a comparison operator of EXPECT.
type Comparator uint8

// The comparators in the order of the comparators table.
const (
	Equal Comparator = iota
	NotEqual
	Less
	LessEqual
	Greater
	GreaterEqual
)

// order is a set of outcomes of comparing two numbers. Two NaNs are
// equal; a NaN and a number are unordered.
type order uint8

const (
	below order = 1 << iota
	equal
	above
	unordered
)

// comparators holds the syntax of each operator and the outcomes for which it holds.
var comparators = [...]struct {
	word  string
	holds order
}{
	Equal:        {"EQ", equal},
	NotEqual:     {"NE", below | above | unordered},
	Less:         {"LT", below},
	LessEqual:    {"LE", below | equal},
	Greater:      {"GT", above},
	GreaterEqual: {"GE", above | equal},
}

func (c Comparator) String() string { return comparators[c].word }

// ComparatorNamed returns the comparator with a name in scripts.
func ComparatorNamed(word string) (Comparator, bool) {
	for c, info := range comparators {
		if info.word == word {
			return Comparator(c), true
		}
	}
	return 0, false
}

// relativeEpsilon is the difference up to which EQ considers two floats equal, relative to the
// expected one: a millionth of a percent. EQ and NE use it, the orderings do not.
const relativeEpsilon = 1e-8

// ordering compares two numbers of one type exactly.
func ordering(got, want Number, s Scalar) order {
	if s.IsFloat() {
		switch {
		case math.IsNaN(got.F) && math.IsNaN(want.F):
			return equal
		case math.IsNaN(got.F) || math.IsNaN(want.F):
			return unordered
		}
		return outcome(got.F < want.F, got.F > want.F)
	}
	if s.IsSigned() {
		a, b := got.signed(s), want.signed(s)
		return outcome(a < b, a > b)
	}
	return outcome(got.Bits < want.Bits, got.Bits > want.Bits)
}

func outcome(less, greater bool) order {
	switch {
	case less:
		return below
	case greater:
		return above
	}
	return equal
}

// difference returns |got - want| as a float64; for 64-bit integers it is exact before it is
// rounded once.
func difference(got, want Number, s Scalar) float64 {
	if s.IsFloat() {
		return math.Abs(got.F - want.F)
	}
	a, b := got.Bits, want.Bits
	if s.IsSigned() {
		a, b = uint64(got.signed(s)), uint64(want.signed(s))
	}
	if ordering(got, want, s) == below {
		a, b = b, a
	}
	return float64(a - b)
}

// near reports whether got is within a tolerance of want. NaN is near only to NaN, an infinity
// only to itself.
func near(got, want Number, s Scalar, t Tolerance) bool {
	switch ordering(got, want, s) {
	case equal:
		return true
	case unordered:
		return false
	}
	limit := t.Value
	if t.Percent {
		limit = t.Value / 100 * math.Abs(want.float(s))
	}
	d := difference(got, want, s)
	return d <= limit && !math.IsInf(d, 0)
}

// asComputed rounds an expected float to the precision of the shader's results: a float is compared with the float
// nearest to the literal. float16 is compared as float, so that a literal between two float16 values equals neither.
func asComputed(want Number, s Scalar) Number {
	if s == Float16 || s == Float32 {
		want.F = float64(float32(want.F))
	}
	return want
}

// holds evaluates EXPECT for one value. comp is the component of the vector.
func (c *Expect) holds(got, want Number, s Scalar, comp int) bool {
	want = asComputed(want, s)
	if len(c.Tolerances) > 0 {
		return near(got, want, s, c.tolerance(comp))
	}
	if s.IsFloat() && (c.Op == Equal || c.Op == NotEqual) {
		return near(got, want, s, Tolerance{Value: relativeEpsilon * 100, Percent: true}) == (c.Op == Equal)
	}
	return ordering(got, want, s)&comparators[c.Op].holds != 0
}

// tolerance returns the tolerance of a component. A single value applies to all components, otherwise each has its
// own; components without one have the relative epsilon.
func (c *Expect) tolerance(comp int) Tolerance {
	switch {
	case len(c.Tolerances) == 1:
		return c.Tolerances[0]
	case comp < len(c.Tolerances):
		return c.Tolerances[comp]
	}
	return Tolerance{Value: relativeEpsilon * 100, Percent: true}
}

// String returns the command without its values.
func (c *Expect) String() string {
	return fmt.Sprintf("EXPECT %s IDX %d %s", c.Buffer.Name, c.Index, c.Op)
}

// String returns the command without its tolerance.
func (c *ExpectBuffer) String() string {
	op := [...]string{SameBits: "EQ_BUFFER", RootMeanSquare: "RMSE_BUFFER", HistogramDistance: "EQ_HISTOGRAM_EMD_BUFFER"}[c.Op]
	return fmt.Sprintf("EXPECT %s %s %s", c.Left.Name, op, c.Right.Name)
}

// check describes the first mismatch in the data of the buffer. It returns "" if there is none.
func (c *Expect) check(m *work.Meter, data []byte) string {
	layout := c.Layout
	if layout == nil {
		layout = c.Buffer.Layout
	}
	first, failed := "", 0
	for i, want := range c.Values {
		m.Spend(valueSteps)
		seg := layout.Segments[i%len(layout.Segments)]
		at := c.Index + i/len(layout.Segments)*layout.Size + seg.Offset
		got := Load(data[at:], seg.Scalar)
		if c.holds(got, want, seg.Scalar, seg.Comp) {
			continue
		}
		if failed++; failed == 1 {
			first = fmt.Sprintf("value %d (byte %d): wanted %s%s, got %s", i, at,
				wantedWord[c.Op], asComputed(want, seg.Scalar).Format(seg.Scalar), got.Format(seg.Scalar))
		}
	}
	if failed == 0 {
		return ""
	}
	if failed > 1 {
		return fmt.Sprintf("%s (%d of %d values differ)", first, failed, len(c.Values))
	}
	return first
}

// wantedWord precedes the expected value in a report.
var wantedWord = [...]string{Equal: "", NotEqual: "other than ", Less: "less than ", LessEqual: "at most ", Greater: "more than ", GreaterEqual: "at least "}

// check describes the difference between the two buffers if the comparison fails. It returns "" if it succeeds.
func (c *ExpectBuffer) check(m *work.Meter, left, right []byte) string {
	switch c.Op {
	case RootMeanSquare:
		return c.checkRMSE(m, left, right)
	case HistogramDistance:
		return c.checkHistograms(m, left, right)
	}
	m.Spend(byteSteps * len(left))
	first, failed := -1, 0
	for i := range left {
		if left[i] != right[i] {
			if failed++; failed == 1 {
				first = i
			}
		}
	}
	if failed == 0 {
		return ""
	}
	tail := fmt.Sprintf(" (%d of %d bytes differ)", failed, len(left))
	layout := c.Left.Layout
	for i, seg := range layout.Segments {
		start := first/layout.Size*layout.Size + seg.Offset
		if first >= start && first < start+seg.Scalar.Bytes() {
			return fmt.Sprintf("value %d (byte %d): wanted %s, got %s%s",
				first/layout.Size*len(layout.Segments)+i, start,
				Load(right[start:], seg.Scalar).Format(seg.Scalar), Load(left[start:], seg.Scalar).Format(seg.Scalar), tail)
		}
	}
	return fmt.Sprintf("byte %d, which is padding: wanted %#02x, got %#02x%s", first, right[first], left[first], tail)
}

func (c *ExpectBuffer) checkRMSE(m *work.Meter, left, right []byte) string {
	layout := c.Left.Layout
	sum, n := 0.0, 0
	for base := 0; base < len(left); base += layout.Size {
		m.Spend(valueSteps * len(layout.Segments))
		for _, seg := range layout.Segments {
			a, b := Load(left[base+seg.Offset:], seg.Scalar), Load(right[base+seg.Offset:], seg.Scalar)
			n++
			if ordering(a, b, seg.Scalar) != equal { // the difference of equal infinities and NaNs is 0
				d := difference(a, b, seg.Scalar)
				sum += d * d
			}
		}
	}
	if rmse := math.Sqrt(sum / float64(n)); !(rmse <= c.Tolerance) {
		return fmt.Sprintf("wanted a root mean square error of at most %g, got %g", c.Tolerance, rmse)
	}
	return ""
}
