// SPDX-License-Identifier: MIT

package legal

import "slices"

// HasCheck reports whether a check of that name exists.
func HasCheck(name string) bool { return named[name] != nil }

// CheckNames returns the sorted names of all checks.
func CheckNames() []string {
	var out []string
	for n := range named {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}
