// SPDX-License-Identifier: MIT

package diag

import (
	"slices"
	"testing"
)

func TestUnknown(t *testing.T) {
	many := []string{"fadd", "fsub", "iadd", "iadd3", "iand", "ilt", "imad24", "imul", "isub", "udiv", "umul"}
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"iad", many, `unknown opcode "iad"; known are iadd, iand, fadd, iadd3, ilt, imad24, imul, isub and 3 more`},
		{"IADD", many[:3], `unknown opcode "IADD"; known are iadd, fadd, fsub`},
		{"idad", many[:3], `unknown opcode "idad"; known are iadd, fadd, fsub`},
		{"x", many[:9], `unknown opcode "x"; known are ilt, fadd, fsub, iadd, iand, imul, isub, iadd3, imad24`},
		{"", many[:2], `opcode is missing; known are fadd, fsub`},
		{"iadd", nil, `unknown opcode "iadd"; there are none`},
	} {
		if got := Unknown("opcode", c.word, slices.Values(c.known)); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.word, got, c.want)
		}
	}
}
