// SPDX-License-Identifier: MIT

package legal_test

import (
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/support/variants"
)

// FuzzCheck checks that no input crashes the checks, and that offsets are inside the program.
func FuzzCheck(fuzz *testing.F) {
	f := variants.Of(fuzz)
	for _, b := range bad {
		if code, err := isatext.Assemble(b.on, b.text); err == nil {
			f.Add(uint8(b.on), code)
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, code []byte) {
		last := -1
		for _, v := range legal.Check(isa.Platform(n%isa.NumPlatforms), code) {
			if v.Offset < last || v.Offset >= len(code) || v.Rule == "" || v.Msg == "" {
				t.Fatalf("%+v after offset %d in %d bytes", v, last, len(code))
			}
			last = v.Offset
		}
	})
}
