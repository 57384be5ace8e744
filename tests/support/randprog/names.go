// SPDX-License-Identifier: MIT

package randprog

import "fmt"

// Bound returns the limit that the counter of a for loop is compared with.
func (s *Stmt) Bound() *Expr {
	e := Condition(s.RHS)
	e = Inside(e, s.From+s.Step*s.Trips+1)
	if e.T.Base != s.Var.T.Base {
		e = &Expr{Op: OpConvert, T: s.Var.T, Args: []*Expr{e}}
	}
	return e
}

// LongestFirst sorts pairs by the length of their names, the longest first, so that no name precedes a longer name
// that begins with it. Names have at most 12 characters.
func LongestFirst(pairs []string) []string {
	var out []string
	for n := 12; n > 0; n-- {
		for i := 0; i < len(pairs); i += 2 {
			if len(pairs[i]) == n {
				out = append(out, pairs[i], pairs[i+1])
			}
		}
	}
	return out
}

// TopSigned returns the literal of the largest signed number of a width.
func TopSigned(s Scalar) string {
	text := fmt.Sprint(s.Mask() >> 1)
	if s.Bits == 64 {
		text += "l"
	}
	return text
}

// Mantissa and MantissaOne are the constants of integers, by bytes of a float, for floats from 1 to 2.
var (
	Mantissa    = [...]string{1: "0x03e0", 2: "0x007ff000", 4: ""}
	MantissaOne = [...]string{1: "0x3c00", 2: "0x3f800000", 4: ""}
)
