// SPDX-License-Identifier: MIT

package emit

import (
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// TestIndirectAddresses checks that an indirect read is encoded if its addresses are in a0, and rejected if
// they are still offsets.
func TestIndirectAddresses(t *testing.T) {
	for _, c := range []struct {
		at mir.Operand
		ok bool
	}{
		{mir.Arch(isa.ARFA0, 0, isa.TypeUW), true},
		{mir.Fixed(10, isa.TypeUW).WithStride(2), false},
		{mir.UW(4), false},
		{mir.V(1, isa.TypeUW), false},
	} {
		in := &mir.Inst{Op: mir.OpIndirect, Exec: 8, Dst: mir.Fixed(20, isa.TypeUD), Src: [3]mir.Operand{mir.Fixed(3, isa.TypeUD), c.at}, Len: [3]uint8{4}}
		var raw isa.Inst
		if err := on32.convert(in, &raw); (err == nil) != c.ok {
			t.Errorf("addresses in %+v: %v", c.at, err)
		} else if c.ok && !raw.Src[0].Indirect {
			t.Errorf("reads %+v", raw.Src[0])
		}
	}
}
