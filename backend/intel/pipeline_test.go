// SPDX-License-Identifier: MIT

package intel

import "testing"

// TestOrder checks that a table whose constraints do not hold is rejected, and that every pass after selection
// has a constraint.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		rows []Pass
		want string
	}{
		{[]Pass{{Name: "a"}, {Name: "b", After: []string{"a"}}}, ""},
		{[]Pass{{Name: "b", After: []string{"a"}}, {Name: "a"}}, "pass b must run after a"},
		{[]Pass{{Name: "a"}, {Name: "b", After: []string{"c"}}}, "pass b must run after c"},
		{[]Pass{{Name: "a", After: []string{"a"}}}, "pass a must run after a"},
		{[]Pass{{Name: "a"}, {Name: "a"}}, "pass a is listed twice"},
	} {
		got := ""
		if err := checkOrder(c.rows); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, p := range passes[1:] {
		if len(p.After) == 0 {
			t.Errorf("%s may run anywhere", p.Name)
		}
	}
	// Swap two passes of the table.
	for _, pair := range [][2]string{{"messages", "split_simd32"}, {"legalize", "split_narrow"}, {"split_narrow", "allocate"}, {"split_simd32", "indirect"}, {"indirect", "allocate"}, {"scratch_base", "scoreboard"}} {
		rows := Passes()
		i, j := indexOf(rows, pair[0]), indexOf(rows, pair[1])
		rows[i], rows[j] = rows[j], rows[i]
		if checkOrder(rows) == nil {
			t.Errorf("%s may run after %s", pair[0], pair[1])
		}
	}
}
