// SPDX-License-Identifier: MIT

package isatab

import "jacquard.example/gen/internal/table"

const (
	NoZero = ""  // no value is reserved for zero
	NoRow  = "-" // zero is a value without a row
)

// Values returns the values of the rows of an enumeration: each except the one for zero has the
// code of the first platform that has it, or the first free number, as have values with codes only in access mode Align16;
// -1 marks rows that no platform has. The row zero has value zero, if it is a name; NoRow keeps zero free, and NoZero does not.
func (t *Tables) Values(rows []*table.Row[Named], zero string) []int {
	out := make([]int, len(rows))
	taken := [32]bool{0: zero != NoZero}
	for later := range 2 {
		for i, r := range rows {
			c, ok := t.AnyCode(r.Val.Code)
			_, only16 := t.AnyCode(r.Val.Align16)
			switch {
			case !ok && !only16:
				out[i] = -1
			case r.Name == zero:
				out[i] = 0
			case later == 0 && ok && c < len(taken) && !taken[c]:
				out[i], taken[c] = c, true
			case later == 0:
				out[i] = -2
			case out[i] == -2:
				for c = 0; c < len(taken) && taken[c]; c++ {
				}
				if out[i] = c; c < len(taken) {
					taken[c] = true
				}
			}
		}
	}
	return out
}

// AnyCode returns the code of an enumeration that all platforms share, which is the first platform's.
func (t *Tables) AnyCode(c Codes) (int, bool) {
	for _, p := range t.Platforms {
		if v, ok := c.At(p); ok {
			return v, true
		}
	}
	return 0, false
}
