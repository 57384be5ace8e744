// SPDX-License-Identifier: MIT

package mir

import (
	"strings"

	"jacquard.example/generated/message"
)

// Spaces is a set of memory spaces.
type Spaces uint8

// SpacesOf returns the set of some spaces.
func SpacesOf(list ...message.Space) (x Spaces) {
	for _, s := range list {
		x |= 1 << s
	}
	return x
}

// EverySpace is the set of all spaces.
const EverySpace = 1<<message.NumSpaces - 1<<(message.Nowhere+1)

// String returns the names of the spaces, joined by dots.
func (x Spaces) String() string {
	var names []string
	for s := range message.Space(message.NumSpaces) {
		if x>>s&1 != 0 {
			names = append(names, s.String())
		}
	}
	return strings.Join(names, ".")
}

// Implicit returns the memory of the spaces.
func (x Spaces) Implicit() Implicit { return firstSpace * Implicit(x) }
